// ExtractChangedRecordState: headers that list which columns an update changed (CORE-SMT-08).
#include "transform/debezium.h"

#include "json/json_text.h"
#include "transform/envelope_view.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

struct ListHeader {
  std::string name;  // empty: not asked for
  SchemaPtr schema;
};

ListHeader list_header(const std::string& name) {
  Schema s;
  s.type = Type::array;
  s.optional = true;
  s.name = name;
  s.items = make(Type::string, true);
  return {name, share(std::move(s))};
}

class ChangedState : public Transform {
 public:
  ChangedState(ListHeader changed, ListHeader unchanged)
      : changed_(std::move(changed)), unchanged_(std::move(unchanged)) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record)) return true;
    const Field* row = find_field(*record.value_schema(), "after");
    Texts before, after;
    const bool both = row != nullptr && row->schema->type == Type::structure &&
                      find_field(*record.value_schema(), "before") != nullptr &&
                      split_struct(*row->schema, view_.before(), before) &&
                      split_struct(*row->schema, view_.after(), after);
    const auto list = [&](const ListHeader& header, bool wanted) {
      if (header.name.empty()) return;
      Buffer& out = record.work.scratch;
      out.clear();
      out.push('[');
      for (std::size_t i = 0; both && i < after.size(); ++i) {
        if ((before[i] != after[i]) != wanted) continue;
        if (out.size() > 1) out.push(',');
        json::append_string(out, row->schema->fields[i].name);
      }
      out.push(']');
      record.add_shared_header(header.name, typed(header.schema, record.work.store(out.view())));
    };
    list(changed_, true);
    list(unchanged_, false);
    return true;
  }

 private:
  const ListHeader changed_, unchanged_;
  EnvelopeView view_;
};

}  // namespace

StepFactory make_changed_state(Options& options, const StepContext&) {
  return [changed = list_header(options.text("header.changed.name")),
          unchanged = list_header(options.text("header.unchanged.name"))] {
    return std::make_unique<ChangedState>(changed, unchanged);
  };
}

}  // namespace cdc::transform
