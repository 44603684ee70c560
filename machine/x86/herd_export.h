// Programs beyond herd7, written again with what herd7 has, and the way back from its answers.
#pragma once

#include "machine/x86/format.h"

namespace thinair::x86 {

using litmus::HerdExport;

/// A test that herd7 reads and that has the same final states. An X86 test that herd7's 32-bit
/// front end lacks something for becomes an X86_64 test. `lock xadd`, `lock or` and `lock and`
/// become a guess, an `xchg` and a filter on the guess; conditional sets and moves become jumps.
/// Exact for values that herd7's arithmetic gets right (docs/language-x86.md). Throws Unsupported
/// for what has no such writing: shifts to the right, unsigned conditions, flags of a rewritten
/// instruction.
HerdExport herd_export(const Test& test, bool all_registers = false);

} // namespace thinair::x86
