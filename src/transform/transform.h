// What a transform is inside of the room, and the table of all of them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/hypertables.h"
#include "cdc/runtime.h"
#include "transform/options.h"
#include "transform/record.h"

namespace cdc::transform {

// One configured step of a chain. One object a reader thread, so it may keep what it has worked out.
class Transform {
 public:
  virtual ~Transform() = default;
  // Changes the record; false drops it. Errors are of kind `event` and stop the run (CORE-SMT-16).
  virtual Result<bool> apply(Record& record) = 0;
};

// Makes the step for one more reader thread. Options were checked before.
using StepFactory = std::function<std::unique_ptr<Transform>()>;

struct StepContext {
  const Config& config;
  Runtime& runtime;
  HypertableCatalogFactory hypertables;  // null: the source has none
  Side side;                             // of Connect's $Key and $Value classes
};

struct TransformRow {
  std::string_view class_name;
  // Reads the options; complains through them (the result is then not used).
  StepFactory (*make)(Options& options, const StepContext& context);
  std::span<const OptionRow> options{};
  Side side = Side::value;
};

// All rows, by family; registry.cc puts them together.
std::span<const TransformRow> debezium_transforms();
std::span<const TransformRow> connect_transforms();

// By class name, or by its last part in any case ("unwrap" is no class); null: unknown.
const TransformRow* find_transform(std::string_view name);
std::string_view short_class_name(std::string_view class_name);
std::string known_transforms();

inline tl::unexpected<Error> record_error(std::string message, std::string hint = {}) {
  return fail(ErrorKind::event, std::move(message), std::move(hint));
}

}  // namespace cdc::transform
