// CompiledTable: one version of a table's shape, ready for rows: which columns print, with which
// encoder behind which name, what stands in for NULL and for what the log did not carry, the key, and
// the schema texts, rendered once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cdc/change_sink.h"
#include "cdc/sink.h"
#include "cdc/table.h"
#include "event/event_options.h"
#include "event/naming.h"

namespace cdc {

class CompiledTable {
 public:
  struct Column {
    std::size_t cell = 0;     // index into the row's cells
    ColumnCodec codec;        // masks and truncation applied
    FixedText lead;           // `{"id":` or `,"name":`
    std::string name;         // as printed
    std::string null_json;    // a stored NULL
    std::string absent_json;  // not carried by a partial old row
    bool required = false;
    bool masks_null = false;  // column.mask.with.N.chars hides NULL as well
  };
  struct KeyColumn {
    std::size_t cell = 0;
    ColumnCodec codec;  // never masked (CORE-COL-02)
    FixedText lead;
    std::string null_json;
    std::string absent_json;
    int same_as = -1;  // column whose text is the same: it is copied
  };

  TableShape shape;           // codecs of the columns as the source gave them
  std::string collection_id;  // schema.table
  std::string topic;
  std::uint32_t destination = 0;
  std::vector<Column> columns;
  std::vector<KeyColumn> key;
  std::vector<KeyColumn> header_key;  // as key-change headers print it; empty: like the key
  bool keyed = false;                 // false: the key is null
  std::string key_tail;               // closes the key object; holds the discriminator of regex strategies
  SchemaPtr key_type;
  SchemaPtr row_type;      // `before` and `after`
  SchemaPtr value_type;    // the envelope
  std::string key_schema;  // JSON texts
  std::string value_schema;
};

}  // namespace cdc
