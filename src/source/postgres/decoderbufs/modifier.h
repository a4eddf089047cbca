// From a type as SQL spells it (format_type) back to the typmod that the catalog holds (PG-DBUF-05). Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace cdc::pg::decoderbufs {

// `numeric(5,2)`, `character varying(40)[]`, `interval day to second(2)`. -1: the type has none, also
// where it is not a type of the server's own. Other types' modifiers (PostGIS', pgvector's) are not
// read: no event shows them.
std::int32_t typmod_of(std::string_view type);

}  // namespace cdc::pg::decoderbufs
