// Programs in which every access is a statement: the form that engines and compilers work on.
#pragma once

#include "litmus/program.h"

namespace thinair::litmus {

/// The same program with accesses as statements only: an access inside an expression moves in front
/// of its statement, into a fresh register, in Java's left-to-right order of evaluation (JLS 15.7).
/// Accesses in the condition of a loop run before it and again at the end of its body.
///
/// Fresh registers stand behind those of the program, which keep their ids; they are zero at first
/// and called `tmp1`, `tmp2` and so on. Statements made of one keep its span.
Program normalise(const Program& program);

/// Whether no expression of the program has an access inside.
bool is_normal(const Program& program);

} // namespace thinair::litmus
