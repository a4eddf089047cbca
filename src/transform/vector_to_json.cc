// VectorToJsonConverter: vectors as JSON text (CORE-SMT-14). The blanks are Debezium's.
#include "transform/debezium.h"

#include "json/json_read.h"
#include "transform/row_rewriter.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

constexpr std::string_view kSparse = "io.debezium.data.SparseVector",
                           kSparseDouble = "io.debezium.data.SparseDoubleVector";

bool is_dense(const Schema& s) {
  return s.type == Type::array &&
         (s.name == "io.debezium.data.DoubleVector" || s.name == "io.debezium.data.FloatVector");
}
bool is_sparse(const Schema& s) {
  return s.type == Type::structure && (s.name == kSparse || s.name == kSparseDouble);
}

std::string dense_text(std::string_view array) {
  Texts items;
  split_array(array, items);
  std::string out = "{ \"values\": [";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    out += items[i];
  }
  return out + "] }";
}

// The vector prints as an object, or as pairs where its keys are no strings.
std::string sparse_text(std::string_view object) {
  std::string out = "{ \"dimensions\": " + std::string(member(object, "dimensions")) + ", \"vector\": { ";
  const std::string_view vector = member(object, "vector");
  bool first = true;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!first) out += ", ";
    first = false;
    out += key.starts_with('"') ? std::string(key) : "\"" + std::string(key) + "\"";
    out += ": ";
    out += value;
  };
  Texts pairs, pair;
  if (split_array(vector, pairs)) {
    for (const std::string_view one : pairs)
      if (split_array(one, pair) && pair.size() == 2) add(pair[0], pair[1]);
  } else {
    for_each_member(vector, [&](std::string_view key, std::string_view value) {
      add(key, value);
      return true;
    });
  }
  return out + " } }";
}

class VectorToJson : public RowRewriter {
 protected:
  SchemaPtr changed_schema(const SchemaPtr& column) const override {
    if (!is_dense(*column) && !is_sparse(*column)) return nullptr;
    return named(Type::string, "io.debezium.data.Json", column->optional);
  }
  std::optional<std::string> changed_value(const Schema& column, std::string_view json) const override {
    return json::quote(is_dense(column) ? dense_text(json) : sparse_text(json));
  }
};

}  // namespace

StepFactory make_vector_to_json(Options&, const StepContext&) {
  return [] { return std::make_unique<VectorToJson>(); };
}

}  // namespace cdc::transform
