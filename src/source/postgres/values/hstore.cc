// hstore: `"k"=>"1", "z"=>NULL` to a JSON object, or to a string that holds one.
#include "source/postgres/values/hstore.h"

#include <optional>
#include <string>
#include <vector>

#include "json/json_text.h"
#include "source/postgres/values/scratch.h"
#include "text/java_hash.h"

namespace cdc::pg {
namespace {

struct Entry {
  std::string_view key;
  std::optional<std::string_view> value;
};

// Unescaped keys and values live in one arena that never grows beyond the text itself.
class HstoreText {
 public:
  explicit HstoreText(std::string_view text) : text_(text) { arena_.reserve(text.size()); }

  bool parse() {
    if (text_.empty()) return true;
    do {
      Entry& entry = entries_.emplace_back();
      if (!quoted(entry.key) || !take("=>")) return false;
      if (take("NULL")) continue;
      std::string_view value;
      if (!quoted(value)) return false;
      entry.value = value;
    } while (take(", "));
    return text_.empty();
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  bool take(std::string_view token) {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool quoted(std::string_view& value) {
    if (!take("\"")) return false;
    const std::size_t begin = arena_.size();
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        value = std::string_view(arena_).substr(begin);
        return true;
      }
      if (text_[i] == '\\' && ++i == text_.size()) return false;
      arena_.push_back(text_[i]);
    }
    return false;
  }

  std::string_view text_;
  std::string arena_;
  std::vector<Entry> entries_;
};

// The writer of the inner document leaves characters beyond U+FFFF as they are; the outer string
// escapes them. So only what JSON itself demands is escaped here.
void append_inner_string(Buffer& out, std::string_view utf8) {
  out.push('"');
  for (const char c : utf8) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') {
      json::append_escaped(out, {&c, 1});
    } else {
      out.push(c);
    }
  }
  out.push('"');
}

void append_object(const std::vector<Entry>& entries, void (*string)(Buffer&, std::string_view),
                   Buffer& out) {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(entries.size());
  for (const Entry& entry : entries) hashes.push_back(text::java_string_hash(entry.key));
  out.push('{');
  bool first = true;
  for (const std::size_t i : text::java_map_order(hashes)) {
    if (!first) out.push(',');
    first = false;
    string(out, entries[i].key);
    out.push(':');
    if (entries[i].value) {
      string(out, *entries[i].value);
    } else {
      json::append_null(out);
    }
  }
  out.push('}');
}

}  // namespace

bool append_hstore(std::string_view text, HstoreForm form, Buffer& out) {
  HstoreText hstore(text);
  if (!hstore.parse()) return false;
  if (form == HstoreForm::map) {
    append_object(hstore.entries(), json::append_string, out);
    return true;
  }
  const std::size_t begin = out.size();
  append_object(hstore.entries(), append_inner_string, out);
  constexpr std::size_t worst_growth = 6, slack = 64;  // of json::append_string
  replace_tail(out, begin, (out.size() - begin) * worst_growth + slack,
               [](Buffer& to, std::string_view inner) { json::append_string(to, inner); });
  return true;
}

}  // namespace cdc::pg
