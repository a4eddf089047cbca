// A default is brought into the server's own text form and goes through the encoder of the column, so
// that it cannot differ from a value.
#include "source/postgres/types/column_default.h"

#include <array>
#include <cstddef>

#include "source/postgres/types/default_expression.h"
#include "source/postgres/types/typmod.h"

namespace cdc::pg {
namespace {

using Kind = DefaultExpression::Kind;
using Reader = std::optional<std::string> (*)(const DefaultExpression&, const Mapping&, const TypeRequest&);

std::optional<std::string> as_written(const DefaultExpression& e, const Mapping&, const TypeRequest&) {
  return e.text;
}

// Debezium reads every numeric default as an exact number first: no NaN, no infinity, no rounding.
std::optional<std::string> exact_number(const DefaultExpression& e, const Mapping&,
                                        const TypeRequest& request) {
  Buffer ignored(64);
  const auto size = numeric_size(request.typmod);
  const bool exact = size ? append_decimal(e.text, size->scale, DecimalForm::base64, ignored)
                          : append_variable_scale_decimal(e.text, ignored);
  if (!exact) return std::nullopt;
  return e.text;
}

// Anything but `true` is false.
std::optional<std::string> truth(const DefaultExpression& e, const Mapping&, const TypeRequest&) {
  return e.text == "true" ? "t" : "f";
}

// Without quotes there are no digits to take: zero bits, but nothing on a boolean.
std::optional<std::string> bit_digits(const DefaultExpression& e, const Mapping& mapping,
                                      const TypeRequest&) {
  if (e.kind == Kind::literal) return e.text;
  if (mapping.schema->type == Type::boolean) return std::nullopt;
  return "0";
}

std::optional<std::string> uuid_text(const DefaultExpression& e, const Mapping&, const TypeRequest&) {
  constexpr std::string_view kShape = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  if (e.text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const char c = e.text[i];
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (kShape[i] == '-' ? c != '-' : !hex) return std::nullopt;
  }
  return e.text;
}

// Only a plain literal: a label somewhere inside of an expression is none.
std::optional<std::string> label(const DefaultExpression& e, const Mapping&, const TypeRequest&) {
  if (e.kind != Kind::literal || !e.opens_with_literal) return std::nullopt;
  return e.text;
}

bool is_infinite(std::string_view text) { return text == "infinity" || text == "-infinity"; }

// Infinite defaults exist where Debezium has one at all: in microseconds and ISO form.
std::optional<std::string> timestamp(const DefaultExpression& e, const Mapping& mapping, const TypeRequest&) {
  const std::string& name = mapping.schema->name;
  const bool can_be_infinite =
      name == "io.debezium.time.MicroTimestamp" || name == "io.debezium.time.IsoTimestamp";
  if (is_infinite(e.text) && !can_be_infinite) return std::nullopt;
  return e.text;
}

std::optional<std::string> timestamptz(const DefaultExpression& e, const Mapping&, const TypeRequest&) {
  if (is_infinite(e.text)) return std::nullopt;
  return e.text;
}

struct FormRow {
  Reader read;                           // a literal or a bare expression -> text of a value
  std::optional<std::string_view> call;  // the value that any call stands for; unset: none
};

// In the order of DefaultForm.
constexpr std::array<FormRow, 15> kForms{{
    {nullptr, std::nullopt},
    {as_written, "0"},  // integer
    {as_written, "0"},  // floating
    {exact_number, "0.0"},
    {truth, "f"},
    {bit_digits, "0"},
    {as_written, ""},    // text
    {as_written, "{}"},  // json
    {uuid_text, "00000000-0000-0000-0000-000000000000"},
    {label, std::nullopt},
    {as_written, "1970-01-01"},  // date
    {as_written, "00:00:00"},    // time
    {timestamp, "1970-01-01 00:00:00"},
    {timestamptz, "1970-01-01 00:00:00+00"},
    {as_written, "00:00:00"},  // interval
}};
static_assert(static_cast<std::size_t>(DefaultForm::interval) + 1 == kForms.size());

}  // namespace

ColumnDefault column_default(std::string_view expression, DefaultForm form, const Mapping& mapping,
                             const TypeRequest& request) {
  const FormRow& row = kForms[static_cast<std::size_t>(form)];
  if (row.read == nullptr || mapping.schema->type == Type::structure) return {};
  const DefaultExpression parsed = read_default(expression);
  if (parsed.kind == Kind::null) return {};

  std::optional<std::string> text;
  if (parsed.kind == Kind::call) {
    if (!row.call) return {};
    text = std::string(*row.call);
  } else if (parsed.kind != Kind::unreadable) {
    text = row.read(parsed, mapping, request);
  }
  if (!text) return {std::nullopt, true};

  Buffer out(64);
  if (mapping.encode(mapping.state.get(), *text, out) != encoded::ok) return {std::nullopt, true};
  return {std::string(out.view()), false};
}

}  // namespace cdc::pg
