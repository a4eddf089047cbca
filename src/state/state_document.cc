// Strict reading: what is unknown or missing is an error, because an offset that is overlooked means a
// gap or a second snapshot.
#include "state/state_document.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>

#include "json/json_read.h"

namespace cdc {
namespace {

constexpr int kVersion = 1;
using Members = std::vector<std::pair<std::string, std::string_view>>;

tl::unexpected<Error> corrupt(std::string_view what) {
  return fail(ErrorKind::corrupt, std::string(what),
              "Restore the file from a backup, or move it away: the capture then starts anew, with a "
              "snapshot if snapshot.mode asks for one");
}

tl::unexpected<Error> no_such(std::string_view name) {
  return corrupt(fmt::format("has a wrong member \"{}\"", name));
}

template <class T>
bool read_number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_text(std::string_view value, std::string& out) {
  auto text = json::unquote(value);
  if (text) out = std::move(*text);
  return text.has_value();
}

bool read_bool(std::string_view value, bool& out) {
  out = value == "true";
  return out || value == "false";
}

Result<FilePosition> parse_file(std::string_view text) {
  const auto members = json::members(text);
  if (!members) return corrupt("has a wrong entry in \"files\"");
  FilePosition file;
  bool named = false;
  for (const auto& [name, value] : *members) {
    bool good = false;
    if (name == "path")
      good = named = read_text(value, file.path);
    else if (name == "final_path")
      good = read_text(value, file.final_path);
    else if (name == "length")
      good = read_number(value, file.length);
    else if (name == "lines")
      good = read_number(value, file.lines);
    else if (name == "sequence")
      good = read_number(value, file.sequence);
    else if (name == "opened_ms")
      good = read_number(value, file.opened_ms);
    else if (name == "finished")
      good = read_bool(value, file.finished);
    if (!good) return no_such(name);
  }
  if (!named) return corrupt("has a file without \"path\"");
  if (file.final_path.empty()) file.final_path = file.path;
  return file;
}

Result<void> parse_files(std::string_view value, StoredState& state) {
  const auto files = json::elements(value);
  if (!files) return no_such("files");
  for (const std::string_view text : *files) {
    CDC_TRY(FilePosition file, parse_file(text));
    state.files.push_back(std::move(file));
  }
  return {};
}

Result<void> parse_facts(std::string_view value, StoredState& state) {
  const auto facts = json::members(value);
  if (!facts) return no_such("facts");
  for (const auto& [name, text] : *facts)
    if (!read_text(text, state.facts[name])) return no_such("facts");
  return {};
}

Result<void> parse_capture(std::string_view text, StateMap& captures) {
  const auto members = json::members(text);
  if (!members) return corrupt("has a wrong entry in \"captures\"");
  StateKey key;
  StoredState state;
  bool engine = false, partition = false;
  for (const auto& [name, value] : *members) {
    bool good = true;
    if (name == "engine") {
      good = engine = read_text(value, key.engine);
    } else if (name == "partition") {
      good = partition = value.front() == '{';
      key.partition = value;
    } else if (name == "offset") {
      good = value.front() == '{' || json::is_null(value);
      if (!json::is_null(value)) state.offset = value;
    } else if (name == "snapshot") {
      // Anything but an object or array is kept as a string.
      std::string progress;
      if (read_text(value, progress))
        state.snapshot = progress;
      else if (!json::is_null(value))
        state.snapshot = value;
    } else if (name == "facts") {
      CDC_CHECK(parse_facts(value, state));
    } else if (name == "files") {
      CDC_CHECK(parse_files(value, state));
    } else {
      good = false;
    }
    if (!good) return no_such(name);
  }
  if (!engine || !partition) return corrupt("has a capture without \"engine\" or \"partition\"");
  if (captures.contains(key)) return corrupt(fmt::format("has the capture \"{}\" twice", key.engine));
  captures.put(key, std::move(state));
  return {};
}

bool is_container(const std::string& text) {
  return (text.starts_with('{') && json::members(text)) || (text.starts_with('[') && json::elements(text));
}

// A string literal that reads back as the same bytes.
Result<std::string> exact(const std::string& text, std::string_view what) {
  std::string literal = json::quote(text);
  if (json::unquote(literal) != text)
    return fail(ErrorKind::usage,
                fmt::format("{} is not valid UTF-8 and cannot be kept in a JSON state: {}", what, literal),
                "Use a state that ends in .db");
  return literal;
}

Result<std::string> render_file(const FilePosition& file) {
  CDC_TRY(const std::string path, exact(file.path, "an output path"));
  CDC_TRY(const std::string final_path, exact(file.final_path, "an output path"));
  return fmt::format(
      R"({{"path": {}, "final_path": {}, "length": {}, "lines": {}, "sequence": {}, "opened_ms": {}, "finished": {}}})",
      path, final_path, file.length, file.lines, file.sequence, file.opened_ms, file.finished);
}

Result<std::string> render_capture(const StateKey& key, const StoredState& state) {
  CDC_TRY(const std::string engine, exact(key.engine, "the capture's name"));
  std::string out =
      fmt::format("    {{\n      \"engine\": {},\n      \"partition\": {}", engine, key.partition);
  if (state.offset) {
    if (!json::members(*state.offset))
      return fail(ErrorKind::internal, "an offset to be stored is no JSON object: " + *state.offset);
    out += ",\n      \"offset\": " + *state.offset;
  }
  if (state.snapshot) {
    CDC_TRY(const std::string text, is_container(*state.snapshot)
                                        ? Result<std::string>(*state.snapshot)
                                        : exact(*state.snapshot, "the progress of a snapshot"));
    out += ",\n      \"snapshot\": " + text;
  }
  const auto list = [&out](std::string_view name, char open, char close,
                           const std::vector<std::string>& items) {
    if (items.empty()) return;
    out += fmt::format(",\n      \"{}\": {}", name, open);
    for (const std::string& item : items)
      out += fmt::format("{}\n        {}", &item == items.data() ? "" : ",", item);
    out += fmt::format("\n      {}", close);
  };
  std::vector<std::string> facts, files;
  for (const auto& [name, text] : state.facts) {
    CDC_TRY(const std::string literal, exact(text, "a fact"));
    facts.push_back(json::quote(name) + ": " + literal);
  }
  for (const FilePosition& file : state.files) {
    CDC_TRY(std::string text, render_file(file));
    files.push_back(std::move(text));
  }
  list("facts", '{', '}', facts);
  list("files", '[', ']', files);
  return out + "\n    }";
}

}  // namespace

Result<StateMap> parse_state(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return corrupt("is empty");
  if (json::unquote(json::quote(text)) != text) return corrupt("is no UTF-8: it was changed");
  const auto members = json::members(text);
  if (!members) return corrupt("is no complete JSON: it was cut off or changed");
  std::string_view captures_text;
  std::uint64_t version = 0;
  for (const auto& [name, value] : *members) {
    if (name == "cdc_state" && !read_number(value, version)) return no_such(name);
    if (name == "captures") captures_text = value;
  }
  if (version == 0) return corrupt("is no state of cdc");
  if (version > kVersion)
    return fail(ErrorKind::unsupported,
                fmt::format("was written by a newer cdc (form {}, this one knows {})", version, kVersion),
                "Use that newer cdc");
  const auto captures = json::elements(captures_text);
  if (!captures) return no_such("captures");
  StateMap out;
  for (const std::string_view capture : *captures) CDC_CHECK(parse_capture(capture, out));
  return out;
}

Result<std::string> render_state(const StateMap& captures) {
  std::string out = fmt::format("{{\n  \"cdc_state\": {},\n  \"captures\": [", kVersion);
  bool first = true;
  for (const StateKey& key : captures.keys()) {
    CDC_TRY(const std::string capture, render_capture(key, captures.get(key)));
    out += std::exchange(first, false) ? "\n" : ",\n";
    out += capture;
  }
  return out + "\n  ]\n}\n";
}

}  // namespace cdc
