// Names made by rules of the user from names of the server: path templates, topics, schema and field names,
// filters of tables and columns, key columns. Settings lines up to an empty one, then schema, table, column.
#include "event/naming.h"
#include "filter/collection_filter.h"
#include "filter/column_filter.h"
#include "input.h"
#include "sink/path_template.h"

using namespace cdc;
using fuzz::require;

namespace {

void check_path(std::string_view text, const TableId& id, bool numbered) {
  const auto path = PathTemplate::parse(text, numbered, "/base");
  if (!path) return require(!path.error().message.empty());
  const Destination to{0, "p." + id.schema + "." + id.table, "d", id.schema, id.table};
  const std::string name = PathTemplate::path(path->key(to), 1'700'000'000'000, 7);
  require(path->matches(name));
  (void)path->constant_folder();
  (void)path->fixed_path();
}

void check_names(std::string_view text) {
  const std::string safe = safe_name(text);
  require(!safe.empty() && safe.find('/') == std::string::npos && safe.front() != '.' && safe.size() <= 255);
  for (const NameAdjustment mode :
       {NameAdjustment::none, NameAdjustment::avro, NameAdjustment::avro_unicode}) {
    (void)adjust_schema_name(mode, text);
    (void)adjust_field_name(mode, text);
  }
  require(sanitize_topic(text).size() <= 249);
  (void)sanitize_topic_unicode(text);
}

void check_rules(const Config& config, const TableId& id, std::string_view column) {
  if (const auto topics = TopicNaming::make(config)) {
    (void)topics->data_topic(id);
    (void)topics->key_discriminator(id);
    (void)topics->transaction_topic();
    (void)topics->heartbeat_topic();
  }
  if (const auto tables = CollectionFilter::make(config)) {
    std::vector<TableId> ids{id, {"", "public", "orders"}, {"", "s", "t"}};
    tables->sort_for_snapshot(ids);
    (void)tables->captured(id);
    (void)tables->in_snapshot(id);
    (void)tables->is_signal(id);
  }
  if (const auto columns = ColumnFilter::make(config)) (void)columns->printed(id, column);
  if (const auto keys = KeyColumns::make(config)) (void)keys->key_of(id, {"id", std::string(column), "v"});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  if (choice % 4 == 0) {
    const TableId id{"", std::string(input.line()), std::string(input.line())};
    check_path(input.rest(), id, choice / 4 % 2 == 1);
  } else if (choice % 4 == 1) {
    check_names(input.rest());
  } else if (const auto config = fuzz::settings(input)) {
    const TableId id{"", std::string(input.line()), std::string(input.line())};
    check_rules(*config, id, input.rest());
  }
  return 0;
}
