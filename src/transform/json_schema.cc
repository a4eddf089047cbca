// Two passes: a small tree of the document, then the schema of each node.
#include "transform/json_schema.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <vector>

#include "json/json_read.h"
#include "json/json_text.h"
#include "transform/schema_build.h"
#include "transform/struct_text.h"

namespace cdc::transform {
namespace {

constexpr int kDeepest = 500;  // both passes call themselves

struct Member;
struct Node {
  std::string_view raw;                                 // scalars
  Type type = Type::bytes;                              // bytes: null
  std::vector<Member> members;                          // structure
  std::unordered_map<std::string, std::size_t> places;  // of the members
  std::vector<Node> items;                              // array

  const Node* find(const std::string& name) const;
};
struct Member {
  std::string name;
  Node value;
};

const Node* Node::find(const std::string& name) const {
  const auto found = places.find(name);
  return found == places.end() ? nullptr : &members[found->second].value;
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

class Reader {
 public:
  explicit Reader(std::string& why) : why_(why) {}

  bool read(std::string_view text, Node& node, int depth) {
    if (depth > kDeepest) return no("it is nested too deeply");
    node.raw = text;
    switch (text.empty() ? '\0' : text.front()) {
      case '{':
        return object(text, node, depth);
      case '[':
        return array(text, node, depth);
      case '"':
        node.type = Type::string;
        return true;
      case 't':
      case 'f':
        node.type = Type::boolean;
        return true;
      case 'n':
        node.type = Type::bytes;
        return true;
      default:
        return number(text, node);
    }
  }

 private:
  bool no(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool object(std::string_view text, Node& node, int depth) {
    auto members = json::members(text);
    if (!members) return no("it is not well-formed");
    node.type = Type::structure;
    for (auto& [name, raw] : *members) {
      Node child;
      if (!read(raw, child, depth + 1)) return false;
      const auto [place, is_new] = node.places.emplace(name, node.members.size());
      if (is_new)
        node.members.push_back({std::move(name), std::move(child)});
      else
        node.members[place->second].value = std::move(child);
    }
    return true;
  }
  bool array(std::string_view text, Node& node, int depth) {
    auto items = json::elements(text);
    if (!items) return no("it is not well-formed");
    node.type = Type::array;
    for (const std::string_view raw : *items)
      if (!read(raw, node.items.emplace_back(), depth + 1)) return false;
    return true;
  }
  bool number(std::string_view text, Node& node) {
    if (text.empty()) return no("it is not well-formed");
    if (text.find_first_of(".eE") != std::string_view::npos) {
      node.type = Type::float64;
      return true;
    }
    const auto n = whole(text);
    if (!n) return no("a number is too large");
    node.type = *n >= INT32_MIN && *n <= INT32_MAX ? Type::int32 : Type::int64;
    return true;
  }

  std::string& why_;
};

class Builder {
 public:
  Builder(NullMembers nulls, std::string& why) : nulls_(nulls), why_(why) {}

  // Null: the value is left out (`failed` false), or there is no schema.
  SchemaPtr schema_of(const std::vector<const Node*>& alike, const std::string& name) {
    const Node& first = *alike.front();
    switch (first.type) {
      case Type::structure:
        return struct_schema(alike, name);
      case Type::array:
        return array_schema(alike, name);
      case Type::bytes:
        return nulls_ == NullMembers::as_bytes ? make(Type::bytes, true) : nullptr;
      default:
        return make(first.type, true);
    }
  }
  bool failed() const { return failed_; }

  void write(Buffer& out, const Schema& schema, const Node& node) const {
    switch (node.type) {
      case Type::structure: {
        out.push('{');
        for (std::size_t i = 0; i < schema.fields.size(); ++i) {
          const Field& field = schema.fields[i];
          if (i > 0) out.push(',');
          json::append_string(out, field.name);
          out.push(':');
          const Node* member = node.find(field.name);
          if (member == nullptr)
            out.append("null");
          else
            write(out, *field.schema, *member);
        }
        out.push('}');
        return;
      }
      case Type::array:
        out.push('[');
        for (std::size_t i = 0; i < node.items.size(); ++i) {
          if (i > 0) out.push(',');
          write(out, *schema.items, node.items[i]);
        }
        out.push(']');
        return;
      case Type::string:
        json::append_string(out, json::unquote(node.raw).value_or(std::string()));
        return;
      case Type::float64:
        json::append_double(out, std::strtod(std::string(node.raw).c_str(), nullptr));
        return;
      case Type::int32:
      case Type::int64:
        json::append_int(out, whole(node.raw).value_or(0));
        return;
      default:
        out.append(node.raw);
    }
  }

 private:
  SchemaPtr none(std::string why) {
    failed_ = true;
    why_ = std::move(why);
    return nullptr;
  }

  // The same member of several objects: nulls say nothing about its type.
  SchemaPtr merged(const std::vector<const Node*>& nodes, const std::string& name) {
    std::vector<const Node*> typed;
    for (const Node* node : nodes)
      if (node->type != Type::bytes) typed.push_back(node);
    if (typed.empty()) return nodes.empty() ? nullptr : schema_of(nodes, name);
    for (const Node* node : typed)
      if (node->type != typed.front()->type) return none("an array holds values of several types");
    return schema_of(typed, name);
  }

  // Objects of one array that are alike have the schema of each; unlike ones share a required one.
  SchemaPtr struct_schema(const std::vector<const Node*>& objects, const std::string& name) {
    if (objects.size() == 1) return union_schema(objects, name, true);
    std::string text;
    for (std::size_t i = 0; i < objects.size() && !failed_; ++i) {
      const SchemaPtr one = union_schema({objects[i]}, name, true);
      if (one == nullptr) return nullptr;
      if (std::string own = schema_text(*one); i == 0)
        text = std::move(own);
      else if (own != text)
        return union_schema(objects, name, false);
      if (i + 1 == objects.size()) return one;
    }
    return nullptr;
  }

  SchemaPtr union_schema(const std::vector<const Node*>& objects, const std::string& name, bool optional) {
    std::vector<std::string> order;  // the fields of later objects stand first
    for (const Node* object : objects) {
      std::vector<std::string> next;
      for (const Member& member : object->members) next.push_back(member.name);
      for (std::string& field : order)
        if (object->find(field) == nullptr) next.push_back(std::move(field));
      order = std::move(next);
    }
    std::vector<Field> fields;
    for (const std::string& field : order) {
      std::vector<const Node*> values;
      for (const Node* object : objects)
        if (const Node* value = object->find(field)) values.push_back(value);
      SchemaPtr schema = merged(values, name.empty() ? field : name + "." + field);
      if (failed_) return nullptr;
      if (schema != nullptr) fields.push_back({field, std::move(schema)});
    }
    return struct_of(name, std::nullopt, optional, std::move(fields));
  }

  SchemaPtr array_schema(const std::vector<const Node*>& arrays, const std::string& name) {
    std::vector<const Node*> items;
    for (const Node* array : arrays)
      for (const Node& item : array->items) items.push_back(&item);
    for (const Node* item : items)
      if (item->type == Type::array && item->items.empty()) return none("an array holds an empty array");
    SchemaPtr schema = merged(items, name);
    return schema == nullptr ? nullptr : array_of(std::move(schema), true);
  }

  NullMembers nulls_;
  std::string& why_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<InferredJson> infer_json(std::string_view document, const std::string& name,
                                         NullMembers nulls, std::string& why) {
  const std::size_t begin = document.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (document[begin] != '{' && document[begin] != '[')) {
    why = "it is no object or array";
    return nullptr;
  }
  document.remove_prefix(begin);
  document = document.substr(0, document.find_last_not_of(" \t\r\n") + 1);
  Node root;
  if (!Reader(why).read(document, root, 0)) return nullptr;
  Builder builder(nulls, why);
  auto result = std::make_unique<InferredJson>();
  result->schema = builder.schema_of({&root}, name);
  if (result->schema == nullptr) {
    if (!builder.failed()) why = "nothing in it tells a type";
    return nullptr;
  }
  Buffer out;
  builder.write(out, *result->schema, root);
  result->json = out.view();
  return result;
}

}  // namespace cdc::transform
