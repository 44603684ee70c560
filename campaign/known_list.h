// The file of known mismatches: what is listed there is no news.
#pragma once

#include "campaign/report.h"
#include "litmus/canonical.h"
#include "litmus/text/source.h"

#include <string>
#include <vector>

namespace thinair::campaign {

/// Ids of minimal programs, one a line, 32 hexadecimal digits as reports print them; `#` begins a
/// comment. Throws InputError with the place of anything else.
std::vector<litmus::ContentHash> parse_known(const text::Source& source);

/// Such a file, with target, behaviour and reason of each mismatch as comments.
std::string print_known(const std::vector<Group>& found, const Identity& identity);

} // namespace thinair::campaign
