// The commands of this build, each defined in the file of its name.
#pragma once

#include "cli/command.h"

namespace cdc::cli {

extern const Command snapshot_command;
extern const Command stream_command;
extern const Command config_command;
extern const Command signal_execute_command;
extern const Command signal_stop_command;
extern const Command signal_pause_command;
extern const Command signal_resume_command;
extern const Command signal_log_command;
extern const Command signal_init_command;
extern const Command offsets_show_command;
extern const Command offsets_set_command;
extern const Command offsets_reset_command;
extern const Command offsets_import_command;
extern const Command offsets_export_command;
extern const Command offsets_check_command;

}  // namespace cdc::cli
