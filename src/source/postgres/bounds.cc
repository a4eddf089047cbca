// Reading of --until.
#include "source/postgres/bounds.h"

#include <fmt/format.h>

#include <chrono>

#include "source/postgres/make_source.h"

namespace cdc::pg {
namespace {

// Takes exactly `count` digits from the front.
std::optional<int> digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> take_fraction_us(std::string_view& text) {
  std::int64_t us = 0;
  int count = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++count)
    if (count < 6) us = us * 10 + (text.front() - '0');
  if (count == 0) return std::nullopt;
  for (; count < 6; ++count) us *= 10;
  return us;
}

// "", "Z", "+02", "+0200", "+02:00"
std::optional<int> take_offset_minutes(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const int sign = text.front() == '-' ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = digits(text, 2);
  if (!hours || *hours > 18) return std::nullopt;
  if (text.empty()) return sign * *hours * 60;
  take(text, ':');
  const auto minutes = digits(text, 2);
  if (!minutes || *minutes > 59 || !text.empty()) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

}  // namespace

std::optional<std::int64_t> parse_iso_time(std::string_view text) {
  using namespace std::chrono;
  const auto year = digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = digits(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = digits(text, 2);
  if (!day) return std::nullopt;
  const year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  std::int64_t us = duration_cast<microseconds>(sys_days{date}.time_since_epoch()).count();
  if (text.empty()) return us;
  if (!take(text, 'T') && !take(text, 't') && !take(text, ' ')) return std::nullopt;
  const auto hour = digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  int second = 0;
  if (take(text, ':')) {
    const auto seconds = digits(text, 2);
    if (!seconds || *seconds > 59) return std::nullopt;
    second = *seconds;
    if (take(text, '.')) {
      const auto fraction = take_fraction_us(text);
      if (!fraction) return std::nullopt;
      us += *fraction;
    }
  }
  const auto offset = take_offset_minutes(text);
  if (!offset) return std::nullopt;
  return us + ((*hour * 60 + *minute - *offset) * 60LL + second) * 1'000'000;
}

Result<UntilBound> UntilBound::parse(const std::string& until, Lsn now) {
  UntilBound bound;
  if (until.empty()) return bound;
  if (until == "now") {
    bound.lsn_ = now;
  } else if (const auto lsn = parse_lsn(until)) {
    bound.lsn_ = *lsn;
  } else if (const auto time = parse_iso_time(until)) {
    bound.time_us_ = *time;
  } else {
    return fail(ErrorKind::usage, fmt::format("--until '{}' is not understood", until),
                "Give now, a WAL position as 16/B374D848, or a time as 2026-03-01T10:00:00Z");
  }
  return bound;
}

Result<std::optional<Lsn>> parse_from(const std::string& from) {
  if (from == "now") return std::nullopt;
  if (from == "beginning") return kFromBeginning;
  if (const auto lsn = parse_lsn(from)) return *lsn;
  return fail(ErrorKind::usage, fmt::format("--from '{}' is not understood", from),
              "Give now, beginning, or a WAL position as 16/B374D848");
}

Result<void> check_bounds(const std::string& from, const std::string& until) {
  if (!from.empty()) CDC_CHECK(parse_from(from));
  if (!until.empty()) CDC_CHECK(UntilBound::parse(until, Lsn{0}));
  return {};
}

}  // namespace cdc::pg
