// ConfigBuilder: from the layers of one command line to a Config and everything there is to say about
// it. Steps, in order: load, translate names, merge (later wins), resolve, check, derive.
// Not here: rules between properties (rules.cc).
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdc/config.h"
#include "config/config_data.h"
#include "config/loaders.h"

namespace cdc {

class ConfigBuilder {
 public:
  explicit ConfigBuilder(const ConfigInput& input);
  ConfigReport build();

 private:
  using Severity = ConfigProblem::Severity;

  // A name that is set, while the layers are still being put on each other.
  struct Pending {
    config::RawEntry entry;
    std::string old_name;  // the alias it was written with
  };

  void load_layers();
  void add_layer(config::Loaded loaded);
  void add_flags();
  void merge(config::RawEntry entry);
  void put(Pending pending);
  std::vector<config::RawEntry> expand_schemas(const config::RawEntry& entry);

  void find_families();
  void find_source();
  void check_all();
  void check(const Pending& pending);
  void unknown(const Pending& pending);
  bool check_value(config::Value& value);
  void apply_disposition(const config::Value& value);
  bool apply_value_rules(config::Value& value);
  void report_ignored();

  void derive();
  void derive_names();
  void set_derived(std::string_view name, std::string value, std::string origin);
  void open_lists(std::string_view list, std::string_view pattern);

  void problem(Severity severity, const std::string& where, std::string_view property, std::string message);

  const ConfigInput& input_;
  config::Environment environment_;
  std::vector<ConfigProblem> problems_;
  std::vector<Pending> pending_;  // in order of appearance
  std::unordered_map<std::string, std::size_t> pending_index_;
  int suggestions_left_ = 50;  // looking for the nearest name is slow; a file of nonsense gets no more
  std::set<std::pair<std::string, std::string>> seen_;        // name and file, for "set twice"
  std::set<std::string> not_yet_;                             // families already complained about
  std::vector<std::pair<std::string, std::string>> ignored_;  // name, origin
  std::shared_ptr<Config::Data> data_;
};

namespace config {
// Rules between properties that need no server: both lists of a pair, sizes, modes with companions.
void check_rules(const Config& config, std::vector<ConfigProblem>& problems);
}  // namespace config

}  // namespace cdc
