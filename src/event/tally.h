// Tally: what one reader thread has written, for the statistics of the run. Kept apart and told with each
// batch, because a shared counter costs a row more than its encoding does where several threads count.
#pragma once

#include <cstdint>

#include "cdc/change_sink.h"
#include "cdc/runtime.h"

namespace cdc {

class Tally {
 public:
  explicit Tally(Stats& stats) : stats_(stats) {}
  ~Tally() { publish(); }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  // One event. `built_ns`: when it was made; `source_us`: when it was committed, 0 where that is not known.
  void count(Op op, std::int64_t built_ns, std::int64_t source_us) {
    ++of(op);
    built_ns_ = built_ns;
    source_us_ = source_us;
  }
  void row_scanned() { ++scanned_; }
  void publish();

 private:
  std::uint64_t& of(Op op) {
    switch (op) {
      case Op::create:
        return creates_;
      case Op::update:
        return updates_;
      case Op::remove:
        return deletes_;
      case Op::truncate:
        return truncates_;
      case Op::message:
        return messages_;
      case Op::read:
        break;
    }
    return reads_;
  }

  Stats& stats_;
  std::uint64_t creates_ = 0, updates_ = 0, deletes_ = 0, reads_ = 0, truncates_ = 0, messages_ = 0;
  std::uint64_t scanned_ = 0;
  std::int64_t built_ns_ = 0, source_us_ = 0;
};

}  // namespace cdc
