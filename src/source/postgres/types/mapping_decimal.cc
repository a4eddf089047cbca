// numeric and money under `decimal.handling.mode` and the converter's `decimal.format` (4.3).
#include "source/postgres/types/mapping.h"
#include "source/postgres/types/typmod.h"

namespace cdc::pg {
namespace {

struct Scaled final : CodecState {
  explicit Scaled(int decimals) : scale(decimals) {}
  int scale;
};

struct Money final : CodecState {
  Money(const MoneyFormat& text_format, int fraction_digits) : format(text_format), digits(fraction_digits) {}
  MoneyFormat format;
  int digits;
};

int scale_of(const CodecState* state) { return static_cast<const Scaled*>(state)->scale; }
const Money& money_of(const CodecState* state) { return *static_cast<const Money*>(state); }
std::uint32_t outcome(bool appended) { return appended ? encoded::ok : encoded::failed; }

template <DecimalForm form>
std::uint32_t encode_decimal(const CodecState* state, std::string_view text, Buffer& out) {
  return outcome(append_decimal(text, scale_of(state), form, out));
}
std::uint32_t encode_fixed_string(const CodecState* state, std::string_view text, Buffer& out) {
  return outcome(append_numeric_as_string(text, scale_of(state), out));
}
std::uint32_t encode_stored_string(const CodecState*, std::string_view text, Buffer& out) {
  return outcome(append_numeric_as_string(text, std::nullopt, out));
}
template <DecimalForm form>
std::uint32_t encode_money(const CodecState* state, std::string_view text, Buffer& out) {
  const Money& money = money_of(state);
  return outcome(append_money(text, money.format, money.digits, form, out));
}
std::uint32_t encode_money_double(const CodecState* state, std::string_view text, Buffer& out) {
  return outcome(append_money_as_double(text, money_of(state).format, out));
}
std::uint32_t encode_money_string(const CodecState* state, std::string_view text, Buffer& out) {
  return outcome(append_money_as_string(text, money_of(state).format, out));
}

SchemaPtr decimal_schema(int scale, std::optional<int> precision) {
  auto schema = std::make_shared<Schema>(*named(Type::bytes, "org.apache.kafka.connect.data.Decimal", false));
  schema->parameters.emplace_back("scale", std::to_string(scale));
  if (precision) schema->parameters.emplace_back("connect.decimal.precision", std::to_string(*precision));
  return schema;
}

SchemaPtr variable_scale_schema() {
  auto schema = std::make_shared<Schema>(
      *struct_of("io.debezium.data.VariableScaleDecimal", 1, false,
                 {{"scale", make(Type::int32, false)}, {"value", make(Type::bytes, false)}}));
  schema->doc = "Variable scaled decimal";
  return schema;
}

// Zero in the form of the values, so that it is valid beside them.
std::string zero_decimal(int scale, DecimalForm form) {
  Buffer out;
  append_decimal("0", scale, form, out);
  return std::string(out.view());
}
std::string zero_string(std::optional<int> scale) {
  Buffer out;
  append_numeric_as_string("0", scale, out);
  return std::string(out.view());
}

constexpr std::string_view kPreciseHint =
    "NaN and infinities have no form in decimal.handling.mode=precise (use double or string)";

}  // namespace

Mapping map_numeric(const TypeRequest& request) {
  const auto size = numeric_size(request.typmod);
  const bool as_number = request.modes.decimal_form == DecimalForm::numeric;
  Mapping m;
  if (size) m.state = std::make_shared<Scaled>(size->scale);
  switch (request.modes.decimal) {
    case DecimalMode::as_double:
      m.schema = make(Type::float64, false);
      m.encode = encode_with<append_numeric_as_double>;
      m.fallback_json = "0.0";
      break;
    case DecimalMode::as_string:
      m.schema = make(Type::string, false);
      m.encode = size ? encode_fixed_string : encode_stored_string;
      m.fallback_json = zero_string(size ? std::optional<int>(size->scale) : std::nullopt);
      m.unavailable_json = json_string(request.modes.unavailable);  // the other modes have none
      break;
    case DecimalMode::precise:
      m.no_form_hint = kPreciseHint;
      if (size) {
        m.schema = decimal_schema(size->scale, size->precision);
        m.encode = as_number ? encode_decimal<DecimalForm::numeric> : encode_decimal<DecimalForm::base64>;
        m.fallback_json = zero_decimal(size->scale, request.modes.decimal_form);
      } else {
        m.schema = variable_scale_schema();
        m.encode = encode_with<append_variable_scale_decimal>;
        m.fallback_json = R"({"scale":0,"value":"AA=="})";
      }
      break;
  }
  return m;
}

Mapping map_money(const TypeRequest& request) {
  const int digits = request.modes.money_fraction_digits;
  const bool as_number = request.modes.decimal_form == DecimalForm::numeric;
  Mapping m;
  m.state = std::make_shared<Money>(request.modes.money, digits);
  m.no_form_hint = "the text does not follow the server's lc_monetary";
  switch (request.modes.decimal) {
    case DecimalMode::as_double:
      m.schema = make(Type::float64, false);
      m.encode = encode_money_double;
      m.fallback_json = "0.0";
      break;
    case DecimalMode::as_string:
      m.schema = make(Type::string, false);
      m.encode = encode_money_string;
      m.fallback_json = zero_string(digits);
      break;
    case DecimalMode::precise:
      m.schema = decimal_schema(digits, std::nullopt);
      m.encode = as_number ? encode_money<DecimalForm::numeric> : encode_money<DecimalForm::base64>;
      m.fallback_json = zero_decimal(digits, request.modes.decimal_form);
      break;
  }
  return m;
}

}  // namespace cdc::pg
