// Log lines. Text: time, level, message; the members follow only where the message does not tell the
// story (empty message, level debug). JSON: ts, level, event, message, members.
#include "observe/log.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <map>
#include <mutex>

#include "cdc/wall_clock.h"
#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc::observe {
namespace {

struct LevelRow {
  Level level;
  std::string_view name, colour, journal_prefix;  // the prefix is the syslog priority that journald reads
};
constexpr std::array kLevels{
    LevelRow{Level::trace, "trace", "\x1b[2m", "<7>"},  LevelRow{Level::debug, "debug", "\x1b[2m", "<7>"},
    LevelRow{Level::info, "info", "", "<6>"},           LevelRow{Level::warn, "warn", "\x1b[33m", "<4>"},
    LevelRow{Level::error, "error", "\x1b[31m", "<3>"}, LevelRow{Level::off, "off", "", ""},
};
const LevelRow& row(Level level) { return kLevels[static_cast<std::size_t>(level)]; }

bool is_json_number(std::string_view text) {
  std::size_t i = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - begin;
  };
  const bool leading_zero = i < text.size() && text[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) return false;
  if (i < text.size() && text[i] == '.' && (++i, digits() == 0)) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

bool is_json_value(std::string_view text) {
  return text == "true" || text == "false" || text == "null" || is_json_number(text) ||
         (text.starts_with('{') && json::members(text).has_value());
}

// Time of day where a person watches, the whole moment in UTC elsewhere.
std::string local_time(std::int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

class ConsoleLog final : public RunLog {
 public:
  ConsoleLog(Level level, LogFormat format, Console& console)
      : level_(level), format_(format), console_(console) {}

  bool enabled(Level level) const override { return level >= level_ && level != Level::off; }
  LogFormat format() const override { return format_; }
  void listen(EventListener listener) override { listener_ = std::move(listener); }

  void write(Level level, std::string_view event, std::string_view message,
             std::initializer_list<Member> members) override {
    if (enabled(level)) {
      const std::int64_t now = wall_clock_ms();
      console_.print(format_ == LogFormat::json ? json_line(now, level, event, message, members)
                                                : text_line(now, level, event, message, members));
    }
    if (listener_) listener_(event, message);
  }

  void warn_once(std::string_view key, std::string_view message) override {
    {
      const std::lock_guard lock(mutex_);
      const auto [place, is_new] = warned_.try_emplace(std::string(key));
      ++place->second.count;
      if (!is_new) return;
      place->second.message = message;
    }
    write(Level::warn, "warning", message, {{"key", std::string(key)}});
  }

  void report_repeats() override {
    std::map<std::string, Warned, std::less<>> warned;
    {
      const std::lock_guard lock(mutex_);
      for (auto& [key, entry] : warned_)
        if (entry.count > 1) warned.emplace(key, std::exchange(entry, Warned{entry.message, 1}));
    }
    for (const auto& [key, entry] : warned)
      write(Level::warn, "warning", fmt::format("{} (seen {} times)", entry.message, entry.count),
            {{"key", key}, {"count", fmt::format_int(entry.count).str()}});
  }

 private:
  struct Warned {
    std::string message;
    std::uint64_t count = 0;
  };

  static std::string json_line(std::int64_t now, Level level, std::string_view event,
                               std::string_view message, std::initializer_list<Member> members) {
    Buffer out;
    const auto member = [&](std::string_view name, std::string_view value) {
      out.push(out.empty() ? '{' : ',');
      json::append_string(out, name);
      out.push(':');
      json::append_string(out, value);
    };
    member("ts", iso_time(now));
    member("level", level_name(level));
    member("event", event);
    member("message", message);
    for (const auto& [name, value] : members) {
      if (!is_json_value(value)) {
        member(name, value);
        continue;
      }
      out.push(',');
      json::append_string(out, name);
      out.push(':');
      out.append(value);
    }
    out.append("}\n");
    return std::string(out.view());
  }

  std::string text_line(std::int64_t now, Level level, std::string_view event, std::string_view message,
                        std::initializer_list<Member> members) const {
    const LevelRow& kind = row(level);
    std::string line;
    if (console_.is_journal()) {
      line = kind.journal_prefix;  // the journal keeps the time itself
    } else if (console_.is_terminal()) {
      line = local_time(now) + ' ';
    } else {
      line = iso_time(now) + ' ';
    }
    const bool painted = console_.has_colour() && !kind.colour.empty();
    if (painted) line += kind.colour;
    line += fmt::format("{:<5} ", kind.name);
    if (painted) line += "\x1b[0m";
    line += one_line(message.empty() ? event : message);
    if (message.empty() || level_ <= Level::debug)
      for (const auto& [name, value] : members) line += fmt::format(" {}={}", name, one_line(value));
    line += '\n';
    return line;
  }

  const Level level_;
  const LogFormat format_;
  Console& console_;
  EventListener listener_;
  std::mutex mutex_;
  std::map<std::string, Warned, std::less<>> warned_;  // guarded by mutex_
};

}  // namespace

std::unique_ptr<RunLog> make_log(Level level, LogFormat format, Console& console) {
  return std::make_unique<ConsoleLog>(level, format, console);
}

std::optional<Level> parse_level(std::string_view name) {
  if (name == "warning") return Level::warn;
  for (const LevelRow& r : kLevels)
    if (r.name == name) return r.level;
  return std::nullopt;
}

std::optional<LogFormat> parse_log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  return std::nullopt;
}

std::string_view level_name(Level level) { return row(level).name; }

std::string iso_time(std::int64_t unix_ms) {
  // Not gmtime_r: it would read the time zone files at the first line of every run.
  using namespace std::chrono;
  const sys_time<milliseconds> moment{milliseconds{unix_ms}};
  const sys_days day = floor<days>(moment);
  const year_month_day date{day};
  const auto ms = (moment - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), ms / 3'600'000,
                     ms / 60'000 % 60, ms / 1000 % 60, ms % 1000);
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r' || c == '\t') {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else if (byte < 0x20 || byte == 0x7f) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace cdc::observe
