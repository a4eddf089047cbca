// The calendar and the clock of the temporal types: reading the pieces of the server's ISO texts and
// writing those of Java's. For this room, and for decoderbufs/, which makes such texts itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace cdc::pg {

inline constexpr std::int64_t kDayUs = 86'400'000'000;

// A day of the proleptic Gregorian calendar, years counted astronomically (1 BC is 0).
struct Date {
  std::int64_t year = 1970;
  int month = 1, day = 1;
};
std::int64_t days_of(const Date& date);  // since 1970-01-01
Date date_of(std::int64_t days);

// A text as the temporal types have it: date, time of day, offset, era; the reader asks for the parts
// its type has. Nothing is read beyond the text; a part that is not there or out of range fails it.
class TemporalReader {
 public:
  explicit TemporalReader(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  bool date(Date& date);  // YYYY-MM-DD; the year as printed, at most 7 digits
  bool blank() { return take(' '); }
  bool time(std::int64_t& us);  // HH:MM:SS[.ffffff], up to 24:00:00
  bool offset(int& seconds);    // Z, +HH, +HH:MM or +HH:MM:SS, east is positive
  // The end of the text, before it ` BC` perhaps, which turns the year; then whether the day exists.
  bool era_and_end(Date& date);
  bool end() const { return p_ == end_; }

 private:
  bool take(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  bool two_digits(int& value);

  const char* p_;
  const char* end_;
};

// The most frequent shape, `YYYY-MM-DD HH:MM:SS`, checked and read eight bytes at a time.
struct FixedDateTime {
  Date date;
  std::int64_t seconds = 0;  // of the day
};
inline constexpr std::size_t kFixedLength = 19;
// `p` points to at least kFixedLength bytes.
bool read_fixed(const char* p, FixedDateTime& value);
// What may follow it: nothing, or a point and one to six digits. False for anything else.
bool read_fraction(std::string_view text, std::int64_t& us);

// Writers; each returns the new end. Room: 12 bytes for a year, 20 for anything else.
char* put_date(char* w, const Date& date);                 // at least four digits, + beyond 9999
char* put_clock(char* w, std::int64_t us);                 // HH:MM:SS of 0 <= us < one day
char* put_fraction(char* w, std::int64_t us);              // minimal: nothing, .5, .000001
char* put_fraction(char* w, std::int64_t us, int digits);  // exactly so many (0..6), cut

}  // namespace cdc::pg
