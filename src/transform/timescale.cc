// TimescaleDb: records of chunks go to the topic of their hypertable (PostgreSQL spec 5.5).
#include <algorithm>
#include <unordered_map>

#include "cdc/hypertables.h"
#include "json/json_read.h"
#include "transform/debezium.h"
#include "transform/envelope_view.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

struct TimescaleOptions {
  std::vector<std::string> schemas;
  std::string prefix;
  ConnectionKeywords keywords;
  HypertableCatalogFactory catalog;
};

class Timescale : public Transform {
 public:
  explicit Timescale(const TimescaleOptions& options)
      : o_(options), catalog_(options.catalog(options.keywords)) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record)) return true;
    const std::string_view source = view_.text("source");
    const std::string schema = json::unquote(member(source, "schema")).value_or(std::string());
    if (std::find(o_.schemas.begin(), o_.schemas.end(), schema) == o_.schemas.end()) return true;
    const std::string table = json::unquote(member(source, "table")).value_or(std::string());
    CDC_TRY(const Hypertable* hypertable, find(schema, table));
    if (hypertable == nullptr) return true;
    CDC_CHECK(rename(record, *hypertable));
    header(record, "__debezium_timescaledb_chunk_table", table);
    header(record, "__debezium_timescaledb_chunk_schema", schema);
    if (!hypertable->inner_table.empty()) {
      header(record, "__debezium_timescaledb_hypertable_table", hypertable->inner_table);
      header(record, "__debezium_timescaledb_hypertable_schema", hypertable->inner_schema);
    }
    record.topic = record.work.store(o_.prefix + "." + hypertable->schema + "." + hypertable->table);
    return true;
  }

 private:
  Result<const Hypertable*> find(const std::string& schema, const std::string& table) {
    const std::string key = schema + '\0' + table;
    auto known = chunks_.find(key);
    if (known == chunks_.end()) {
      CDC_TRY(auto found, catalog_->find(schema, table));
      if (!found) return nullptr;  // asked again: a table may become a chunk
      known = chunks_.emplace(key, std::move(*found)).first;
    }
    return &known->second;
  }

  static void header(Record& record, std::string_view name, std::string_view text) {
    static const SchemaPtr type = make(Type::string, false);
    record.add_shared_header(name, typed(type, record.work.quoted(text)));
  }

  // The source block names the hypertable.
  Result<void> rename(Record& record, const Hypertable& hypertable) {
    const SchemaPtr envelope = record.own_value_schema();
    const int source = field_index(*envelope, "source");
    if (source < 0 || !split_struct(*envelope, record.value().text, members_))
      return record_error("the envelope has no source");
    const Schema& type = *envelope->fields[static_cast<std::size_t>(source)].schema;
    std::string_view& text = members_[static_cast<std::size_t>(source)];
    const int schema = field_index(type, "schema"), table = field_index(type, "table");
    if (schema < 0 || table < 0 || !split_struct(type, text, source_))
      return record_error("the source block names no table");
    source_[static_cast<std::size_t>(schema)] = record.work.quoted(hypertable.schema);
    source_[static_cast<std::size_t>(table)] = record.work.quoted(hypertable.table);
    text = record.build(type, source_, Nulls::keep);
    record.set_value(typed(envelope, record.build(*envelope, members_, Nulls::keep)));
    return {};
  }

  const TimescaleOptions o_;
  const std::unique_ptr<HypertableCatalog> catalog_;
  std::unordered_map<std::string, Hypertable> chunks_;
  EnvelopeView view_;
  Texts members_, source_;
};

}  // namespace

StepFactory make_timescale(Options& options, const StepContext& context) {
  TimescaleOptions o;
  o.schemas = options.list("schema.list");
  o.prefix = options.text("target.topic.prefix");
  o.catalog = context.hypertables;
  if (o.catalog == nullptr)
    options.invalid("schema.list", "the source of this configuration, or of this build, has no TimescaleDB");
  // What the transform does not say itself is as for the capture.
  static constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"database.hostname", "host"},     {"database.port", "port"},     {"database.user", "user"},
      {"database.password", "password"}, {"database.dbname", "dbname"}, {"database.sslmode", "sslmode"}};
  for (const auto& [option, keyword] : rows) {
    const std::string& own = options.text(option);
    const std::string& value = own.empty() ? context.config.text(option) : own;
    if (!value.empty()) o.keywords.emplace_back(keyword, value);
  }
  o.keywords.emplace_back("application_name", "cdc TimescaleDb transform");
  o.keywords.emplace_back("connect_timeout", "10");
  return [o] { return std::make_unique<Timescale>(o); };
}

}  // namespace cdc::transform
