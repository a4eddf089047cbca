// Spellings of the modes as data, and one reader for all of them.
#include "source/postgres/types/type_modes.h"

#include <array>
#include <cstddef>

namespace cdc::pg {
namespace {

template <class Mode>
struct Spelling {
  std::string_view name;
  Mode mode;
};

constexpr std::array<Spelling<TimeMode>, 6> kTimeModes{{
    {"adaptive", TimeMode::adaptive},
    {"adaptive_time_microseconds", TimeMode::adaptive_time_microseconds},
    {"connect", TimeMode::connect},
    {"isostring", TimeMode::isostring},
    {"microseconds", TimeMode::microseconds},
    {"nanoseconds", TimeMode::nanoseconds},
}};
constexpr std::array<Spelling<DecimalMode>, 3> kDecimalModes{{
    {"precise", DecimalMode::precise},
    {"double", DecimalMode::as_double},
    {"string", DecimalMode::as_string},
}};
constexpr std::array<Spelling<BinaryForm>, 4> kBinaryModes{{
    {"bytes", BinaryForm::bytes},
    {"base64", BinaryForm::base64},
    {"base64-url-safe", BinaryForm::base64_url_safe},
    {"hex", BinaryForm::hex},
}};
constexpr std::array<Spelling<HstoreForm>, 2> kHstoreModes{{
    {"json", HstoreForm::json},
    {"map", HstoreForm::map},
}};
constexpr std::array<Spelling<IntervalMode>, 2> kIntervalModes{{
    {"numeric", IntervalMode::numeric},
    {"string", IntervalMode::as_string},
}};
constexpr std::array<Spelling<DecimalForm>, 2> kDecimalFormats{{
    {"base64", DecimalForm::base64},
    {"numeric", DecimalForm::numeric},
}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool same_word(std::string_view given, std::string_view name) {
  if (given.size() != name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (lower(given[i]) != name[i]) return false;
  }
  return true;
}

template <class Mode, std::size_t N>
std::optional<Mode> mode_of(const std::array<Spelling<Mode>, N>& spellings, std::string_view value) {
  value = trimmed(value);
  for (const auto& spelling : spellings) {
    if (same_word(value, spelling.name)) return spelling.mode;
  }
  return std::nullopt;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::optional<TimeMode> time_mode(std::string_view value) { return mode_of(kTimeModes, value); }
std::optional<DecimalMode> decimal_mode(std::string_view value) { return mode_of(kDecimalModes, value); }
std::optional<BinaryForm> binary_mode(std::string_view value) { return mode_of(kBinaryModes, value); }
std::optional<HstoreForm> hstore_mode(std::string_view value) { return mode_of(kHstoreModes, value); }
std::optional<IntervalMode> interval_mode(std::string_view value) { return mode_of(kIntervalModes, value); }
std::optional<DecimalForm> decimal_format(std::string_view value) { return mode_of(kDecimalFormats, value); }

std::optional<std::string> unavailable_placeholder(std::string_view value) {
  constexpr std::string_view kHexPrefix = "hex:";
  if (!value.starts_with(kHexPrefix)) return std::string(value);
  const std::string_view digits = value.substr(kHexPrefix.size());
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

}  // namespace cdc::pg
