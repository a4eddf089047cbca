// Rows and CopyRow: what libpq handed over, read without copies.
#include <libpq-fe.h>

#include <charconv>

#include "source/postgres/control/connection.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {
namespace {
int index(std::size_t i) { return static_cast<int>(i); }

template <class T>
T number(std::string_view text) {
  T value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}
}  // namespace

void Rows::Free::operator()(pg_result* result) const { PQclear(result); }

std::size_t Rows::size() const { return result_ ? static_cast<std::size_t>(PQntuples(result_.get())) : 0; }
std::size_t Rows::columns() const { return result_ ? static_cast<std::size_t>(PQnfields(result_.get())) : 0; }

bool Rows::is_null(std::size_t row, std::size_t column) const {
  return PQgetisnull(result_.get(), index(row), index(column)) != 0;
}

std::string_view Rows::text(std::size_t row, std::size_t column) const {
  if (row >= size() || column >= columns()) return {};
  return {PQgetvalue(result_.get(), index(row), index(column)),
          static_cast<std::size_t>(PQgetlength(result_.get(), index(row), index(column)))};
}

std::optional<std::string_view> Rows::get(std::size_t row, std::size_t column) const {
  if (is_null(row, column)) return std::nullopt;
  return text(row, column);
}

char Rows::letter(std::size_t row, std::size_t column) const {
  const auto value = text(row, column);
  return value.empty() ? '\0' : value.front();
}

std::int64_t Rows::integer(std::size_t row, std::size_t column) const {
  return number<std::int64_t>(text(row, column));
}
std::uint32_t Rows::oid(std::size_t row, std::size_t column) const {
  return number<std::uint32_t>(text(row, column));
}
std::optional<std::uint64_t> Rows::lsn(std::size_t row, std::size_t column) const {
  return parse_lsn(text(row, column));
}

void CopyRow::reset() {
  if (data_ != nullptr) PQfreemem(data_);
  data_ = nullptr;
  size_ = 0;
}

}  // namespace cdc::pg
