// A Java test as one file of plain Java that anyone can read and run: for bug reports.
#pragma once

#include "litmus/test.h"

#include <string>
#include <string_view>

namespace thinair::litmus::java {

/// A class with a method a thread and a `main` that runs them against each other and counts how
/// they end: `java FILE.java [ROUNDS]`, JDK 11 or later, nothing else. It prints which JVM runs,
/// final registers and memory, and behind them which question of the test this outcome answers;
/// then how often each was. `file` is where the test comes from; empty: nothing is said. Throws
/// Unsupported for x86 tests and what Java source has no form for.
std::string plain_source(const Test& test, std::string_view file = {});

/// How to call the file that `plain_source` is kept in: after the class, where that is not too long
/// for a file.
std::string source_file_name(const Test& test);

} // namespace thinair::litmus::java
