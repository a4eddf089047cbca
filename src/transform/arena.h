// Arena: where the texts that transforms make live while one record passes the chain. Reset between
// records; its memory is kept. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace cdc::transform {

class Arena {
 public:
  // A copy that stays valid until reset().
  std::string_view store(std::string_view text) {
    if (text.empty()) return {};
    char* to = take(text.size());
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  void reset() {
    while (blocks_.size() > 1 || (!blocks_.empty() && blocks_.front().size > kKept)) blocks_.pop_back();
    used_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  static constexpr std::size_t kBlock = std::size_t{64} << 10;
  static constexpr std::size_t kKept = std::size_t{1} << 20;  // one huge value does not stay allocated

  char* take(std::size_t n) {
    if (blocks_.empty() || blocks_.back().size - used_ < n) {
      const std::size_t size = n > kBlock ? n : kBlock;
      blocks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
      used_ = 0;
    }
    char* at = blocks_.back().bytes.get() + used_;
    used_ += n;
    return at;
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;  // of the last block
};

}  // namespace cdc::transform
