// Names and endings only; touches no file.
#include "state/state_path.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace cdc {
namespace {

struct Ending {
  std::string_view text;
  StateForm form;
};
constexpr std::array kEndings{Ending{".db", StateForm::sqlite}, Ending{".sqlite", StateForm::sqlite},
                              Ending{".sqlite3", StateForm::sqlite}, Ending{".json", StateForm::json}};

// A capture name as a file name: no slash, not hidden.
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '/' || c == '%' || (c == '.' && out.empty()))
      out += fmt::format("%{:02X}", byte);
    else
      out.push_back(c);
  }
  return out.empty() ? "cdc" : out;
}

}  // namespace

Result<StateForm> state_form(const std::string& path) {
  if (path == "none" || path == ":memory:") return StateForm::memory;
  for (const Ending& ending : kEndings)
    if (path.size() > ending.text.size() && path.ends_with(ending.text)) return ending.form;
  return fail(ErrorKind::usage, fmt::format("the state path {} tells no form", path),
              "End it in .db (SQLite) or .json, or use none");
}

Result<std::string> default_state_path(const std::string& name) {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return fmt::format("{}/cdc/{}.db", state, file_name(name));
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/')
    return fail(ErrorKind::usage,
                "there is no home folder to keep the state in: neither XDG_STATE_HOME nor HOME is set",
                "Name a file with --state");
  return fmt::format("{}/.local/state/cdc/{}.db", home, file_name(name));
}

}  // namespace cdc
