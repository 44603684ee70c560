// What HotSpot prints of the methods that it compiles (-XX:CompileCommand=print), without hsdis:
// the bytes in hexadecimal, with notes.
#pragma once

#include "lower/jit/method.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

/// All methods of a listing, in its order; what stands between them is not looked at. One
/// that breaks off, as where the JVM died, is left out. Throws Unsupported that names the line for
/// a listing of a form that is not known.
std::vector<lower::jit::Method> read_listing(std::string_view text);

} // namespace thinair::runners::jit
