// Values written in a configuration, with the schema Connect infers for them (InsertHeader).
#pragma once

#include <string>
#include <string_view>

#include "cdc/schema.h"

namespace cdc::transform {

struct Literal {
  SchemaPtr schema;  // null: the literal is null
  std::string json;
};
Literal infer_literal(std::string_view text);

}  // namespace cdc::transform
