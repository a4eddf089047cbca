// money: from the locale's spelling to plain digits, which numeric's functions then take.
#include "source/postgres/values/money.h"

#include <cstddef>

#include "source/postgres/values/decimal_text.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kDigits = "0123456789";

// A money value as plain `-1234.50`. An int64 has 19 digits; any locale's fraction fits besides.
class PlainText {
 public:
  std::string_view view() const { return {text_, size_}; }
  bool push(char c) {
    if (size_ == sizeof text_) return false;
    text_[size_++] = c;
    return true;
  }

 private:
  char text_[64];
  std::size_t size_ = 0;
};

// Without prefix and suffix; nullopt when they are not there.
std::optional<std::string_view> inner(std::string_view text, std::string_view prefix,
                                      std::string_view suffix) {
  if (text.size() < prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix))
    return std::nullopt;
  text = text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
  if (text.empty() || kDigits.find(text.front()) == std::string_view::npos) return std::nullopt;
  return text;
}

bool to_plain(std::string_view text, const MoneyFormat& format, PlainText& plain) {
  auto digits = inner(text, format.positive_prefix, format.positive_suffix);
  if (!digits) {
    digits = inner(text, format.negative_prefix, format.negative_suffix);
    if (!digits || !plain.push('-')) return false;
  }
  bool in_fraction = false;
  while (!digits->empty()) {
    const char c = digits->front();
    if (c >= '0' && c <= '9') {
      if (!plain.push(c)) return false;
      digits->remove_prefix(1);
    } else if (!in_fraction && !format.point.empty() && digits->starts_with(format.point)) {
      if (!plain.push('.')) return false;
      digits->remove_prefix(format.point.size());
      in_fraction = true;
    } else if (!in_fraction && !format.group.empty() && digits->starts_with(format.group)) {
      digits->remove_prefix(format.group.size());
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<MoneyFormat> MoneyFormat::learn(std::string_view positive, std::string_view negative) {
  const auto around = [](std::string_view text, std::string& prefix,
                         std::string& suffix) -> std::string_view {
    const std::size_t first = text.find_first_of(kDigits), last = text.find_last_of(kDigits);
    if (first == std::string_view::npos) return {};
    prefix = text.substr(0, first);
    suffix = text.substr(last + 1);
    return text.substr(first, last + 1 - first);
  };
  MoneyFormat format;
  const std::string_view digits = around(positive, format.positive_prefix, format.positive_suffix);
  if (digits.empty() || around(negative, format.negative_prefix, format.negative_suffix) != digits)
    return std::nullopt;
  if (format.positive_prefix == format.negative_prefix && format.positive_suffix == format.negative_suffix)
    return std::nullopt;
  // 1 <group> 234 <point> 5..., or 1 <group> 235 (or 234) where there is no fraction
  if (digits[0] != '1') return std::nullopt;
  const std::size_t hundreds = digits.find_first_of(kDigits, 1);
  if (hundreds == std::string_view::npos) return std::nullopt;
  format.group = digits.substr(1, hundreds - 1);
  const std::size_t whole_end = hundreds + 3;
  if (digits.size() < whole_end || digits.substr(hundreds, 2) != "23") return std::nullopt;
  if (digits.size() == whole_end) {
    format.point.clear();
    return format;
  }
  const std::size_t fraction = digits.find_first_of(kDigits, whole_end);
  if (fraction == std::string_view::npos || fraction == whole_end || digits[fraction] != '5')
    return std::nullopt;
  format.point = digits.substr(whole_end, fraction - whole_end);
  return format;
}

bool append_money(std::string_view text, const MoneyFormat& format, int fraction_digits, DecimalForm form,
                  Buffer& out) {
  PlainText plain;
  if (fraction_digits < 0 || !to_plain(text, format, plain)) return false;
  const auto number = DecimalText::parse(plain.view());
  const auto kept = static_cast<std::size_t>(fraction_digits);
  if (!number) return false;
  if (number->fraction.size() <= kept) return append_decimal(plain.view(), fraction_digits, form, out);
  // Half up, away from zero: cut, and add one to the digits that stay when the next one is 5 or more.
  char rounded[72] = "-0";  // the 0 takes a last carry
  std::size_t size = 2;
  for (const char c : number->whole) rounded[size++] = c;
  if (kept > 0) rounded[size++] = '.';
  for (const char c : number->fraction.substr(0, kept)) rounded[size++] = c;
  if (number->fraction[kept] >= '5') {
    std::size_t at = size - 1;
    while (rounded[at] == '9' || rounded[at] == '.') {
      if (rounded[at] == '9') rounded[at] = '0';
      --at;
    }
    ++rounded[at];
  }
  const std::string_view result(rounded, size);
  return append_decimal(number->negative ? result : result.substr(1), fraction_digits, form, out);
}

bool append_money_as_double(std::string_view text, const MoneyFormat& format, Buffer& out) {
  PlainText plain;
  return to_plain(text, format, plain) && append_numeric_as_double(plain.view(), out);
}

bool append_money_as_string(std::string_view text, const MoneyFormat& format, Buffer& out) {
  PlainText plain;
  return to_plain(text, format, plain) && append_numeric_as_string(plain.view(), std::nullopt, out);
}

}  // namespace cdc::pg
