// Schemas for JSON documents that have none: the outbox router's expanded payloads and the contents of
// logical messages. Rules as seen in Debezium (CORE-SMT-06, -13).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/schema.h"

namespace cdc::transform {

enum class NullMembers : bool { leave_out, as_bytes };

// The schema of a document and the document itself in that schema: `json` is compact, has every field,
// and numbers as Java prints them.
struct InferredJson {
  SchemaPtr schema;
  std::string json;
};

// `name`: of the outermost struct; inner ones are `<name>.<field>`. Nothing when the document is no JSON
// object or array, is nested too deeply, or mixes types in an array; `why` says which.
std::unique_ptr<InferredJson> infer_json(std::string_view document, const std::string& name,
                                         NullMembers nulls, std::string& why);

}  // namespace cdc::transform
