// Formatting and reading dates by pattern.
#include "transform/date_format.h"

#include <fmt/format.h>

#include "text/list.h"
#include "transform/zone.h"

namespace cdc::transform {
namespace {

constexpr std::string_view kLetters = "yMdDHkhKmsSaEzZX";
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Parts {
  CivilDate date;
  std::int64_t days = 0, of_day = 0;  // of_day in milliseconds
};

Parts parts_of(std::int64_t ms) {
  Parts p;
  p.days = floor_div(ms, 86'400'000);
  p.of_day = ms % 86'400'000 + (ms % 86'400'000 < 0 ? 86'400'000 : 0);
  p.date = date_of(p.days);
  return p;
}

template <std::size_t N>
bool take_name(std::string_view& s, const std::string_view (&names)[N], std::int64_t& index) {
  for (std::size_t i = 0; i < N; ++i)
    for (const std::string_view name : {names[i], names[i].substr(0, 3)})
      if (s.size() >= name.size() && text::equals_ignore_case(s.substr(0, name.size()), name)) {
        s.remove_prefix(name.size());
        index = static_cast<std::int64_t>(i);
        return true;
      }
  return false;
}

}  // namespace

Result<DateFormat> DateFormat::parse(std::string_view pattern) {
  DateFormat f;
  const auto literal = [&](char c) {
    if (f.pieces_.empty() || f.pieces_.back().letter != 0) f.pieces_.emplace_back();
    f.pieces_.back().literal += c;
  };
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\'') {
      if (i + 1 < pattern.size() && pattern[i + 1] == '\'') {
        literal('\'');
        i += 2;
        continue;
      }
      const std::size_t begin = ++i;
      for (; i < pattern.size() && (pattern[i] != '\'' || (i + 1 < pattern.size() && pattern[i + 1] == '\''));
           ++i) {
        literal(pattern[i]);
        if (pattern[i] == '\'') ++i;
      }
      if (i >= pattern.size())
        return fail(ErrorKind::usage,
                    fmt::format("the quote at index {} of '{}' has no end", begin - 1, pattern));
      ++i;
    } else if (is_letter(c)) {
      if (kLetters.find(c) == std::string_view::npos)
        return fail(ErrorKind::usage,
                    fmt::format("the letter '{}' of '{}' is not among {}", c, pattern, kLetters));
      std::size_t end = i;
      while (end < pattern.size() && pattern[end] == c) ++end;
      f.pieces_.push_back({c, end - i, {}});
      i = end;
    } else {
      literal(c);
      ++i;
    }
  }
  return f;
}

std::string DateFormat::format(std::int64_t epoch_ms) const {
  const Parts p = parts_of(epoch_ms);
  const std::int64_t hour = p.of_day / 3'600'000;
  std::string out;
  const auto number = [&](std::int64_t n, std::size_t width) { out += fmt::format("{:0{}d}", n, width); };
  for (const Piece& piece : pieces_) {
    switch (piece.letter) {
      case 'y': {
        const std::int64_t year = p.date.year > 0 ? p.date.year : 1 - p.date.year;
        if (piece.count == 2)
          number(year % 100, 2);
        else
          number(year, piece.count);
        break;
      }
      case 'M':
        if (piece.count >= 3)
          out += piece.count == 3 ? kMonths[p.date.month - 1].substr(0, 3) : kMonths[p.date.month - 1];
        else
          number(p.date.month, piece.count);
        break;
      case 'd':
        number(p.date.day, piece.count);
        break;
      case 'D':
        number(p.days - days_of(p.date.year, 1, 1) + 1, piece.count);
        break;
      case 'H':
        number(hour, piece.count);
        break;
      case 'k':
        number(hour == 0 ? 24 : hour, piece.count);
        break;
      case 'K':
        number(hour % 12, piece.count);
        break;
      case 'h':
        number(hour % 12 == 0 ? 12 : hour % 12, piece.count);
        break;
      case 'm':
        number(p.of_day / 60'000 % 60, piece.count);
        break;
      case 's':
        number(p.of_day / 1000 % 60, piece.count);
        break;
      case 'S':
        number(p.of_day % 1000, piece.count);
        break;
      case 'a':
        out += hour < 12 ? "AM" : "PM";
        break;
      case 'E': {
        const std::string_view day = kDays[static_cast<std::size_t>(((p.days + 4) % 7 + 7) % 7)];
        out += piece.count < 4 ? day.substr(0, 3) : day;
        break;
      }
      case 'z':
        out += piece.count < 4 ? "UTC" : "Coordinated Universal Time";
        break;
      case 'Z':
        out += "+0000";
        break;
      case 'X':
        out += 'Z';
        break;
      default:
        out += piece.literal;
    }
  }
  return out;
}

std::optional<std::int64_t> DateFormat::read(std::string_view s) const {
  std::int64_t year = 1970, month = 1, day = 1, of_year = 0, hour = 0, minute = 0, second = 0, milli = 0,
               ignored = 0;
  bool pm = false, twelve = false;
  std::int32_t offset = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.letter == 0) {
      if (!s.starts_with(piece.literal)) return std::nullopt;
      s.remove_prefix(piece.literal.size());
      continue;
    }
    // Neighbouring numbers are as wide as they are written; before a name or a zone all digits count.
    const bool tight = i + 1 < pieces_.size() && pieces_[i + 1].is_number();
    std::int64_t n = 0;
    std::size_t width = 0;
    const auto number = [&] {
      while (width < s.size() && is_digit(s[width]) && width < 18 && (!tight || width < piece.count))
        n = n * 10 + (s[width++] - '0');
      s.remove_prefix(width);
      return width > 0;
    };
    switch (piece.letter) {
      case 'M':
        if (piece.count >= 3) {
          if (!take_name(s, kMonths, n)) return std::nullopt;
          month = n + 1;
          continue;
        }
        if (!number()) return std::nullopt;
        month = n;
        continue;
      case 'E':
        if (!take_name(s, kDays, ignored)) return std::nullopt;
        continue;
      case 'a':
        if (s.size() < 2 || (!text::equals_ignore_case(s.substr(0, 2), "am") &&
                             !text::equals_ignore_case(s.substr(0, 2), "pm")))
          return std::nullopt;
        pm = s[0] == 'p' || s[0] == 'P';
        twelve = true;
        s.remove_prefix(2);
        continue;
      case 'z':
      case 'Z':
      case 'X': {
        for (const std::string_view name : {"UTC", "GMT"})
          if (s.starts_with(name)) s.remove_prefix(3);
        if (s.empty()) continue;
        std::size_t end = s[0] == 'Z' ? 1 : 0;
        if (s[0] == '+' || s[0] == '-')
          for (end = 1; end < s.size() && (is_digit(s[end]) || s[end] == ':') && end < 6; ++end) {
          }
        if (end > 0 && !parse_offset(s.substr(0, end), offset)) return std::nullopt;
        s.remove_prefix(end);
        continue;
      }
      default:
        if (!number()) return std::nullopt;
    }
    switch (piece.letter) {
      case 'y':
        year = piece.count == 2 && width == 2 ? (n < 50 ? 2000 + n : 1900 + n) : n;
        break;
      case 'd':
        day = n;
        break;
      case 'D':
        of_year = n;
        break;
      case 'k':
        hour = n == 24 ? 0 : n;
        break;
      case 'h':
      case 'K':
        hour = n % 12;
        break;
      case 'H':
        hour = n;
        break;
      case 'm':
        minute = n;
        break;
      case 's':
        second = n;
        break;
      case 'S':
        milli = n;
        break;
      default:
        break;
    }
  }
  if (twelve && pm) hour += 12;
  if (year > 300'000'000 || month > 1'000'000 || day > 1'000'000'000) return std::nullopt;
  // Lenient, as Java is: the 32nd of January is the 1st of February.
  const std::int64_t months = month - 1;
  const std::int64_t base = days_of(year + floor_div(months, 12),
                                    static_cast<unsigned>(months - floor_div(months, 12) * 12) + 1, 1);
  const std::int64_t days = of_year > 0 ? days_of(year, 1, 1) + of_year - 1 : base + day - 1;
  std::int64_t seconds = 0, ms = 0;
  if (__builtin_mul_overflow(days, std::int64_t{86400}, &seconds) || hour > 1'000'000'000 ||
      minute > 1'000'000'000'000)
    return std::nullopt;
  seconds += hour * 3600 + minute * 60 + second - offset;
  if (__builtin_mul_overflow(seconds, std::int64_t{1000}, &ms) || __builtin_add_overflow(ms, milli, &ms))
    return std::nullopt;
  return ms;
}

}  // namespace cdc::transform
