// The captures live in memory; the file follows each change before memory does.
#include "state/json_store.h"

#include <fmt/format.h>

#include <utility>

#include "state/disk.h"
#include "state/lock_file.h"
#include "state/memory_store.h"
#include "state/state_document.h"

namespace cdc {
namespace {

class JsonStore final : public StateStore {
 public:
  JsonStore(std::string path, LockFile lock, StateMap captures, bool writable)
      : path_(std::move(path)), lock_(std::move(lock)), captures_(std::move(captures)), writable_(writable) {}

  Result<StoredState> load(const StateKey& key) override { return captures_.get(key); }
  Result<void> commit(const StateKey& key, const StateChange& change) override {
    StateMap next = captures_;
    next.apply(key, change);
    return store(std::move(next));
  }
  Result<std::vector<StateKey>> keys() override { return captures_.keys(); }
  Result<void> remove(const StateKey& key) override {
    StateMap next = captures_;
    next.remove(key);
    return store(std::move(next));
  }
  std::string path() const override { return path_; }

 private:
  Result<void> store(StateMap next) {
    if (!writable_)
      return fail(ErrorKind::internal, fmt::format("the state {} was opened for reading only", path_));
    CDC_TRY(const std::string text, render_state(next));
    CDC_CHECK(replace_file(path_, text));
    captures_ = std::move(next);
    return {};
  }

  std::string path_;
  LockFile lock_;
  StateMap captures_;
  bool writable_;
};

}  // namespace

Result<std::unique_ptr<StateStore>> open_json_store(const std::string& path, StateAccess access) {
  const bool writable = access == StateAccess::exclusive;
  LockFile lock;
  if (writable) {
    CDC_CHECK(make_folders_above(path));
    CDC_TRY(lock, LockFile::take(path));
  }
  CDC_TRY(const auto text, read_file(path));
  if (!text && !writable)
    return fail(ErrorKind::usage, fmt::format("there is no state at {}", path),
                "Check --state and --name; a first run makes it");
  StateMap captures;
  if (text) {
    auto parsed = parse_state(*text);
    if (!parsed) {
      Error error = std::move(parsed).error();
      error.message = fmt::format("the state {} {}", path, error.message);
      return tl::unexpected<Error>(std::move(error));
    }
    captures = std::move(*parsed);
  } else {
    // Made at once, so that a folder that cannot be written to is found now and not after the first events.
    CDC_TRY(const std::string empty, render_state(captures));
    CDC_CHECK(replace_file(path, empty));
  }
  return std::make_unique<JsonStore>(path, std::move(lock), std::move(captures), writable);
}

}  // namespace cdc
