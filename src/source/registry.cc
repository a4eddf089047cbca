// The sources of this build. One line each; nobody else knows them by name.
#include <algorithm>

#include "cdc/source.h"

#ifdef CDC_WITH_POSTGRES
#include "source/postgres/make_source.h"
#endif

namespace cdc {

const std::vector<SourceType>& source_types() {
  static const std::vector<SourceType> types = {
#ifdef CDC_WITH_POSTGRES
      {"postgresql",
       {"postgres", "postgresql"},
       {"io.debezium.connector.postgresql.PostgresConnector"},
       &pg::make_source,
       &pg::check_bounds,
       &pg::hypertables},
#endif
  };
  return types;
}

const SourceType* find_source_type(std::string_view name) {
  const auto& types = source_types();
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const SourceType& type) { return type.name == name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace cdc
