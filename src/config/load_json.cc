// A connector's JSON ({"name","config"} as Kafka Connect's REST interface takes it, or the bare
// configuration), read event by event by RapidJSON so that every member has its line.
#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>

#include "config/loaders.h"

namespace cdc::config {

namespace {

class Handler {
 public:
  Handler(std::string_view file, std::string_view text, const rapidjson::MemoryStream& stream, Loaded& out)
      : file_(file), text_(text), stream_(stream), out_(out) {}

  bool Null() { return true; }
  bool Bool(bool b) { return scalar(b ? "true" : "false"); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool) { return scalar({s, n}); }
  bool String(const char* s, rapidjson::SizeType n, bool) { return scalar({s, n}); }
  // Numbers come as texts (kParseNumbersAsStringsFlag); these exist for the reader's interface.
  bool Int(int i) { return scalar(std::to_string(i)); }
  bool Uint(unsigned i) { return scalar(std::to_string(i)); }
  bool Int64(std::int64_t i) { return scalar(std::to_string(i)); }
  bool Uint64(std::uint64_t i) { return scalar(std::to_string(i)); }
  bool Double(double d) { return scalar(fmt::format("{}", d)); }

  bool StartObject() {
    if (in_array_) return nested("an object");
    if (levels_.size() == 1 && levels_.front() == "config") has_config_object_ = true;
    levels_.emplace_back();
    return true;
  }
  bool Key(const char* s, rapidjson::SizeType n, bool) {
    levels_.back().assign(s, n);
    line_ = current_line();
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    levels_.pop_back();
    return true;
  }
  bool StartArray() {
    if (in_array_) return nested("a list");
    if (levels_.empty()) return root_problem();
    in_array_ = true;
    array_line_ = line_;
    elements_.clear();
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    in_array_ = false;
    out_.entries.push_back({name(), {}, elements_, where(array_line_), Form::json});
    return true;
  }

  std::string where(std::size_t line) const { return fmt::format("{}:{}", file_, line); }
  std::size_t line_at(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    return 1 + static_cast<std::size_t>(
                   std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  }
  bool failed() const { return failed_; }
  bool has_config_object() const { return has_config_object_; }

 private:
  bool scalar(std::string_view value) {
    if (levels_.empty() && !in_array_) return root_problem();
    if (in_array_)
      elements_.emplace_back(value);
    else
      out_.entries.push_back({name(), std::string(value), std::nullopt, where(line_), Form::json});
    return true;
  }

  std::string name() const {
    std::string joined;
    for (const std::string& level : levels_) joined += joined.empty() ? level : "." + level;
    return joined;
  }

  std::size_t current_line() {
    const std::size_t offset = std::min(stream_.Tell(), text_.size());
    counted_lines_ +=
        static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    counted_ = offset;
    return counted_lines_;
  }

  bool nested(std::string_view what) {
    failed_ = true;
    out_.problems.push_back(
        load_error(where(array_line_),
                   fmt::format("The list of '{}' holds {}; it may hold plain values only", name(), what)));
    return false;
  }

  bool root_problem() {
    failed_ = true;
    out_.problems.push_back(load_error(where(1), "A configuration is a JSON object of properties"));
    return false;
  }

  std::string_view file_, text_;
  const rapidjson::MemoryStream& stream_;
  Loaded& out_;
  std::vector<std::string> levels_;  // the key open at each level
  bool in_array_ = false, failed_ = false, has_config_object_ = false;
  std::vector<std::string> elements_;
  std::size_t line_ = 1, array_line_ = 1, counted_ = 0, counted_lines_ = 1;
};

// {"name": N, "config": {...}, "tasks": [...]}: what Connect's REST interface takes and gives back. (A bare
// configuration may have names that begin with config., as config.action.reload.)
void unwrap_connector(Loaded& loaded) {
  std::vector<RawEntry> kept;
  for (RawEntry& entry : loaded.entries) {
    if (entry.name.starts_with("config."))
      entry.name.erase(0, 7);
    else if (entry.name != "name")
      continue;
    kept.push_back(std::move(entry));
  }
  loaded.entries = std::move(kept);
}

}  // namespace

Loaded load_json(std::string_view text, std::string_view file) {
  Loaded out;
  rapidjson::MemoryStream stream(text.data(), text.size());
  Handler handler(file, text, stream, out);
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                             rapidjson::kParseCommentsFlag | rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, handler);
  if (result.IsError() && !handler.failed())
    out.problems.push_back(
        load_error(handler.where(handler.line_at(result.Offset())),
                   fmt::format("This is no valid JSON: {}", rapidjson::GetParseError_En(result.Code()))));
  if (handler.has_config_object()) unwrap_connector(out);
  return out;
}

}  // namespace cdc::config
