// What only tests of one dialect can be asked.
#pragma once

#include "litmus/test.h"

#include <string_view>

namespace thinair::litmus {

/// Throws Unsupported for a test that is none of Java's: "X86 tests WHERE".
void require_java(const Test& test, std::string_view where);

} // namespace thinair::litmus
