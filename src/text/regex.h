// Java-like regular expressions for filters, rules and routing (CORE-SCOPE-05), and lists of them
// (CORE-FLT-01, -02). Compiled once, immutable, usable from any thread. Matching is bounded: a pattern
// that backtracks without end gives an error instead of hanging or guessing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc::text {

class Regex {
 public:
  enum class Case : std::uint8_t { sensitive, insensitive };

  // Errors are of kind `usage` and carry the compiler's message and the index in the pattern.
  static Result<Regex> compile(std::string_view pattern, Case letters = Case::sensitive);

  const std::string& pattern() const;
  // Java's matches(): the whole subject.
  Result<bool> matches(std::string_view subject) const;
  // Java's find(): anywhere in the subject.
  Result<bool> finds(std::string_view subject) const;
  // What the capturing groups of a whole match hold (0: everything; groups that took no part are empty);
  // nullopt when the subject does not match.
  Result<std::optional<std::vector<std::string>>> groups(std::string_view subject) const;
  // Java's replaceFirst / replaceAll: $1, ${name}; \$ and \\ stand for themselves.
  Result<std::string> replace_first(std::string_view subject, std::string_view replacement) const;
  Result<std::string> replace_all(std::string_view subject, std::string_view replacement) const;
  // Checks a replacement text (unknown groups, lone $) without a subject.
  Result<void> check_replacement(std::string_view replacement) const;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  Result<std::string> replace(std::string_view subject, std::string_view replacement, bool all) const;
  std::shared_ptr<const Code> code_;
};

// A list property of regexes: each piece must match the WHOLE name, letters of either case.
class RegexList {
 public:
  RegexList() = default;
  // `property` is named in errors (CORE-FLT-09).
  static Result<RegexList> parse(std::string_view property, std::string_view list);
  static Result<RegexList> of(std::string_view property, const std::vector<std::string>& pieces);

  bool empty() const { return regexes_.empty(); }
  std::size_t size() const { return regexes_.size(); }
  const Regex& operator[](std::size_t i) const { return regexes_[i]; }
  Result<bool> matches(std::string_view name) const;
  // Index of the first piece that matches: the order of snapshots (CORE-SNAP-08).
  Result<std::optional<std::size_t>> first_match(std::string_view name) const;

 private:
  std::string property_;
  std::vector<Regex> regexes_;
};

}  // namespace cdc::text
