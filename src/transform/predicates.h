// Connect's predicates: to which records a transform applies.
#pragma once

#include <memory>
#include <string>

#include "cdc/config.h"
#include "cdc/error.h"
#include "transform/record.h"

namespace cdc::transform {

class Predicate {
 public:
  virtual ~Predicate() = default;
  virtual Result<bool> holds(const Record& record) const = 0;  // any thread
};

// The predicate `name` of the configuration; null when something is wrong with it (then `problems` says
// what).
std::shared_ptr<const Predicate> make_predicate(const Config& config, const std::string& name,
                                                std::vector<std::string>& problems);

}  // namespace cdc::transform
