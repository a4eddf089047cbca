// Connect's TimestampConverter.
#include "transform/connect.h"

#include <fmt/format.h>

#include "json/json_read.h"
#include "transform/date_format.h"
#include "transform/scalar.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"
#include "transform/zone.h"

namespace cdc::transform {
namespace {

enum class Form : std::uint8_t { text, unix_time, date, time, timestamp, none };

struct Conversion {
  std::string field;  // empty: the whole value
  Form target = Form::text;
  std::optional<DateFormat> format;
  std::int64_t numerator = 1, denominator = 1;  // unix units a millisecond
  Nulls nulls;
};

constexpr std::string_view kConnect = "org.apache.kafka.connect.data.";

Form form_of(const Schema& schema) {
  if (schema.name == "org.apache.kafka.connect.data.Timestamp") return Form::timestamp;
  if (schema.name == "org.apache.kafka.connect.data.Date") return Form::date;
  if (schema.name == "org.apache.kafka.connect.data.Time") return Form::time;
  if (schema.type == Type::string) return Form::text;
  return schema.type == Type::int64 ? Form::unix_time : Form::none;
}

SchemaPtr schema_of(Form form, bool optional) {
  const std::string prefix(kConnect);
  switch (form) {
    case Form::text:
      return make(Type::string, optional);
    case Form::date:
      return named(Type::int32, prefix + "Date", optional);
    case Form::time:
      return named(Type::int32, prefix + "Time", optional);
    case Form::timestamp:
      return named(Type::int64, prefix + "Timestamp", optional);
    default:
      return make(Type::int64, optional);
  }
}

class TimestampConverter : public Transform {
 public:
  TimestampConverter(const Conversion& conversion, Side side) : o_(conversion), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed operand = record.operand(side_);
    if (operand.schema == nullptr) {
      if (operand.is_null()) return true;
      return record_error("a value without schema has no timestamps to convert");
    }
    const SchemaPtr type = record.own(side_);
    if (!o_.field.empty() && type->type != Type::structure)
      return record_error("only a struct has timestamp fields");
    SchemaPtr target = types_.get(type, [this](const SchemaPtr& s) { return make_type(*s); });
    if (o_.field.empty()) {
      CDC_TRY(const std::string text, convert(*type, operand.text));
      record.set_operand(side_, typed(std::move(target), record.work.store(text)));
      return true;
    }
    if (operand.is_null()) {
      record.set_operand(side_, typed(std::move(target), "null"));
      return true;
    }
    CDC_CHECK(split_operand(operand, "convert", texts_));
    fill_nulls(*type, texts_, o_.nulls);
    if (const int i = field_index(*type, o_.field); i >= 0) {
      std::string_view& text = texts_[static_cast<std::size_t>(i)];
      CDC_TRY(const std::string converted, convert(*type->fields[static_cast<std::size_t>(i)].schema, text));
      text = record.work.store(converted);
    }
    const std::string_view text = record.build(*target, texts_, record.nulls(side_));
    record.set_operand(side_, typed(std::move(target), text));
    return true;
  }

 private:
  SchemaPtr make_type(const Schema& schema) const {
    if (o_.field.empty()) return schema_of(o_.target, schema.optional);
    Schema result = basics_of(schema);
    result.optional = schema.optional;
    for (const Field& field : schema.fields)
      result.fields.push_back(
          {field.name, field.name == o_.field ? schema_of(o_.target, field.schema->optional) : field.schema});
    return share(std::move(result));
  }

  Result<std::string> convert(const Schema& schema, std::string_view json) const {
    if (is_null(json)) return std::string("null");
    CDC_TRY(const std::int64_t ms, read(schema, json));
    switch (o_.target) {
      case Form::text:
        return json::quote(o_.format->format(ms));
      case Form::date:
        return std::to_string(floor_div(ms, 86'400'000));
      case Form::time:
        return std::to_string(ms - floor_div(ms, 86'400'000) * 86'400'000);
      case Form::timestamp:
        return std::to_string(ms);
      default: {
        std::int64_t units = 0;
        if (__builtin_mul_overflow(floor_div(ms, o_.denominator), o_.numerator, &units))
          return record_error("a timestamp is out of range");
        return std::to_string(units);
      }
    }
  }

  Result<std::int64_t> read(const Schema& schema, std::string_view json) const {
    const Form form = form_of(schema);
    if (form == Form::text) {
      const auto text = json::unquote(json);
      const auto ms = text && o_.format ? o_.format->read(*text) : std::nullopt;
      if (!ms) return record_error("a text is no timestamp in the form that `format` describes");
      return *ms;
    }
    const auto n = read_integer(json);
    if (form == Form::none || !n) return record_error("the field is of a type that is no timestamp");
    if (form == Form::date) return *n * 86'400'000;
    if (form != Form::unix_time) return *n;
    std::int64_t ms = 0;
    if (__builtin_mul_overflow(*n, o_.denominator, &ms)) return record_error("a timestamp is out of range");
    return floor_div(ms, o_.numerator);
  }

  const Conversion o_;
  const Side side_;
  SchemaMemo<SchemaPtr> types_;
  Texts texts_;
};

}  // namespace

StepFactory make_timestamp_converter(Options& options, const StepContext& context) {
  struct Unit {
    std::int64_t numerator, denominator;
  };
  static constexpr Unit units[] = {{1, 1000}, {1, 1}, {1000, 1}, {1'000'000, 1}};
  const int unit = options.choice("unix.precision");
  if (!options.ok()) return {};
  Conversion o{options.text("field"),
               static_cast<Form>(options.choice("target.type")),
               std::nullopt,
               units[unit].numerator,
               units[unit].denominator,
               copy_nulls(options)};
  if (!options.text("format").empty()) {
    if (auto format = DateFormat::parse(options.text("format")))
      o.format = std::move(*format);
    else
      options.invalid("format", format.error().message);
  } else if (o.target == Form::text) {
    options.invalid("format", "a value is required with target.type=string");
  }
  return [o, side = context.side] { return std::make_unique<TimestampConverter>(o, side); };
}

}  // namespace cdc::transform
