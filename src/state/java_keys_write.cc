// Writing keys as Java would serialize them (spec A.4): each class is described once and referred to by its
// handle afterwards.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <map>
#include <vector>

#include "json/json_read.h"
#include "state/java_keys.h"

namespace cdc {
namespace {

constexpr std::uint32_t kFirstHandle = 0x7E0000;

struct ClassRow {
  std::string_view name;
  std::uint64_t version;
  unsigned char flags;
  std::vector<std::pair<char, std::string_view>> fields;  // type, name; objects: see object_types
  std::string_view super;
};

const ClassRow& class_row(std::string_view name) {
  static const ClassRow rows[] = {
      {"java.lang.Number", 0x86AC951D0B94E08B, 2, {}, {}},
      {"java.lang.Integer", 0x12E2A0A4F7818738, 2, {{'I', "value"}}, "java.lang.Number"},
      {"java.lang.Short", 0x684D37133460DA52, 2, {{'S', "value"}}, "java.lang.Number"},
      {"java.lang.Long", 0x3B8BE490CC8F23DF, 2, {{'J', "value"}}, "java.lang.Number"},
      {"java.lang.Double", 0x80B3C24A296BFB04, 2, {{'D', "value"}}, "java.lang.Number"},
      {"java.lang.Boolean", 0xCD207280D59CFAEE, 2, {{'Z', "value"}}, {}},
      {"java.util.UUID", 0xBC9903F7986D852F, 2, {{'J', "leastSigBits"}, {'J', "mostSigBits"}}, {}},
      {"java.util.Date", 0x686A81014B597419, 3, {}, {}},
      {"java.sql.Date", 0x14FA46683F356697, 2, {}, "java.util.Date"},
      {"[B", 0xACF317F8060854E0, 2, {}, {}},
      {"[Ljava.lang.Object;", 0x90CE589F1073296C, 2, {}, {}},
  };
  for (const ClassRow& row : rows)
    if (row.name == name) return row;
  return rows[0];
}

class Writer {
 public:
  Writer() : out_("\xAC\xED\x00\x05", 4) {}
  void null() { out_.push_back('\x70'); }

  void array(std::size_t count) {
    out_.push_back('\x75');
    describe("[Ljava.lang.Object;");
    ++handles_;
    put(count, 4);
  }
  void number(std::string_view type, std::uint64_t value, int width) {
    object(type);
    put(value, width);
  }
  void text(std::string_view utf8) {
    // Modified UTF-8 differs for NUL, which no server stores, and beyond the BMP.
    std::string modified;
    for (std::size_t i = 0; i < utf8.size();) {
      const auto byte = static_cast<unsigned char>(utf8[i]);
      if (byte < 0xF0 || i + 3 >= utf8.size()) {
        modified.push_back(utf8[i++]);
        continue;
      }
      const auto low = [&](std::size_t k) {
        return static_cast<unsigned>(static_cast<unsigned char>(utf8[i + k])) & 0x3Fu;
      };
      const unsigned code = ((byte & 7u) << 18 | low(1) << 12 | low(2) << 6 | low(3)) - 0x10000;
      for (const unsigned unit : {0xD800u + (code >> 10), 0xDC00u + (code & 0x3FFu)})
        for (const unsigned part : {0xE0u | unit >> 12, 0x80u | (unit >> 6 & 0x3Fu), 0x80u | (unit & 0x3Fu)})
          modified.push_back(static_cast<char>(part));
      i += 4;
    }
    const bool is_long = modified.size() > 0xFFFF;
    out_.push_back(is_long ? '\x7C' : '\x74');
    ++handles_;
    put(modified.size(), is_long ? 8 : 2);
    out_ += modified;
  }
  void bytes(std::string_view bytes) {
    out_.push_back('\x75');
    describe("[B");
    ++handles_;
    put(bytes.size(), 4);
    out_ += bytes;
  }
  void uuid(std::uint64_t high, std::uint64_t low) {
    object("java.util.UUID");
    put(low, 8);
    put(high, 8);
  }
  void date(std::int64_t ms) {
    object("java.sql.Date");
    out_ += "\x77\x08";
    put(static_cast<std::uint64_t>(ms), 8);
    out_.push_back('\x78');
  }
  std::string take() { return std::move(out_); }

 private:
  void put(std::uint64_t value, int width) {
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8)
      out_.push_back(static_cast<char>(value >> shift & 0xFF));
  }
  void put_name(std::string_view name) {
    put(name.size(), 2);
    out_ += name;
  }
  void object(std::string_view type) {
    out_.push_back('\x73');
    describe(type);
    ++handles_;
  }
  void describe(std::string_view type) {
    if (type.empty()) return null();
    if (const auto known = classes_.find(type); known != classes_.end()) {
      out_.push_back('\x71');
      return put(known->second, 4);
    }
    const ClassRow& row = class_row(type);
    out_.push_back('\x72');
    put_name(row.name);
    put(row.version, 8);
    classes_.emplace(row.name, kFirstHandle + handles_++);
    out_.push_back(static_cast<char>(row.flags));
    put(row.fields.size(), 2);
    for (const auto& [kind, name] : row.fields) {
      out_.push_back(kind);
      put_name(name);
    }
    out_.push_back('\x78');
    describe(row.super);
  }

  std::string out_;
  std::uint32_t handles_ = 0;
  std::map<std::string_view, std::uint32_t> classes_;
};

tl::unexpected<Error> not_understood(std::string_view json) {
  return fail(ErrorKind::corrupt,
              fmt::format("the key of the incremental snapshot is not understood: {}", json));
}

std::optional<std::string> bytes_of(std::string_view text) {
  if (!text.starts_with("\\x") || text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    unsigned value = 0;
    if (std::from_chars(text.data() + i, text.data() + i + 2, value, 16).ptr != text.data() + i + 2)
      return std::nullopt;
    bytes.push_back(static_cast<char>(value));
  }
  return bytes;
}

std::optional<std::int64_t> days_of(const std::string& text) {
  int year = 0, month = 0, day = 0, length = 0;
  // As much as `offsets import` reads back.
  if (text.size() > 10 || std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &length) != 3 ||
      static_cast<std::size_t>(length) != text.size() || year < 1 || month < 1 || month > 12 || day < 1 ||
      day > 31)
    return std::nullopt;
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400, yoe = y - era * 400;
  const std::int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> uuid_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '-') digits.push_back(c);
  std::uint64_t high = 0, low = 0;
  if (digits.size() != 32 ||
      std::from_chars(digits.data(), digits.data() + 16, high, 16).ptr != digits.data() + 16 ||
      std::from_chars(digits.data() + 16, digits.data() + 32, low, 16).ptr != digits.data() + 32)
    return std::nullopt;
  return std::pair{high, low};
}

// False: the text is no value of the type.
bool write_value(Writer& writer, std::string_view type, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  const auto bits = static_cast<std::uint64_t>(number);
  if (type == "int32" || type == "int16")
    return is_number && (writer.number(type == "int32" ? "java.lang.Integer" : "java.lang.Short", bits,
                                       type == "int32" ? 4 : 2),
                         true);
  if (type == "int64") return is_number && (writer.number("java.lang.Long", bits, 8), true);
  if (type == "boolean") return writer.number("java.lang.Boolean", text == "true" ? 1 : 0, 1), true;
  if (type == "float64")
    return writer.number("java.lang.Double", std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)),
                         8),
           true;
  if (type == "bytes") {
    const auto bytes = bytes_of(text);
    return bytes && (writer.bytes(*bytes), true);
  }
  if (type == "date") {
    const auto days = days_of(text);
    return days && (writer.date(*days * 86'400'000), true);
  }
  if (type == "uuid") {
    const auto halves = uuid_of(text);
    return halves && (writer.uuid(halves->first, halves->second), true);
  }
  writer.text(text);
  return true;
}

}  // namespace

Result<std::string> keys_to_java(std::string_view json) {
  Writer writer;
  if (json::is_null(json)) {
    writer.null();
  } else {
    const auto elements = json::elements(json);
    if (!elements) return not_understood(json);
    writer.array(elements->size());
    for (const std::string_view element : *elements) {
      const auto members = json::members(element);
      if (!members) return not_understood(json);
      std::string type = "string";
      std::string_view value = "null";
      for (const auto& [name, member] : *members) {
        if (name == "t") type = json::unquote(member).value_or(type);
        if (name == "v") value = member;
      }
      if (json::is_null(value))
        writer.null();
      else if (!write_value(writer, type, json::unquote(value).value_or(std::string(value))))
        return not_understood(json);
    }
  }
  std::string hex;
  for (const char c : writer.take()) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

}  // namespace cdc
