// What thinair scheme does beside listing: comparing schemes, and searching around them.
#pragma once

#include "cli/command.h"

#include <string>

namespace thinair::cli {

/// What differs between two schemes, rule by rule. Exit code 1 where something does.
Exit diff_schemes(const Arguments& arguments, Console& console);
/// Which orderings of a scheme nothing needs.
Exit relax_scheme(const Arguments& arguments, Console& console);
/// The least strengthening that makes a scheme sound.
Exit repair_scheme(const Arguments& arguments, Console& console);

} // namespace thinair::cli
