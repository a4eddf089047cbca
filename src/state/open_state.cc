// --state -> store.
#include <filesystem>

#include "cdc/state.h"
#include "state/disk.h"
#include "state/json_store.h"
#include "state/memory_store.h"
#include "state/sqlite_store.h"
#include "state/state_path.h"

namespace cdc {

Result<std::unique_ptr<StateStore>> open_state(const std::string& path, const std::string& name,
                                               StateAccess access) {
  std::string where = path;
  if (where.empty()) {
    CDC_TRY(where, default_state_path(name));
  }
  CDC_TRY(const StateForm form, state_form(where));
  // One lock a state, by whichever name it is opened.
  if (form != StateForm::memory) where = behind_links(where);
  if (access == StateAccess::preview) {
    std::error_code unknown;
    if (std::filesystem::status(where, unknown).type() == std::filesystem::file_type::not_found)
      return std::make_unique<MemoryStore>();
    access = StateAccess::read_only;
  }
  switch (form) {
    case StateForm::json:
      return open_json_store(where, access);
    case StateForm::sqlite:
      return open_sqlite_store(where, access);
    case StateForm::memory:
      break;
  }
  return std::make_unique<MemoryStore>();
}

}  // namespace cdc
