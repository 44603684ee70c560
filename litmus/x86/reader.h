// Reads an x86 test from its initial state to the end of the file.
#pragma once

#include "litmus/lexer.h"
#include "litmus/test.h"

namespace thinair::litmus::x86 {

/// Fills the program and the questions of a test whose header has been read.
void read(Lexer& lexer, Test& test);

} // namespace thinair::litmus::x86
