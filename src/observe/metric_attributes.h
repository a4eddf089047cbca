// The tables of what is shown: name, contexts, where the value comes from. A new attribute is one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "observe/metrics.h"

namespace cdc::observe {

enum Context : unsigned { kSnapshot = 1, kStreaming = 2, kBoth = 3 };

// A sample seen from one context: the counters of Stats run over the whole process, the attributes of
// Debezium belong to one of its two beans.
struct View {
  const Sample& of;
  Context context;
  const RunDetails::Facts& details;
  const std::optional<LagMeter::Summary>& lag;
  const Stats& stats() const { return of.stats; }
};

enum class Form : std::uint8_t { number, truth };

struct Attribute {
  std::string_view name;
  Context contexts;
  Form form;
  std::int64_t (*read)(const View&);
};
std::span<const Attribute> attributes();

// A number for each table: an object in a stats line, a label in Prometheus.
struct TableAttribute {
  std::string_view name;
  Context contexts;
  RunDetails::ByName RunDetails::Facts::*values;
};
std::span<const TableAttribute> table_attributes();

// What is no number: only in a stats line, and only where there is one. As JSON.
struct TextAttribute {
  std::string_view name;
  Context contexts;
  std::string (*read)(const View&);
};
std::span<const TextAttribute> text_attributes();

// Our own counters: not part of Debezium's beans, the same in every context.
struct Counter {
  std::string_view attribute;   // in a stats line
  std::string_view prometheus;  // a counter where it ends in _total, else a gauge
  std::string_view help;
  std::int64_t (*read)(const Sample&);
};
std::span<const Counter> counters();

}  // namespace cdc::observe
