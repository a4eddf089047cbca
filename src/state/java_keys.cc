// Reading keys out of an object stream, and the members of an offset that hold them. Writing:
// java_keys_write.cc.
#include "state/java_keys.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "json/json_read.h"
#include "state/java_stream.h"

namespace cdc {
namespace {

using java::Node;
using java::Stream;

struct Value {
  std::string_view type;
  std::string json;  // of the value
};

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// Java's modified UTF-8: NUL in two bytes, supplementary characters as two encoded surrogates.
std::string utf8_of(std::string_view text) {
  std::string out;
  const auto unit = [&](std::size_t i) {
    return (static_cast<unsigned>(text[i]) & 0x0Fu) << 12 |
           (static_cast<unsigned>(text[i + 1]) & 0x3Fu) << 6 | (static_cast<unsigned>(text[i + 2]) & 0x3Fu);
  };
  const auto is_three = [&](std::size_t i) {
    return i + 2 < text.size() && (static_cast<unsigned char>(text[i]) & 0xF0) == 0xE0;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == std::string_view("\xC0\x80", 2)) {
      out.push_back('\0');
      i += 2;
    } else if (is_three(i) && is_three(i + 3) && unit(i) >= 0xD800 && unit(i) < 0xDC00 &&
               unit(i + 3) >= 0xDC00 && unit(i + 3) < 0xE000) {
      const unsigned code = 0x10000 + ((unit(i) - 0xD800) << 10) + (unit(i + 3) - 0xDC00);
      for (const unsigned byte : {0xF0u | code >> 18, 0x80u | (code >> 12 & 0x3Fu),
                                  0x80u | (code >> 6 & 0x3Fu), 0x80u | (code & 0x3Fu)})
        out.push_back(static_cast<char>(byte));
      i += 6;
    } else {
      out.push_back(text[i++]);
    }
  }
  return out;
}

const java::FieldValue* field(const Node& node, std::string_view name) {
  for (const java::FieldValue& value : node.fields)
    if (value.name == name) return &value;
  return nullptr;
}

std::uint64_t bits(const Node& node, std::string_view name) {
  const java::FieldValue* value = field(node, name);
  return value == nullptr ? 0 : value->bits;
}

// Decimal digits of a big-endian magnitude.
std::string decimal_of(std::string_view magnitude) {
  std::vector<unsigned> digits{0};  // base 10^9, lowest first
  for (const char c : magnitude) {
    std::uint64_t carry = static_cast<unsigned char>(c);
    for (unsigned& digit : digits) {
      carry += std::uint64_t{digit} << 8;
      digit = static_cast<unsigned>(carry % 1'000'000'000);
      carry /= 1'000'000'000;
    }
    if (carry != 0) digits.push_back(static_cast<unsigned>(carry));
  }
  std::string text = std::to_string(digits.back());
  for (auto digit = digits.rbegin() + 1; digit != digits.rend(); ++digit)
    text += fmt::format("{:09}", *digit);
  return text;
}

Result<std::string> big_integer(const Stream& stream, const Node& node) {
  const java::FieldValue* magnitude = field(node, "magnitude");
  if (magnitude == nullptr || magnitude->node >= stream.nodes.size() ||
      stream.nodes[magnitude->node].bytes.size() > 4096)
    return fail(ErrorKind::corrupt, "a BigInteger without digits");
  const auto sign = static_cast<std::int32_t>(bits(node, "signum"));
  return (sign < 0 ? "-" : "") + decimal_of(stream.nodes[magnitude->node].bytes);
}

Result<Value> decimal(const Stream& stream, const Node& node) {
  const java::FieldValue* unscaled = field(node, "intVal");
  if (unscaled == nullptr || unscaled->node >= stream.nodes.size())
    return fail(ErrorKind::corrupt, "a BigDecimal without digits");
  CDC_TRY(const std::string digits, big_integer(stream, stream.nodes[unscaled->node]));
  // The server reads 15e-1 as 1.5.
  return Value{"decimal", json::quote(fmt::format(
                              "{}e{}", digits,
                              -static_cast<std::int64_t>(static_cast<std::int32_t>(bits(node, "scale")))))};
}

std::optional<std::int64_t> date_ms(const Node& node) {
  for (const java::Annotation& annotation : node.annotations)
    if (annotation.is_block && annotation.block.size() == 8)
      return static_cast<std::int64_t>(big_endian(annotation.block));
  return std::nullopt;
}

Result<Value> date(const Node& node, bool with_time) {
  const auto ms = date_ms(node);
  constexpr std::int64_t kFarMs = 253'402'300'799'000;  // the end of 9999
  if (!ms || *ms > kFarMs || *ms < -kFarMs)
    return fail(ErrorKind::corrupt, "a date without a time that can be read");
  const std::int64_t second = *ms >= 0 ? *ms / 1000 : -((999 - *ms) / 1000);
  const auto civil = fmt::gmtime(static_cast<std::time_t>(second));
  if (!with_time) return Value{"date", json::quote(fmt::format("{:%Y-%m-%d}", civil))};
  return Value{"string", json::quote(fmt::format("{:%Y-%m-%d %H:%M:%S}.{:09}+00", civil,
                                                 bits(node, "nanos") & 0xFFFFFFFF))};
}

Result<Value> value_of(const Stream& stream, const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return Value{"string", "null"};
    case Node::Kind::string:
      return Value{"string", json::quote(utf8_of(node.bytes))};
    case Node::Kind::primitive_array:
      if (stream.classes[node.class_desc].name == "[B")
        return Value{"bytes", json::quote("\\x" + hex_of(node.bytes))};
      break;
    case Node::Kind::object: {
      const std::string& name = stream.classes[node.class_desc].name;
      const std::uint64_t raw = bits(node, "value");
      if (name == "java.lang.Integer") return Value{"int32", std::to_string(static_cast<std::int32_t>(raw))};
      if (name == "java.lang.Short") return Value{"int16", std::to_string(static_cast<std::int16_t>(raw))};
      if (name == "java.lang.Long") return Value{"int64", std::to_string(static_cast<std::int64_t>(raw))};
      if (name == "java.lang.Boolean") return Value{"boolean", raw != 0 ? "true" : "false"};
      if (name == "java.lang.Double")
        return Value{"float64", json::quote(fmt::format("{}", std::bit_cast<double>(raw)))};
      if (name == "java.math.BigDecimal") return decimal(stream, node);
      if (name == "java.sql.Date") return date(node, false);
      if (name == "java.sql.Timestamp") return date(node, true);
      if (name == "java.math.BigInteger")
        return big_integer(stream, node).map([](const std::string& digits) {
          return Value{"decimal", json::quote(digits)};
        });
      if (name == "java.util.UUID") {
        const std::uint64_t high = bits(node, "mostSigBits"), low = bits(node, "leastSigBits");
        return Value{"uuid", json::quote(fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32,
                                                     high >> 16 & 0xFFFF, high & 0xFFFF, low >> 48,
                                                     low & 0xFFFFFFFFFFFF))};
      }
      break;
    }
    default:
      break;
  }
  const std::string name = node.class_desc == java::no_class ? "?" : stream.classes[node.class_desc].name;
  return fail(ErrorKind::unsupported,
              fmt::format("a key of the Java class {}, which cdc does not read", name));
}

constexpr std::string_view kConditionMember = "incremental_snapshot_collections_additional_condition";

// One pair of parentheses that encloses everything.
std::string without_parentheses(std::string text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

std::string change_conditions(std::string_view collections, bool to_java) {
  const auto text = json::unquote(collections);
  const auto elements = text ? json::elements(*text) : std::nullopt;
  if (!elements) return std::string(collections);
  std::string out = "[";
  for (const std::string_view element : *elements) {
    const auto members = json::members(element);
    if (!members) return std::string(collections);
    out += out.size() == 1 ? "{" : ",{";
    for (const auto& [name, value] : *members) {
      std::string changed(value);
      if (const auto condition = json::unquote(value); condition && name == kConditionMember)
        changed = json::quote(to_java ? fmt::format("({})", *condition) : without_parentheses(*condition));
      out += fmt::format("{}{}:{}", out.back() == '{' ? "" : ",", json::quote(name), changed);
    }
    out += "}";
  }
  return json::quote(out + "]");
}

Result<std::string> change_members(std::string_view offset, bool to_java) {
  const auto members = json::members(offset);
  if (!members) return std::string(offset);
  std::string out;
  for (const auto& [name, value] : *members) {
    std::string changed(value);
    const bool is_key =
        name == "incremental_snapshot_primary_key" || name == "incremental_snapshot_maximum_key";
    if (is_key && to_java) {
      CDC_TRY(const std::string hex, keys_to_java(value));
      changed = json::quote(hex);
    } else if (const auto hex = json::unquote(value); is_key && hex) {
      CDC_TRY(changed, keys_from_java(*hex));
    } else if (name == "incremental_snapshot_collections") {
      changed = change_conditions(value, to_java);
    }
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json::quote(name), changed);
  }
  return "{" + out + "}";
}

}  // namespace

Result<std::string> keys_from_java(std::string_view hex) {
  const auto bytes = bytes_of_hex(hex);
  if (!bytes) return fail(ErrorKind::corrupt, "the key of the incremental snapshot is not hexadecimal");
  CDC_TRY(const Stream stream, java::parse(*bytes));
  if (stream.contents.size() != 1)
    return fail(ErrorKind::corrupt, "the key of the incremental snapshot is not one Java object");
  const Node& array = stream.nodes[stream.contents.front()];
  if (array.kind == Node::Kind::null) return std::string("null");
  if (array.kind != Node::Kind::object_array)
    return fail(ErrorKind::corrupt, "the key of the incremental snapshot is not a Java array");
  std::string json = "[";
  for (const java::Index element : array.elements) {
    CDC_TRY(const Value value, value_of(stream, stream.nodes[element]));
    json += fmt::format("{}{{\"t\":\"{}\",\"v\":{}}}", json.size() == 1 ? "" : ",", value.type, value.json);
  }
  return json + "]";
}

Result<std::string> incremental_from_java(std::string_view offset) { return change_members(offset, false); }
Result<std::string> incremental_to_java(std::string_view offset) { return change_members(offset, true); }

}  // namespace cdc
