// database.password.command: a program whose first line of output is the password (a cloud's IAM token,
// a secret store). Run anew for each connection.
#pragma once

#include <string>

#include "cdc/error.h"
#include "cdc/runtime.h"

namespace cdc::pg {

// By /bin/sh; at most 30 s. Errors: refused, cancelled. What it prints never shows in a message.
Result<std::string> run_password_command(const std::string& command, const StopToken& stop);

}  // namespace cdc::pg
