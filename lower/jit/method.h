// What a JIT compiler printed of one method, and how the objects lie that it works on.
#pragma once

#include "litmus/program.h"
#include "lower/machine.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thinair::lower::jit {

/// The class of the object that holds a program's locations, as notes in listings call it. Its
/// fields are `int`s and references; so are those of the object that a thread leaves its registers
/// in.
inline constexpr std::string_view state_class = "State", result_class = "Result";

/// One compiled method: a thread of a program, `static void NAME(State, Result)`.
struct Method {
  std::string name;
  std::string compiler;      // "c2"
  int level = 0;             // of tiered compilation, where the listing says one
  std::uint64_t address = 0; // of the first byte
  std::vector<std::uint8_t> code;
  std::uint64_t entry = 0; // how far into the code the verified entry point is
  /// What the listing says of places in the code, by their distance from its beginning:
  /// "{runtime_call SafepointBlob}". A place is that of the instruction, rounded down (compiled.h).
  std::map<std::uint64_t, std::string> notes;
  std::vector<std::string> parameters; // the registers they are passed in, as the listing has them
};

/// Where fields lie in the two objects, by the order of their declarations. Learnt from getters
/// that the same JVM compiled.
struct Layout {
  std::vector<std::int64_t> state, result;
  /// Of locations and registers that are references: these are fields beside the others.
  std::vector<std::int64_t> state_references = {}, result_references = {};
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// A program as a JIT saw it: method i is thread i; location i is field i of the state, register i
/// of a thread is field i of its result.
struct Compilation {
  Machine machine;
  litmus::Program source;
  std::vector<Method> threads;
  Layout layout;
  std::vector<litmus::Value> objects = {}; // where they are, by ObjectId, in 32 bits
};

} // namespace thinair::lower::jit
