// The rewriting: one pass that knows quoting (\Q..\E), escapes and character classes.
#include "text/java_regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cdc::text {

namespace {

struct PosixClass {
  std::string_view java;     // between the braces of \p{...}
  std::string_view members;  // the inside of a bracket class
};
constexpr PosixClass posix_classes[] = {
    {"Lower", "a-z"},
    {"Upper", "A-Z"},
    {"ASCII", "\\x00-\\x7F"},
    {"Alpha", "a-zA-Z"},
    {"Digit", "0-9"},
    {"Alnum", "a-zA-Z0-9"},
    {"Blank", "\\x20\\t"},
    {"XDigit", "0-9a-fA-F"},
    {"Space", "\\x20\\t\\n\\x0B\\f\\r"},
    {"Cntrl", "\\x00-\\x1F\\x7F"},
    {"Graph", "\\x21-\\x7E"},
    {"Print", "\\x20-\\x7E"},
    {"Punct", "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E"},
};

bool is_hex(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view pattern) : in_(pattern) {}

  Result<std::string> run() {
    while (at_ < in_.size()) {
      const char c = in_[at_];
      if (c == '\\') {
        escape();
      } else if (in_class_) {
        CDC_CHECK(class_char(c));
      } else {
        if (c == '[')
          open_class();
        else
          take(1);
      }
    }
    return std::move(out_);
  }

 private:
  void take(std::size_t n) {
    n = std::min(n, in_.size() - at_);
    out_.append(in_.substr(at_, n));
    at_ += n;
  }

  void open_class() {
    in_class_ = true;
    take(1);
    if (at_ < in_.size() && in_[at_] == '^') take(1);
    // Java reads a ] here as the end of an empty class, which is an error there; PCRE2 as a member.
    if (at_ < in_.size() && in_[at_] == ']') take(1);
  }

  Result<void> class_char(char c) {
    if (c == ']') in_class_ = false;
    if (c == '&' && in_.substr(at_, 2) == "&&") return refused("an intersection of character classes (&&)");
    if (c == '[') return refused("a character class inside another one");
    take(1);
    return {};
  }

  Result<void> refused(std::string_view what) const {
    return fail(
        ErrorKind::usage, fmt::format("{} near index {} is not supported", what, at_),
        "Write it as one class, or use a lookahead such as (?!b)[a-z]; a literal [ in a class is \\[");
  }

  void escape() {
    const std::string_view rest = in_.substr(at_);
    if (rest.substr(0, 2) == "\\Q") {
      const std::size_t end = rest.find("\\E");
      take(end == std::string_view::npos ? rest.size() : end + 2);
    } else if (rest.size() >= 6 && rest[1] == 'u' && is_hex(rest.substr(2, 4))) {
      out_ += fmt::format("\\x{{{}}}", rest.substr(2, 4));
      at_ += 6;
    } else if (rest.size() > 3 && (rest[1] == 'p' || rest[1] == 'P') && rest[2] == '{') {
      property(rest);
    } else {
      take(2);
    }
  }

  void property(std::string_view rest) {
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos) return take(rest.size());
    const bool negated = rest[1] == 'P';
    std::string_view name = rest.substr(3, close - 3);
    const auto* posix = std::find_if(std::begin(posix_classes), std::end(posix_classes),
                                     [&](const PosixClass& p) { return p.java == name; });
    if (posix != std::end(posix_classes) && !(negated && in_class_)) {
      out_ +=
          in_class_ ? std::string(posix->members) : fmt::format("[{}{}]", negated ? "^" : "", posix->members);
      at_ += close + 1;
      return;
    }
    if (name == "IsAlphabetic")
      name = "L";
    else if (name.size() > 2 && name.substr(0, 2) == "Is")
      name.remove_prefix(2);
    out_ += fmt::format("\\{}{{{}}}", rest[1], name);
    at_ += close + 1;
  }

  std::string_view in_;
  std::size_t at_ = 0;
  bool in_class_ = false;
  std::string out_;
};

}  // namespace

Result<std::string> java_to_pcre(std::string_view pattern) { return Rewriter(pattern).run(); }

}  // namespace cdc::text
