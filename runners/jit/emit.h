// Programs as one Java class whose methods a JIT compiles: a method a thread.
#pragma once

#include "litmus/program.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace thinair::runners::jit {

/// The class with the methods; the state's and the result's are in lower/jit/method.h.
inline constexpr std::string_view batch_class = "Batch";

/// What the class's methods are called: all that JVMs compile and print begin so.
inline constexpr std::string_view method_prefix = "m_";
std::string method_name(std::size_t program, std::size_t thread);
std::string state_getter(std::size_t field);
std::string result_getter(std::size_t field);
/// Of fields that are references, and of objects, which are made once and for all programs.
std::string state_reference_getter(std::size_t field);
std::string result_reference_getter(std::size_t field);
std::string object_getter(std::size_t object);
/// Of fields of the result of other types, and what they are called.
std::string result_value_getter(litmus::TypeKind type, std::size_t field);
std::string result_field(litmus::TypeKind type, std::size_t field);
/// Of a program that looks inside objects, or has values of other types than int, which has a class
/// of its own: of its locations, and of the fields of its classes.
std::string location_getter(std::size_t program, std::size_t location);
std::string field_getter(std::size_t program, std::size_t of, std::size_t field);

/// A batch of programs. Some have no form in Java that suits: they have a reason instead.
struct Emitted {
  std::string source;               // of Batch.java
  std::vector<std::string> refused; // by program: empty, or why it is left out
  std::size_t state_fields = 0, result_fields = 0;
  std::size_t state_references = 0, result_references = 0, objects = 0;
  std::map<litmus::TypeKind, std::size_t> result_values; // of types other than int
  /// By program with a class of its own, by ObjectId: the line of the source where its `new` is.
  std::vector<std::vector<std::uint32_t>> lines;
  /// By program that has a class of its own and ClassId: what listings call it.
  std::vector<std::vector<std::string>> classes;
};

/// Methods are `static void m_P_T(State s, Result r)`: locations are fields of `s`, reached by
/// VarHandles that are constants; what the registers hold at the end goes to fields of `r`.
/// References have fields of their own there, of the class Object, and what a program's `new` makes
/// is a constant of the class. A program that looks inside objects, or has values of other types,
/// has a class Batch_P of its own,
/// with the methods, its classes, and a State for its locations; its code makes its objects. `main`
/// links every VarHandle call, then calls each method as often
/// as its argument says, on objects of which all fields are 0.
Emitted emit(std::span<const litmus::Program> programs);

} // namespace thinair::runners::jit
