// Options of one configured transform or predicate: declared as rows of data, checked against them, read
// by the factories. Errors are collected, so that all of a configuration's mistakes are told at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "text/regex.h"

namespace cdc::transform {

enum class OptionKind : std::uint8_t { text, boolean, integer, number, list, choice, regex };

struct OptionRow {
  std::string_view name;
  OptionKind kind = OptionKind::text;
  std::string_view fallback{};  // as a user would write it
  std::string_view allowed{};   // choice: "a|b|c"
  bool required = false;
};

class Options {
 public:
  // `prefix`: "transforms.unwrap." or "predicates.p."; `general`: names below it that are not the class's
  // own.
  Options(const Config& config, std::string prefix, std::span<const OptionRow> rows,
          std::vector<std::string_view> general);

  // Values; the default where nothing was set or what was set is wrong. A name that is no row is a bug.
  const std::string& text(std::string_view name) const;
  bool is_set(std::string_view name) const;
  bool boolean(std::string_view name) const { return text(name) == "true"; }
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
  // Index of the choice in its row's list.
  int choice(std::string_view name) const;
  // nullopt: not set, or wrong (then there is an error already).
  std::optional<text::Regex> regex(std::string_view name) const;

  std::string property(std::string_view name) const { return prefix_ + std::string(name); }
  // Complains about a value: "The 'transforms.x.regex' value is invalid: <why>".
  void invalid(std::string_view name, std::string_view why);
  bool ok() const { return problems_.empty(); }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Value {
    const OptionRow* row = nullptr;
    std::string text;
    std::string origin;
    bool set = false;
  };
  const Value& find(std::string_view name) const;
  void check(Value& value);

  std::string prefix_;
  std::vector<Value> values_;
  std::vector<std::string> problems_;
};

// Pieces between commas, trimmed, empty ones dropped (Connect's LIST).
std::vector<std::string> split_commas(std::string_view list);

}  // namespace cdc::transform
