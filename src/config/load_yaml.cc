// YAML, flat or nested, by yaml-cpp; also a KafkaConnector resource of Kubernetes. Bounded: depth and
// number of entries, so that aliases of aliases cannot blow it up.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

#include "config/loaders.h"

namespace cdc::config {

namespace {

constexpr int deepest = 64;
constexpr std::size_t most_entries = 20'000;

class Flattener {
 public:
  Flattener(std::string_view file, Loaded& out) : file_(file), out_(out) {}

  void map(const YAML::Node& node, const std::string& prefix, int depth) {
    if (depth > deepest || out_.entries.size() > most_entries) return too_much(node);
    for (const auto& member : node) {
      if (failed_) return;
      if (!member.first.IsScalar()) {
        problem(member.first, "A property name must be plain text");
        continue;
      }
      const std::string& key = member.first.Scalar();
      if (key == "<<" && member.second.IsMap())
        map(member.second, prefix, depth + 1);
      else
        value(member.first, member.second, prefix.empty() ? key : prefix + "." + key, depth);
    }
  }

 private:
  void value(const YAML::Node& key, const YAML::Node& node, std::string name, int depth) {
    if (node.IsMap()) return map(node, name, depth + 1);
    if (node.IsSequence()) return sequence(key, node, std::move(name));
    if (!node.IsScalar()) return;  // null: not set
    out_.entries.push_back({std::move(name), node.Scalar(), std::nullopt, where(key), Form::yaml});
  }

  void sequence(const YAML::Node& key, const YAML::Node& node, std::string name) {
    std::vector<std::string> elements;
    for (const YAML::Node& element : node) {
      if (!element.IsScalar())
        return problem(key, fmt::format("The list of '{}' may hold plain values only", name));
      elements.push_back(element.Scalar());
      if (elements.size() > most_entries) return too_much(node);
    }
    out_.entries.push_back({std::move(name), {}, std::move(elements), where(key), Form::yaml});
  }

  std::string where(const YAML::Node& node) const {
    return fmt::format("{}:{}", file_, node.Mark().line + 1);
  }
  void problem(const YAML::Node& node, std::string message) {
    out_.problems.push_back(load_error(where(node), std::move(message)));
  }
  void too_much(const YAML::Node& node) {
    if (!failed_)
      problem(node, "The document is nested too deeply or has too many entries for a configuration");
    failed_ = true;
  }

  std::string_view file_;
  Loaded& out_;
  bool failed_ = false;
};

// Only the place of a document's start. The reader itself must not be asked for all documents: stray
// brackets make yaml-cpp 0.7 find empty ones without end.
struct DocumentStart final : YAML::EventHandler {
  int line = 0;
  void OnDocumentStart(const YAML::Mark& mark) override { line = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}
};

// Line of what follows the first document; 0 when nothing does.
int second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStart start;
  return parser.HandleNextDocument(start) && parser.HandleNextDocument(start) ? start.line : 0;
}

std::string scalar_at(const YAML::Node& map, const char* key) {
  const YAML::Node node = map[key];
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

// kind: KafkaConnector (Strimzi): class, tasksMax and the name stand beside the configuration.
void flatten_resource(const YAML::Node& root, std::string_view file, Loaded& out) {
  Flattener flattener(file, out);
  auto add = [&](const char* name, const YAML::Node& parent, const char* key) {
    if (std::string text = scalar_at(parent, key); !text.empty())
      out.entries.push_back({name, std::move(text), std::nullopt,
                             fmt::format("{}:{}", file, parent[key].Mark().line + 1), Form::yaml});
  };
  if (const YAML::Node metadata = root["metadata"]; metadata && metadata.IsMap())
    add("name", metadata, "name");
  const YAML::Node spec = root["spec"];
  if (!spec || !spec.IsMap()) return;
  add("connector.class", spec, "class");
  add("tasks.max", spec, "tasksMax");
  if (const YAML::Node config = spec["config"]; config && config.IsMap()) flattener.map(config, "", 0);
}

}  // namespace

Loaded load_yaml(std::string_view text, std::string_view file) {
  Loaded out;
  try {
    const std::string copy(text);
    if (const int line = second_document(copy); line > 0) {
      out.problems.push_back(
          load_error(fmt::format("{}:{}", file, line),
                     "A second document, or text after the end of the first: a configuration "
                     "file holds one"));
      return out;
    }
    const YAML::Node root = YAML::Load(copy);
    if (root.IsNull()) return out;
    if (!root.IsMap()) {
      out.problems.push_back(load_error(fmt::format("{}:{}", file, root.Mark().line + 1),
                                        "A configuration is a list of `property: value` lines"));
    } else if (scalar_at(root, "kind") == "KafkaConnector") {
      flatten_resource(root, file, out);
    } else {
      Flattener(file, out).map(root, "", 0);
    }
  } catch (const YAML::Exception& e) {
    out.problems.push_back(load_error(fmt::format("{}:{}", file, e.mark.line + 1),
                                      fmt::format("This is no valid YAML: {}", e.msg)));
  } catch (const std::exception& e) {
    out.problems.push_back(load_error(std::string(file), fmt::format("This is no valid YAML: {}", e.what())));
  }
  return out;
}

}  // namespace cdc::config
