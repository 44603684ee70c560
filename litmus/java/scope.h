// The names a thread's code may use while it is read: registers, VarHandles, monitors, threads.
#pragma once

#include "litmus/initial.h"
#include "litmus/lexer.h"
#include "litmus/objects.h"
#include "litmus/program.h"

#include <string_view>
#include <vector>

namespace thinair::litmus::java {

/// A thread named by `start` or `join`, checked once all threads are known.
struct ThreadReference {
  ThreadId thread;
  text::Span span;
};

/// Number of a word `Thread0`; absent where the word is none.
std::optional<std::uint32_t> thread_number(std::string_view word);

/// Whether the language keeps the word for itself: no register or VarHandle is called so.
bool is_reserved(std::string_view word);

/// A constant index of an array, checked once all arrays are known.
struct ConstantIndex {
  ClassId of; // the array's type
  Value index = 0;
  text::Span span;
};

/// What is checked once the whole program is read.
struct Unchecked {
  std::vector<ThreadReference> threads;
  std::vector<ConstantIndex> indices;
};

/// Resolves names of one thread and adds to its tables. Every lookup that fails throws InputError.
class Scope {
 public:
  Scope(const Lexer& lexer, Program& program, Thread& thread, Unchecked& unchecked)
      : lexer_(lexer), program_(program), thread_(thread), unchecked_(unchecked) {}

  RegisterId use(const Token& name); // one that was assigned, declared or initialised before
  /// That one, or a new one of this type.
  RegisterId assign(const Token& name, JavaType type = {});
  bool knows_register(std::string_view name) const { return find_register(name).has_value(); }
  std::optional<ClassId> find_class(std::string_view name) const;
  /// A field of an object that a register refers to.
  FieldOf field(const Token& reference, const Token& name);
  /// An element of the array that a register refers to.
  FieldOf element(const Token& reference);
  void add_constant_index(const FieldOf& element, Value index, text::Span span);
  JavaType array_of(JavaType element) { return litmus::array_of(program_, element); }
  ObjectId add_object(ClassId of, std::uint32_t length, text::Span span);
  const Program& program() const { return program_; }
  const Thread& thread() const { return thread_; }
  /// While the constructor of `self` is read, which alone writes its final fields.
  void enter_constructor(RegisterId self) { constructed_.push_back(self); }
  void leave_constructor() { constructed_.pop_back(); }
  bool constructs(RegisterId self) const;
  LocationId handle(const Token& name) const;
  MonitorId lock(const Token& name);
  MonitorId unlock(const Token& name) const; // one that this thread locked before
  ThreadId thread(const Token& name, std::uint32_t number);

  void add_handle(std::string_view name, text::Span span, LocationId location);
  void add_initial_register(std::string_view name, text::Span span, Value value, JavaType type);
  /// Counts one statement of the program against the limit.
  void count_statement(text::Span span, std::size_t& total) const;

 private:
  std::optional<RegisterId> find_register(std::string_view name) const;
  const Handle* find_handle(std::string_view name) const;
  RegisterId add_register(std::string_view name, text::Span span, Value value, JavaType type = {});
  void check_free(std::string_view name, text::Span span) const;

  const Lexer& lexer_;
  Program& program_;
  Thread& thread_;
  Unchecked& unchecked_;
  std::vector<MonitorId> locked_;
  std::vector<RegisterId> constructed_;
};

} // namespace thinair::litmus::java
