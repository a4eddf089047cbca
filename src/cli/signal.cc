// `cdc signal`: asks something of a capture that is running, by a row of its signal table or a line of its
// signal file.
#include <fmt/format.h>

#include <algorithm>

#include "cdc/chunks.h"
#include "cdc/source.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/session.h"
#include "event/notification.h"
#include "filter/collection_filter.h"
#include "json/json_read.h"
#include "signals/signal.h"
#include "signals/signal_file.h"

namespace cdc::cli {
namespace {

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ",") + json::quote(text);
  return "[" + list + "]";
}

// "public.orders=id > 10" -> {"data-collection":"public.orders","filter":"id > 10"}
Result<std::string> condition_json(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorKind::usage, fmt::format("--condition {} has no table", option),
                "write --condition 'public.orders=id > 10'");
  return fmt::format("{{\"data-collection\":{},\"filter\":{}}}", json::quote(option.substr(0, equals)),
                     json::quote(option.substr(equals + 1)));
}

Result<std::string> snapshot_data(const Invocation& invocation) {
  std::string data =
      fmt::format("{{\"type\":\"{}\"", invocation.has("--blocking") ? "blocking" : "incremental");
  if (!invocation.arguments.empty()) data += ",\"data-collections\":" + json_list(invocation.arguments);
  if (const auto conditions = invocation.values.find("--condition"); conditions != invocation.values.end()) {
    std::string list;
    for (const std::string& option : conditions->second) {
      CDC_TRY(const std::string json, condition_json(option));
      list += (list.empty() ? "" : ",") + json;
    }
    data += ",\"additional-conditions\":[" + list + "]";
  }
  if (invocation.has("--surrogate-key"))
    data += ",\"surrogate-key\":" + json::quote(invocation.value("--surrogate-key"));
  return data + "}";
}

Result<void> to_table(Session& session, const Signal& signal) {
  const Config& config = session.config();
  CDC_TRY(const CollectionFilter filter, CollectionFilter::make(config));
  if (filter.signal_collections().empty())
    return fail(ErrorKind::usage, "there is no signal table: signal.data.collection is not set",
                "set it to schema.table for the capture too (`cdc signal init` prints the table), or use "
                "--channel file");
  const std::string& collection = filter.signal_collections().front();
  const SourceType* type = find_source_type(config.source());
  if (type == nullptr)
    return fail(ErrorKind::unsupported, fmt::format("source {} is not part of this build", config.source()));
  const auto source = type->make(config, session.runtime());
  CDC_CHECK(source->connect(false));
  ChunkReader* tables = source->chunks();
  if (tables == nullptr)
    return fail(ErrorKind::unsupported, fmt::format("source {} has no signal table", config.source()),
                "use --channel file");
  CDC_TRY(const auto known, tables->tables());
  const auto is_it = [&](const TableId& id) { return collection_id(id) == collection; };
  if (std::none_of(known.begin(), known.end(), is_it))
    return fail(ErrorKind::usage, fmt::format("there is no table {} (signal.data.collection)", collection),
                "`cdc signal init` prints the statement that makes it");
  return tables->insert_signal(collection, signal.id, signal.type, signal.data);
}

Result<std::string> channel_of(const Invocation& invocation, const Config& config) {
  const auto enabled = config.list("signal.enabled.channels");
  const std::string asked = invocation.value("--channel");
  if (!asked.empty() && asked != "source" && asked != "file")
    return fail(ErrorKind::usage, fmt::format("--channel {}: there is no such channel", asked),
                "it is source or file");
  if (!asked.empty() && !has(enabled, asked))
    return fail(ErrorKind::usage, fmt::format("the capture does not listen on the {} channel", asked),
                fmt::format("set signal.enabled.channels={} for it", asked));
  if (!asked.empty()) return asked;
  const bool table = has(enabled, "source") && config.is_set("signal.data.collection");
  if (!table && !has(enabled, "file"))
    return fail(ErrorKind::usage, "the configuration has no way to send a signal",
                "set signal.data.collection=schema.table, or signal.enabled.channels=file and "
                "signal.file=PATH, for the capture too");
  return std::string(table ? "source" : "file");
}

Result<int> send(const Invocation& invocation, SignalType type, std::string data) {
  Signal signal{invocation.value("--id"), std::string(signal_name(type)), std::move(data)};
  if (signal.id.empty()) signal.id = random_uuid();
  CDC_CHECK(check_signal(signal));
  CDC_TRY(const auto session, Session::open(invocation, false));
  CDC_TRY(const std::string channel, channel_of(invocation, session->config()));
  const std::string& file = session->config().text("signal.file");
  if (channel == "file") {
    CDC_CHECK(add_signal(file, signal_line(signal)));
  } else {
    CDC_CHECK(to_table(*session, signal));
  }
  CDC_CHECK(print(signal.id + "\n"));
  return 0;
}

Result<int> execute(const Invocation& invocation) {
  CDC_TRY(std::string data, snapshot_data(invocation));
  return send(invocation, SignalType::execute_snapshot, std::move(data));
}
Result<int> stop(const Invocation& invocation) {
  CDC_TRY(std::string data, snapshot_data(invocation));
  return send(invocation, SignalType::stop_snapshot, std::move(data));
}
Result<int> pause(const Invocation& invocation) {
  return send(invocation, SignalType::pause_snapshot, R"({"type":"incremental"})");
}
Result<int> resume(const Invocation& invocation) {
  return send(invocation, SignalType::resume_snapshot, R"({"type":"incremental"})");
}

Result<int> log(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return fail(ErrorKind::usage, "the message is missing", "usage: cdc signal log [OPTIONS] MESSAGE");
  return send(invocation, SignalType::log,
              fmt::format("{{\"message\":{}}}", json::quote(invocation.arguments.front())));
}

// schema.table as SQL has it: quoted where it would otherwise name another table.
std::string sql_name(std::string_view collection) {
  std::string sql;
  for (std::size_t at = 0; at <= collection.size();) {
    const std::size_t end = std::min(collection.find('.', at), collection.size());
    const std::string_view part = collection.substr(at, end - at);
    at = end + 1;
    const bool plain = !part.empty() && (part[0] < '0' || part[0] > '9') &&
                       std::all_of(part.begin(), part.end(), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                       });
    if (!sql.empty()) sql += '.';
    if (plain) {
      sql += part;
      continue;
    }
    sql += '"';
    for (const char c : part) sql.append(c == '"' ? 2 : 1, c);
    sql += '"';
  }
  return sql;
}

// CORE-SIG-02. The widths leave room for watermarks, whose ids are a UUID and "-close".
Result<int> init(const Invocation& invocation) {
  CDC_TRY(const auto session, Session::open(invocation, false));
  CDC_TRY(const CollectionFilter filter, CollectionFilter::make(session->config()));
  const std::string name = sql_name(
      filter.signal_collections().empty() ? "public.cdc_signal" : filter.signal_collections().front());
  std::string sql = fmt::format(
      "CREATE TABLE {} (id VARCHAR(64) PRIMARY KEY, type VARCHAR(32), data VARCHAR(2048));\n", name);
  if (session->config().text("incremental.snapshot.watermarking.strategy") == "insert_delete")
    sql += fmt::format("ALTER TABLE {} REPLICA IDENTITY FULL;\n", name);
  CDC_CHECK(print(sql));
  return 0;
}

constexpr Example kExecuteExamples[] = {
    {"Read two tables again while the capture streams",
     "cdc signal execute-snapshot -c shop.yaml public.orders public.items"},
    {"Only some rows",
     "cdc signal execute-snapshot -c shop.yaml --condition 'public.orders=id > 1000' public.orders"},
    {"A table without a key, in the order of a unique column",
     "cdc signal execute-snapshot -c shop.yaml --surrogate-key seq public.log"},
};
constexpr Example kStopExamples[] = {
    {"Stop everything", "cdc signal stop-snapshot -c shop.yaml"},
    {"Leave one table out", "cdc signal stop-snapshot -c shop.yaml public.items"},
};
constexpr Example kPauseExamples[] = {
    {"Read no more chunks for now", "cdc signal pause-snapshot -c shop.yaml"}};
constexpr Example kResumeExamples[] = {{"Go on", "cdc signal resume-snapshot -c shop.yaml"}};
constexpr Example kLogExamples[] = {{"Where is it?", "cdc signal log -c shop.yaml 'now at {}'"}};
constexpr Example kInitExamples[] = {{"Make the table", "cdc signal init -c shop.yaml | psql shop"}};

constexpr unsigned kManyTables = 10'000;

}  // namespace

constinit const Command signal_execute_command{
    "signal execute-snapshot",
    "[URL] TABLE...",
    "Ask a running capture to read tables again",
    "Sends an execute-snapshot signal: the capture reads the tables in chunks while it goes on streaming (an "
    "incremental snapshot), or, with "
    "--blocking, all at once while the stream waits. TABLE is a regular expression that must match "
    "schema.table as a whole. The id of the signal is "
    "printed; notifications carry it.\n\n"
    "The configuration is that of the capture: signal.data.collection names the table that signals are "
    "written to, signal.file the file of the file "
    "channel.",
    kExecuteExamples,
    kManyTables,
    false,
    execute,
};
constinit const Command signal_stop_command{
    "signal stop-snapshot",
    "[URL] [TABLE...]",
    "Stop the incremental snapshot, or some of its tables",
    "Sends a stop-snapshot signal. It takes effect when the chunk under way is done.",
    kStopExamples,
    kManyTables,
    false,
    stop,
};
constinit const Command signal_pause_command{
    "signal pause-snapshot",
    "[URL]",
    "Pause the incremental snapshot",
    "Sends a pause-snapshot signal. The chunk under way is finished. A restart resumes.",
    kPauseExamples,
    0,
    false,
    pause,
};
constinit const Command signal_resume_command{
    "signal resume-snapshot",
    "[URL]",
    "Resume a paused incremental snapshot",
    "Sends a resume-snapshot signal.",
    kResumeExamples,
    0,
    false,
    resume,
};
constinit const Command signal_log_command{
    "signal log",
    "[URL] MESSAGE",
    "Have a running capture log a message",
    "Sends a log signal: the capture logs MESSAGE, with {} replaced by its position.",
    kLogExamples,
    1,
    false,
    log,
};
constinit const Command signal_init_command{
    "signal init",
    "[URL]",
    "Print the statement that makes the signal table",
    "Prints the SQL of the table that signal.data.collection names. The capture's role needs INSERT on it "
    "for incremental snapshots, and DELETE with "
    "incremental.snapshot.watermarking.strategy=insert_delete.",
    kInitExamples,
    0,
    false,
    init,
};

}  // namespace cdc::cli
