// Regex and RegexList on PCRE2. The dialect is handled in java_regex.cc; nothing here knows properties.
#include "text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <limits>

#include "text/java_regex.h"
#include "text/list.h"

namespace cdc::text {

namespace {

constexpr std::uint32_t match_limit = 2'000'000;
constexpr std::uint32_t depth_limit = 20'000;
constexpr std::uint32_t heap_limit_kib = 16 * 1024;

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using CodePtr = std::unique_ptr<pcre2_code, FreeCode>;

// Scratch space of one thread: matching allocates nothing once it is there.
struct Scratch {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  pcre2_match_data* data = pcre2_match_data_create(64, nullptr);
  Scratch() {
    pcre2_set_match_limit(context, match_limit);
    pcre2_set_depth_limit(context, depth_limit);
    pcre2_set_heap_limit(context, heap_limit_kib);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
  }
};

Scratch& scratch() {
  thread_local Scratch instance;
  return instance;
}

const unsigned char* bytes(std::string_view s) {
  static constexpr char none[] = "";
  return reinterpret_cast<const unsigned char*>(s.data() == nullptr ? none : s.data());
}

std::string pcre_message(int code) {
  std::array<unsigned char, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

Result<CodePtr> compile_code(std::string_view pattern, std::string_view shown, std::uint32_t options) {
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
  int error = 0;
  std::size_t offset = 0;
  CodePtr code(pcre2_compile(bytes(pattern), pattern.size(),
                             options | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &error,
                             &offset, context));
  pcre2_compile_context_free(context);
  if (!code)
    return fail(ErrorKind::usage, fmt::format("'{}' is no valid regular expression: {} near index {}", shown,
                                              pcre_message(error), offset));
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // where there is no JIT the interpreter does it
  return code;
}

}  // namespace

struct Regex::Code {
  std::string pattern;
  CodePtr whole;  // anchored at both ends
  CodePtr search;

  // Number of pairs in the match data, or 0 for no match.
  Result<std::uint32_t> match(const CodePtr& code, std::string_view subject, std::size_t from = 0) const {
    Scratch& s = scratch();
    const int found = pcre2_match(code.get(), bytes(subject), subject.size(), from, 0, s.data, s.context);
    if (found == PCRE2_ERROR_NOMATCH) return 0U;
    if (found < 0)
      return fail(ErrorKind::usage,
                  fmt::format("The regular expression '{}' could not be matched against '{}': {}", pattern,
                              subject.substr(0, 200), pcre_message(found)),
                  "Simplify the expression: nested repetitions such as (a+)+ take for ever");
    return found == 0 ? pcre2_get_ovector_count(s.data) : static_cast<std::uint32_t>(found);
  }

  std::uint32_t group_count() const {
    std::uint32_t count = 0;
    pcre2_pattern_info(search.get(), PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
  }

  int group_number(const std::string& name) const {
    return pcre2_substring_number_from_name(search.get(), bytes(name.c_str()));
  }
};

namespace {

std::string_view group_text(std::string_view subject, std::uint32_t pairs, std::uint32_t group) {
  if (group >= pairs) return {};
  const std::size_t* ovector = pcre2_get_ovector_pointer(scratch().data);
  const std::size_t begin = ovector[2 * group], end = ovector[2 * group + 1];
  return begin == PCRE2_UNSET || end < begin ? std::string_view{} : subject.substr(begin, end - begin);
}

struct Piece {
  std::string literal;
  std::optional<std::uint32_t> group;  // set: the group's text instead of the literal
};

Result<void> bad_replacement(std::string_view replacement, std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("The replacement '{}' is not valid: {}", replacement, why),
              "Groups are $1 or ${name}; write \\$ for a dollar sign and \\\\ for a backslash");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Java's rule: the first digit always belongs to the number, further ones while such a group exists.
std::uint32_t take_group_number(std::string_view replacement, std::size_t& i, std::uint32_t count) {
  std::uint32_t group = static_cast<std::uint32_t>(replacement[i++] - '0');
  while (i < replacement.size() && is_digit(replacement[i])) {
    const std::uint32_t next = group * 10 + static_cast<std::uint32_t>(replacement[i] - '0');
    if (next > count) break;
    group = next;
    ++i;
  }
  return group;
}

template <class Names>
Result<std::vector<Piece>> parse_replacement(std::string_view replacement, std::uint32_t count,
                                             const Names& number_of) {
  std::vector<Piece> pieces(1);
  auto add_group = [&](std::uint32_t group) {
    pieces.push_back({{}, group});
    pieces.push_back({});
  };
  for (std::size_t i = 0; i < replacement.size();) {
    const char c = replacement[i++];
    if (c != '\\' && c != '$') {
      pieces.back().literal.push_back(c);
      continue;
    }
    if (i == replacement.size()) {
      CDC_CHECK(bad_replacement(replacement, fmt::format("it ends in a single {}", c)));
    } else if (c == '\\') {
      pieces.back().literal.push_back(replacement[i++]);
    } else if (is_digit(replacement[i])) {
      const std::uint32_t group = take_group_number(replacement, i, count);
      if (group > count) CDC_CHECK(bad_replacement(replacement, fmt::format("there is no group {}", group)));
      add_group(group);
    } else if (replacement[i] == '{') {
      const std::size_t close = replacement.find('}', i);
      if (close == std::string_view::npos) CDC_CHECK(bad_replacement(replacement, "a '}' is missing"));
      const std::string name(replacement.substr(i + 1, close - i - 1));
      const int group = number_of(name);
      if (group <= 0) CDC_CHECK(bad_replacement(replacement, fmt::format("there is no group '{}'", name)));
      add_group(static_cast<std::uint32_t>(group));
      i = close + 1;
    } else {
      CDC_CHECK(bad_replacement(replacement, "a $ stands alone"));
    }
  }
  return pieces;
}

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern, Case letters) {
  auto translated = java_to_pcre(pattern);
  if (!translated)
    return fail(ErrorKind::usage,
                fmt::format("'{}' is no valid regular expression: {}", pattern, translated.error().message),
                translated.error().hint);
  const std::uint32_t options = letters == Case::insensitive ? PCRE2_CASELESS : 0;
  auto code = std::make_shared<Code>();
  code->pattern = std::string(pattern);
  CDC_TRY(code->whole, compile_code(*translated, pattern, options | PCRE2_ANCHORED | PCRE2_ENDANCHORED));
  CDC_TRY(code->search, compile_code(*translated, pattern, options));
  return Regex(std::move(code));
}

const std::string& Regex::pattern() const { return code_->pattern; }

Result<bool> Regex::matches(std::string_view subject) const {
  CDC_TRY(const std::uint32_t pairs, code_->match(code_->whole, subject));
  return pairs > 0;
}

Result<bool> Regex::finds(std::string_view subject) const {
  CDC_TRY(const std::uint32_t pairs, code_->match(code_->search, subject));
  return pairs > 0;
}

Result<std::optional<std::vector<std::string>>> Regex::groups(std::string_view subject) const {
  CDC_TRY(const std::uint32_t pairs, code_->match(code_->whole, subject));
  if (pairs == 0) return std::optional<std::vector<std::string>>{};
  std::vector<std::string> out;
  for (std::uint32_t g = 0; g <= code_->group_count(); ++g) out.emplace_back(group_text(subject, pairs, g));
  return std::optional(std::move(out));
}

Result<std::string> Regex::replace(std::string_view subject, std::string_view replacement, bool all) const {
  CDC_TRY(const std::vector<Piece> pieces,
          parse_replacement(replacement, code_->group_count(),
                            [&](const std::string& name) { return code_->group_number(name); }));
  std::string out;
  std::size_t copied = 0, from = 0;
  while (from <= subject.size()) {
    CDC_TRY(const std::uint32_t pairs, code_->match(code_->search, subject, from));
    if (pairs == 0) break;
    const std::size_t* ovector = pcre2_get_ovector_pointer(scratch().data);
    const std::size_t begin = ovector[0], end = std::max(ovector[0], ovector[1]);
    out += subject.substr(copied, begin - copied);
    for (const Piece& piece : pieces)
      out += piece.group ? group_text(subject, pairs, *piece.group) : std::string_view(piece.literal);
    copied = end;
    if (!all) break;
    // Behind an empty match the search goes on one character further, never inside a UTF-8 sequence.
    from = end;
    if (end == begin) {
      do ++from;
      while (from < subject.size() && (static_cast<unsigned char>(subject[from]) & 0xC0U) == 0x80U);
    }
  }
  out += subject.substr(copied);
  return out;
}

Result<std::string> Regex::replace_first(std::string_view subject, std::string_view replacement) const {
  return replace(subject, replacement, false);
}

Result<std::string> Regex::replace_all(std::string_view subject, std::string_view replacement) const {
  return replace(subject, replacement, true);
}

Result<void> Regex::check_replacement(std::string_view replacement) const {
  CDC_CHECK(parse_replacement(replacement, code_->group_count(),
                              [&](const std::string& name) { return code_->group_number(name); }));
  return {};
}

Result<RegexList> RegexList::parse(std::string_view property, std::string_view list) {
  auto pieces = split_list(list);
  if (!pieces)
    return fail(ErrorKind::usage,
                fmt::format("The '{}' value is invalid: {}", property, pieces.error().message),
                pieces.error().hint);
  return of(property, *pieces);
}

Result<RegexList> RegexList::of(std::string_view property, const std::vector<std::string>& pieces) {
  RegexList list;
  list.property_ = std::string(property);
  for (const std::string& piece : pieces) {
    auto regex = Regex::compile(piece, Regex::Case::insensitive);
    if (!regex)
      return fail(ErrorKind::usage,
                  fmt::format("The '{}' value is invalid: {}", property, regex.error().message),
                  regex.error().hint);
    list.regexes_.push_back(std::move(*regex));
  }
  return list;
}

Result<bool> RegexList::matches(std::string_view name) const {
  CDC_TRY(const auto index, first_match(name));
  return index.has_value();
}

Result<std::optional<std::size_t>> RegexList::first_match(std::string_view name) const {
  for (std::size_t i = 0; i < regexes_.size(); ++i) {
    auto matched = regexes_[i].matches(name);
    if (!matched) {
      matched.error().message = fmt::format("Property '{}': {}", property_, matched.error().message);
      return tl::unexpected<Error>(std::move(matched).error());
    }
    if (*matched) return std::optional(i);
  }
  return std::optional<std::size_t>{};
}

}  // namespace cdc::text
