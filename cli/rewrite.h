// Replacing a file as a whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace thinair::cli {

/// `path` holds `text` afterwards, with the permissions it had; or, where this throws InputError,
/// what it held before. A symbolic link stays one: what it points at is replaced.
void rewrite_file(const std::string& path, std::string_view text);

} // namespace thinair::cli
