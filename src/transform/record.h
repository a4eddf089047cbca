// Record: an event on its way through a chain of transforms. Values are JSON text beside their schema;
// only what a transform looks into is taken apart, everything else passes byte for byte. The value of a
// data event stays in the pieces it came in until somebody needs it whole.
// One Record and one Workspace a reader thread; every text lives until the record has left the chain.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/runtime.h"
#include "event/event.h"
#include "transform/arena.h"
#include "transform/struct_text.h"

namespace cdc::transform {

// A value with its schema. No text: null without schema (a tombstone's value); the text `null`: null
// with a schema. No schema beside a text: schemaless.
struct Typed {
  std::string_view text;
  const Schema* schema = nullptr;
  SchemaPtr owner;  // keeps `schema`; not set while the event's maker keeps it

  bool is_null() const { return transform::is_null(text); }
  bool is_struct() const { return schema != nullptr && schema->type == Type::structure; }
};

Typed typed(SchemaPtr schema, std::string_view text);

struct Header {
  std::string_view name;
  Typed value;
  std::string_view schema_text;  // rendered already; empty: not yet
};

// A header that a delete got and its tombstone gets too: Debezium's two records share one list of headers.
struct CarriedHeader {
  std::string name;
  std::string text;
  SchemaPtr schema;
};

struct Workspace {
  explicit Workspace(Log& l) : log(l) {}
  Log& log;
  Arena arena;
  Buffer scratch;                 // for building one text; cleared by whoever uses it
  Nulls key_nulls = Nulls::keep;  // key.converter.replace.null.with.default
  Nulls value_nulls = Nulls::keep;
  std::vector<CarriedHeader> carried;
  std::map<std::string, SchemaPtr> adopted;  // schemas that no table keeps, by their text

  std::string_view store(std::string_view text) { return arena.store(text); }
  std::string_view quoted(std::string_view utf8);  // as JSON string literal
};

enum class Side : std::uint8_t { key, value };

class Record {
 public:
  explicit Record(Workspace& workspace) : work(workspace) {}

  void start(const Event& event);

  Workspace& work;
  const Event* event = nullptr;
  RecordKind kind = RecordKind::data;
  std::string_view topic;
  int partition = -1;
  std::optional<std::int64_t> timestamp_ms;  // Connect's record timestamp: only the outbox router sets one
  Typed key;
  std::vector<Header> headers;

  // --- the value
  const Schema* value_schema() const { return value_.schema; }
  bool value_is_null() const {
    return pieces_.empty() ? value_.is_null() : pieces_.size() == 1 && is_null(pieces_[0]);
  }
  bool has_envelope() const;  // value is an envelope that is not null
  // The parts of the envelope, as long as nobody has changed the value; else null.
  const ChangeParts* change() const { return change_; }
  const Typed& value();  // whole
  const std::vector<std::string_view>& pieces() const { return pieces_; }
  void set_value(Typed value);
  // A value in pieces: they are taken over.
  void set_value(SchemaPtr schema, const std::vector<std::string_view>& pieces);
  void clear_value();  // null without schema
  // Another schema for the same text.
  void set_value_schema(SchemaPtr schema);

  // --- either side
  const Typed& operand(Side side) { return side == Side::key ? key : value(); }
  void set_operand(Side side, Typed value);
  Nulls nulls(Side side) const { return side == Side::key ? work.key_nulls : work.value_nulls; }
  // A schema to keep: of the value, the key, or anything else this record holds.
  const SchemaPtr& own_value_schema();
  const SchemaPtr& own_key_schema();
  const SchemaPtr& own(Side side) { return side == Side::key ? own_key_schema() : own_value_schema(); }
  const SchemaPtr& own(Typed& any);

  // --- headers
  const Header* last_header(std::string_view name) const;
  // Adds to the list that the record shares with its tombstone, as Debezium's own transforms do.
  void add_shared_header(std::string_view name, Typed value);
  void add_header(std::string_view name, Typed value) { headers.push_back({name, std::move(value), {}}); }
  void remove_headers(std::string_view name);
  // From here on the list is the record's own (Connect's transforms copy it before they change it).
  void unshare_headers() { shared_ = false; }

  // Builds a text of `schema` from the texts of its fields.
  std::string_view build(const Schema& schema, const Texts& texts, Nulls nulls);

 private:
  const SchemaPtr& adopt(const Schema& schema);

  Typed value_;  // text empty while `pieces_` hold it
  std::vector<std::string_view> pieces_;
  const ChangeParts* change_ = nullptr;
  const CompiledTable* table_ = nullptr;  // keeps the schemas of the event
  bool shared_ = true;                    // the list of headers is still the one of the event
  bool is_delete_ = false;
};

}  // namespace cdc::transform
