// One thread's method by one compiler, another's by another: what a JVM runs while it warms up.
#pragma once

#include "runners/jit/capture.h"

#include <cstddef>
#include <vector>

namespace thinair::runners::jit {

/// By thread, which of the compilers has compiled it.
using Way = std::vector<std::size_t>;

/// All ways in which more than one of the compilers has compiled something, the first of which
/// gives the first thread to the first compiler and the others to the second. One thread alone, or
/// one compiler: all ways.
std::vector<Way> ways(std::size_t threads, std::size_t compilers);

/// The program's code that way. Throws Unsupported where the JVMs laid out objects differently.
lower::jit::Compilation mixed(const std::vector<lower::jit::Compilation>& by_compiler,
                              const Way& way);

/// The code lifted, with the names of the compilers; a mix or not.
lower::Lowered lifted(const std::vector<lower::jit::Compilation>& by_compiler, const Way& way,
                      const Asked& asked, lower::Backend& decoder);

} // namespace thinair::runners::jit
