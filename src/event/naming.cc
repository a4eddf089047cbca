// Topic strategies and name adjustment.
#include "event/naming.h"

#include <fmt/format.h>

#include "filter/collection_filter.h"
#include "text/regex.h"
#include "text/utf16.h"

namespace cdc {
namespace {

bool is_digit(std::uint32_t c) { return c >= '0' && c <= '9'; }
bool is_letter(std::uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// `_u` and the hex digits of the unit: one or two digits get 00 in front, more stay as they are.
void append_unicode_form(std::string& out, std::uint32_t unit) {
  out += "_u";
  if (unit < 0x100) out += "00";
  out += fmt::format("{:x}", unit);
}

enum class Kind { schema, field };

std::string adjust(NameAdjustment mode, Kind kind, std::string_view name) {
  if (mode == NameAdjustment::none) return std::string(name);
  const bool unicode = mode == NameAdjustment::avro_unicode;
  std::string out;
  bool first = true;
  text::for_each_utf16(name, [&](std::uint32_t c) {
    const bool letter = is_letter(c) || (!unicode && c == '_');
    const bool valid = letter || (!first && (is_digit(c) || (kind == Kind::schema && c == '.')));
    if (valid) {
      out.push_back(static_cast<char>(c));
    } else if (unicode) {
      append_unicode_form(out, c);
    } else {
      out.push_back('_');
      if (first && is_digit(c)) out.push_back(static_cast<char>(c));
    }
    first = false;
  });
  return out;
}

std::string finish_topic(std::string topic) {
  if (topic.size() > 249) topic.resize(249);
  if (topic == ".") return "_";
  if (topic == "..") return "__";
  return topic;
}

bool topic_char(std::uint32_t c) { return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-'; }

struct Strategy {
  bool schema_topic;  // schema and table; else database and table
  bool unicode;
  bool regex;
};

// The six strategies by the last part of their class names.
Strategy strategy_of(const std::string& name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  return {!has("Default"), has("Unicode"), has("Regex")};
}

}  // namespace

std::string adjust_schema_name(NameAdjustment mode, std::string_view name) {
  return adjust(mode, Kind::schema, name);
}
std::string adjust_field_name(NameAdjustment mode, std::string_view name) {
  return adjust(mode, Kind::field, name);
}

std::string sanitize_topic(std::string_view name) {
  std::string out;
  text::for_each_utf16(name,
                       [&](std::uint32_t c) { out.push_back(topic_char(c) ? static_cast<char>(c) : '_'); });
  return finish_topic(std::move(out));
}

std::string sanitize_topic_unicode(std::string_view name) {
  std::string out;
  text::for_each_utf16(name, [&](std::uint32_t c) {
    if (topic_char(c) && c != '_') {
      out.push_back(static_cast<char>(c));
    } else {
      append_unicode_form(out, c);
    }
  });
  return finish_topic(std::move(out));
}

struct TopicNaming::Impl {
  Strategy strategy{};
  std::string prefix, delimiter, heartbeat_prefix, heartbeat_name, transaction;
  std::optional<text::Regex> regex, key_regex;
  std::string replacement, key_replacement, key_field;
  bool key_uniqueness = true;
};

TopicNaming::TopicNaming(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TopicNaming::TopicNaming(TopicNaming&&) noexcept = default;
TopicNaming::~TopicNaming() = default;

Result<TopicNaming> TopicNaming::make(const Config& config) {
  auto impl = std::make_unique<Impl>();
  impl->strategy = strategy_of(config.text("topic.naming.strategy"));
  impl->prefix = config.text("topic.prefix");
  impl->delimiter = config.text("topic.delimiter");
  impl->heartbeat_prefix = config.text("topic.heartbeat.prefix");
  impl->heartbeat_name = config.text("topic.heartbeat.name");
  impl->transaction = config.text("topic.transaction");
  if (impl->strategy.regex) {
    CDC_TRY(auto regex, text::Regex::compile(config.text("topic.regex")));
    impl->regex = std::move(regex);
    impl->replacement = config.text("topic.replacement");
    impl->key_uniqueness = config.boolean("topic.key.enforce.uniqueness");
    impl->key_field = config.text("topic.key.field.name");
    if (config.is_set("topic.key.field.regex")) {
      CDC_TRY(auto key_regex, text::Regex::compile(config.text("topic.key.field.regex")));
      impl->key_regex = std::move(key_regex);
      impl->key_replacement = config.text("topic.key.field.replacement");
    }
  }
  return TopicNaming(std::move(impl));
}

std::string TopicNaming::plain_topic(const TableId& id) const {
  const std::string& middle = impl_->strategy.schema_topic ? id.schema : id.catalog;
  std::string topic = impl_->prefix;
  for (const std::string* part : {&middle, &id.table}) {
    if (part->find_first_not_of(" \t\r\n") == std::string::npos) continue;
    topic += impl_->delimiter;
    topic += *part;
  }
  return impl_->strategy.unicode ? sanitize_topic_unicode(topic) : sanitize_topic(topic);
}

std::string TopicNaming::data_topic(const TableId& id) const {
  std::string topic = plain_topic(id);
  if (!impl_->regex || !impl_->regex->matches(topic).value_or(false)) return topic;
  std::string routed = impl_->regex->replace_first(topic, impl_->replacement).value_or(topic);
  return routed.empty() ? topic : routed;
}

std::optional<KeyDiscriminator> TopicNaming::key_discriminator(const TableId& id) const {
  if (!impl_->strategy.regex || !impl_->key_uniqueness) return std::nullopt;
  std::string value = plain_topic(id);
  if (impl_->key_regex && impl_->key_regex->matches(value).value_or(false))
    value = impl_->key_regex->replace_first(value, impl_->key_replacement).value_or(value);
  return KeyDiscriminator{impl_->key_field, std::move(value)};
}

std::string TopicNaming::schema_change_topic() const { return impl_->prefix; }
std::string TopicNaming::transaction_topic() const {
  return impl_->prefix + impl_->delimiter + impl_->transaction;
}
std::string TopicNaming::heartbeat_topic() const {
  if (!impl_->heartbeat_name.empty()) return impl_->heartbeat_name;
  return impl_->heartbeat_prefix + impl_->delimiter + impl_->prefix;
}
std::string TopicNaming::message_topic() const { return impl_->prefix + ".message"; }

}  // namespace cdc
