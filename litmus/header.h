// The lines before the initial state: dialect, name, title, metadata.
#pragma once

#include "litmus/lexer.h"
#include "litmus/test.h"

#include <string>

namespace thinair::litmus {

/// Reads `Java NAME`, an optional title in quotes, and `Key=Value` lines, up to the `{` of the
/// initial state; skips other text there, as herd does. Fills dialect, name, title and metadata.
void read_header(Lexer& lexer, Test& test);

std::string print_header(const Test& test);

} // namespace thinair::litmus
