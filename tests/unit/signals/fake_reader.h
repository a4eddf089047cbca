// Tables in memory, read in chunks: the server that the tests of incremental snapshots talk to.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>

#include "../event/support.h"
#include "cdc/chunks.h"
#include "filter/collection_filter.h"

namespace cdc::test {

// Rows of (id, name, age); ordered by id.
class FakeReader : public ChunkReader {
 public:
  struct Table {
    TableShape shape;
    std::map<int, std::string> rows;  // id -> name
    bool unique = true;
    std::string broken;  // reading it fails with this
  };

  Table& add(const std::string& name, std::map<int, std::string> rows = {}, bool keyed = true) {
    Table& table = known[name];
    table.shape = people();
    table.shape.id = {"", name.substr(0, name.find('.')), name.substr(name.find('.') + 1)};
    if (!keyed) table.shape.key.clear();
    table.rows = std::move(rows);
    return table;
  }

  Result<std::vector<TableId>> tables() override {
    if (lost) return fail(ErrorKind::unreachable, "the connection is lost");
    std::vector<TableId> ids;
    for (const auto& [name, table] : known) ids.push_back(table.shape.id);
    return ids;
  }
  Result<TableHandle> open(const std::string& collection, const std::string&, ChangeSink& sink) override {
    const auto found = known.find(collection);
    if (found == known.end()) return TableHandle();
    opened = &found->second;
    return sink.table(opened->shape);
  }
  Result<bool> is_unique(std::span<const std::size_t>) override { return opened->unique; }
  Result<std::optional<ChunkKey>> maximum_key(std::span<const std::size_t>, std::string_view) override {
    if (!opened->broken.empty()) return fail(ErrorKind::refused, opened->broken);
    if (opened->rows.empty()) return std::nullopt;
    return key(opened->rows.rbegin()->first);
  }
  Result<std::optional<ChunkKey>> read(const ChunkRequest& request, const RowCallback& row) override {
    const int after = request.after == nullptr ? -1 : std::atoi((*request.after)[0].text->c_str());
    const int upto = std::atoi((*request.upto)[0].text->c_str());
    conditions.emplace_back(request.condition);
    std::optional<ChunkKey> last;
    std::uint64_t rows = 0;
    for (auto at = opened->rows.upper_bound(after);
         at != opened->rows.end() && at->first <= upto && rows < request.limit; ++at, ++rows) {
      const std::string id = std::to_string(at->first);
      const std::vector<Cell> cells{value(id), value(at->second), null()};
      CDC_CHECK(row(cells));
      last = key(at->first);
    }
    return last;
  }
  Result<void> insert_signal(const std::string&, std::string_view id, std::string_view type,
                             std::string_view data) override {
    if (unwritable) return fail(ErrorKind::refused, "permission denied");
    written.push_back({std::string(id), std::string(type), std::string(data)});
    return {};
  }
  Result<void> delete_signal(const std::string&, std::string_view id) override {
    written.push_back({std::string(id), "deleted", ""});
    return {};
  }
  Result<void> mark_low() override {
    ++lows;
    return {};
  }
  Result<void> mark_high() override { return {}; }
  bool window_open() override { return open_window; }
  bool window_over(WindowMoment moment) override {
    return std::find(over.begin(), over.end(), moment) != over.end();
  }

  static ChunkKey key(int id) { return {{"int32", std::to_string(id)}}; }

  struct Written {
    std::string id, type, data;
  };
  std::map<std::string, Table> known;
  Table* opened = nullptr;
  std::vector<Written> written;  // not seen by the stream yet
  std::vector<std::string> conditions;
  bool lost = false;  // every question fails
  bool unwritable = false, open_window = true;
  std::vector<WindowMoment> over;
  int lows = 0;
};

}  // namespace cdc::test
