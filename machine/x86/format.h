// herd's X86_64 and X86 formats as languages.
#pragma once

#include "litmus/language.h"
#include "litmus/lexer.h"
#include "machine/x86/program.h"

namespace thinair::x86 {

using litmus::Lexer;
using litmus::Token;

extern const litmus::Language att;   // "X86_64": AT&T syntax
extern const litmus::Language intel; // "X86": Intel syntax, 32 bits

/// The syntax of an x86 test.
Syntax syntax_of(const Test& test);

/// From the initial state to the end of the file, of a test whose header has been read.
void read(Lexer& lexer, Test& test);

} // namespace thinair::x86
