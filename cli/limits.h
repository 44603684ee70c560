// What the tool calls the limits that libraries speak of by their ids.
#pragma once

#include "litmus/text/limit.h"

#include <string>
#include <string_view>

namespace thinair::cli {

/// What a user can do about a limit: its option, "--max-graphs", or a phrase with it; empty where
/// there is nothing to do.
std::string_view way_out(Limit limit);

/// "limit of executions reached (--max-graphs)"
std::string shown(const Reason& reason);

} // namespace thinair::cli
