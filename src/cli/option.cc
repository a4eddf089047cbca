// The tables: options that only the command line has, and the looks of those that are properties (their
// list comes from the configuration, so that a new flag there needs nothing here).
#include "cli/option.h"

#include <algorithm>
#include <array>

namespace cdc::cli {
namespace {

constexpr std::string_view kSource = "Source";
constexpr std::string_view kSnapshot = "Snapshot";
constexpr std::string_view kRun = "Start and end of a run";
constexpr std::string_view kOutput = "Output";
constexpr std::string_view kObserve = "Watching";
constexpr std::string_view kShow = "What to print";
constexpr std::string_view kOffsets = "Offsets";
constexpr std::string_view kSignal = "Signal";
constexpr std::string_view kOther = "More properties as options";
constexpr std::string_view kGlobal = "Everywhere";

struct Own {
  std::string_view name;
  char letter;
  std::string_view placeholder, group, commands;  // commands: one command's name, a group's, or "*" for all
  std::string_view help;
};
constexpr std::array kOwn{
    Own{"--config", 'c', "FILE", kGlobal, "*",
        "Read a YAML file, a Kafka Connect connector JSON or an application.properties; a later file wins"},
    Own{"--set", 's', "KEY=VALUE", kGlobal, "*", "Set any property; wins over files and URL"},
    Own{"--plan", 0, "", kSnapshot, "snapshot",
        "Print the chunks of the snapshot as JSON lines and exit; nothing is read"},
    Own{"--chunk", 0, "ID", kSnapshot, "snapshot",
        "Read only this chunk of the plan, so that several machines can share one snapshot"},
    Own{"--all", 0, "", kShow, "config", "Print the defaults of everything that is not set, too"},
    Own{"--reference", 0, "", kShow, "config", "Explain every property: type, default, values, meaning"},
    Own{"--differences", 0, "", kShow, "config", "Tell where cdc deliberately differs from Debezium"},
    Own{"--markdown", 0, "", kShow, "config", "Write --reference as Markdown"},
    Own{"--blocking", 0, "", kSignal, "signal execute-snapshot",
        "Read the tables at once while the stream waits, instead of in chunks beside it"},
    Own{"--condition", 0, "TABLE=SQL", kSignal, "signal execute-snapshot",
        "Read only the rows of TABLE that meet the condition; with --blocking a whole SELECT"},
    Own{"--surrogate-key", 0, "COLUMN", kSignal, "signal execute-snapshot",
        "Read in the order of this column instead of the key; it should be unique"},
    Own{"--id", 0, "ID", kSignal, "signal", "Id of the signal; default: a random UUID"},
    Own{"--channel", 0, "NAME", kSignal, "signal",
        "Send it by the signal table (source) or the signal file (file); default: the first that is "
        "configured"},
    Own{"--json", 0, "", kShow, "offsets show", "Print one JSON object a line, for scripts"},
    Own{"--engine-name", 0, "NAME", kOffsets, "offsets import",
        "Take the offset that the Debezium engine of this name stored, where there are several"},
    Own{"--engine-name", 0, "NAME", kOffsets, "offsets export",
        "Name of the Debezium engine that shall go on (its property name); default: the capture's"},
    Own{"--help", 'h', "", kGlobal, "*", "Print this help and exit"},
    Own{"--version", 'V', "", kGlobal, "*", "Print the version and exit"},
};

// How an option that stands for a property looks. One without a row stands under "More properties".
struct Look {
  std::string_view name;
  char letter;
  std::string_view group, help;  // empty help: the catalogue's own words
};
constexpr std::array kLooks{
    Look{"--table", 't', kSource,
         "Capture only tables whose schema.table matches this regular expression as a whole; repeatable, or "
         "separated by commas"},
    Look{"--where", 0, kSnapshot, "Read only the rows of TABLE that meet the SQL condition"},
    Look{"--threads", 'j', kSnapshot, "Read over so many connections at once"},
    Look{"--resume", 0, kSnapshot, "Go on with a snapshot that was interrupted (the default)"},
    Look{"--no-resume", 0, kSnapshot, "Start an interrupted snapshot over"},
    Look{"--from", 0, kRun,
         "Start at now, beginning or a position of the server, instead of the stored offset"},
    Look{"--until", 0, kRun, "Stop at now, a position of the server, or a time (2026-01-31T12:00:00Z)"},
    Look{"--max-events", 'n', kRun, "Stop after so many events"},
    Look{"--max-time", 0, kRun, "Stop after this time, such as 10m"},
    Look{"--idle-exit", 0, kRun, "Stop when nothing came for this time, such as 30s"},
    Look{"--dry-run", 0, kRun, "Connect, check, tell what would be captured; change nothing on the server"},
    Look{"--output", 'o', kOutput,
         "Write to - (stdout, the default), a file, a template with {topic} {database} {schema} {table} "
         "{date} "
         "{seq}, or fifo:PATH; a name in .zst is compressed"},
    Look{"--format", 'f', kOutput,
         "value (the default), record (topic, key, value, headers, offset), keyed (key TAB value), or "
         "cloudevents"},
    Look{"--schemas", 0, kOutput, "Embed the Kafka Connect schemas in keys and values"},
    Look{"--flatten", 0, kOutput, "Write the row alone instead of the change envelope"},
    Look{"--rotate-size", 0, kOutput, "Start a new file at this size, such as 1G"},
    Look{"--rotate-time", 0, kOutput, "Start a new file after this time, such as 1h"},
    Look{"--rotate-events", 0, kOutput, "Start a new file after so many events"},
    Look{"--fsync", 0, kOutput, "Force files to disk at every commit (the default), at close, or never"},
    Look{"--pipe-ok", 0, kOutput, "Exit with status 0 when the reader of stdout goes away"},
    Look{"--stats", 0, kObserve, "Print a JSON line of statistics on stderr each so often, such as 10s"},
    Look{"--metrics-file", 0, kObserve,
         "Keep this file up to date with metrics in the Prometheus text format"},
    Look{"--metrics-listen", 0, kObserve, "Serve /metrics and /healthz on ADDRESS:PORT"},
    Look{"--name", 0, kGlobal, "Name the logical server (topic.prefix); also names the state"},
    Look{"--state", 0, kGlobal,
         "Keep positions in this file: *.db (SQLite), *.json, or none; default $XDG_STATE_HOME/cdc/NAME.db"},
    Look{"--log-level", 0, kGlobal, "Log trace, debug, info (the default), warn, error or off"},
    Look{"--log-format", 0, kGlobal, "Log as text, or as json: one object a line, for scripts"},
    Look{"--quiet", 'q', kGlobal, "Show no progress, log warnings and errors only"},
};

bool names_command(std::string_view commands, std::string_view command) {
  if (commands == "*") return true;
  const std::string_view first = command.substr(0, command.find(' '));
  for (std::size_t at = 0; at < commands.size();) {
    const std::size_t end = std::min(commands.find(' ', at), commands.size());
    if (commands.substr(at, end - at) == first) return true;
    at = end + 1;
  }
  return false;
}

void add_property(std::vector<Option>& options, const FlagRow& row) {
  const auto same =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == row.flag; });
  if (same != options.end()) {
    same->properties.push_back(&row);
    return;
  }
  Option option{std::string(row.flag),
                0,
                std::string(row.placeholder),
                kOther,
                std::string(property_doc(row.property)),
                {&row}};
  for (const Look& look : kLooks) {
    if (look.name != row.flag) continue;
    option.letter = look.letter;
    option.group = look.group;
    if (!look.help.empty()) option.help = look.help;
  }
  options.push_back(std::move(option));
}

std::size_t rank(std::string_view group) {
  const auto& groups = option_groups();
  return static_cast<std::size_t>(std::find(groups.begin(), groups.end(), group) - groups.begin());
}

}  // namespace

const std::vector<std::string_view>& option_groups() {
  static const std::vector<std::string_view> groups{kSource, kSnapshot, kRun,    kOutput, kObserve,
                                                    kShow,   kOffsets,  kSignal, kOther,  kGlobal};
  return groups;
}

std::vector<Option> options_of(std::string_view command) {
  std::vector<Option> options;
  // `cdc config` takes what any command takes: it shows what that command would do.
  for (const FlagRow& row : flag_rows())
    if (names_command(row.commands, command) || command == "config") add_property(options, row);
  for (const Own& own : kOwn)
    if (own.commands == command ||
        (own.commands.find(' ') == std::string_view::npos && names_command(own.commands, command)))
      options.push_back({std::string(own.name),
                         own.letter,
                         std::string(own.placeholder),
                         own.group,
                         std::string(own.help),
                         {}});
  std::stable_sort(options.begin(), options.end(),
                   [](const Option& a, const Option& b) { return rank(a.group) < rank(b.group); });
  return options;
}

}  // namespace cdc::cli
