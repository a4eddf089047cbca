// Buckets of the sketch: bucket i holds what lies in (g^(i-1), g^i].
#include "cdc/lag_meter.h"

#include <algorithm>
#include <cmath>

namespace cdc {
namespace {

constexpr double kError = 0.01;
constexpr double kGrowth = (1 + kError) / (1 - kError);

std::size_t bucket_of(std::int64_t ms) {
  return static_cast<std::size_t>(std::ceil(std::log(static_cast<double>(ms)) / std::log(kGrowth)));
}
// What is at most kError away from both ends of the bucket.
std::int64_t middle_of(std::size_t bucket) {
  return std::llround(2 * std::pow(kGrowth, static_cast<double>(bucket)) / (kGrowth + 1));
}

void count_in(std::vector<std::uint64_t>& buckets, std::int64_t ms, std::uint64_t times) {
  const std::size_t bucket = bucket_of(ms);
  if (bucket >= buckets.size()) buckets.resize(bucket + 1);
  buckets[bucket] += times;
}

}  // namespace

void LagMeter::Sketch::add(std::int64_t ms, std::uint64_t times) {
  if (times == 0) return;
  least = count == 0 ? ms : std::min(least, ms);
  most = count == 0 ? ms : std::max(most, ms);
  count += times;
  sum += static_cast<double>(ms) * static_cast<double>(times);
  if (ms == 0)
    zeros += times;
  else
    count_in(ms > 0 ? positive : negative, ms > 0 ? ms : -ms, times);
}

std::int64_t LagMeter::Sketch::quantile(double q) const {
  const auto rank = static_cast<std::uint64_t>(q * static_cast<double>(count - 1));
  std::uint64_t before = 0;
  const auto holds = [&](std::uint64_t times) { return (before += times) > rank; };
  const auto within = [&](std::int64_t ms) { return std::clamp(ms, least, most); };
  for (std::size_t i = negative.size(); i-- > 0;)
    if (holds(negative[i])) return within(-middle_of(i));
  if (holds(zeros)) return 0;
  for (std::size_t i = 0; i < positive.size(); ++i)
    if (holds(positive[i])) return within(middle_of(i));
  return most;
}

void LagMeter::change_to(std::int64_t ms) {
  std::lock_guard lock(mutex_);
  sketch_.add(value_.load(std::memory_order_relaxed), same_.load(std::memory_order_relaxed));
  value_.store(ms, std::memory_order_relaxed);
  same_.store(1, std::memory_order_relaxed);
}

std::optional<LagMeter::Summary> LagMeter::summary() const {
  Sketch all;
  {
    std::lock_guard lock(mutex_);
    all = sketch_;
    all.add(value_.load(std::memory_order_relaxed), same_.load(std::memory_order_relaxed));
  }
  if (all.count == 0) return std::nullopt;
  return Summary{
      all.least,          all.most,           std::llround(all.sum / static_cast<double>(all.count)),
      all.quantile(0.50), all.quantile(0.95), all.quantile(0.99)};
}

}  // namespace cdc
