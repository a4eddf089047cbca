// A Runtime for tests of the sinks: keeps what was logged.
#pragma once

#include <string>
#include <vector>

#include "cdc/runtime.h"

namespace cdc::testing {

class MemoryLog final : public Log {
 public:
  bool enabled(Level) const override { return true; }
  void write(Level, std::string_view, std::string_view message, std::initializer_list<Member>) override {
    lines.emplace_back(message);
  }
  void warn_once(std::string_view, std::string_view message) override { lines.emplace_back(message); }
  bool has(std::string_view part) const {
    for (const std::string& line : lines)
      if (line.find(part) != std::string::npos) return true;
    return false;
  }
  std::vector<std::string> lines;
};

struct FakeRuntime {
  MemoryLog log;
  StopToken stop;
  Stats stats;
  Runtime runtime{log, stop, stats};
};

}  // namespace cdc::testing
