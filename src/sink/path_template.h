// --output as a template: which file a destination's lines go to, by which name, and which files on
// disk are ours. No I/O but walking folders for leftovers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"
#include "cdc/sink.h"
#include "sink/file_system.h"

namespace cdc {

class PathTemplate {
 public:
  // `numbered`: a sequence number is put before the extension when the template has no {seq}. A relative
  // template is taken from `base` (the working folder). Errors: kind usage.
  static Result<PathTemplate> parse(std::string_view text, bool numbered, const std::string& base);

  bool has_sequence() const { return has(Field::seq); }
  bool has_date() const { return has(Field::date); }
  bool has_values() const;  // more than one file may be open at once
  bool compressed() const;  // the name ends in .zst
  // The path when neither destination, date nor number matter.
  std::string fixed_path() const { return path(key({}), 0, 0); }
  // The folder that all files lie in or under, as far as it is the same for all.
  std::string constant_folder() const;

  // What tells files of different destinations apart: the path with date and number left open.
  std::string key(const Destination& to) const;
  // Completes a key. `date_ms`: wall clock, of which the UTC day counts.
  static std::string path(std::string_view key, std::int64_t date_ms, std::uint64_t sequence);
  // The key that a path of ours was made from; exact unless a table is called like a date or a number.
  std::string key_of(const FilePosition& file) const;

  // Whether a path could have been made from this template.
  bool matches(std::string_view path) const;
  struct Found {
    std::vector<std::string> files;
    std::vector<std::string> unreadable;  // folders that exist and could not be listed, each with the reason
  };
  // Files on disk called like one of ours plus `suffix`.
  Found find(FileSystem& fs, std::string_view suffix) const;

 private:
  enum class Field : std::uint8_t { literal, topic, database, schema, table, date, seq };
  struct Part {
    Field field = Field::literal;
    std::string text;  // of a literal
  };
  using Parts = std::vector<Part>;

  bool has(Field field) const;
  static bool match(const Part* part, const Part* end, std::string_view text);
  static void walk(FileSystem& fs, const std::string& folder, const std::vector<Parts>& components,
                   std::size_t at, Found& found);
  Result<void> add_parts(std::string_view text);
  void add_number();

  Parts parts_;
};

// A value as part of a file name: never a slash, never hidden or "..", never empty, never too long;
// different values give different texts.
std::string safe_name(std::string_view value);
// "2026-11-30", the UTC day of a wall-clock time.
std::string date_text(std::int64_t ms);

}  // namespace cdc
