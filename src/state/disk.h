// Small whole files on disk: reading, replacing in one step, folders. And the words for their errors, told
// apart by whether the user can mend them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cdc/error.h"

namespace cdc {

// Kind sink for a full or broken disk, usage for permissions and wrong paths.
tl::unexpected<Error> state_fail(std::string_view attempt, const std::string& path, int code);

// Nothing when the file does not exist.
Result<std::optional<std::string>> read_file(const std::string& path);
// `path` with symbolic links followed to where they lead, also when nothing is there yet: what a rename has
// to name, lest it puts a file in the place of the user's link.
std::string behind_links(const std::string& path);
// Temporary file, fsync, rename, fsync of the folder: the old content or the new, never a mixture. Follows
// symbolic links.
Result<void> replace_file(const std::string& path, std::string_view content);
Result<void> sync_folder_of(const std::string& path);
// Makes the missing folders above `path`, open to their owner only.
Result<void> make_folders_above(const std::string& path);

}  // namespace cdc
