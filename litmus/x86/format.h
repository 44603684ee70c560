// herd's X86_64 and X86 formats, as litmus/test.cpp wants to know them.
#pragma once

#include "litmus/format.h"

namespace thinair::litmus::x86 {

/// Reader, writer and register list of the dialects `X86_64` and `X86`.
Format format();

/// The program as a JSON object.
std::string to_json(const Test& test);

/// The syntax of a dialect; `att` for a dialect that is none of ours.
Syntax syntax_of(Dialect dialect);

} // namespace thinair::litmus::x86
