// Comparing by where the names lead.
#include "capture/file_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cdc {
namespace {

struct Role {
  std::string_view what;
  std::string path;
};

// Names of no file of their own: stdout, pipes, templates, devices.
bool is_plain_file(std::string_view path) {
  return !path.empty() && path != "-" && path != "none" && path != ":memory:" && !path.starts_with("fifo:") &&
         !path.starts_with("/dev/") && path.find('{') == std::string_view::npos;
}

std::string resolved(const std::string& path) {
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed);
  const auto target = std::filesystem::weakly_canonical(absolute, failed);
  return (failed ? absolute : target).string();
}

}  // namespace

bool same_file(const std::string& one, const std::string& other) { return resolved(one) == resolved(other); }

Result<void> check_file_roles(const Config& config, const std::vector<std::string>& configured) {
  std::vector<Role> roles;
  const auto add = [&](std::string_view what, std::string_view path) {
    if (is_plain_file(path)) roles.push_back({what, resolved(std::string(path))});
  };
  add("the output", config.text("output"));
  add("the state", config.text("state"));
  add("metrics.file", config.text("metrics.file"));
  add("signal.file", config.text("signal.file"));
  // One configuration file twice is nobody's harm.
  const auto written = roles.size();
  for (const std::string& file : configured) add("a configuration file", file);
  for (std::size_t i = 1; i < roles.size(); ++i)
    for (std::size_t k = 0; k < std::min(i, written); ++k)
      if (roles[k].path == roles[i].path)
        return fail(
            ErrorKind::usage,
            fmt::format("{} and {} are the same file, {}", roles[k].what, roles[i].what, roles[i].path),
            "Give each a file of its own");
  return {};
}

}  // namespace cdc
