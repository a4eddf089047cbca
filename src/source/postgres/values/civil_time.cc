// Calendar arithmetic on whole 400-year cycles, and texts of dates and clocks.
#include "source/postgres/values/civil_time.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace cdc::pg {
namespace {

constexpr std::int64_t kCycleDays = 146'097;        // of 400 years
constexpr std::int64_t kEpochFromMarch0 = 719'468;  // 1970-01-01 counted from 0000-03-01

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int days_in_month(std::int64_t year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month - 1] + (leap ? 1 : 0);
}

bool exists(const Date& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         date.day <= days_in_month(date.year, date.month);
}

char* put_two(char* w, int value) {
  *w++ = static_cast<char>('0' + value / 10);
  *w++ = static_cast<char>('0' + value % 10);
  return w;
}

char* put_month_and_day(char* w, const Date& date) {
  *w++ = '-';
  w = put_two(w, date.month);
  *w++ = '-';
  return put_two(w, date.day);
}

// Eight characters of a text in one step. XOR with the pattern leaves the values of the digits and
// zeros elsewhere; a byte is wrong when adding its slack sets the top bit, or when that is set already.
struct Pattern {
  std::uint64_t characters, slack;
  constexpr explicit Pattern(const char (&text)[9]) : characters(0), slack(0) {
    std::array<char, 8> own{}, room{};
    for (std::size_t i = 0; i < 8; ++i) {
      own[i] = text[i];
      room[i] = text[i] == '0' ? 0x7F - 9 : 0x7F;
    }
    characters = std::bit_cast<std::uint64_t>(own);
    slack = std::bit_cast<std::uint64_t>(room);
  }
  bool match(const char* p, unsigned char (&digits)[8]) const {
    std::uint64_t value;
    std::memcpy(&value, p, sizeof value);
    value ^= characters;
    std::memcpy(digits, &value, sizeof value);
    return (((value + slack) | value) & 0x8080808080808080U) == 0;
  }
};
constexpr Pattern kYearMonth("0000-00-"), kDayMinute("00 00:00"), kClock("00:00:00");

}  // namespace

std::int64_t days_of(const Date& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);  // years begin in March here
  const std::int64_t cycle = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_cycle = year - cycle * 400;
  const std::int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const std::int64_t day_of_cycle =
      year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
  return cycle * kCycleDays + day_of_cycle - kEpochFromMarch0;
}

Date date_of(std::int64_t days) {
  days += kEpochFromMarch0;
  const std::int64_t cycle = (days >= 0 ? days : days - (kCycleDays - 1)) / kCycleDays;
  const std::int64_t day_of_cycle = days - cycle * kCycleDays;
  const std::int64_t year_of_cycle =
      (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36'524 - day_of_cycle / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;
  Date date;
  date.day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  date.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  date.year = year_of_cycle + cycle * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

bool TemporalReader::two_digits(int& value) {
  if (end_ - p_ < 2 || !is_digit(p_[0]) || !is_digit(p_[1])) return false;
  value = (p_[0] - '0') * 10 + (p_[1] - '0');
  p_ += 2;
  return true;
}

bool TemporalReader::date(Date& date) {
  const char* const begin = p_;
  date.year = 0;
  while (p_ < end_ && p_ - begin < 7 && is_digit(*p_)) date.year = date.year * 10 + (*p_++ - '0');
  return p_ - begin >= 4 && date.year > 0 && take('-') && two_digits(date.month) && take('-') &&
         two_digits(date.day);
}

bool TemporalReader::time(std::int64_t& us) {
  int hour = 0, minute = 0, second = 0;
  if (!two_digits(hour) || !take(':') || !two_digits(minute) || !take(':') || !two_digits(second))
    return false;
  if (minute > 59 || second > 59) return false;
  us = (hour * 3600LL + minute * 60LL + second) * 1'000'000;
  if (take('.')) {
    const char* const begin = p_;
    std::int64_t unit = 100'000;
    for (; p_ < end_ && p_ - begin < 6 && is_digit(*p_); unit /= 10) us += (*p_++ - '0') * unit;
    if (p_ == begin) return false;
  }
  return us <= kDayUs;
}

bool TemporalReader::offset(int& seconds) {
  seconds = 0;
  if (take('Z')) return true;
  const bool west = take('-');
  if (!west && !take('+')) return false;
  int hours = 0, minutes = 0;
  if (!two_digits(hours)) return false;
  if (take(':')) {
    if (!two_digits(minutes) || minutes > 59) return false;
    if (take(':') && (!two_digits(seconds) || seconds > 59)) return false;
  }
  seconds += hours * 3600 + minutes * 60;
  if (west) seconds = -seconds;
  return true;
}

bool TemporalReader::era_and_end(Date& date) {
  if (end_ - p_ == 3 && std::memcmp(p_, " BC", 3) == 0) {
    p_ = end_;
    date.year = 1 - date.year;
  }
  return p_ == end_ && exists(date);
}

bool read_fixed(const char* p, FixedDateTime& value) {
  unsigned char a[8], b[8], c[8];
  if (!kYearMonth.match(p, a) || !kDayMinute.match(p + 8, b) || !kClock.match(p + 11, c)) return false;
  value.date.year = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
  value.date.month = a[5] * 10 + a[6];
  value.date.day = b[0] * 10 + b[1];
  const int hour = c[0] * 10 + c[1], minute = c[3] * 10 + c[4], second = c[6] * 10 + c[7];
  value.seconds = hour * 3600 + minute * 60 + second;
  return value.date.year > 0 && exists(value.date) && hour < 24 && minute < 60 && second < 60;
}

bool read_fraction(std::string_view text, std::int64_t& us) {
  us = 0;
  if (text.empty()) return true;
  if (text[0] != '.' || text.size() < 2 || text.size() > 7) return false;
  int value = 0;
  for (std::size_t i = 1; i < 7; ++i) {
    const char c = i < text.size() ? text[i] : '0';
    if (!is_digit(c)) return false;
    value = value * 10 + (c - '0');
  }
  us = value;
  return true;
}

char* put_date(char* w, const Date& date) {
  std::int64_t year = date.year;
  if (year >= 0 && year <= 9999) {
    w = put_two(put_two(w, static_cast<int>(year) / 100), static_cast<int>(year) % 100);
    return put_month_and_day(w, date);
  }
  if (year > 9999) *w++ = '+';
  if (year < 0) {
    *w++ = '-';
    year = -year;
  }
  char digits[12];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + year % 10);
    year /= 10;
  } while (year != 0 || count < 4);
  while (count > 0) *w++ = digits[--count];
  return put_month_and_day(w, date);
}

char* put_clock(char* w, std::int64_t us) {
  const auto seconds = static_cast<int>(us / 1'000'000);
  w = put_two(w, seconds / 3600);
  *w++ = ':';
  w = put_two(w, seconds / 60 % 60);
  *w++ = ':';
  return put_two(w, seconds % 60);
}

char* put_fraction(char* w, std::int64_t us, int digits) {
  if (digits <= 0) return w;
  *w++ = '.';
  auto rest = static_cast<int>(us % 1'000'000);
  for (int unit = 100'000; digits > 0 && unit > 0; --digits, unit /= 10) {
    *w++ = static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return w;
}

char* put_fraction(char* w, std::int64_t us) {
  auto rest = static_cast<int>(us % 1'000'000);
  if (rest == 0) return w;
  int digits = 6;
  for (; rest % 10 == 0; rest /= 10) --digits;
  return put_fraction(w, us, digits);
}

}  // namespace cdc::pg
