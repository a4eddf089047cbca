// Evaluating expressions.
#include "transform/expression.h"

#include <fmt/format.h>

#include <compare>

#include "json/json_read.h"
#include "transform/expression_tree.h"
#include "transform/hashes.h"
#include "transform/scalar.h"
#include "transform/schema_build.h"
#include "transform/transform.h"

namespace cdc::transform {
namespace {

using Node = Expression::Node;

bool is_null(const Answer& a) { return std::holds_alternative<Null>(a); }

// Truth as in Groovy: null, false, 0 and "" are not.
bool truth(const Answer& a) {
  if (const bool* b = std::get_if<bool>(&a)) return *b;
  if (const auto* n = std::get_if<std::int64_t>(&a)) return *n != 0;
  if (const auto* d = std::get_if<double>(&a)) return *d != 0;
  if (const auto* s = std::get_if<std::string>(&a)) return !s->empty();
  return !is_null(a);
}

Answer answer_of(Typed value) {
  if (value.is_null()) return Null{};
  if (value.schema == nullptr) return Part{std::move(value)};
  const Schema& schema = *value.schema;
  switch (schema.type) {
    case Type::boolean:
      return value.text == "true";
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
      return read_integer(value.text).value_or(0);
    case Type::float32:
    case Type::float64:
      return read_real(value.text).value_or(0);
    case Type::string:
      return json::unquote(value.text).value_or(std::string());
    case Type::bytes:
      if (is_decimal(schema))
        if (const auto bytes = decode_base64(value.text))
          return read_real(decimal_text(*bytes, scale_of(schema))).value_or(0);
      return Part{std::move(value)};
    default:
      return Part{std::move(value)};
  }
}

std::optional<double> number(const Answer& a) {
  if (const auto* n = std::get_if<std::int64_t>(&a)) return static_cast<double>(*n);
  if (const auto* d = std::get_if<double>(&a)) return *d;
  return std::nullopt;
}

// Unordered: the two cannot be compared.
std::partial_ordering compare(const Answer& a, const Answer& b) {
  if (is_null(a) || is_null(b))
    return is_null(a) && is_null(b) ? std::partial_ordering::equivalent
           : is_null(a)             ? std::partial_ordering::less
                                    : std::partial_ordering::greater;
  if (std::holds_alternative<std::int64_t>(a) && std::holds_alternative<std::int64_t>(b))
    return std::get<std::int64_t>(a) <=> std::get<std::int64_t>(b);
  const auto x = number(a), y = number(b);
  if (x && y) return *x <=> *y;
  const auto* s = std::get_if<std::string>(&a);
  const auto* t = std::get_if<std::string>(&b);
  if (s != nullptr && t != nullptr) return *s <=> *t;
  const bool* p = std::get_if<bool>(&a);
  const bool* q = std::get_if<bool>(&b);
  if (p != nullptr && q != nullptr) return *p <=> *q;
  return std::partial_ordering::unordered;
}

std::string text_of(const Answer& a) {
  if (const auto* s = std::get_if<std::string>(&a)) return *s;
  if (const auto* n = std::get_if<std::int64_t>(&a)) return std::to_string(*n);
  if (const auto* d = std::get_if<double>(&a)) return fmt::format("{}", *d);
  if (const bool* b = std::get_if<bool>(&a)) return *b ? "true" : "false";
  if (const auto* p = std::get_if<Part>(&a)) return std::string(p->value.text);
  return "null";
}

class Evaluator {
 public:
  explicit Evaluator(Record& record) : record_(record) {}

  Result<Answer> run(const Node& node) {
    switch (node.operation) {
      case Operation::literal:
        return node.literal;
      case Operation::variable:
        return variable(node.name);
      case Operation::member:
        return member_of(node);
      case Operation::choose: {
        CDC_TRY(const Answer condition, run(*node.children[0]));
        return run(*node.children[truth(condition) ? 1 : 2]);
      }
      case Operation::both:
      case Operation::either: {
        CDC_TRY(const Answer left, run(*node.children[0]));
        if (truth(left) != (node.operation == Operation::both)) return Answer(truth(left));
        CDC_TRY(const Answer right, run(*node.children[1]));
        return Answer(truth(right));
      }
      case Operation::negate: {
        CDC_TRY(const Answer inner, run(*node.children[0]));
        return Answer(!truth(inner));
      }
      default:
        return operate(node);
    }
  }

 private:
  Answer variable(const std::string& name) {
    if (name == "topic") return std::string(record_.topic);
    if (name == "value") return answer_of(record_.value());
    if (name == "key") return answer_of(record_.key);
    if (name == "keySchema") return schema_name(record_.key.schema);
    return schema_name(record_.value_schema());
  }
  static Answer schema_name(const Schema* schema) {
    if (schema == nullptr) return Null{};
    return schema->name;
  }

  Result<Answer> member_of(const Node& node) {
    const Node& object = *node.children[0];
    if (object.operation == Operation::variable) {
      if (object.name == "header") {
        const Header* header = record_.last_header(node.name);
        if (header == nullptr) return Answer(Null{});
        return Answer(Part{header->value});
      }
      if (object.name == "keySchema" || object.name == "valueSchema") {
        if (node.name != "name") return record_error(fmt::format("a schema has no '{}' here", node.name));
        return variable(object.name);
      }
    }
    // header.h.value: the value of the header is what `header.h` is already.
    const bool of_header = node.name == "value" && object.operation == Operation::member &&
                           object.children[0]->operation == Operation::variable &&
                           object.children[0]->name == "header";
    CDC_TRY(const Answer holder, run(object));
    if (is_null(holder)) return Answer(Null{});
    const Part* part = std::get_if<Part>(&holder);
    if (of_header) return part != nullptr ? answer_of(part->value) : holder;
    if (part == nullptr || !part->value.is_struct())
      return record_error(fmt::format("'{}' is asked of what is no struct", node.name));
    const Field* field = find_field(*part->value.schema, node.name);
    if (field == nullptr) return record_error(fmt::format("there is no field '{}'", node.name));
    Typed value;
    value.schema = field->schema.get();
    value.text = filled(*field->schema, member(part->value.text, node.name), Nulls::fill);
    return answer_of(std::move(value));
  }

  Result<Answer> operate(const Node& node) {
    CDC_TRY(const Answer left, run(*node.children[0]));
    if (node.operation == Operation::matches || node.operation == Operation::finds) {
      if (is_null(left)) return Answer(false);
      CDC_TRY(const bool found, node.operation == Operation::matches ? node.regex->matches(text_of(left))
                                                                     : node.regex->finds(text_of(left)));
      return Answer(found);
    }
    if (node.operation == Operation::one_of) {
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        CDC_TRY(const Answer item, run(*node.children[i]));
        if (compare(left, item) == 0) return Answer(true);
      }
      return Answer(false);
    }
    CDC_TRY(const Answer right, run(*node.children[1]));
    const std::partial_ordering order = compare(left, right);
    switch (node.operation) {
      case Operation::equal:
        return Answer(order == 0);
      case Operation::unequal:
        return Answer(order != 0);
      case Operation::less:
        return Answer(order < 0);
      case Operation::less_equal:
        return Answer(order <= 0);
      case Operation::greater:
        return Answer(order > 0);
      case Operation::greater_equal:
        return Answer(order >= 0);
      case Operation::add:
        return add(left, right);
      default:
        break;
    }
    if (is_null(left) || is_null(right)) return Answer(false);
    const std::string whole = text_of(left), part = text_of(right);
    if (node.operation == Operation::starts) return Answer(whole.starts_with(part));
    if (node.operation == Operation::ends) return Answer(whole.ends_with(part));
    return Answer(whole.find(part) != std::string::npos);
  }

  static Answer add(const Answer& left, const Answer& right) {
    const auto* n = std::get_if<std::int64_t>(&left);
    const auto* m = std::get_if<std::int64_t>(&right);
    std::int64_t sum = 0;
    if (n != nullptr && m != nullptr && !__builtin_add_overflow(*n, *m, &sum)) return sum;
    const auto x = number(left), y = number(right);
    if (x && y) return *x + *y;
    return text_of(left) + text_of(right);
  }

  Record& record_;
};

}  // namespace

Result<Answer> Expression::evaluate(Record& record) const { return Evaluator(record).run(*root_); }

}  // namespace cdc::transform
