// zstd's streaming interface with one output buffer.
#include "sink/zstd_frames.h"

#include <fmt/format.h>
#include <zstd.h>

#include <vector>

namespace cdc {

struct ZstdFrames::State {
  struct Free {
    void operator()(ZSTD_CCtx* what) const { ZSTD_freeCCtx(what); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context{ZSTD_createCCtx()};
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 18);
};

ZstdFrames::ZstdFrames(int level) : state_(std::make_unique<State>()) {
  if (state_->context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(state_->context.get(), ZSTD_c_compressionLevel, level);
  // With a checksum `zstd -t` finds a file that the disk spoiled.
  ZSTD_CCtx_setParameter(state_->context.get(), ZSTD_c_checksumFlag, 1);
}
ZstdFrames::~ZstdFrames() = default;

Result<void> ZstdFrames::add(std::string_view bytes, const Output& output) {
  if (bytes.empty()) return {};
  open_ = true;
  return run(bytes, false, output);
}

Result<void> ZstdFrames::empty(const Output& output) {
  open_ = true;
  return end(output);
}

Result<void> ZstdFrames::end(const Output& output) {
  if (!open_) return {};
  open_ = false;
  return run({}, true, output);
}

Result<void> ZstdFrames::run(std::string_view bytes, bool end, const Output& output) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{state_->buffer.data(), state_->buffer.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(state_->context.get(), &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0)
      return fail(ErrorKind::internal, fmt::format("zstd cannot compress: {}", ZSTD_getErrorName(left)));
    if (out.pos != 0) CDC_CHECK(output({state_->buffer.data(), out.pos}));
    if (end ? left == 0 : in.pos == in.size) return {};
  }
}

}  // namespace cdc
