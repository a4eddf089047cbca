// The configurations of the golden cases: those that Debezium refuses before it connects are refused
// here with the right property, every other one loads (but for what this version cannot do yet).
#include <algorithm>
#include <filesystem>
#include <map>

#include "support.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// Case -> what the error must name.
const std::map<std::string, std::string> refused = {
    {"error-bad-regex", "table.include.list"},
    {"error-column-lists", "column.exclude.list"},
    {"error-enum-values", "publication.autocreate.mode"},
    {"error-heartbeat-topic", "topic.heartbeat.prefix"},
    {"error-identity-autoset", "replica.identity.autoset.values"},
    {"error-mask-algorithm", "NOPE-1"},
    {"error-message-key-columns", "message.key.columns"},
    {"error-message-key-duplicate", "message.key.columns"},
    {"error-message-prefix-lists", "message.prefix.exclude.list"},
    {"error-notification-topic", "notification.sink.topic.name"},
    {"error-numbers", "heartbeat.interval.ms"},
    {"error-plugin", "plugin.name"},
    {"error-queue-size", "max.queue.size"},
    {"error-skipped-operations", "skipped.operations"},
    {"error-slot-name", "slot.name"},
    {"error-snapshot-custom", "snapshot.mode.custom.name"},
    {"error-snapshot-mode", "snapshot.mode"},
    {"error-table-lists", "table.exclude.list"},
    {"error-topic-delimiter", "topic.delimiter"},
    {"error-topic-prefix", "topic.prefix"},
    {"error-transform-class", "NoSuchThing"},
    {"snapshot-mode-never", "no_data"},
};

std::string real_errors(const ConfigReport& report) {
  std::string out;
  for (const ConfigProblem& problem : report.problems)
    if (problem.severity == ConfigProblem::Severity::error &&
        !contains(problem.message, "not supported by this version"))
      out += problem_line(problem) + "\n";
  return out;
}

}  // namespace

TEST_CASE("golden configurations load, or are refused where Debezium refuses them") {
  const std::filesystem::path golden =
      (std::filesystem::path(CDC_TEST_DATA) / "../../../golden/postgresql").lexically_normal();
  REQUIRE(std::filesystem::exists(golden));
  const Folder folder;
  const std::string base =
      folder.write("base.properties", "topic.prefix=cdc\ndatabase.dbname=golden\nslot.name=golden\n");
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden)) {
    const std::filesystem::path file = entry.path() / "config.properties";
    if (!std::filesystem::exists(file)) continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    ConfigInput input;
    input.files = {base, (golden / "common.properties").string(), file.string()};
    const std::string lines = real_errors(read(input));
    CAPTURE(lines);
    const auto expected = refused.find(name);
    if (expected == refused.end()) {
      CHECK(lines.empty());
    } else {
      CHECK(contains(lines, expected->second));
      ++seen;
    }
  }
  CHECK(seen == refused.size());
}
