// START_REPLICATION with its options: ours win over those of slot.stream.params.
#include "source/postgres/stream_command.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "source/postgres/control/publication.h"
#include "source/postgres/control/quote.h"
#include "text/list.h"

namespace cdc::pg {
namespace {

// Options whose answer is of another form than what is read here: rows as binary values, transactions in
// parts that may yet be rolled back, prepared ones. Taken from the user they would end in an event misread.
constexpr std::string_view kOtherForms[] = {"binary", "streaming", "two_phase"};
constexpr std::string_view kOff[] = {"false", "off", "no", "0"};

bool asks_for_other_form(std::string_view name, std::string_view value) {
  return std::ranges::find(kOtherForms, name) != std::end(kOtherForms) &&
         std::ranges::find(kOff, value) == std::end(kOff);
}

}  // namespace

Result<StreamCommand> start_replication_command(const std::string& slot, Lsn start,
                                                const std::string& publication, int server_version,
                                                const std::string& params) {
  StreamCommand command;
  std::vector<std::pair<std::string, std::string>> options;
  if (!publication.empty()) {
    options = {{"proto_version", "1"}, {"publication_names", publication_names(publication)}};
    if (server_version >= 140000) options.emplace_back("messages", "true");
  }
  for (const std::string& pair : text::split_semicolons(params)) {
    const std::size_t equals = pair.find('=');
    const std::string name(text::trim(std::string_view(pair).substr(0, equals)));
    if (equals == std::string::npos || name.empty()) {
      command.warnings.push_back(
          fmt::format("slot.stream.params: '{}' is not of the form key=value and is left out", pair));
      continue;
    }
    if (std::any_of(options.begin(), options.end(),
                    [&](const auto& option) { return option.first == name; })) {
      command.warnings.push_back(
          fmt::format("slot.stream.params: cdc sets '{}' itself, the value given is left out", name));
      continue;
    }
    std::string value(text::trim(std::string_view(pair).substr(equals + 1)));
    if (!publication.empty() && asks_for_other_form(name, value))
      return fail(ErrorKind::usage,
                  fmt::format("slot.stream.params: '{}' cannot be used: cdc reads values as text, and whole "
                              "transactions once they are committed",
                              pair),
                  fmt::format("leave {} out of slot.stream.params", name));
    options.emplace_back(name, std::move(value));
  }
  std::string list;
  for (const auto& [name, value] : options)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quote_ident(name), quote_literal(value));
  command.text = fmt::format("START_REPLICATION SLOT {} LOGICAL {}", quote_ident(slot), format_lsn(start));
  if (!list.empty()) command.text += fmt::format(" ({})", list);
  return command;
}

}  // namespace cdc::pg
