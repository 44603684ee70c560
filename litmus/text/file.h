// Writing a file as a whole or not at all, and making its folder.
#pragma once

#include <string>
#include <string_view>

namespace thinair::text {

/// Whether a file must outlive a power cut. Where there are thousands, which can be made again,
/// waiting for the disk after each takes longer than making them.
enum class Flush : bool { no, yes };

/// `path` holds `text` afterwards; or, where this throws InputError or the process is killed, what
/// it held before, or nothing if there was none. The text is written beside the file, to
/// `.NAME.thinair`, and takes its place when it is whole (and on the disk, unless told); what a
/// killed process left there is written over by the next one. A file keeps its permissions; a
/// symbolic link stays one: what it points at is replaced. What is no file, a terminal or a pipe,
/// is written to as it is.
void write_file(const std::string& path, std::string_view text, Flush flush = Flush::yes);

/// Gives a finished file its place: `draft` must be in the same file system.
/// Throws InputError where that cannot be done; `draft` is still there then.
void move_into_place(const std::string& draft, const std::string& path, Flush flush = Flush::yes);

/// The file that a chain of symbolic links ends at, whether or not it is there.
std::string followed(const std::string& path);

/// Makes a folder and those that it is in, where they are not there. Throws InputError.
void make_folders(const std::string& path);

} // namespace thinair::text
