// The post-processor `reselect` (CORE-PP-01): columns that the log did not carry, or that are null, are read
// again by key before the event is written. Which cells and what happens when it fails; the reading itself is
// the source's (cdc/row_reader.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdc/config.h"
#include "cdc/row_reader.h"
#include "cdc/runtime.h"
#include "event/compiled_table.h"
#include "text/regex.h"

namespace cdc {

// One object a stream, on its thread.
class Reselect {
 public:
  // Null when no post-processor is configured.
  static Result<std::unique_ptr<Reselect>> make(const Config& config, Runtime& runtime);

  void attach(RowReader* rows) { rows_ = rows; }
  // Each table before its first row; a table that takes the place of a former one replaces it.
  Result<void> learn(const CompiledTable& table);
  // Some cell of the new row has to be read again.
  bool wants(const RowChange& change) const;
  // The new row with the cells that could be read again. Valid until the next call. A lost connection is an
  // error whatever reselect.error.handling.mode says: the event can be tried again.
  Result<std::span<const Cell>> read(const RowChange& change);

 private:
  struct Processor {
    std::string name;
    text::RegexList include, exclude;  // over schema.table:column
    bool unavailable = true, nulls = true, by_event_key = false, fails = false;

    Result<bool> selects(const std::string& column) const;
  };
  // A column that a processor may read again.
  struct Candidate {
    std::size_t cell = 0;
    bool has_placeholder = false;  // what the log did not carry prints as such; otherwise it prints null
  };
  struct Plan {
    const Processor* processor = nullptr;
    std::vector<std::size_t> key;  // cells
    std::vector<Candidate> candidates;
  };

  explicit Reselect(Runtime& runtime) : runtime_(runtime) {}
  static bool needed(const Processor& processor, const Candidate& candidate, const Cell& cell);
  Result<void> run(const Plan& plan, const CompiledTable& table, std::span<const Cell> after);
  void tell_left(const Plan& plan, const CompiledTable& table, std::span<const Cell> after,
                 std::string_view why) const;

  Runtime& runtime_;
  RowReader* rows_ = nullptr;
  std::vector<Processor> processors_;
  std::unordered_map<const CompiledTable*, std::vector<Plan>> plans_;  // only tables with candidates
  std::vector<Cell> cells_;
  std::vector<std::size_t> wanted_;
  std::vector<RowReader::Values> texts_;  // what cells_ point at
};

}  // namespace cdc
