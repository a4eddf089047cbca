// Reading signals.
#include "signals/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "json/json_read.h"
#include "text/list.h"
#include "text/regex.h"

namespace cdc {
namespace {

struct TypeRow {
  SignalType type;
  std::string_view name;
};
constexpr TypeRow kTypes[] = {
    {SignalType::log, "log"},
    {SignalType::execute_snapshot, "execute-snapshot"},
    {SignalType::stop_snapshot, "stop-snapshot"},
    {SignalType::pause_snapshot, "pause-snapshot"},
    {SignalType::resume_snapshot, "resume-snapshot"},
    {SignalType::window_open, "snapshot-window-open"},
    {SignalType::window_close, "snapshot-window-close"},
};

constexpr std::string_view kOrderForm =
    R"(write {"type":"incremental","data-collections":["public.orders"]})";

using Members = std::vector<std::pair<std::string, std::string_view>>;

tl::unexpected<Error> wrong(std::string message, std::string_view hint = kOrderForm) {
  return fail(ErrorKind::usage, std::move(message), std::string(hint));
}

std::string_view find(const Members& members, std::string_view name) {
  for (const auto& [member, value] : members)
    if (member == name) return value;
  return {};
}

Result<Members> object_of(std::string_view data) {
  auto members = json::members(data);
  if (!members) return wrong(fmt::format("its data is not a JSON object: {}", data));
  return std::move(*members);
}

// Absent and null are both "".
Result<std::string> text_member(const Members& members, std::string_view name) {
  const std::string_view value = find(members, name);
  if (value.empty() || json::is_null(value)) return std::string();
  auto text = json::unquote(value);
  if (!text) return wrong(fmt::format("\"{}\" must be a text, not {}", name, value));
  return std::move(*text);
}

Result<std::vector<std::string>> collections(const Members& members, bool required) {
  std::vector<std::string> names;
  const std::string_view value = find(members, "data-collections");
  if (!value.empty() && !json::is_null(value)) {
    const auto elements = json::elements(value);
    if (!elements) return wrong("\"data-collections\" must be an array of names");
    for (const std::string_view element : *elements) {
      const auto text = json::unquote(element);
      if (!text) return wrong(fmt::format("\"data-collections\" holds {}, which is not a name", element));
      std::string name(text::trim(*text));
      if (auto regex = text::Regex::compile(name); !regex)
        return wrong(fmt::format("\"{}\" is not a regular expression: {}", name, regex.error().message));
      if (!name.empty()) names.push_back(std::move(name));
    }
  }
  if (required && names.empty()) return wrong("\"data-collections\" is missing or empty");
  return names;
}

Result<std::vector<AdditionalCondition>> conditions(const Members& members) {
  std::vector<AdditionalCondition> all;
  const std::string_view value = find(members, "additional-conditions");
  if (value.empty() || json::is_null(value)) return all;
  constexpr std::string_view kForm =
      R"(write "additional-conditions":[{"data-collection":"public.orders","filter":"id > 10"}])";
  const auto elements = json::elements(value);
  if (!elements) return wrong("\"additional-conditions\" must be an array", kForm);
  for (const std::string_view element : *elements) {
    const auto parts = json::members(element);
    if (!parts)
      return wrong(fmt::format("\"additional-conditions\" holds {}, which is not an object", element), kForm);
    AdditionalCondition condition;
    CDC_TRY(condition.collection, text_member(*parts, "data-collection"));
    CDC_TRY(condition.filter, text_member(*parts, "filter"));
    if (condition.collection.empty() || condition.filter.empty())
      return wrong("an additional condition needs \"data-collection\" and \"filter\"", kForm);
    if (auto regex = text::Regex::compile(condition.collection, text::Regex::Case::insensitive); !regex)
      return wrong(
          fmt::format("\"{}\" is not a regular expression: {}", condition.collection, regex.error().message),
          kForm);
    all.push_back(std::move(condition));
  }
  return all;
}

}  // namespace

std::optional<SignalType> signal_type(std::string_view name) {
  for (const TypeRow& row : kTypes)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::string_view signal_name(SignalType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row.name;
  return {};
}

std::span<const SignalType> user_signals() {
  static constexpr std::array kUser{SignalType::execute_snapshot, SignalType::stop_snapshot,
                                    SignalType::pause_snapshot, SignalType::resume_snapshot, SignalType::log};
  return kUser;
}

Result<Signal> parse_signal_line(std::string_view line) {
  constexpr std::string_view kForm =
      R"(write {"id":"1","type":"execute-snapshot","data":{"data-collections":["public.orders"]}})";
  const auto members = json::members(line);
  if (!members) return wrong("it is not a JSON object", kForm);
  Signal signal;
  CDC_TRY(signal.id, text_member(*members, "id"));
  CDC_TRY(signal.type, text_member(*members, "type"));
  if (signal.type.empty()) return wrong("\"type\" is missing", kForm);
  const std::string_view data = find(*members, "data");
  if (data.empty() || !json::members(data)) return wrong("\"data\" must be an object (it may be {})", kForm);
  signal.data = data;
  return signal;
}

std::string signal_line(const Signal& signal) {
  return fmt::format("{{\"id\":{},\"type\":{},\"data\":{}}}", json::quote(signal.id),
                     json::quote(signal.type), signal.data);
}

Result<SnapshotOrder> parse_snapshot_order(SignalType type, std::string_view data) {
  CDC_TRY(const Members members, object_of(data));
  SnapshotOrder order;
  CDC_TRY(std::string kind, text_member(members, "type"));
  kind = std::string(text::trim(kind));
  if (text::equals_ignore_case(kind, "blocking"))
    order.kind = SnapshotKind::blocking;
  else if (!kind.empty() && !text::equals_ignore_case(kind, "incremental"))
    return wrong(fmt::format("snapshots of type \"{}\" are not known: it is incremental or blocking", kind));
  CDC_TRY(order.collections, collections(members, type == SignalType::execute_snapshot));
  CDC_TRY(order.conditions, conditions(members));
  CDC_TRY(order.surrogate_key, text_member(members, "surrogate-key"));
  order.old_condition = !find(members, "additional-condition").empty();
  return order;
}

Result<std::string> parse_log_message(std::string_view data) {
  CDC_TRY(const Members members, object_of(data));
  CDC_TRY(std::string message, text_member(members, "message"));
  if (message.empty())
    return wrong("\"message\" is missing",
                 R"(write {"message":"text"}; {} in the text becomes the position)");
  return message;
}

Result<void> check_signal(const Signal& signal) {
  const auto type = signal_type(signal.type);
  const auto user = user_signals();
  if (!type || std::find(user.begin(), user.end(), *type) == user.end()) {
    std::string names;
    for (const SignalType each : user)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", signal_name(each));
    return wrong(fmt::format("there is no signal \"{}\"", signal.type), "signals are " + names);
  }
  if (*type == SignalType::log) return parse_log_message(signal.data).map([](auto&&) {});
  return parse_snapshot_order(*type, signal.data).map([](auto&&) {});
}

}  // namespace cdc
