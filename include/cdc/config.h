// Config: the effective configuration of one run, as typed values by property name. Where the values
// come from (files, URL, flags), what is known about each property and how they are checked lives in
// src/config/. Immutable after loading, so any thread may read it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdc/error.h"

namespace cdc {

// One property that somebody set, out of a family such as `transforms.<alias>.<option>`.
struct ConfigEntry {
  std::string name;
  std::string value;               // references resolved
  std::string origin;              // "shop.yaml:12", "command line", "URL"
  std::vector<std::string> parts;  // what stood in the <places> of the pattern; empty for a prefix
};

// Getters take a name of the catalogue (old names are already translated). A name that is not in the
// catalogue, or is of another type, is a bug of the caller: the process aborts with a message.
class Config {
 public:
  Config();  // nothing set: every getter gives the default
  ~Config();
  Config(const Config&);
  Config(Config&&) noexcept;
  Config& operator=(const Config&);
  Config& operator=(Config&&) noexcept;

  // Any type: the value as text. Enumerations come in the catalogue's spelling, classes as the short
  // name where the catalogue has one, lists joined by commas; "" when unset and without default.
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;  // numbers, and sizes in bytes ("1G")
  bool boolean(std::string_view name) const;
  std::chrono::milliseconds milliseconds(std::string_view name) const;  // "500", "30s", "10m"
  // Split by the rules of CORE-FLT-01 (or at `;` where the property is written that way).
  std::vector<std::string> list(std::string_view name) const;
  bool is_set(std::string_view name) const;         // by anything but a default
  std::string origin(std::string_view name) const;  // "default" when not set

  // What was set of a family, in order of appearance. A pattern is one of the catalogue's, spelled as
  // there: "column.mask.with.<N>.chars" gives parts {"4"}.
  std::vector<ConfigEntry> entries_matching(std::string_view pattern) const;
  std::vector<ConfigEntry> entries_with_prefix(std::string_view prefix) const;

  // True for passwords and what CORE-ERR-07's pattern (or custom.sanitize.pattern) names.
  bool is_secret(std::string_view name) const;

  // Debezium's name of the source: "postgresql", ...
  const std::string& source() const;
  // The configuration was written for Debezium (it has connector.class): CORE-JSON-09 asks for a notice.
  bool debezium_form() const;
  // `name`, else topic.prefix: names the state and the capture in the log.
  const std::string& capture_name() const;

 private:
  friend class ConfigBuilder;
  friend struct ConfigAccess;
  struct Data;
  std::shared_ptr<const Data> data_;
};

// Values are CloudEvents, whose inner converter has options of its own (value.converter.json.*).
bool writes_cloudevents(const Config& config);
// Whether a value's NULL prints its column's default.
bool prints_value_defaults(const Config& config);

// Something to say about the configuration. `where` is an origin ("shop.yaml:12"), or empty.
struct ConfigProblem {
  enum class Severity : std::uint8_t { error, warning, notice };
  Severity severity = Severity::error;
  std::string where;
  std::string property;
  std::string message;  // the whole sentence: property, value, what is allowed, what to do
};

// The text of a problem as one line: "shop.yaml:12: message".
std::string problem_line(const ConfigProblem& problem);

// What the command line hands over. Later layers win: files in their order, the URL, -s, flags.
struct ConfigInput {
  struct Flag {
    std::string property;
    std::string value;
    std::string flag;  // as the user wrote it: "--table"
  };
  std::vector<std::string> files;     // -c: .yaml .yml .json .properties, else told by the content
  std::string url;                    // postgres://user@host/db, or empty
  std::vector<std::string> settings;  // -s: "key=value"
  std::vector<Flag> flags;            // a flag that repeats a list property adds to the list
  std::function<const char*(const char*)> environment;  // for ${env:NAME}; unset: getenv
};

struct ConfigReport {
  Config config;                        // usable only without errors; complete enough to print otherwise
  std::vector<ConfigProblem> problems;  // in the order of the files; errors, warnings and notices
  bool has_errors() const;
};

// Reads, resolves and checks everything that needs no server; all problems are collected (CORE-ERR-08).
ConfigReport read_config(const ConfigInput& input);
// The same for those who only want to go on: all errors in one Error of kind `usage`, one a line.
// Warnings and notices go to `problems` when given.
Result<Config> load_config(const ConfigInput& input, std::vector<ConfigProblem>* problems = nullptr);
// For tests of other rooms: properties as with -s, topic.prefix and database.dbname filled in when missing.
Result<Config> config_of(std::initializer_list<std::pair<std::string_view, std::string_view>> properties);

// Command-line flags that stand for properties, so that the command line declares them from data.
struct FlagRow {
  std::string_view flag;          // "--rotate-size"
  std::string_view property;      // "rotate.size"; two rows of one flag: it sets both
  std::string_view placeholder;   // "SIZE"; empty: a switch
  std::string_view switch_value;  // what a switch sets ("true", "false")
  std::string_view commands;      // "snapshot stream", "*" for all
};
const std::vector<FlagRow>& flag_rows();
std::string_view property_doc(std::string_view name);  // one line; empty when unknown

// `cdc config`: what is in effect, as YAML that can be loaded again, each line with its origin; secrets
// are hidden. `all` adds the defaults of everything that is not set.
std::string render_config(const Config& config, bool all = false);
// `cdc config --reference`: every property with type, default, values and meaning. `markdown` for the man
// page and docs.
std::string render_reference(bool markdown = false);
// `cdc config --differences`: where cdc deliberately differs from Debezium, in the user's words.
std::string render_differences();

}  // namespace cdc
