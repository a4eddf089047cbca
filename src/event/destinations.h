// The numbered destinations of a run: what readers write into a Run, what the writer looks up.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cdc/sink.h"

namespace cdc {

class Destinations {
 public:
  // Finds or makes; thread-safe. The reference stays valid for the whole run.
  const Destination& intern(const std::string& topic, const std::string& database = {},
                            const std::string& schema = {}, const std::string& table = {});
  const Destination& at(std::uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Destination>> all_;
  std::map<std::string, std::uint32_t> by_key_;
};

}  // namespace cdc
