// The Java litmus format: herd's, and our extension of it (docs/language.md).
#pragma once

#include "litmus/program.h"

#include <string>

namespace thinair::litmus::java {

/// `5`, `5L`, `true`, `1.5f`, `Float.NaN`.
std::string literal(TypeKind type, Value value);

/// An expression as Java writes it. `thread` names its registers and VarHandles.
std::string to_string(const Expression& e, const Program& program, const Thread& thread);

/// One statement without the blocks inside: `int r1 = X.get();`, `if (r1 == 0)`.
std::string to_string(const Statement& statement, const Program& program, const Thread& thread);

/// {"locations":[..],"monitors":[..],"threads":[..]}, with names in place of ids.
std::string to_json(const Program& program);

/// Initial state and threads, as `print` writes them.
std::string print(const Program& program);

} // namespace thinair::litmus::java
