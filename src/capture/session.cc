// Replacing sources and waiting between tries.
#include "capture/session.h"

#include <algorithm>
#include <random>

namespace cdc {

void SourceHolder::replace(std::unique_ptr<Source> source) {
  std::lock_guard lock(mutex_);
  source_ = std::move(source);
}

void SourceHolder::acknowledge(const Checkpoint& checkpoint) {
  std::lock_guard lock(mutex_);
  if (source_ != nullptr) source_->acknowledge(checkpoint);
}

Retry::Retry(const Config& config)
    : limit_(config.integer("errors.max.retries")),
      first_(config.milliseconds("errors.retry.delay.initial.ms")),
      most_(config.milliseconds("errors.retry.delay.max.ms")) {
  if (config.is_set("retriable.restart.connector.wait.ms"))
    first_ = most_ = config.milliseconds("retriable.restart.connector.wait.ms");
}

Result<Retry> Retry::make(const Config& config) {
  Retry retry(config);
  if (const std::string& pattern = config.text("internal.custom.retriable.exception"); !pattern.empty()) {
    CDC_TRY(auto regex, text::Regex::compile(pattern));
    retry.also_ = std::move(regex);
  }
  return retry;
}

bool Retry::worth(const Error& error) const {
  return error.retriable || (also_ && also_->finds(error.message).value_or(false));
}

bool Retry::wait(const StopToken& stop) {
  const auto exponent = std::min<std::int64_t>(tries_++, 20);
  auto delay = std::min(most_, first_ * (std::int64_t{1} << exponent));
  static thread_local std::minstd_rand random{std::random_device{}()};
  delay += std::chrono::milliseconds(random() % static_cast<unsigned>(delay.count() / 4 + 1));
  return stop.wait_for(delay);
}

}  // namespace cdc
