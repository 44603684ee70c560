// What Backend::compile is held against.
#pragma once

#include "lower/backend.h"

#include <string>

namespace thinair::lower {

/// As Backend::compile, by all passes that LLVM has at that level, in LLVM's order: one function
/// goes through all of the code generator before the next does. Backend leaves out passes that look
/// for what our IR never has, and takes all functions through a part of the code generator at a
/// time, for the processor's caches. The object is the same.
std::string compiled_by_all_passes(const std::string& ir, Level level, Machine machine);

} // namespace thinair::lower
