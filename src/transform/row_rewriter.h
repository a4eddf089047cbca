// RowRewriter: for transforms that change columns of certain types wherever they stand: in `before` and
// `after` of an envelope, or at the top of a value that is none.
#pragma once

#include <optional>
#include <string>

#include "transform/record.h"
#include "transform/schema_memo.h"
#include "transform/transform.h"

namespace cdc::transform {

class RowRewriter : public Transform {
 public:
  Result<bool> apply(Record& record) final;

 protected:
  // The schema that a column gets; null: the column is not concerned.
  virtual SchemaPtr changed_schema(const SchemaPtr& column) const = 0;
  // The new text of a value that is not null; nothing: it stays.
  virtual std::optional<std::string> changed_value(const Schema& column, std::string_view json) const = 0;

 private:
  struct Plan {
    SchemaPtr type;               // null: nothing is concerned
    std::vector<SchemaPtr> rows;  // by member of an envelope: the new schema of a row
    bool is_row = false;          // the value itself is the row
  };
  Plan make_plan(const SchemaPtr& value) const;
  SchemaPtr changed_row(const Schema& row) const;
  std::string_view rewrite(Record& record, const Schema& from, const Schema& to, std::string_view row);

  SchemaMemo<Plan> plans_;
  Texts members_, columns_;
};

}  // namespace cdc::transform
