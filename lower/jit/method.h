// What a JIT compiler printed of one method, and how the objects lie that it works on.
#pragma once

#include "litmus/machine/cells.h"
#include "litmus/program.h"
#include "lower/machine.h"

#include <cstdint>
#include <map>
#include <optional>
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
  /// Words of 32 bits that stand beside the code, by their distance from its beginning.
  std::map<std::int64_t, std::uint32_t> constants = {};
};

/// Where an object of the program's lies in tests: its fields lie there as in a JVM's heap, with
/// cells that nobody accesses where nothing of the program's is, and its header is left out.
struct ObjectPlace {
  struct Field {
    std::int64_t offset = 0; // from the object's address, in a JVM
    unsigned bytes = 4;
    std::uint32_t cell = 0; // of the object's
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::vector<Field> fields;       // as the class declares them; of an array, its elements
  std::optional<Field> length;     // of an array: its word
  std::int64_t first = 0;          // the offset of the first cell
  std::vector<litmus::Type> cells; // from there, each at the next multiple of its width
  litmus::Value address = 0;       // of the object: the first cell lies `first` bytes behind it
  std::uint32_t line = 0;          // of the source that was compiled: there stands its `new`
  std::string of = {};             // its class, as listings call it
  bool is_other = false;           // whether another thread makes it
  friend bool operator==(const ObjectPlace&, const ObjectPlace&) = default;
};

/// Where fields lie in the two objects, by the order of their declarations. Learnt from getters
/// that the same JVM compiled.
struct Layout {
  std::vector<std::int64_t> state, result;
  /// Of locations and registers that are references: these are fields beside the others.
  std::vector<std::int64_t> state_references = {}, result_references = {};
  /// Of registers of types that no int field takes, by type.
  std::map<litmus::TypeKind, std::vector<std::int64_t>> result_values = {};
  std::vector<unsigned> state_bytes = {}, result_bytes = {}; // how wide; empty: 4 bytes each
  std::vector<ObjectPlace> objects = {};                     // by ObjectId, where code makes them
  std::vector<litmus::Value> made_before = {}; // the objects' addresses, where code does not
  bool refers = false;                         // whether the program has references at all
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
  /// Of a program that looks inside objects: the offsets of their fields, by ClassId, and the lines
  /// of the compiled source in which their `new` stand, by ObjectId. Such objects are made by code.
  /// Of a class of arrays, the offset of the first element, and that of the length.
  std::vector<std::vector<std::int64_t>> fields = {};
  std::vector<std::uint32_t> lines = {};
  std::vector<std::string> classes = {}; // by ClassId, as listings call them
};

} // namespace thinair::lower::jit
