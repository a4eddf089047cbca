// The rows of one chunk while its window is open (CORE-INC-07): kept in chunk order, found by their
// identity, which is the message key or, without one, the value of the surrogate key.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace cdc {

class WindowBuffer {
 public:
  struct Row {
    EncodedRow row;
    Buffer key;  // JSON; empty: null key
    std::string identity;
    bool gone = false;  // replaced by an event of the log
  };

  // A row to fill; it belongs to the buffer once it was kept.
  Row& next();
  // `unique`: a row of the same identity takes the place of the one before (equal message keys collapse,
  // CORE-INC-21).
  void keep(std::string_view identity, bool unique);
  void drop(std::string_view identity);
  void clear();

  bool empty() const { return left_ == 0; }
  std::size_t size() const { return left_; }
  // Calls `each` with the rows that are left, in order, until it fails.
  template <class Each>
  Result<void> for_each(Each each) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (!rows_[i]->gone)
        if (Result<void> done = each(*rows_[i]); !done) return done;
    return {};
  }

 private:
  std::vector<std::unique_ptr<Row>> rows_;  // reused from chunk to chunk
  std::size_t count_ = 0, left_ = 0;
  std::unordered_multimap<std::string_view, std::size_t> places_;  // identity -> row; views into the rows
};

}  // namespace cdc
