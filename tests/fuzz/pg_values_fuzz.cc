// PostgreSQL's value texts: whatever the bytes, a decoder either appends one well-formed JSON value
// or nothing at all. The first byte of the input picks the decoder, the second its parameter.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/json_read.h"
#include "json/json_text.h"
#include "source/postgres/values/values.h"

namespace {

using namespace cdc;
using namespace cdc::pg;
using std::string_view;

constexpr BinaryForm kBinary[] = {BinaryForm::bytes, BinaryForm::base64, BinaryForm::base64_url_safe,
                                  BinaryForm::hex};
constexpr TimeUnit kUnits[] = {TimeUnit::milliseconds, TimeUnit::microseconds, TimeUnit::nanoseconds};
constexpr IntType kInts[] = {IntType::int2, IntType::int4, IntType::int8, IntType::oid};

DecimalForm decimal_form(unsigned p) { return p % 2 == 0 ? DecimalForm::base64 : DecimalForm::numeric; }

// The first line of the text and the second as the two probes, the rest as the value.
bool money(string_view text, unsigned p, Buffer& out) {
  MoneyFormat format;
  if (p % 2 == 1) {
    const std::size_t first = text.find('\n');
    if (first == string_view::npos) return false;
    const std::size_t second = text.find('\n', first + 1);
    if (second == string_view::npos) return false;
    const auto learnt = MoneyFormat::learn(text.substr(0, first), text.substr(first + 1, second - first - 1));
    if (!learnt) return false;
    format = *learnt;
    text.remove_prefix(second + 1);
  }
  switch (p / 2 % 3) {
    case 0:
      return append_money(text, format, static_cast<int>(p / 8 % 6), decimal_form(p / 4), out);
    case 1:
      return append_money_as_double(text, format, out);
    default:
      return append_money_as_string(text, format, out);
  }
}

bool array(string_view text, unsigned p, Buffer& out) {
  const auto element = [p](string_view value, Buffer& to) {
    if (p % 2 == 1) return append_integer(value, IntType::int4, to);
    json::append_string(to, value);
    return true;
  };
  return append_array(text, p / 2 % 2 == 1 ? ';' : ',', out, element).has_value();
}

using Decoder = bool (*)(string_view text, unsigned parameter, Buffer& out);
constexpr Decoder kDecoders[] = {
    [](string_view t, unsigned p, Buffer& o) {
      return append_decimal(t, static_cast<int>(p * 8 + p % 8), decimal_form(p), o);
    },
    [](string_view t, unsigned, Buffer& o) { return append_variable_scale_decimal(t, o); },
    [](string_view t, unsigned, Buffer& o) { return append_numeric_as_double(t, o); },
    [](string_view t, unsigned p, Buffer& o) {
      return append_numeric_as_string(t, p == 0 ? std::nullopt : std::optional<int>(static_cast<int>(p) - 1),
                                      o);
    },
    money,
    [](string_view t, unsigned p, Buffer& o) {
      return p % 2 == 0 ? append_date(t, o) : append_date_iso(t, o);
    },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 4 == 3 ? append_time_iso(t, o) : append_time(t, kUnits[p % 4], o);
    },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 4 == 3 ? append_timestamp_iso(t, o) : append_timestamp(t, kUnits[p % 4], o);
    },
    [](string_view t, unsigned p, Buffer& o) { return append_timestamptz(t, static_cast<int>(p % 8), o); },
    [](string_view t, unsigned, Buffer& o) { return append_timetz(t, o); },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 2 == 0 ? append_interval_us(t, o) : append_interval_iso(t, o);
    },
    [](string_view t, unsigned p, Buffer& o) { return append_bytea(t, kBinary[p % 4], o); },
    [](string_view t, unsigned p, Buffer& o) { return append_geometric(t, kBinary[p % 4], o); },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 2 == 0 ? append_bits(t, o) : append_bit_as_bool(t, o);
    },
    [](string_view t, unsigned, Buffer& o) { return append_bool(t, o); },
    [](string_view t, unsigned p, Buffer& o) { return append_integer(t, kInts[p % 4], o); },
    [](string_view t, unsigned p, Buffer& o) { return append_integer_vector(t, kInts[p % 4], o); },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 2 == 0 ? append_float8(t, o) : append_float4(t, o);
    },
    [](string_view t, unsigned, Buffer& o) { return append_point(t, o); },
    [](string_view t, unsigned, Buffer& o) { return append_ewkb(t, o); },
    [](string_view t, unsigned p, Buffer& o) {
      return p % 2 == 0 ? append_vector(t, o) : append_halfvec(t, o);
    },
    [](string_view t, unsigned, Buffer& o) { return append_sparsevec(t, o); },
    [](string_view t, unsigned p, Buffer& o) {
      return append_hstore(t, p % 2 == 0 ? HstoreForm::json : HstoreForm::map, o);
    },
    array,
    [](string_view t, unsigned, Buffer& o) {
      json::append_string(o, t);
      return true;
    },
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  Buffer out;
  out.push('[');
  if (!kDecoders[data[0] % std::size(kDecoders)](text, data[1], out)) {
    if (out.size() != 1) std::abort();
    return 0;
  }
  out.push(']');
  const auto values = json::elements(out.view());
  if (!values || values->size() != 1) std::abort();
  (void)parse_timestamp_us(text);
  return 0;
}
