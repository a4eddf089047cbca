// The list of commands. A new one is a file with its Command and a line here.
#include "cli/commands.h"

#include <array>

namespace cdc::cli {

std::span<const Command* const> commands() {
  static constexpr std::array kCommands{
      &snapshot_command,      &stream_command,         &config_command,        &signal_execute_command,
      &signal_stop_command,   &signal_pause_command,   &signal_resume_command, &signal_log_command,
      &signal_init_command,   &offsets_show_command,   &offsets_set_command,   &offsets_reset_command,
      &offsets_check_command, &offsets_export_command, &offsets_import_command};
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : commands())
    if (command->name == name) return command;
  return nullptr;
}

std::string Invocation::value(std::string_view option) const {
  const auto found = values.find(option);
  return found == values.end() || found->second.empty() ? std::string() : found->second.back();
}

}  // namespace cdc::cli
