// Values and schemas as they stand in recorded events, for every type and mode (data/*.tsv): the server's
// text on one side, the exact bytes of the event on the other.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "support.h"

namespace cdc::pg::test {
namespace {

std::vector<std::string> split(const std::string& line, char by) {
  std::vector<std::string> parts(1);
  for (char c : line) {
    if (c == by) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result.push_back(text[i]);
      continue;
    }
    const char c = text[++i];
    result.push_back(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c);
  }
  return result;
}

TypeModes modes_of(const std::string& list) {
  TypeModes modes;
  if (list == "-") return modes;
  for (const std::string& pair : split(list, ',')) {
    const std::size_t equals = pair.find('=');
    REQUIRE(equals != std::string::npos);
    set_mode(modes, pair.substr(0, equals), pair.substr(equals + 1));
  }
  return modes;
}

std::vector<std::vector<std::string>> rows(const std::string& file, std::size_t columns) {
  std::ifstream in(std::string(CDC_TEST_DATA) + "/" + file);
  REQUIRE_MESSAGE(in.good(), file);
  std::vector<std::vector<std::string>> result;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    result.push_back(split(line, '\t'));
    REQUIRE_MESSAGE(result.back().size() == columns, line);
  }
  return result;
}

}  // namespace

TEST_CASE("PG 4.1-4.6: recorded values of every type and mode") {
  const auto vectors = rows("values.tsv", 5);
  CHECK(vectors.size() > 1000);
  for (const auto& row : vectors) {
    CAPTURE(row[0]);
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    CAPTURE(row[3]);
    const Column column{oid_of(row[0]), std::stoi(row[1]), true, {}, modes_of(row[2])};
    const std::string json = value(column, unescaped(row[3]));
    CHECK((json == "FAILED" ? "null" : json) == row[4]);
  }
}

TEST_CASE("PG 4.1-4.7, 4.11: recorded schemas and defaults of every type and mode") {
  const auto vectors = rows("schemas.tsv", 6);
  CHECK(vectors.size() > 300);
  for (const auto& row : vectors) {
    CAPTURE(row[0]);
    CAPTURE(row[1]);
    CAPTURE(row[2]);
    CAPTURE(row[4]);
    const std::string expression = row[4] == "N" ? std::string() : unescaped(row[4]);
    CHECK(schema({oid_of(row[0]), std::stoi(row[1]), row[3] == "f", expression, modes_of(row[2])}) == row[5]);
  }
}

}  // namespace cdc::pg::test
