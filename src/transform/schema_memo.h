// SchemaMemo: what a transform has worked out for a schema, so that records of a table whose schema was
// seen before cost one look-up. The schema is kept alive, so its address cannot come to mean another.
// One object a thread.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "cdc/schema.h"

namespace cdc::transform {

template <class T>
class SchemaMemo {
 public:
  // The reference stays valid until the next call. `make(const SchemaPtr&)` gives a T.
  template <class Make>
  const T& get(const SchemaPtr& schema, Make make) {
    if (schema.get() == last_schema_) return *last_;
    auto found = entries_.find(schema.get());
    if (found == entries_.end()) {
      if (entries_.size() >= kMost) entries_.clear();  // schemas made per record must not pile up
      found = entries_.emplace(schema.get(), Entry{schema, make(schema)}).first;
    }
    last_schema_ = schema.get();
    last_ = &found->second.value;
    return *last_;
  }

 private:
  struct Entry {
    SchemaPtr schema;
    T value;
  };
  static constexpr std::size_t kMost = 4096;
  std::unordered_map<const Schema*, Entry> entries_;
  const Schema* last_schema_ = nullptr;
  const T* last_ = nullptr;
};

}  // namespace cdc::transform
