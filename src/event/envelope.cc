// Putting envelopes together.
#include "event/envelope.h"

#include <time.h>

#include <charconv>

#include "event/row_encoder.h"
#include "json/json_read.h"

namespace cdc {
namespace {

constexpr std::string_view kStringSchema = R"({"type":"string","optional":false})";

constexpr std::string_view kNoTransaction = R"(,"transaction":null)";
constexpr std::string_view kTransaction = R"(,"transaction":)";
constexpr std::string_view kNull = "null";

// `,"op":"x","ts_ms":` for every operation.
std::string_view op_piece(Op op) {
  switch (op) {
    case Op::create:
      return R"(,"op":"c","ts_ms":)";
    case Op::update:
      return R"(,"op":"u","ts_ms":)";
    case Op::remove:
      return R"(,"op":"d","ts_ms":)";
    case Op::read:
      return R"(,"op":"r","ts_ms":)";
    case Op::truncate:
      return R"(,"op":"t","ts_ms":)";
    case Op::message:
      return R"(,"op":"m","ts_ms":)";
  }
  return {};
}

std::int64_t read_ns(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

const SchemaPtr& string_type() {
  static const SchemaPtr type = make(Type::string, false);
  return type;
}

}  // namespace

std::int64_t now_ns() { return read_ns(CLOCK_REALTIME); }

std::int64_t TickClock::now_ns() {
  const std::int64_t tick = read_ns(CLOCK_REALTIME_COARSE);
  if (tick != tick_) {
    tick_ = tick;
    now_ = cdc::now_ns();
  }
  return now_;
}

Envelope::Envelope(EventRoom& room) : room_(room) {
  if (!room.options.extended_headers) return;
  context_values_ = {json::quote(room.options.prefix), "\"0\"", json::quote(room.options.connector),
                     json::quote(room.run_id)};
  context_headers_ = context_values_.size();
}

void Envelope::set_common(const Parts& parts) {
  const CompiledTable& table = *parts.table;
  Event& event = event_;
  event.topic = table.topic;
  event.destination = table.destination;
  event.key = parts.key;
  event.key_schema = table.key_schema;
  event.key_type = table.key_type.get();
  event.change = &change_;
  event.position = room_.options.wants_offset ? parts.position : nullptr;
  std::size_t n = 0;
  if (!parts.newkey.empty())
    headers_[n++] = {"__debezium.newkey", table.key_schema, table.key_type.get(), parts.newkey};
  if (!parts.oldkey.empty())
    headers_[n++] = {"__debezium.oldkey", table.key_schema, table.key_type.get(), parts.oldkey};
  if (context_headers_ > 0 && parts.context_headers) {
    static constexpr std::array<std::string_view, 4> kNames{
        "__debezium.context.connectorLogicalName", "__debezium.context.taskId",
        "__debezium.context.connectorName", "__debezium.context.runId"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
      headers_[n++] = {kNames[i], kStringSchema, string_type().get(), context_values_[i]};
  }
  event.headers = {headers_.data(), n};
}

// One reading of the clock; ms and us are its leading digits (CORE-DSP-09).
void Envelope::render_tail(Op op) {
  std::array<char, 24> digits{};
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), ts_ns_).ptr;
  const std::string_view ns(digits.data(), static_cast<std::size_t>(end - digits.data()));
  tail_op_ = op;
  tail_.clear();
  tail_.append(kNoTransaction);
  tail_.append(op_piece(op));
  tail_.append(ns.size() > 6 ? ns.substr(0, ns.size() - 6) : "0");
  tail_.append(R"(,"ts_us":)");
  tail_.append(ns.size() > 3 ? ns.substr(0, ns.size() - 3) : "0");
  tail_.append(R"(,"ts_ns":)");
  tail_.append(ns);
  tail_.push('}');
}

Result<void> Envelope::emit(const Parts& parts, BatchWriter& writer) {
  const EncodedRow& before = parts.before != nullptr ? *parts.before : no_row_;
  const EncodedRow& after = parts.after != nullptr ? *parts.after : no_row_;
  const std::int64_t ns = clock_ns_ != 0 ? clock_ns_ : now_ns();
  if (ns != ts_ns_ || parts.op != tail_op_ || tail_.empty()) {
    ts_ns_ = ns;
    render_tail(parts.op);
  }
  std::size_t n = 0;
  if (before.present()) {
    pieces_[n++] = R"({"before":)";
    pieces_[n++] = before.text.view();
    pieces_[n++] = R"(,"after":)";
  } else {
    pieces_[n++] = R"({"before":null,"after":)";
  }
  pieces_[n++] = after.json();
  pieces_[n++] = R"(,"source":)";
  pieces_[n++] = parts.source;
  std::string_view tail = tail_.view();
  if (parts.transaction != kNull) {
    pieces_[n++] = kTransaction;
    pieces_[n++] = parts.transaction;
    tail.remove_prefix(kNoTransaction.size());
  }
  pieces_[n++] = tail;

  set_common(parts);
  event_.kind = RecordKind::data;
  event_.value = {pieces_.data(), n};
  event_.value_schema = parts.table->value_schema;
  event_.value_type = parts.table->value_type.get();
  if ((before.varied || after.varied) && (room_.options.value_schemas || room_.make_transform)) {
    varied_type_ = varied_value_type(*parts.table, before, after);
    varied_schema_ = schema_text(*varied_type_);
    event_.value_schema = varied_schema_;
    event_.value_type = varied_type_.get();
  }
  change_ = {parts.table, parts.op, &before, &after, parts.source, parts.transaction, ts_ns_};
  return writer.emit(event_);
}

Result<void> Envelope::emit_tombstone(const Parts& parts, BatchWriter& writer) {
  set_common(parts);
  event_.kind = RecordKind::tombstone;
  event_.value = {};
  event_.value_schema = {};
  event_.value_type = nullptr;
  change_ = {parts.table, parts.op, &no_row_, &no_row_, parts.source, parts.transaction, ts_ns_};
  return writer.emit(event_);
}

}  // namespace cdc
