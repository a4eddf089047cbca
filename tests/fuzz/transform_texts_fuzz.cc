// The small languages inside transforms: date patterns, expressions, time zones, literals, documents without
// a schema, metadata lists, numbers. The first byte chooses; two lines and the rest are the operands.
#include "cdc/runtime.h"
#include "input.h"
#include "transform/date_format.h"
#include "transform/envelope_view.h"
#include "transform/expression.h"
#include "transform/hashes.h"
#include "transform/json_schema.h"
#include "transform/literal.h"
#include "transform/options.h"
#include "transform/scalar.h"
#include "transform/zone.h"

using namespace cdc;
using namespace cdc::transform;
using fuzz::require;

namespace {

void check_date(std::string_view pattern, std::string_view text) {
  const auto format = DateFormat::parse(pattern);
  if (!format) return require(!format.error().message.empty());
  if (const auto ms = format->read(text)) (void)format->read(format->format(*ms));
  for (const std::int64_t ms : {std::int64_t{0}, std::int64_t{-1}, INT64_MAX, INT64_MIN})
    (void)format->format(ms);
}

void check_expression(std::string_view text, std::string_view value) {
  const auto expression = Expression::parse(text);
  if (!expression) return require(!expression.error().message.empty());
  if (!value.empty() && !fuzz::is_json(value)) return;
  static const SchemaPtr row = struct_of(
      "row", 1, true,
      {{"id", make(Type::int32, false)}, {"v", make(Type::string, true)}, {"f", make(Type::float64, true)}});
  class Quiet : public Log {
    bool enabled(Level) const override { return false; }
    void write(Level, std::string_view, std::string_view, std::initializer_list<Member>) override {}
    void warn_once(std::string_view, std::string_view) override {}
  } log;
  Workspace workspace(log);
  Record record(workspace);
  Event event;
  event.topic = "p.public.t";
  record.start(event);
  record.set_value(typed(row, value));
  (void)expression->evaluate(record);
}

void check_zone(std::string_view bytes) {
  const auto zone = Zone::parse(bytes);
  if (!zone) return require(!zone.error().message.empty());
  for (const std::int64_t at :
       {std::int64_t{0}, std::int64_t{1'900'000'000}, std::int64_t{-1} << 40, std::int64_t{1} << 40}) {
    (void)zone->offset_at(at);
    (void)zone->offset_of_local(at);
  }
}

void check_document(std::string_view text) {
  std::string why;
  const auto found =
      infer_json(text, "n", text.size() % 2 == 0 ? NullMembers::leave_out : NullMembers::as_bytes, why);
  if (!found) return require(!why.empty());
  require(fuzz::is_json(found->json) && fuzz::is_json(schema_text(*found->schema)));
}

void check_numbers(std::string_view text) {
  (void)read_integer(text);
  if (const auto real = read_real(text)) (void)truncated(Type::int32, *real);
  (void)decimal_text(text.substr(0, 64), static_cast<int>(text.size() % 70) - 10);
  (void)decode_base64(text);
  (void)murmur_of_bytes(text);
  if (!fuzz::is_json(text)) return;
  for (const Type type :
       {Type::string, Type::int32, Type::int64, Type::float32, Type::float64, Type::bytes, Type::boolean}) {
    (void)java_hash_of(*make(type, true), text);
    (void)murmur_of(*make(type, true), text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  switch (choice % 7) {
    case 0: {
      const std::string_view pattern = input.line();
      check_date(pattern, input.rest());
      break;
    }
    case 1: {
      const std::string_view text = input.line();
      check_expression(text, input.rest());
      break;
    }
    case 2:
      check_zone(input.rest());
      break;
    case 3: {
      const Literal literal = infer_literal(input.rest());
      require(literal.schema == nullptr || fuzz::is_json(literal.json));
      break;
    }
    case 4:
      check_document(input.rest());
      break;
    case 5: {
      std::int32_t seconds = 0;
      const std::string_view text = input.rest();
      (void)parse_offset(text, seconds);
      for (const MetadataName& name : parse_metadata(split_commas(text), "__")) require(!name.name.empty());
      break;
    }
    default:
      check_numbers(input.rest());
  }
  return 0;
}
