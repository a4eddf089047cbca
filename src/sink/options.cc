// Config -> SinkOptions. The only file of this room that knows property names.
#include "sink/options.h"

#include <algorithm>

#include "sink/make_sink.h"

namespace cdc {

Result<SinkOptions> sink_options_from(const Config& config) {
  SinkOptions options;
  options.output = config.text("output");
  options.rotate_size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, config.integer("rotate.size")));
  options.rotate_events =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, config.integer("rotate.events")));
  options.rotate_time = config.milliseconds("rotate.time");
  const std::string& fsync = config.text("fsync");
  options.fsync = fsync == "never"   ? FsyncPolicy::never
                  : fsync == "close" ? FsyncPolicy::close
                                     : FsyncPolicy::commit;
  options.drain = config.milliseconds("executor.shutdown.timeout.ms");
  return options;
}

Result<std::unique_ptr<Sink>> make_sink(const Config& config, Runtime& runtime, FileMode mode) {
  CDC_TRY(SinkOptions options, sink_options_from(config));
  options.mode = mode;
  return make_sink(options, runtime);
}

}  // namespace cdc
