// Signals (CORE-SIG): what a user asks of a running capture, from whatever channel, as data. Parsing only;
// total over all texts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc {

enum class SignalType : std::uint8_t {
  log,
  execute_snapshot,
  stop_snapshot,
  pause_snapshot,
  resume_snapshot,
  window_open,  // internal, source channel only
  window_close,
};

// By its name in the `type` column; nullopt: unknown.
std::optional<SignalType> signal_type(std::string_view name);
std::string_view signal_name(SignalType type);
// Those that a user may send, in the order of the documentation.
std::span<const SignalType> user_signals();

struct Signal {
  std::string id;
  std::string type;
  std::string data = "{}";  // JSON text of an object
};

// A line of the file channel: {"id":…,"type":…,"data":{…}}. The error says what is wrong with it.
Result<Signal> parse_signal_line(std::string_view line);
std::string signal_line(const Signal& signal);

enum class SnapshotKind : std::uint8_t { incremental, blocking };

struct AdditionalCondition {
  std::string collection;  // anchored regex, letters of either case
  std::string filter;      // a condition; a whole SELECT for blocking snapshots
};

// `data` of execute-snapshot and of its relatives.
struct SnapshotOrder {
  SnapshotKind kind = SnapshotKind::incremental;
  std::vector<std::string> collections;
  std::vector<AdditionalCondition> conditions;
  std::string surrogate_key;
  bool old_condition = false;  // `additional-condition`, which is not looked at any more
};
// `type` decides whether data-collections are required.
Result<SnapshotOrder> parse_snapshot_order(SignalType type, std::string_view data);

// `data` of log: its message.
Result<std::string> parse_log_message(std::string_view data);

// Everything that can be said about a signal without a server (for `cdc signal`).
Result<void> check_signal(const Signal& signal);

}  // namespace cdc
