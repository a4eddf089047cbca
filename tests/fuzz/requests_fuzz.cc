// What a user or a neighbour hands in directly: the words of a command line, the request to the metrics
// endpoint, its address, bounds of a run, LSNs and transaction snapshots. The first byte chooses.
#include "cli/parse.h"
#include "input.h"
#include "observe/metrics_server.h"
#include "source/postgres/bounds.h"
#include "source/postgres/control/lsn.h"
#include "source/postgres/control/settings.h"
#include "source/postgres/incremental/xid_window.h"

using namespace cdc;
using fuzz::require;

namespace {

void check_words(fuzz::Input& input) {
  std::vector<std::string> words;
  while (!input.empty()) words.emplace_back(input.line());
  (void)cli::early_value(words, "--log-format");
  const auto request = cli::parse(words);
  if (!request) require(!request.error().message.empty());
}

void check_request(std::string_view head) {
  const observe::HttpRequest request = observe::parse_request(head);
  require(request.problem != 0 || request.path.starts_with('/'));
}

void check_bounds(const std::string& text) {
  const auto until = pg::UntilBound::parse(text, pg::Lsn{1} << 33);
  if (!until) require(!until.error().message.empty());
  if (const auto from = pg::parse_from(text); !from) require(!from.error().message.empty());
  (void)pg::parse_iso_time(text);
  (void)pg::parse_transaction_snapshot(text);
  if (const auto lsn = pg::parse_lsn(text)) require(pg::parse_lsn(pg::format_lsn(*lsn)) == lsn);
}

void check_settings(fuzz::Input& input) {
  const auto config = fuzz::settings(input);
  if (!config) return;
  const auto settings = pg::control_settings(*config);
  if (!settings) require(!settings.error().message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  switch (input.byte() % 5) {
    case 0:
      check_words(input);
      break;
    case 1:
      check_request(input.rest());
      break;
    case 2:
      if (const auto address = observe::parse_listen_address(input.rest()); !address)
        require(!address.error().message.empty());
      break;
    case 3:
      check_bounds(std::string(input.rest()));
      break;
    default:
      check_settings(input);
  }
  return 0;
}
