// Telling the forms apart, and reading the textual ones line by line.
#include "cli/offsets_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "json/json_read.h"
#include "state/partition.h"

namespace cdc::cli {
namespace {

constexpr std::string_view kJavaMagic = "\xAC\xED";
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;  // a real one has some kilobytes

Result<std::string> read_all(const std::string& path) {
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto failed = [&] {
    return fail(ErrorKind::usage, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  };
  if (fd < 0) return failed();
  std::string bytes;
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t n = ::read(fd, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int why = errno;
      if (fd != STDIN_FILENO) ::close(fd);
      errno = why;
      return failed();
    }
    if (n == 0 || bytes.size() > kMaxBytes) break;
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
  }
  if (fd != STDIN_FILENO) ::close(fd);
  if (bytes.size() > kMaxBytes)
    return fail(ErrorKind::usage, fmt::format("{} is too big for an offset file", path));
  return bytes;
}

std::optional<std::string> offset_value(std::string_view text) {
  if (text.empty() || json::is_null(text)) return std::nullopt;
  return std::string(text);
}

// {"name":"shop","partition":{...},"offset":{...}}
std::optional<DebeziumOffset> from_object(std::string_view line) {
  const auto members = json::members(line);
  if (!members) return std::nullopt;
  DebeziumOffset found;
  for (const auto& [name, value] : *members) {
    if (name == "name") found.engine = json::unquote(value).value_or(std::string());
    if (name == "partition") found.partition = value;
    if (name == "offset") found.value = offset_value(value);
  }
  return found.partition.empty() ? std::nullopt : std::optional(std::move(found));
}

// ["shop",{...}] TAB {...}
std::optional<DebeziumOffset> from_key_and_value(std::string_view line) {
  const std::size_t tab = line.find('\t');
  const auto key = json::elements(line.substr(0, tab));
  if (!key || key->size() != 2) return std::nullopt;
  const auto engine = json::unquote((*key)[0]);
  if (!engine) return std::nullopt;
  return DebeziumOffset{*engine, std::string((*key)[1]),
                        tab == std::string_view::npos ? std::nullopt : offset_value(line.substr(tab + 1))};
}

bool is_well_formed(const DebeziumOffset& offset) {
  return json::members(offset.partition) && (!offset.value || json::members(*offset.value));
}

void keep_last(std::vector<DebeziumOffset>& all, DebeziumOffset offset) {
  for (DebeziumOffset& known : all)
    if (known.engine == offset.engine &&
        canonical_json(known.partition) == canonical_json(offset.partition)) {
      known = std::move(offset);
      return;
    }
  all.push_back(std::move(offset));
}

}  // namespace

Result<std::vector<DebeziumOffset>> read_offsets(std::string_view bytes) {
  if (bytes.starts_with(kJavaMagic)) return read_debezium_offsets(bytes);
  std::vector<DebeziumOffset> all;
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    std::optional<DebeziumOffset> offset =
        line.starts_with('[') ? from_key_and_value(line) : from_object(line);
    if (!offset || !is_well_formed(*offset))
      return fail(
          ErrorKind::corrupt, fmt::format("line {} is no stored offset", number),
          "Debezium's offsets.dat, lines of `cdc offsets show --json`, and KEY TAB VALUE lines of Kafka "
          "Connect's offsets topic are understood");
    keep_last(all, std::move(*offset));
  }
  if (all.empty())
    return fail(ErrorKind::corrupt, "it holds no offset",
                "a crash of Debezium while it wrote leaves an empty file; take the copy of before");
  return all;
}

Result<std::vector<DebeziumOffset>> read_offsets_file(const std::string& path) {
  CDC_TRY(const std::string bytes, read_all(path));
  auto offsets = read_offsets(bytes);
  if (!offsets) {
    Error error = std::move(offsets).error();
    error.message =
        fmt::format("cannot import offsets from {}: {}", path == "-" ? "stdin" : path, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  return offsets;
}

std::string portable_offset(std::string_view offset) {
  const auto members = json::members(offset);
  if (!members) return std::string(offset);
  std::string kept;
  for (const auto& [name, value] : *members) {
    // The hash of a Java object of a process that is gone.
    if (name.find("LogicalDecodingMessageId@") != std::string::npos) continue;
    kept += fmt::format("{}{}:{}", kept.empty() ? "" : ",", json::quote(name), value);
  }
  return "{" + kept + "}";
}

}  // namespace cdc::cli
