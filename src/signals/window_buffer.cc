// The chunk's rows.
#include "signals/window_buffer.h"

#include <utility>

namespace cdc {

WindowBuffer::Row& WindowBuffer::next() {
  if (count_ == rows_.size()) rows_.push_back(std::make_unique<Row>());
  Row& row = *rows_[count_];
  row.row.clear();
  row.key.clear();
  row.gone = false;
  return row;
}

void WindowBuffer::keep(std::string_view identity, bool unique) {
  Row& row = *rows_[count_];
  row.identity.assign(identity);
  if (unique) {
    if (const auto earlier = places_.find(row.identity); earlier != places_.end()) {
      Row& place = *rows_[earlier->second];
      std::swap(place.row, row.row);
      std::swap(place.key, row.key);
      return;
    }
  }
  places_.emplace(row.identity, count_);
  ++count_;
  ++left_;
}

void WindowBuffer::drop(std::string_view identity) {
  const auto [begin, end] = places_.equal_range(identity);
  for (auto at = begin; at != end; ++at) {
    rows_[at->second]->gone = true;
    --left_;
  }
  places_.erase(begin, end);
}

void WindowBuffer::clear() {
  places_.clear();
  count_ = left_ = 0;
}

}  // namespace cdc
