// TZif (RFC 8536) and its POSIX footer.
#include "transform/zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cdc::transform {
namespace {

constexpr std::int64_t kDay = 86400;

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  bool has(std::size_t n) const { return bytes_.size() - at_ >= n; }
  void skip(std::size_t n) { at_ += n; }
  std::size_t at() const { return at_; }
  std::string_view rest() const { return bytes_.substr(at_); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(bytes_[at_++]); }
  std::int64_t number(std::size_t width) {
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < width; ++i) v = (v << 8) | byte();
    return width == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(v))
                      : static_cast<std::int64_t>(v);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Counts {
  std::size_t utc, standard, leaps, times, types, letters;
  std::size_t size(std::size_t width) const {
    return times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + utc;
  }
};

bool read_header(Cursor& in, Counts& c, char& version) {
  if (!in.has(44) || in.rest().substr(0, 4) != "TZif") return false;
  version = in.rest()[4];
  in.skip(20);
  for (std::size_t* n : {&c.utc, &c.standard, &c.leaps, &c.times, &c.types, &c.letters}) {
    const std::int64_t v = in.number(4);
    if (v < 0 || v > (1 << 20)) return false;
    *n = static_cast<std::size_t>(v);
  }
  return true;
}

// POSIX numbers and names, moving on.
bool take_number(std::string_view& s, int& n) {
  std::size_t i = 0;
  n = 0;
  while (i < s.size() && i < 4 && s[i] >= '0' && s[i] <= '9') n = n * 10 + (s[i++] - '0');
  s.remove_prefix(i);
  return i > 0;
}
bool take(std::string_view& s, char c) {
  if (s.empty() || s.front() != c) return false;
  s.remove_prefix(1);
  return true;
}
bool take_name(std::string_view& s) {
  if (take(s, '<')) {
    const std::size_t end = s.find('>');
    if (end == std::string_view::npos) return false;
    s.remove_prefix(end + 1);
    return true;
  }
  std::size_t i = 0;
  while (i < s.size() && ((s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= 'a' && s[i] <= 'z'))) ++i;
  s.remove_prefix(i);
  return i >= 3;
}
bool take_time(std::string_view& s, std::int32_t& seconds) {
  const bool minus = take(s, '-');
  if (!minus) take(s, '+');
  int h = 0, m = 0, sec = 0;
  if (!take_number(s, h)) return false;
  if (take(s, ':') && !take_number(s, m)) return false;
  if (take(s, ':') && !take_number(s, sec)) return false;
  seconds = h * 3600 + m * 60 + sec;
  if (minus) seconds = -seconds;
  return true;
}

bool leap_year(std::int64_t y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

}  // namespace

std::int64_t days_of(std::int64_t year, unsigned month, unsigned day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = floor_div(y, 400);
  const std::int64_t of_era = y - era * 400;
  const std::int64_t of_year =
      (153 * (static_cast<std::int64_t>(month) + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

CivilDate date_of(std::int64_t days) {
  days += 719468;
  const std::int64_t era = floor_div(days, 146097);
  const std::int64_t of_era = days - era * 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t m = (5 * of_year + 2) / 153;
  CivilDate date;
  date.day = static_cast<unsigned>(of_year - (153 * m + 2) / 5 + 1);
  date.month = static_cast<unsigned>(m < 10 ? m + 3 : m - 9);
  date.year = year + era * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

bool parse_offset(std::string_view text, std::int32_t& seconds) {
  if (text == "Z" || text == "z") {
    seconds = 0;
    return true;
  }
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return false;
  std::string digits;
  for (const char c : text.substr(1)) {
    if (c >= '0' && c <= '9')
      digits += c;
    else if (c != ':')
      return false;
  }
  if (digits.size() == 1) digits.insert(digits.begin(), '0');
  if (digits.size() != 2 && digits.size() != 4 && digits.size() != 6) return false;
  const auto pair = [&](std::size_t i) {
    return i < digits.size() ? (digits[i] - '0') * 10 + (digits[i + 1] - '0') : 0;
  };
  if (pair(0) > 18 || pair(2) > 59 || pair(4) > 59) return false;
  seconds = pair(0) * 3600 + pair(2) * 60 + pair(4);
  if (text[0] == '-') seconds = -seconds;
  return true;
}

Result<Zone> Zone::open(const std::string& name) {
  Zone zone;
  if (parse_offset(name, zone.first_) || name == "UTC" || name == "GMT" || name == "UT") return zone;
  for (const std::string_view prefix : {"UTC", "GMT", "UT"})
    if (name.starts_with(prefix) && parse_offset(std::string_view(name).substr(prefix.size()), zone.first_))
      return zone;
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorKind::usage, fmt::format("the time zone '{}' {}", name, why),
                "Use a region id like Europe/Berlin (the package tzdata has them) or an offset like +05:30");
  };
  const bool is_path = name.empty() || name.front() == '/' || name.find("..") != std::string::npos ||
                       name.find('\0') != std::string::npos;
  if (is_path) return wrong("is no region id and no offset");
  const char* folder = std::getenv("TZDIR");
  std::ifstream file(std::string(folder != nullptr ? folder : "/usr/share/zoneinfo") + "/" + name,
                     std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) return wrong("is not known on this machine");
  auto parsed = parse(bytes.str());
  if (!parsed) return wrong("has a file that is no TZif");
  return parsed;
}

Result<Zone> Zone::parse(std::string_view tzif) {
  const auto damaged = [] { return fail(ErrorKind::usage, "the time zone's file is damaged"); };
  Cursor in(tzif);
  Counts c{};
  char version = 0;
  if (!read_header(in, c, version)) return damaged();
  std::size_t width = 4;
  if (version >= '2') {
    if (!in.has(c.size(4))) return damaged();
    in.skip(c.size(4));
    if (!read_header(in, c, version)) return damaged();
    width = 8;
  }
  if (!in.has(c.size(width)) || c.types == 0) return damaged();
  Zone zone;
  for (std::size_t i = 0; i < c.times; ++i) zone.at_.push_back(in.number(width));
  std::vector<std::uint8_t> types;
  for (std::size_t i = 0; i < c.times; ++i) types.push_back(in.byte());
  std::vector<std::int32_t> offsets;
  for (std::size_t i = 0; i < c.types; ++i) {
    offsets.push_back(static_cast<std::int32_t>(in.number(4)));
    in.skip(2);
  }
  for (const std::uint8_t type : types) {
    if (type >= offsets.size()) return damaged();
    zone.after_.push_back(offsets[type]);
  }
  if (!std::is_sorted(zone.at_.begin(), zone.at_.end())) return damaged();
  zone.first_ = offsets.front();
  in.skip(c.letters + c.leaps * (width + 4) + c.standard + c.utc);
  std::string_view footer = in.rest();
  if (width == 8 && take(footer, '\n'))
    if (const std::size_t end = footer.find('\n'); end != std::string_view::npos && end > 0)
      zone.has_rule_ = zone.parse_rule(footer.substr(0, end));
  return zone;
}

bool Zone::parse_rule(std::string_view s) {
  std::int32_t west = 0;
  if (!take_name(s) || !take_time(s, west)) return false;
  standard_ = -west;
  if (s.empty()) return true;
  if (!take_name(s)) return false;
  summer_ = standard_ + 3600;
  if (!s.empty() && s.front() != ',') {
    if (!take_time(s, west)) return false;
    summer_ = -west;
  }
  for (Change* change : {&to_summer_, &to_standard_}) {
    if (!take(s, ',')) return false;
    if (take(s, 'M')) {
      change->kind = Change::Kind::month_week_day;
      if (!take_number(s, change->month) || !take(s, '.') || !take_number(s, change->week) || !take(s, '.') ||
          !take_number(s, change->day))
        return false;
      if (change->month < 1 || change->month > 12) return false;
    } else {
      change->kind = take(s, 'J') ? Change::Kind::julian : Change::Kind::day_of_year;
      if (!take_number(s, change->day)) return false;
    }
    if (take(s, '/') && !take_time(s, change->time)) return false;
  }
  has_summer_ = true;
  return s.empty();
}

// Local seconds (of the clock before the change) since 1970.
std::int64_t Zone::change_in(int year, const Change& c) const {
  std::int64_t day = 0;
  switch (c.kind) {
    case Change::Kind::julian:  // 29 February is never counted
      day = days_of(year, 1, 1) + c.day - 1 + (leap_year(year) && c.day >= 60 ? 1 : 0);
      break;
    case Change::Kind::day_of_year:
      day = days_of(year, 1, 1) + c.day;
      break;
    case Change::Kind::month_week_day: {
      const std::int64_t first = days_of(year, static_cast<unsigned>(c.month), 1);
      const std::int64_t weekday = ((first + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
      day = first + (c.day - weekday + 7) % 7 + (c.week - 1) * 7;
      const std::int64_t next =
          c.month == 12 ? days_of(year + 1, 1, 1) : days_of(year, static_cast<unsigned>(c.month) + 1, 1);
      while (day >= next) day -= 7;
      break;
    }
  }
  return day * kDay + c.time;
}

std::int32_t Zone::by_rule(std::int64_t utc) const {
  if (!has_summer_) return standard_;
  const auto year = static_cast<int>(
      std::clamp<std::int64_t>(date_of(floor_div(utc + standard_, kDay)).year, -100000, 100000));
  const std::int64_t begin = change_in(year, to_summer_) - standard_,
                     end = change_in(year, to_standard_) - summer_;
  const bool summer = begin < end ? utc >= begin && utc < end : utc >= begin || utc < end;
  return summer ? summer_ : standard_;
}

std::int32_t Zone::offset_at(std::int64_t utc) const {
  if (has_rule_ && (at_.empty() || utc >= at_.back())) return by_rule(utc);
  const auto next = std::upper_bound(at_.begin(), at_.end(), utc);
  return next == at_.begin() ? first_ : after_[static_cast<std::size_t>(next - at_.begin()) - 1];
}

std::int32_t Zone::offset_of_local(std::int64_t local) const {
  // The offset a day earlier is the one before any change of that day.
  const std::int32_t earlier = offset_at(local - kDay), later = offset_at(local + kDay);
  if (earlier == later) return earlier;
  // Before the change by the old clock, or inside gap or overlap: the old offset.
  std::int64_t low = local - kDay, high = local + kDay;  // the change lies in (low, high]
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (offset_at(middle) == earlier ? low : high) = middle;
  }
  const std::int64_t ends =
      std::max(high + earlier, high + later);  // the first local second that is clearly after
  return local < ends ? earlier : later;
}

}  // namespace cdc::transform
