// A Java test as one file of plain Java that anyone can read and run: for bug reports.
#pragma once

#include "litmus/test.h"

#include <string>

namespace thinair::litmus::java {

/// A class with a method a thread and a `main` that runs them against each other and counts how
/// they end: `java FILE.java [ROUNDS]`, JDK 11 or later, nothing else. Final registers are shown,
/// and final memory. Throws Unsupported for x86 tests and what Java source has no form for.
std::string plain_source(const Test& test);

} // namespace thinair::litmus::java
