// Choosing the cells, asking for them, and what happens when there is no answer.
#include "event/reselect.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/row_text.h"

namespace cdc {
Result<std::unique_ptr<Reselect>> Reselect::make(const Config& config, Runtime& runtime) {
  const auto names = config.list("post.processors");
  if (names.empty()) return nullptr;
  auto made = std::unique_ptr<Reselect>(new Reselect(runtime));
  for (const std::string& name : names) {
    const std::string prefix = name + ".reselect.";
    const auto regexes = [&](const std::string& option) {
      return text::RegexList::parse(prefix + option, config.text(prefix + option));
    };
    Processor processor;
    processor.name = name;
    CDC_TRY(processor.include, regexes("columns.include.list"));
    CDC_TRY(processor.exclude, regexes("columns.exclude.list"));
    processor.unavailable = config.boolean(prefix + "unavailable.values");
    processor.nulls = config.boolean(prefix + "null.values");
    processor.by_event_key = config.boolean(prefix + "use.event.key");
    processor.fails = config.text(prefix + "error.handling.mode") == "fail";
    made->processors_.push_back(std::move(processor));
  }
  return made;
}

Result<bool> Reselect::Processor::selects(const std::string& column) const {
  if (!include.empty()) return include.matches(column);
  return exclude.matches(column).map([](bool excluded) { return !excluded; });
}

Result<void> Reselect::learn(const CompiledTable& table) {
  std::vector<Plan> plans;
  for (const Processor& processor : processors_) {
    Plan plan;
    plan.processor = &processor;
    plan.key = table.shape.key;
    if (processor.by_event_key) {
      plan.key.clear();
      for (const CompiledTable::KeyColumn& column : table.key) plan.key.push_back(column.cell);
    }
    for (const CompiledTable::Column& column : table.columns) {
      if (std::find(plan.key.begin(), plan.key.end(), column.cell) != plan.key.end()) continue;
      CDC_TRY(const bool selected, processor.selects(fmt::format("{}:{}", table.collection_id,
                                                                 table.shape.columns[column.cell].name)));
      if (selected) plan.candidates.push_back({column.cell, column.codec.unavailable_json.has_value()});
    }
    if (plan.candidates.empty()) continue;
    if (plan.key.empty()) {
      runtime_.log.warn_once(
          fmt::format("reselect {} {}", processor.name, table.collection_id),
          fmt::format("{}: the table has no {}, {} cannot read its columns again", table.collection_id,
                      processor.by_event_key ? "message key" : "primary key", processor.name));
      continue;
    }
    plans.push_back(std::move(plan));
  }
  if (plans.empty())
    plans_.erase(&table);
  else
    plans_[&table] = std::move(plans);
  return {};
}

bool Reselect::needed(const Processor& processor, const Candidate& candidate, const Cell& cell) {
  if (cell.kind == Cell::Kind::null) return processor.nulls;
  if (cell.kind != Cell::Kind::unavailable) return false;
  return processor.unavailable || (processor.nulls && !candidate.has_placeholder);
}

bool Reselect::wants(const RowChange& change) const {
  if (change.op != Op::create && change.op != Op::update) return false;
  const auto found = plans_.find(change.table);
  if (found == plans_.end()) return false;
  for (const Plan& plan : found->second)
    for (const Candidate& candidate : plan.candidates)
      if (needed(*plan.processor, candidate, change.after[candidate.cell])) return true;
  return false;
}

Result<std::span<const Cell>> Reselect::read(const RowChange& change) {
  cells_.assign(change.after.begin(), change.after.end());
  texts_.clear();
  if (const auto found = plans_.find(change.table); found != plans_.end())
    for (const Plan& plan : found->second) CDC_CHECK(run(plan, *change.table, change.after));
  return cells_;
}

Result<void> Reselect::run(const Plan& plan, const CompiledTable& table, std::span<const Cell> after) {
  wanted_.clear();
  for (const Candidate& candidate : plan.candidates)
    if (needed(*plan.processor, candidate, cells_[candidate.cell])) wanted_.push_back(candidate.cell);
  if (wanted_.empty()) return {};
  for (const std::size_t cell : plan.key)
    if (after[cell].kind == Cell::Kind::unavailable || after[cell].kind == Cell::Kind::absent) {
      tell_left(plan, table, after,
                fmt::format("the log did not carry the key column {}", table.shape.columns[cell].name));
      return {};
    }
  if (rows_ == nullptr)
    return fail(ErrorKind::unsupported,
                fmt::format("{}: this source cannot read rows again", plan.processor->name),
                "remove it from post.processors");
  auto values = rows_->read({table.shape, plan.key, after, wanted_});
  if (!values) {
    Error& error = values.error();
    // Not about this row: capture connects again and comes back to it.
    if (error.kind == ErrorKind::cancelled || error.kind == ErrorKind::unreachable)
      return tl::unexpected(std::move(error));
    if (plan.processor->fails)
      return fail(
          ErrorKind::event,
          fmt::format("{} ({}: {}; {}.reselect.error.handling.mode=fail)", error.message, table.collection_id,
                      key_text(table.shape, plan.key, after), plan.processor->name),
          std::move(error.hint));
    tell_left(plan, table, after,
              error.hint.empty() ? error.message : fmt::format("{} ({})", error.message, error.hint));
    return {};
  }
  if (!*values) {
    tell_left(plan, table, after, "the row is no longer there");
    return {};
  }
  const RowReader::Values& texts = texts_.emplace_back(std::move(**values));
  for (std::size_t i = 0; i < wanted_.size() && i < texts.size(); ++i)
    cells_[wanted_[i]] = texts[i] ? Cell{Cell::Kind::value, *texts[i]} : Cell{};
  return {};
}

void Reselect::tell_left(const Plan& plan, const CompiledTable& table, std::span<const Cell> after,
                         std::string_view why) const {
  std::string columns;
  for (const std::size_t cell : wanted_)
    columns += (columns.empty() ? "" : ", ") + table.shape.columns[cell].name;
  runtime_.log.warn(fmt::format("{}: {} of {} ({}) not read again, what the log says is written: {}",
                                plan.processor->name, columns, table.collection_id,
                                key_text(table.shape, plan.key, after), why));
}

}  // namespace cdc
