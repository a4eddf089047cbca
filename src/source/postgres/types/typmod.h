// How a typmod packs length, precision and scale (4.13). Plain arithmetic; no types are named here.
#pragma once

#include <cstdint>
#include <optional>

namespace cdc::pg {

struct NumericSize {
  int precision;
  int scale;  // 0..2047: a negative scale -s comes out as 2048-s, as Debezium's driver reads it (4.3)
};

// varchar, bpchar.
constexpr std::optional<int> character_length(std::int32_t typmod) {
  if (typmod < 4) return std::nullopt;
  return typmod - 4;
}

// bit, varbit.
constexpr std::optional<int> bit_length(std::int32_t typmod) {
  if (typmod < 0) return std::nullopt;
  return typmod;
}

constexpr std::optional<NumericSize> numeric_size(std::int32_t typmod) {
  if (typmod < 4) return std::nullopt;
  const std::uint32_t packed = static_cast<std::uint32_t>(typmod) - 4;
  return NumericSize{static_cast<int>((packed >> 16) & 0xFFFF), static_cast<int>(packed & 0x7FF)};
}

// time, timetz, timestamp, timestamptz.
constexpr std::optional<int> time_precision(std::int32_t typmod) {
  if (typmod < 0) return std::nullopt;
  return typmod > 6 ? 6 : typmod;
}

}  // namespace cdc::pg
