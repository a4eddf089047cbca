// The log of one run: cdc::Log on a console, as text for people or as one JSON object a line for
// scripts. Which events exist is fixed by the product; who emits them is not decided here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/runtime.h"
#include "observe/console.h"

namespace cdc::observe {

enum class LogFormat : std::uint8_t { text, json };

// Called for every event, also for those below the level, on the thread that writes it. It may write
// to the log itself but must not block.
using EventListener = std::function<void(std::string_view event, std::string_view message)>;

class RunLog : public Log {
 public:
  // Set before other threads write. One listener.
  virtual void listen(EventListener listener) = 0;
  // Reports how often each warn_once was repeated, and forgets the counts. Call when the run ends.
  virtual void report_repeats() = 0;
  virtual LogFormat format() const = 0;
};

// The console must outlive the log.
std::unique_ptr<RunLog> make_log(Level level, LogFormat format, Console& console);

// trace, debug, info, warn (or warning), error, off.
std::optional<Level> parse_level(std::string_view name);
std::optional<LogFormat> parse_log_format(std::string_view name);
std::string_view level_name(Level level);

// "2026-11-30T21:53:54.123Z" for milliseconds since 1970.
std::string iso_time(std::int64_t unix_ms);

// One line of text: line breaks become a blank, other control characters are made visible.
std::string one_line(std::string_view text);

}  // namespace cdc::observe
