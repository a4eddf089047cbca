// Connect's Cast and MaskField.
#include "transform/connect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json/json_read.h"
#include "json/json_text.h"
#include "text/list.h"
#include "transform/date_format.h"
#include "transform/hashes.h"
#include "transform/scalar.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"
#include "transform/zone.h"

namespace cdc::transform {
namespace {

bool is_integer(Type type) {
  return type == Type::int8 || type == Type::int16 || type == Type::int32 || type == Type::int64;
}
bool is_real(Type type) { return type == Type::float32 || type == Type::float64; }

Result<std::string> out_of_range(std::string_view text) {
  return record_error(fmt::format("the value {} is out of range for the requested type", text));
}

// Java's parseByte ... parseLong: an optional sign and digits, within the type.
std::optional<std::int64_t> parse_whole(Type type, std::string_view text) {
  if (text.size() > 1 && text.front() == '+') text.remove_prefix(1);
  const auto n = read_integer(text);
  return n && narrowed(type, *n) == *n ? n : std::nullopt;
}

// The value as a double, for casts to numbers; strings are no numbers here.
std::optional<double> real_of(const Schema& schema, std::string_view json) {
  if (schema.type == Type::boolean) return json == "true" ? 1 : 0;
  if (is_decimal(schema)) {
    const auto bytes = decode_base64(json);
    return bytes ? read_real(decimal_text(*bytes, scale_of(schema))) : std::nullopt;
  }
  return is_integer(schema.type) || is_real(schema.type) ? read_real(json) : std::nullopt;
}

std::string number_text(Type type, double d) {
  Buffer out;
  if (type == Type::float32)
    json::append_float(out, static_cast<float>(d));
  else
    json::append_double(out, d);
  return std::string(out.view());
}

// What a date, time or timestamp of Connect prints as a string. The schema does not count (seen): what lies
// before the end of the first day of 1970 is a time, midnights are dates, all else a timestamp.
std::string logical_text(const Schema& schema, std::string_view json) {
  constexpr std::int64_t kDay = 86'400'000;
  std::int64_t ms = read_integer(json).value_or(0);
  if (schema.name == "org.apache.kafka.connect.data.Date")
    ms *= kDay;
  else if (schema.name != "org.apache.kafka.connect.data.Time" &&
           schema.name != "org.apache.kafka.connect.data.Timestamp")
    return {};
  const char* pattern = ms < kDay        ? "HH:mm:ss.SSS'Z'"
                        : ms % kDay == 0 ? "yyyy-MM-dd"
                                         : "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
  const auto format = DateFormat::parse(pattern);
  return format ? format->format(ms) : std::string();
}

Result<std::string> cast_to_string(const Schema& schema, std::string_view json) {
  if (schema.type == Type::string) return std::string(json);
  if (std::string logical = logical_text(schema, json); !logical.empty()) return json::quote(logical);
  if (is_decimal(schema)) {
    const auto bytes = decode_base64(json);
    if (bytes) return json::quote(decimal_text(*bytes, scale_of(schema)));
  }
  if (!json.empty() && json.front() == '"') return std::string(json);  // NaN; bytes in base64
  if (schema.type == Type::array || schema.type == Type::map || schema.type == Type::structure)
    return record_error("a struct, array or map cannot be cast");
  return "\"" + std::string(json) + "\"";
}

// The JSON text of `json` (not null) in another type.
Result<std::string> cast_text(const Schema& schema, std::string_view json, Type type) {
  if (type == Type::string) return cast_to_string(schema, json);
  const bool is_text = schema.type == Type::string;
  const std::string text = is_text ? json::unquote(json).value_or(std::string()) : std::string();
  if (type == Type::boolean) {
    if (is_text) return std::string(text::equals_ignore_case(text, "true") ? "true" : "false");
    if (schema.type == Type::boolean) return std::string(json);
    const auto d = real_of(schema, json);
    if (!d) return record_error("the value cannot be cast to boolean");
    return std::string(*d != 0 ? "true" : "false");
  }
  if (is_integer(type)) {
    if (is_text) {
      const auto n = parse_whole(type, text);
      return n ? Result<std::string>(std::to_string(*n)) : out_of_range(text);
    }
    if (is_integer(schema.type)) return std::to_string(narrowed(type, read_integer(json).value_or(0)));
  }
  auto d = is_text ? read_real(text::trim(text)) : real_of(schema, json);
  // A float is widened by its bits, not by the digits that it is printed with.
  if (d && schema.type == Type::float32 && type == Type::float64) d = static_cast<float>(*d);
  if (!d)
    return is_text ? out_of_range(text)
                   : Result<std::string>(record_error("the value cannot be cast to a number"));
  if (is_integer(type)) return std::to_string(truncated(type, *d));
  return number_text(type, *d);
}

class Cast : public Transform {
 public:
  struct Spec {
    std::optional<Type> whole;
    std::vector<std::pair<std::string, Type>> fields;
    Nulls nulls;
  };
  Cast(Spec spec, Side side) : o_(std::move(spec)), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed operand = record.operand(side_);
    if (operand.is_null()) return true;
    if (operand.schema == nullptr) return record_error("a value without schema cannot be cast");
    const SchemaPtr type = record.own(side_);
    const Plan& plan = plans_.get(type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (o_.whole) {
      CDC_TRY(const std::string text, cast_text(*type, operand.text, *o_.whole));
      record.set_operand(side_, typed(plan.type, record.work.store(text)));
      return true;
    }
    CDC_CHECK(split_operand(operand, "cast", texts_));
    fill_nulls(*type, texts_, o_.nulls);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (!plan.casts[i] || is_null(texts_[i])) continue;
      CDC_TRY(const std::string text, cast_text(*type->fields[i].schema, texts_[i], *plan.casts[i]));
      texts_[i] = record.work.store(text);
    }
    record.set_operand(side_, typed(plan.type, record.build(*plan.type, texts_, record.nulls(side_))));
    return true;
  }

 private:
  struct Plan {
    SchemaPtr type;
    std::vector<std::optional<Type>> casts;
  };
  static SchemaPtr cast_schema(const Schema& from, Type type) {
    Schema s;
    s.type = type;
    s.optional = from.optional;
    if (from.default_json)
      if (auto text = cast_text(from, *from.default_json, type)) s.default_json = std::move(*text);
    return share(std::move(s));
  }
  Plan make_plan(const Schema& schema) const {
    Plan plan;
    if (o_.whole) {
      plan.type = cast_schema(schema, *o_.whole);
      return plan;
    }
    Schema result = basics_of(schema);
    for (const Field& field : schema.fields) {
      const auto found = std::find_if(o_.fields.begin(), o_.fields.end(),
                                      [&](const auto& f) { return f.first == field.name; });
      plan.casts.push_back(found == o_.fields.end() ? std::nullopt : std::optional(found->second));
      result.fields.push_back(
          {field.name, plan.casts.back() ? cast_schema(*field.schema, *plan.casts.back()) : field.schema});
    }
    plan.type = share(std::move(result));
    return plan;
  }

  const Spec o_;
  const Side side_;
  SchemaMemo<Plan> plans_;
  Texts texts_;
};

class MaskField : public Transform {
 public:
  struct Chosen {
    std::vector<std::string> fields;
    std::string replacement;
    Nulls nulls;
  };
  MaskField(Chosen chosen, Side side) : o_(std::move(chosen)), side_(side) {}

  Result<bool> apply(Record& record) override {
    CDC_CHECK(split_operand(record.operand(side_), "mask", texts_));
    const SchemaPtr type = record.own(side_);
    fill_nulls(*type, texts_, o_.nulls);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const Field& field = type->fields[i];
      if (is_null(texts_[i]) || std::find(o_.fields.begin(), o_.fields.end(), field.name) == o_.fields.end())
        continue;
      CDC_TRY(const std::string text, masked(field));
      texts_[i] = record.work.store(text);
    }
    record.set_operand(side_, typed(type, record.build(*type, texts_, record.nulls(side_))));
    return true;
  }

 private:
  Result<std::string> masked(const Field& field) const {
    const Schema& schema = *field.schema;
    const auto cannot = [&]() -> Result<std::string> {
      return record_error(fmt::format("the field '{}' is of a type that cannot be masked", field.name));
    };
    if (!o_.replacement.empty()) {
      if (schema.type == Type::string) return json::quote(o_.replacement);
      Schema text;
      if (is_integer(schema.type) || is_real(schema.type))
        return cast_text(text, json::quote(o_.replacement), schema.type);
      return cannot();
    }
    if (schema.type == Type::string) return std::string("\"\"");
    if (schema.type == Type::boolean) return std::string("false");
    if (is_integer(schema.type)) return std::string("0");
    if (is_real(schema.type)) return std::string("0.0");
    if (schema.type == Type::array) return std::string("[]");
    if (schema.type == Type::map) return std::string("{}");
    if (is_decimal(schema)) return std::string("\"AA==\"");
    return cannot();
  }

  const Chosen o_;
  const Side side_;
  Texts texts_;
};

}  // namespace

StepFactory make_cast(Options& options, const StepContext& context) {
  Cast::Spec spec{std::nullopt, {}, copy_nulls(options)};
  const auto items = options.list("spec");
  for (const std::string& item : items) {
    const std::size_t colon = item.rfind(':');
    const std::string name = text::lower(text::trim(
        colon == std::string::npos ? std::string_view(item) : std::string_view(item).substr(colon + 1)));
    const auto type = type_named(name);
    if (!type)
      options.invalid(
          "spec",
          fmt::format("'{}' is none of int8, int16, int32, int64, float32, float64, boolean, string", name));
    else if (colon != std::string::npos)
      spec.fields.emplace_back(text::trim(std::string_view(item).substr(0, colon)), *type);
    else
      spec.whole = type;
  }
  if (spec.whole && items.size() > 1) options.invalid("spec", "a type for the whole value must stand alone");
  return [spec, side = context.side] { return std::make_unique<Cast>(spec, side); };
}

StepFactory make_mask_field(Options& options, const StepContext& context) {
  if (options.is_set("replacement") && options.text("replacement").empty())
    options.invalid("replacement", "it cannot be empty");
  MaskField::Chosen o{options.list("fields"), options.text("replacement"), copy_nulls(options)};
  return [o, side = context.side] { return std::make_unique<MaskField>(o, side); };
}

}  // namespace cdc::transform
