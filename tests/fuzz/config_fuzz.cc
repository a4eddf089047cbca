// Any bytes into the readers of configuration: the three file forms, URLs, -s settings through all
// checks, list splitting and regexes. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cdc/config.h"
#include "config/loaders.h"
#include "text/list.h"
#include "text/regex.h"

using namespace cdc;

namespace {

void check_loaded(config::Loaded loaded) {
  config::translate_server_names(loaded);
  for (const config::RawEntry& entry : loaded.entries)
    if (entry.origin.empty()) std::abort();
}

void check_settings(const std::string& text) {
  // Files named by the input would make the run depend on this machine.
  if (text.find("${") != std::string::npos) return;
  ConfigInput input;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    input.settings.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const ConfigReport report = read_config(input);
  render_config(report.config, true);
}

void check_list(const std::string& text) {
  const auto pieces = text::split_list(text);
  if (!pieces) return;
  const auto again = text::split_list(text::join_list(*pieces));
  if (!again || *again != *pieces) std::abort();
}

void check_regex(const std::string& text) {
  const std::size_t cut = std::min(text.find('\n'), text.size());
  const auto regex = text::Regex::compile(std::string_view(text).substr(0, cut));
  if (!regex) return;
  const std::string subject = cut < text.size() ? text.substr(cut + 1) : "public.orders";
  (void)regex->matches(subject);
  (void)regex->replace_all(subject, "$1x");
  (void)regex->check_replacement(subject);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0:
      check_loaded(config::load_yaml(text, "f"));
      break;
    case 1:
      check_loaded(config::load_json(text, "f"));
      break;
    case 2:
      check_loaded(config::load_properties(text, "f"));
      break;
    case 3:
      check_loaded(config::load_url(text));
      break;
    case 4:
      check_settings(text);
      break;
    case 5:
      check_list(text);
      break;
    default:
      check_regex(text);
      break;
  }
  return 0;
}
