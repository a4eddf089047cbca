// Interning of destinations.
#include "event/destinations.h"

namespace cdc {

const Destination& Destinations::intern(const std::string& topic, const std::string& database,
                                        const std::string& schema, const std::string& table) {
  std::string key = topic;
  for (const std::string* part : {&database, &schema, &table}) (key += '\0') += *part;
  std::lock_guard lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) return *all_[found->second];
  const auto number = static_cast<std::uint32_t>(all_.size());
  all_.push_back(std::make_unique<Destination>(Destination{number, topic, database, schema, table}));
  by_key_.emplace(std::move(key), number);
  return *all_.back();
}

const Destination& Destinations::at(std::uint32_t number) const {
  std::lock_guard lock(mutex_);
  return *all_[number];
}

}  // namespace cdc
