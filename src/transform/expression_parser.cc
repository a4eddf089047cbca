// Text -> tree: recursive descent with a bounded depth.
#include <fmt/format.h>

#include <charconv>

#include "transform/expression_tree.h"

namespace cdc::transform {
namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr int kDeepest = 200;
constexpr std::string_view kVariables[] = {"value",   "key",       "topic",      "header",
                                           "headers", "keySchema", "valueSchema"};

struct OperatorRow {
  std::string_view text;
  Operation operation;
};
// Longer ones first.
constexpr OperatorRow kComparisons[] = {{"==~", Operation::matches},      {"=~", Operation::finds},
                                        {"===", Operation::equal},        {"!==", Operation::unequal},
                                        {"==", Operation::equal},         {"!=", Operation::unequal},
                                        {"<=", Operation::less_equal},    {"<", Operation::less},
                                        {">=", Operation::greater_equal}, {">", Operation::greater}};
constexpr OperatorRow kMethods[] = {
    {"matches", Operation::matches},   {"startsWith", Operation::starts}, {"endsWith", Operation::ends},
    {"contains", Operation::contains}, {"includes", Operation::contains}, {"equals", Operation::equal},
    {"get", Operation::member},        {"getString", Operation::member},  {"getStruct", Operation::member},
    {"getInt32", Operation::member},   {"getInt64", Operation::member}};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> parse() {
    while (take(";")) {
    }
    CDC_TRY(NodePtr node, choice());
    while (take(";")) {
    }
    space();
    if (at_ != text_.size()) return wrong("this is not understood");
    return node;
  }

 private:
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };

  tl::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorKind::usage, fmt::format("{} at index {}: '{}'", why, at_, text_.substr(at_, 20)),
                "Scripts cannot run here: write paths, comparisons, && || !, in, =~, and ? :");
  }
  void space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(std::string_view token) {
    space();
    if (text_.substr(at_, token.size()) != token) return false;
    if (is_word(token.front()) && at_ + token.size() < text_.size() && is_word(text_[at_ + token.size()]))
      return false;
    at_ += token.size();
    return true;
  }
  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (static_cast<unsigned char>(c) & 0x80u) != 0;
  }
  std::string word() {
    space();
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    std::string w(text_.substr(at_, end - at_));
    at_ = end;
    return w;
  }
  static NodePtr node(Operation operation, std::vector<NodePtr> children, std::string name = {}) {
    auto n = std::make_shared<Node>();
    n->operation = operation;
    n->children = std::move(children);
    n->name = std::move(name);
    return n;
  }
  static NodePtr literal(Answer answer) {
    auto n = std::make_shared<Node>();
    n->literal = std::move(answer);
    return n;
  }

  Result<NodePtr> choice() {
    const Deeper deeper(depth_);
    if (depth_ > kDeepest) return wrong("it is nested too deeply");
    CDC_TRY(NodePtr condition, either());
    space();
    if (text_.substr(at_, 2) == "?." || !take("?")) return condition;
    CDC_TRY(NodePtr yes, choice());
    if (!take(":")) return wrong("a ':' is missing");
    CDC_TRY(NodePtr no, choice());
    return node(Operation::choose, {condition, yes, no});
  }
  Result<NodePtr> either() {
    CDC_TRY(NodePtr left, both());
    while (take("||")) {
      CDC_TRY(NodePtr right, both());
      left = node(Operation::either, {left, right});
    }
    return left;
  }
  Result<NodePtr> both() {
    CDC_TRY(NodePtr left, comparison());
    while (take("&&")) {
      CDC_TRY(NodePtr right, comparison());
      left = node(Operation::both, {left, right});
    }
    return left;
  }
  Result<NodePtr> comparison() {
    CDC_TRY(NodePtr left, sum());
    for (const OperatorRow& row : kComparisons) {
      if (!take(row.text)) continue;
      if (row.operation == Operation::matches || row.operation == Operation::finds)
        return pattern(row.operation, left);
      CDC_TRY(NodePtr right, sum());
      return node(row.operation, {left, right});
    }
    if (!take("in")) return left;
    if (!take("[")) return wrong("a list in [ ] is missing");
    std::vector<NodePtr> all{left};
    while (!take("]")) {
      CDC_TRY(NodePtr item, sum());
      all.push_back(item);
      if (!take(",") && text_.substr(at_, 1) != "]") return wrong("a ',' or ']' is missing");
    }
    return node(Operation::one_of, std::move(all));
  }
  Result<NodePtr> sum() {
    CDC_TRY(NodePtr left, unary());
    while (take("+")) {
      CDC_TRY(NodePtr right, unary());
      left = node(Operation::add, {left, right});
    }
    return left;
  }
  Result<NodePtr> unary() {
    const Deeper deeper(depth_);
    if (depth_ > kDeepest) return wrong("it is nested too deeply");
    space();
    if (text_.substr(at_, 2) != "!=" && take("!")) {
      CDC_TRY(NodePtr inner, unary());
      return node(Operation::negate, {inner});
    }
    return postfix();
  }
  Result<NodePtr> postfix() {
    CDC_TRY(NodePtr left, primary());
    for (;;) {
      if (take("?.") || take(".")) {
        space();
        const bool quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
        std::string name;
        if (quoted) {
          CDC_TRY(name, string());
        } else {
          name = word();
        }
        if (name.empty()) return wrong("a name is missing");
        if (!quoted && take("(")) {
          CDC_TRY(left, method(left, name));
        } else {
          left = node(Operation::member, {left}, std::move(name));
        }
      } else if (take("[")) {
        CDC_TRY(std::string name, string());
        if (!take("]")) return wrong("a ']' is missing");
        left = node(Operation::member, {left}, std::move(name));
      } else {
        return left;
      }
    }
  }
  // Behind the opening parenthesis.
  Result<NodePtr> method(const NodePtr& object, const std::string& name) {
    for (const OperatorRow& row : kMethods) {
      if (row.text != name) continue;
      NodePtr result;
      if (row.operation == Operation::matches) {
        CDC_TRY(result, pattern(row.operation, object));
      } else if (row.operation == Operation::member) {
        CDC_TRY(std::string field, string());
        result = node(Operation::member, {object}, std::move(field));
      } else {
        CDC_TRY(NodePtr argument, sum());
        result = node(row.operation, {object, argument});
      }
      if (!take(")")) return wrong("a ')' is missing");
      return result;
    }
    // Getters without arguments: value.op() is no form of ours, header.h.value() is Java's way.
    if ((name == "value" || name == "name" || name == "schema") && take(")"))
      return node(Operation::member, {object}, name);
    return wrong(fmt::format("there is no method '{}'", name));
  }
  Result<NodePtr> pattern(Operation operation, const NodePtr& left) {
    space();
    std::string expression;
    if (at_ < text_.size() && text_[at_] == '/') {
      const std::size_t end = text_.find('/', at_ + 1);
      if (end == std::string_view::npos) return wrong("the '/' has no end");
      expression = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      CDC_TRY(expression, string());
    }
    auto regex = text::Regex::compile(expression);
    if (!regex) return wrong(regex.error().message);
    auto n = std::make_shared<Node>();
    n->operation = operation;
    n->children = {left};
    n->regex = std::move(*regex);
    return NodePtr(std::move(n));
  }
  Result<std::string> string() {
    space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      return wrong("a text in quotes is missing");
    const char quote = text_[at_];
    std::string out;
    std::size_t i = at_ + 1;
    for (; i < text_.size() && text_[i] != quote; ++i) {
      if (text_[i] == '\\' && i + 1 < text_.size()) {
        ++i;
        out += text_[i] == 'n' ? '\n' : text_[i] == 't' ? '\t' : text_[i];
      } else {
        out += text_[i];
      }
    }
    if (i >= text_.size()) return wrong("the quote has no end");
    at_ = i + 1;
    return out;
  }
  Result<NodePtr> primary() {
    space();
    if (at_ >= text_.size()) return wrong("something is missing");
    const char c = text_[at_];
    if (take("(")) {
      CDC_TRY(NodePtr inner, choice());
      if (!take(")")) return wrong("a ')' is missing");
      return inner;
    }
    if (c == '\'' || c == '"') {
      CDC_TRY(std::string text, string());
      return literal(std::move(text));
    }
    if ((c >= '0' && c <= '9') || c == '-') return number();
    const std::size_t begin = at_;
    const std::string name = word();
    if (name == "true" || name == "false") return literal(name == "true");
    if (name == "null") return literal(Null{});
    for (const std::string_view variable : kVariables)
      if (variable == name) return node(Operation::variable, {}, name == "headers" ? "header" : name);
    at_ = begin;
    return wrong("this is not understood");
  }
  Result<NodePtr> number() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && ((text_[end] >= '0' && text_[end] <= '9') || text_[end] == '.')) ++end;
    const char* from = text_.data() + at_;
    const char* to = text_.data() + end;
    std::int64_t whole = 0;
    double real = 0;
    if (const auto r = std::from_chars(from, to, whole); r.ec == std::errc() && r.ptr == to) {
      at_ = end;
      if (at_ < text_.size() && (text_[at_] == 'L' || text_[at_] == 'l')) ++at_;
      return literal(whole);
    }
    if (const auto r = std::from_chars(from, to, real); r.ec == std::errc() && r.ptr == to) {
      at_ = end;
      return literal(real);
    }
    return wrong("this is no number");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Expression> Expression::parse(std::string_view text) {
  CDC_TRY(NodePtr root, Parser(text).parse());
  return Expression(std::move(root));
}

}  // namespace cdc::transform
