// Buffer: the growing byte buffer every encoder appends to. It never shrinks while in use and is
// recycled, so that after the first rows no append allocates. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace cdc {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t capacity) { grow_to(capacity); }
  Buffer(Buffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)),
        size_(std::exchange(o.size_, 0)),
        capacity_(std::exchange(o.capacity_, 0)) {}
  Buffer& operator=(Buffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  char* data() { return data_; }
  const char* data() const { return data_; }
  std::string_view view() const { return {data_, size_}; }
  std::string_view view(std::size_t begin) const { return {data_ + begin, size_ - begin}; }
  std::string_view view(std::size_t begin, std::size_t end) const { return {data_ + begin, end - begin}; }

  // Room for at least n more bytes; returns where to write them. Follow with advance() or end_at().
  char* reserve(std::size_t n) {
    if (capacity_ - size_ < n) grow_to(size_ + n);
    return data_ + size_;
  }
  void advance(std::size_t n) { size_ += n; }
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - data_); }

  void append(std::string_view s) {
    if (s.empty()) return;
    std::memcpy(reserve(s.size()), s.data(), s.size());
    size_ += s.size();
  }
  void push(char c) { *reserve(1) = c, ++size_; }
  void clear() { size_ = 0; }
  void truncate(std::size_t size) { size_ = size; }  // size <= size()
  // Gives memory back when one huge value blew the buffer up. Call between rows only.
  void shrink_above(std::size_t limit) {
    if (capacity_ <= limit) return;
    std::free(std::exchange(data_, nullptr));
    size_ = capacity_ = 0;
  }

 private:
  // Out of line, so that what calls it stays small enough to be inlined.
  [[gnu::noinline, gnu::cold]] void grow_to(std::size_t wanted) {
    std::size_t capacity = capacity_ < 256 ? 256 : capacity_ * 2;
    if (capacity < wanted) capacity = wanted;
    void* p = std::realloc(data_, capacity);
    if (p == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(p);
    capacity_ = capacity;
  }
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// A short text that is appended again and again, such as the name in front of a value. It is kept with room
// behind it, so that moves of a fixed size copy it, where append() would call.
class FixedText {
 public:
  FixedText() : FixedText(std::string_view()) {}
  explicit FixedText(std::string_view text) : padded_(text), size_(text.size()) {
    padded_.resize(size_ + kStep);
  }

  std::string_view view() const { return {padded_.data(), size_}; }
  void append_to(Buffer& out) const {
    char* to = out.reserve(size_ + kStep);
    std::memcpy(to, padded_.data(), kStep);
    if (size_ > kStep) [[unlikely]]
      std::memcpy(to + kStep, padded_.data() + kStep, size_ - kStep);
    out.advance(size_);
  }

 private:
  static constexpr std::size_t kStep = 32;
  std::string padded_;
  std::size_t size_;
};

}  // namespace cdc
