// MessageTables: the tables of a stream without Relation messages (PG-DBUF-05). Every change of decoderbufs
// names and types its columns; a table is described anew when they differ from what is known, and joined
// with the catalog of that moment for its key, defaults and replica identity. Also makes rows of messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "source/postgres/control/catalog.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/decoderbufs/cell_text.h"
#include "source/postgres/decoderbufs/decoder.h"
#include "source/postgres/pgoutput/messages.h"
#include "source/postgres/relations.h"

namespace cdc::pg {

// A column as the messages have it, and what the catalog adds.
struct MessageColumn {
  std::string spelled;  // as SQL would spell it
  Oid type = 0;
  std::int32_t typmod = -1;
  bool not_null = false;
  std::string type_info;      // the bytes that say typmod and not_null; empty: none have come yet
  bool left_out = false;      // virtual, so that messages have NULL for it whatever it is (PG-SNAP-15)
  bool identity = false;      // old rows carry it, by the catalog
  bool may_lack = false;      // stored out of line, so that a message may come without it
  bool null_is_news = false;  // a stored row cannot have NULL here
};

struct MessageTable {
  TableId id;
  bool captured = false;
  StreamedTable* streamed = nullptr;  // once described

  std::vector<MessageColumn> columns;
  Oid number = 0;        // among the tables of RelationCache
  bool full = false;     // REPLICA IDENTITY FULL, by the catalog
  bool settled = false;  // the catalog was asked again about an identity that rows contradict
};

class MessageTables {
 public:
  // `general`: for catalog queries, used on the caller's thread. `tolerant`: schema.refresh.mode is
  // columns_diff_exclude_unchanged_toast.
  MessageTables(Connection& general, RelationCache& relations, decoderbufs::MoneyUnit money, bool tolerant)
      : general_(general), relations_(relations), text_(std::move(money)), tolerant_(tolerant) {}

  // By the name in a message; cheap for a name that was seen before. nullptr: it is no name of a table.
  MessageTable* find(std::string_view spelled);

  // The row of an insert, update or delete of a captured table; describes the table first when it must.
  // The cells live in `buffers` and in here, until the next call. False: the message makes no sense, and
  // `fault` says why.
  Result<bool> read(MessageTable& table, const decoderbufs::RowMessage& message,
                    pgoutput::RowBuffers& buffers, pgoutput::Row& row, decoderbufs::Fault& fault);

 private:
  using Datums = std::vector<decoderbufs::Datum>;
  using TypeInfos = std::vector<std::string_view>;

  bool place(const MessageTable& table, const Datums& datums);
  bool same_types(MessageTable& table, const TypeInfos& infos) const;
  Result<bool> describe(MessageTable& table, const Datums& datums, const TypeInfos& infos,
                        decoderbufs::Fault& fault);
  Result<bool> check_identity(MessageTable& table, const TypeInfos& infos, decoderbufs::Fault& fault,
                              bool& whole);
  void fill(const MessageTable& table, const Datums& datums, std::vector<Cell>& cells);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  Connection& general_;
  RelationCache& relations_;
  decoderbufs::CellText text_;
  bool tolerant_;
  std::unordered_map<std::string, std::unique_ptr<MessageTable>, Hash, std::equal_to<>> tables_;
  std::string_view last_name_;
  MessageTable* last_ = nullptr;
  Datums new_, old_;                 // of the message at hand
  std::vector<std::size_t> places_;  // by column: its value in the message; kNowhere: it has none
};

}  // namespace cdc::pg
