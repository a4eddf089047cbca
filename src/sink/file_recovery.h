// What the file sink does at its start: brings the files on disk to what the state says. Everything here
// can be done over when it is interrupted.
#pragma once

#include <vector>

#include "cdc/error.h"
#include "cdc/runtime.h"
#include "cdc/sink.h"
#include "sink/file_system.h"
#include "sink/path_template.h"

namespace cdc {

// Cuts tails, finishes renames and joins, removes unfinished files that the state does not know. Gives
// the files that this run may go on with (finished ones too, for their numbers). Files of another --output
// are put right as well as possible and then forgotten. `replaces`: a finished file is its reader's, whatever
// was done to it.
Result<std::vector<FilePosition>> recover_files(FileSystem& fs, const PathTemplate& name,
                                                const std::vector<FilePosition>& committed, bool replaces,
                                                bool sync, Log& log);

}  // namespace cdc
