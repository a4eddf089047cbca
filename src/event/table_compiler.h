// TableShape -> CompiledTable: filters, rules, keys, names and schemas put together, once per version
// of a table. Shared by all readers; thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cdc/change_sink.h"
#include "event/column_rules.h"
#include "event/compiled_table.h"
#include "event/destinations.h"
#include "event/event_options.h"
#include "filter/collection_filter.h"
#include "filter/column_filter.h"

namespace cdc {

class TableCompiler {
 public:
  static Result<std::unique_ptr<TableCompiler>> make(const Config& config, const EventOptions& options,
                                                     SchemaPtr source_type, Destinations& destinations,
                                                     Log& log);

  Result<TableHandle> compile(TableShape shape) const;
  // Where the rows of a table go, whatever its shape.
  const Destination& destination(const TableId& id) const;

  const CollectionFilter& collections() const { return collections_; }
  const TopicNaming& naming() const { return naming_; }
  const SchemaPtr& source_type() const { return source_type_; }

 private:
  TableCompiler(const EventOptions& options, SchemaPtr source_type, Destinations& destinations, Log& log,
                TopicNaming naming)
      : options_(options),
        source_type_(std::move(source_type)),
        destinations_(destinations),
        log_(log),
        naming_(std::move(naming)) {}
  void compile_columns(CompiledTable& table) const;
  Result<void> check_names(const CompiledTable& table) const;
  Result<void> compile_key(CompiledTable& table) const;
  void compile_schemas(CompiledTable& table) const;
  void warn_about_names(const CompiledTable& table) const;

  const EventOptions& options_;
  SchemaPtr source_type_;
  Destinations& destinations_;
  Log& log_;
  TopicNaming naming_;
  CollectionFilter collections_;
  ColumnFilter column_filter_;
  KeyColumns key_columns_;
  ColumnRules rules_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> topic_owner_;  // topic -> collection, to notice collisions
};

// The optional `transaction` block of an envelope (CORE-TX-05).
SchemaPtr transaction_block_type();

}  // namespace cdc
