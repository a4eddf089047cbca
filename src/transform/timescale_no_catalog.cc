// The catalog in builds without the PostgreSQL source: there is no way to ask it.
#include "transform/timescale.h"

namespace cdc::transform {
namespace {

class NoCatalog : public ChunkCatalog {
 public:
  Result<std::optional<Hypertable>> find(const std::string&, const std::string&) override {
    return fail(ErrorKind::unsupported, "TimescaleDb: this build of cdc has no PostgreSQL client",
                "Use a build with CDC_WITH_POSTGRES=ON");
  }
};

}  // namespace

std::unique_ptr<ChunkCatalog> server_catalog(std::vector<std::pair<std::string, std::string>>) {
  return std::make_unique<NoCatalog>();
}

}  // namespace cdc::transform
