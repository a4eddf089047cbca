// PartitionRouting: a partition number out of fields of the row (CORE-SMT-10).
#include "transform/debezium.h"

#include <fmt/format.h>

#include "transform/envelope_view.h"
#include "transform/hashes.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

struct RoutingOptions {
  std::vector<std::vector<std::string>> paths;
  std::uint32_t partitions = 1;
  bool murmur = false;
};

std::vector<std::string> split_dots(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class PartitionRouting : public Transform {
 public:
  explicit PartitionRouting(RoutingOptions options) : o_(std::move(options)) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record)) return true;
    if (view_.op() == 't' || view_.op() == 'm') return true;
    std::uint32_t sum = 0;
    bool any = false;
    for (const auto& path : o_.paths) {
      CDC_TRY(const auto hash, hash_of(*record.value_schema(), path));
      if (!hash) continue;
      sum += static_cast<std::uint32_t>(*hash);
      any = true;
    }
    if (!any) return true;
    sum &= 0x7fffffffu;
    record.partition = static_cast<int>((sum == 0x7fffffffu ? 0 : sum) % o_.partitions);
    return true;
  }

 private:
  // Nothing for fields that are not there and for nulls.
  Result<std::optional<std::int32_t>> hash_of(const Schema& envelope, const std::vector<std::string>& path) {
    const std::string_view first =
        path.front() == "change" ? (view_.op() == 'd' ? "before" : "after") : std::string_view(path.front());
    const Field* field = find_field(envelope, first);
    std::string_view text = view_.text(first);
    for (std::size_t i = 1; i < path.size() && field != nullptr; ++i) {
      if (field->schema->type != Type::structure || is_null(text)) return std::optional<std::int32_t>();
      field = find_field(*field->schema, path[i]);
      if (field != nullptr) text = filled(*field->schema, member(text, path[i]), Nulls::fill);
    }
    if (field == nullptr || is_null(text)) return std::optional<std::int32_t>();
    const auto hash = o_.murmur ? murmur_of(*field->schema, text) : java_hash_of(*field->schema, text);
    if (!hash)
      return record_error(fmt::format("the field '{}' is of a type that has no hash", fmt::join(path, ".")));
    return hash;
  }

  const RoutingOptions o_;
  EnvelopeView view_;
};

}  // namespace

StepFactory make_partition_routing(Options& options, const StepContext&) {
  RoutingOptions o;
  for (const std::string& path : options.list("partition.payload.fields"))
    o.paths.push_back(split_dots(path));
  const std::int64_t partitions = options.integer("partition.topic.num");
  if (partitions < 1 || partitions > INT32_MAX)
    options.invalid("partition.topic.num", "it must be at least 1");
  o.partitions = static_cast<std::uint32_t>(partitions);
  o.murmur = options.choice("partition.hash.function") == 1;
  return [o] { return std::make_unique<PartitionRouting>(o); };
}

}  // namespace cdc::transform
