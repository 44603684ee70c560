// Programs beyond herd7, written again with what herd7 has, and the way back from its answers.
#pragma once

#include "litmus/test.h"

#include <utility>
#include <vector>

namespace thinair::litmus::x86 {

struct HerdExport {
  /// What herd7 reads: one `exists` clause (the first clause's proposition, or `true`), everything
  /// that the original shows under `locations`, scratch registers in the filter.
  Test test;
  /// As herd7's answer names things, and as the original does; of everything that is shown.
  std::vector<std::pair<Observable, Observable>> names;
};

/// A test that herd7 reads and that has the same final states. An X86 test that herd7's 32-bit
/// front end lacks something for becomes an X86_64 test. `lock xadd`, `lock or` and `lock and`
/// become a guess, an `xchg` and a filter on the guess; conditional sets and moves become jumps.
/// Exact for values that herd7's arithmetic gets right (docs/language-x86.md). Throws Unsupported
/// for what has no such writing: shifts to the right, unsigned conditions, flags of a rewritten
/// instruction.
HerdExport herd_export(const Test& test, bool all_registers = false);

} // namespace thinair::litmus::x86
