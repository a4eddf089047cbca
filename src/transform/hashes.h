// The two hash functions of PartitionRouting over values of Connect's types (CORE-SMT-10).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cdc/schema.h"

namespace cdc::transform {

// Java's hashCode() of the value; nullopt for what has none that is the same in every run (structs, maps).
std::optional<std::int32_t> java_hash_of(const Schema& schema, std::string_view json);
// The early draft of MurmurHash3 x64 that Debezium carries.
std::int32_t murmur_of_bytes(std::string_view bytes);
std::optional<std::int32_t> murmur_of(const Schema& schema, std::string_view json);

// Bytes of a base64 literal with or without its quotes; nullopt when it is none.
std::optional<std::string> decode_base64(std::string_view literal);

}  // namespace cdc::transform
