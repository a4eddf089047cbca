// Parsing, filling and matching of path templates. Inside a key, date and number are two control
// characters that no value can contain.
#include "sink/path_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace cdc {
namespace {

constexpr char kSequenceMark = '\x01';
constexpr char kDateMark = '\x02';
constexpr std::size_t kMaxValue = 180;  // bytes of one value; a file name may have 255 in all
constexpr std::size_t kDateLength = 10;
constexpr std::size_t kSequenceDigits = 6;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string sequence_text(std::uint64_t sequence) { return fmt::format("{:06}", sequence); }

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

bool is_date(std::string_view text) {
  for (std::size_t i = 0; i < kDateLength; ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return false;
  return true;
}

// FNV-1a: names cut for length must stay different.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

}  // namespace

std::string safe_name(std::string_view value) {
  if (value.empty()) return "_";
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool hidden = c == '.' && out.empty();
    if (byte < 0x20 || byte == 0x7F || hidden || std::strchr("/\\%{}*?\"<>|:", c) != nullptr)
      out += fmt::format("%{:02X}", byte);
    else
      out.push_back(c);
  }
  if (out.size() > kMaxValue) {
    std::size_t cut = kMaxValue - 17;
    while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
    out = fmt::format("{}~{:016x}", out.substr(0, cut), hash(value));
  }
  return out;
}

std::string date_text(std::int64_t ms) {
  const auto day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(ms)));
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

Result<PathTemplate> PathTemplate::parse(std::string_view text, bool numbered, const std::string& base) {
  PathTemplate out;
  if (text.empty() || text.back() == '/')
    return fail(ErrorKind::usage, fmt::format("the output \"{}\" names no file", text),
                "End it in a file name, for example out/{schema}.{table}.ndjson");
  if (text.find('\0') != std::string_view::npos || text.find(kSequenceMark) != std::string_view::npos ||
      text.find(kDateMark) != std::string_view::npos)
    return fail(ErrorKind::usage, "the output path contains a control character", "Use a printable path");
  CDC_CHECK(out.add_parts(text));
  if (text.front() != '/') {
    if (out.parts_.front().field != Field::literal) out.parts_.insert(out.parts_.begin(), Part{});
    std::string& first = out.parts_.front().text;
    first = base + (base.ends_with('/') ? "" : "/") + first;
  }
  if (numbered && !out.has_sequence()) out.add_number();
  return out;
}

Result<void> PathTemplate::add_parts(std::string_view text) {
  struct Name {
    std::string_view name;
    Field field;
  };
  static constexpr std::array names{Name{"topic", Field::topic},   Name{"database", Field::database},
                                    Name{"schema", Field::schema}, Name{"table", Field::table},
                                    Name{"date", Field::date},     Name{"seq", Field::seq}};
  const auto bad = [&](std::string_view what) {
    return fail(ErrorKind::usage, fmt::format("the output template \"{}\" has {}", text, what),
                "The placeholders are {topic} {database} {schema} {table} {date} {seq}");
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find_first_of("{}", at);
    if (open != at) parts_.push_back({Field::literal, std::string(text.substr(at, open - at))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (text[open] == '}' || close == std::string_view::npos) return bad("a brace without its partner");
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const auto* const found =
        std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.name == name; });
    if (found == names.end()) return bad(fmt::format("an unknown placeholder {{{}}}", name));
    parts_.push_back({found->field, {}});
    at = close + 1;
  }
  return {};
}

// Before the extension (and before .zst): changes.ndjson -> changes.{seq}.ndjson.
void PathTemplate::add_number() {
  Parts number{{Field::literal, "."}, {Field::seq, {}}};
  std::string tail;
  if (parts_.back().field == Field::literal) {
    std::string& last = parts_.back().text;
    const std::size_t name = last.rfind('/') == std::string::npos ? 0 : last.rfind('/') + 1;
    // A dot at the start of the whole file name makes it hidden and starts no extension.
    const std::size_t first = name + (name > 0 || parts_.size() == 1 ? 1 : 0);
    const std::size_t end = last.ends_with(".zst") ? last.size() - 4 : last.size();
    std::size_t dot = end == 0 ? std::string::npos : last.rfind('.', end - 1);
    if (dot == std::string::npos || dot < first) dot = end;
    tail = last.substr(dot);
    last.resize(dot);
  }
  parts_.insert(parts_.end(), number.begin(), number.end());
  if (!tail.empty()) parts_.push_back({Field::literal, tail});
}

bool PathTemplate::has(Field field) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& p) { return p.field == field; });
}

bool PathTemplate::has_values() const {
  return has(Field::topic) || has(Field::database) || has(Field::schema) || has(Field::table);
}

bool PathTemplate::compressed() const {
  return parts_.back().field == Field::literal && parts_.back().text.ends_with(".zst");
}

std::string PathTemplate::constant_folder() const {
  // The template is absolute, so that it begins with a slash.
  const std::string& start = parts_.front().text;
  return start.substr(0, std::max<std::size_t>(1, start.rfind('/')));
}

std::string PathTemplate::key(const Destination& to) const {
  std::string out;
  for (const Part& part : parts_) {
    switch (part.field) {
      case Field::literal:
        out += part.text;
        break;
      case Field::topic:
        out += safe_name(to.topic);
        break;
      case Field::database:
        out += safe_name(to.database);
        break;
      case Field::schema:
        out += safe_name(to.schema);
        break;
      // Heartbeats and transaction records belong to no table; their topic tells what they are.
      case Field::table:
        out += safe_name(to.table.empty() ? to.topic : to.table);
        break;
      case Field::date:
        out.push_back(kDateMark);
        break;
      case Field::seq:
        out.push_back(kSequenceMark);
        break;
    }
  }
  return out;
}

std::string PathTemplate::path(std::string_view key, std::int64_t date_ms, std::uint64_t sequence) {
  std::string out(key);
  replace_all(out, {&kDateMark, 1}, date_text(date_ms));
  replace_all(out, {&kSequenceMark, 1}, sequence_text(sequence));
  return out;
}

std::string PathTemplate::key_of(const FilePosition& file) const {
  std::string out = file.final_path;
  if (has_date()) replace_all(out, date_text(file.opened_ms), {&kDateMark, 1});
  if (has_sequence()) replace_all(out, sequence_text(file.sequence), {&kSequenceMark, 1});
  return out;
}

bool PathTemplate::match(const Part* part, const Part* end, std::string_view text) {
  if (part == end) return text.empty();
  switch (part->field) {
    case Field::literal:
      return text.starts_with(part->text) && match(part + 1, end, text.substr(part->text.size()));
    case Field::date:
      return text.size() >= kDateLength && is_date(text) && match(part + 1, end, text.substr(kDateLength));
    default:
      break;
  }
  const bool number = part->field == Field::seq;
  for (std::size_t n = 1; n <= text.size(); ++n) {
    if (number ? !is_digit(text[n - 1]) : text[n - 1] == '/') return false;
    if (number && n < kSequenceDigits) continue;
    if (match(part + 1, end, text.substr(n))) return true;
  }
  return false;
}

bool PathTemplate::matches(std::string_view path) const {
  return match(parts_.data(), parts_.data() + parts_.size(), path);
}

PathTemplate::Found PathTemplate::find(FileSystem& fs, std::string_view suffix) const {
  std::vector<Parts> components(1);
  for (const Part& part : parts_) {
    if (part.field != Field::literal) {
      components.back().push_back(part);
      continue;
    }
    for (std::size_t at = 0;;) {
      const std::size_t slash = part.text.find('/', at);
      const std::string piece = part.text.substr(at, slash == std::string::npos ? slash : slash - at);
      if (!piece.empty()) components.back().push_back({Field::literal, piece});
      if (slash == std::string::npos) break;
      components.emplace_back();
      at = slash + 1;
    }
  }
  components.back().push_back({Field::literal, std::string(suffix)});
  Found found;
  walk(fs, "", components, 1, found);  // the first component is what stands before the leading slash: nothing
  return found;
}

void PathTemplate::walk(FileSystem& fs, const std::string& folder, const std::vector<Parts>& components,
                        std::size_t at, Found& found) {
  const Parts& parts = components[at];
  const bool literal =
      std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.field == Field::literal; });
  std::vector<std::string> names;
  if (literal) {
    names.emplace_back();
    for (const Part& part : parts) names.back() += part.text;
  } else if (const int failed = fs.list(folder.empty() ? "/" : folder, names); failed != 0) {
    if (failed != -ENOENT && failed != -ENOTDIR)
      found.unreadable.push_back(
          fmt::format("{}: {}", folder, std::error_code(-failed, std::generic_category()).message()));
    return;
  }
  for (const std::string& name : names) {
    if (!literal && !match(parts.data(), parts.data() + parts.size(), name)) continue;
    const std::string path = folder + "/" + name;
    if (at + 1 < components.size()) {
      walk(fs, path, components, at + 1, found);
      continue;
    }
    FileInfo info;
    if (fs.stat(path, info) == 0 && info.kind == FileInfo::Kind::regular) found.files.push_back(path);
  }
}

}  // namespace cdc
