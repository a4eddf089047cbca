// Connect's RegexRouter, TimestampRouter and Filter.
#include "transform/connect.h"

#include <fmt/format.h>

#include <unordered_map>

#include "transform/date_format.h"

namespace cdc::transform {
namespace {

class RegexRouter : public Transform {
 public:
  RegexRouter(text::Regex regex, std::string replacement)
      : regex_(std::move(regex)), replacement_(std::move(replacement)) {}

  Result<bool> apply(Record& record) override {
    key_.assign(record.topic);
    auto found = routes_.find(key_);
    if (found == routes_.end()) {
      CDC_TRY(const bool matches, regex_.matches(key_));
      std::string topic = key_;
      if (matches) {
        CDC_TRY(topic, regex_.replace_first(key_, replacement_));
      }
      constexpr std::size_t most = 10000;
      if (routes_.size() >= most) routes_.clear();  // topics may come from rows
      found = routes_.emplace(key_, std::move(topic)).first;
    }
    if (found->second != record.topic) record.topic = record.work.store(found->second);
    return true;
  }

 private:
  const text::Regex regex_;
  const std::string replacement_;
  std::unordered_map<std::string, std::string> routes_;
  std::string key_;
};

class TimestampRouter : public Transform {
 public:
  TimestampRouter(std::string topic, DateFormat format)
      : topic_(std::move(topic)), format_(std::move(format)) {}

  Result<bool> apply(Record& record) override {
    if (!record.timestamp_ms)
      return record_error("the record has no timestamp of its own",
                          "Only records behind the outbox EventRouter have one; take TimestampRouter out");
    std::string topic = topic_;
    const auto put = [&](std::string_view place, std::string_view text) {
      for (std::size_t at = topic.find(place); at != std::string::npos;
           at = topic.find(place, at + text.size()))
        topic.replace(at, place.size(), text);
    };
    put("${topic}", record.topic);
    put("${timestamp}", format_.format(*record.timestamp_ms));
    record.topic = record.work.store(topic);
    return true;
  }

 private:
  const std::string topic_;
  const DateFormat format_;
};

class DropAll : public Transform {
 public:
  Result<bool> apply(Record&) override { return false; }
};

}  // namespace

StepFactory make_regex_router(Options& options, const StepContext&) {
  auto regex = options.regex("regex");
  if (!regex) return {};
  if (auto checked = regex->check_replacement(options.text("replacement")); !checked)
    options.invalid("replacement", checked.error().message);
  return [regex = std::move(*regex), replacement = options.text("replacement")] {
    return std::make_unique<RegexRouter>(regex, replacement);
  };
}

StepFactory make_timestamp_router(Options& options, const StepContext&) {
  auto format = DateFormat::parse(options.text("timestamp.format"));
  if (!format) {
    options.invalid("timestamp.format", format.error().message);
    return {};
  }
  return [topic = options.text("topic.format"), format = std::move(*format)] {
    return std::make_unique<TimestampRouter>(topic, format);
  };
}

StepFactory make_drop_all(Options&, const StepContext&) {
  return [] { return std::make_unique<DropAll>(); };
}

}  // namespace cdc::transform
