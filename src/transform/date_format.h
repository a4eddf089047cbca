// DateFormat: the part of Java's SimpleDateFormat that timestamps need, in UTC and English. Immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc::transform {

class DateFormat {
 public:
  // Letters y M d D H k h K m s S a E z Z X and quoted text; others are an error.
  static Result<DateFormat> parse(std::string_view pattern);

  std::string format(std::int64_t epoch_ms) const;
  // Milliseconds since 1970; what follows the pattern's end is not looked at, as in Java.
  std::optional<std::int64_t> read(std::string_view text) const;

 private:
  struct Piece {
    char letter = 0;  // 0: literal text
    std::size_t count = 0;
    std::string literal;
    bool is_number() const {
      return letter != 0 && std::string_view("aEzZX").find(letter) == std::string_view::npos &&
             !(letter == 'M' && count >= 3);
    }
  };
  std::vector<Piece> pieces_;
};

}  // namespace cdc::transform
