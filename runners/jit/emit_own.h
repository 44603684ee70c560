// A program with fields of its own as a Java class whose methods a JIT compiles.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

/// The class of the n-th program of a batch, all that is begun by.
std::string own_class(std::size_t program);

/// Its source: the program's classes, a class State with its locations, VarHandles that are
/// constants, a method a thread, getters of every location and field with `touch`, which calls
/// them, and `link`, which makes each of the program's calls of VarHandles, so that none is
/// unlinked when methods are compiled.
struct OwnSource {
  std::string text;
  std::vector<std::string> classes; // by ClassId, as listings call them: "Batch_0$A_c"
  std::vector<std::uint32_t> lines; // by ObjectId: in that line of the text, from 1, is its `new`
};
OwnSource own_source(const litmus::Program& program, std::size_t number);

/// A call of a VarHandle's method, and another one that uses its result, if it has one, in a
/// variable: "H0.get(s)", "int t = (int) H0.get(s)". Of a boolean the result is used, always: else
/// javac has an entry of the constant pool for that call alone, and what methods before it call is
/// not linked. `argument` stands for each argument.
std::vector<std::string> linked_calls(const litmus::MethodInfo& method, const std::string& handle,
                                      const std::string& of, std::string_view type,
                                      std::string_view variable, std::string_view argument);

} // namespace thinair::runners::jit
