// Names as decoderbufs sends them: quoted where SQL would need it (PG-TRAP-DBUF-01). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cdc/table.h"

namespace cdc::pg::decoderbufs {

// `"a""b"` -> a"b; what is not quoted comes as it is. nullopt: a quote without its other half.
std::optional<std::string> unquote_name(std::string_view name);

// `public."Weird Name"` -> schema and table. nullopt: not two names.
std::optional<TableId> table_id(std::string_view qualified);

}  // namespace cdc::pg::decoderbufs
