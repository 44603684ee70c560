// A lowered program as a litmus test of its machine that asks the source's question.
#pragma once

#include "litmus/test.h"
#include "lower/lowered.h"

#include <string>

namespace thinair::lower {

/// The source's proposition over the target's registers and locations; what is known without
/// running becomes `always` or `never`.
litmus::Proposition in_target(const litmus::Proposition& proposition,
                              const Restoration& restoration);

/// A test: shows everything that restoring needs, asks the source's clauses.
litmus::Test lowered_test(const litmus::Test& source, const Lowered& lowered,
                          std::string_view target);

/// Assembly with each source statement in a comment before its code and the restoration on
/// top.
std::string annotated_assembly(const Lowered& lowered);

/// The source and its code side by side, thread by thread.
std::string side_by_side(const Lowered& lowered);

} // namespace thinair::lower
