// Configuration files: which form a file has, reading it, and -s key=value.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "config/loaders.h"
#include "text/list.h"

namespace cdc::config {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

bool ends_with(std::string_view s, std::string_view end) {
  return s.size() >= end.size() && text::equals_ignore_case(s.substr(s.size() - end.size()), end);
}

std::string_view without_bom(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

// A properties file without extension: its first line that says something has a = before any ': '.
bool looks_like_properties(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text::trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '!') return true;
    const std::size_t equals = line.find('='), colon = line.find(": ");
    return equals != std::string_view::npos && equals < colon && line.back() != ':';
  }
  return false;
}

}  // namespace

ConfigProblem load_error(std::string where, std::string message) {
  return {ConfigProblem::Severity::error, std::move(where), {}, std::move(message)};
}

Form form_of(std::string_view path, std::string_view text) {
  if (ends_with(path, ".yaml") || ends_with(path, ".yml")) return Form::yaml;
  if (ends_with(path, ".json")) return Form::json;
  if (ends_with(path, ".properties")) return Form::properties;
  const std::string_view content = text::trim(without_bom(text));
  if (!content.empty() && content.front() == '{') return Form::json;
  return looks_like_properties(content) ? Form::properties : Form::yaml;
}

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  struct stat facts {};
  if (!file)
    return fail(ErrorKind::usage,
                fmt::format("The file '{}' cannot be read: {}", path, std::strerror(errno)));
  if (::fstat(::fileno(file.get()), &facts) == 0 && S_ISDIR(facts.st_mode))
    return fail(ErrorKind::usage, fmt::format("'{}' is a directory, not a file", path));
  std::string text;
  char block[16384];
  std::size_t n = 0;
  while ((n = std::fread(block, 1, sizeof block, file.get())) > 0) {
    text.append(block, n);
    if (text.size() > limit)
      return fail(ErrorKind::usage, fmt::format("The file '{}' is larger than {} bytes", path, limit));
  }
  if (std::ferror(file.get()) != 0)
    return fail(ErrorKind::usage,
                fmt::format("The file '{}' cannot be read: {}", path, std::strerror(errno)));
  return text;
}

Loaded load_file(const std::string& path) {
  auto text = read_text_file(path);
  if (!text) {
    Loaded out;
    out.problems.push_back(load_error({}, text.error().message));
    return out;
  }
  const std::string_view content = without_bom(*text);
  switch (form_of(path, content)) {
    case Form::json:
      return load_json(content, path);
    case Form::properties:
      return load_properties(content, path);
    default:
      return load_yaml(content, path);
  }
}

Loaded load_setting(std::string_view setting) {
  Loaded out;
  const std::size_t equals = setting.find('=');
  if (equals == 0 || equals == std::string_view::npos)
    out.problems.push_back(
        load_error("command line", fmt::format("-s '{}' is not of the form property=value", setting)));
  else
    out.entries.push_back({std::string(text::trim(setting.substr(0, equals))),
                           std::string(setting.substr(equals + 1)), std::nullopt, "command line",
                           Form::setting});
  return out;
}

}  // namespace cdc::config
