// The program type: threads of statements over registers and shared locations.
#pragma once

#include "litmus/expression.h"
#include "litmus/ids.h"
#include "litmus/modes.h"
#include "litmus/text/source.h"
#include "litmus/type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thinair::litmus {

struct Statement;
using Block = std::vector<Statement>;

/// `r = e;` An access on the right is an `Access` statement; deeper ones stay inside `value`.
struct Assign {
  RegisterId target;
  Expression value;
  bool declares = false; // written `int r = e;`
  friend bool operator==(const Assign&, const Assign&) = default;
};

/// Which of the schemes of a mix compiles an access or a fence, counted from 0: `@2 fullFence();`
/// is compiled by the second. Means nothing to models, nor to targets that are no mix.
using Choice = std::uint32_t;
inline constexpr Choice most_choices = 16;

/// A VarHandle access, with or without a register for its result.
struct Access {
  std::optional<RegisterId> target;
  bool declares = false;
  Method method = Method::get;
  LocationId location;               // but of fields
  std::vector<Expression> arguments; // info(method).arguments of them, an element's index first
  Choice by = 0;
  std::optional<FieldOf> field = {}; // in place of a location
  friend bool operator==(const Access&, const Access&) = default;
};

struct FenceStatement {
  Fence fence = Fence::full;
  Choice by = 0;
  friend bool operator==(const FenceStatement&, const FenceStatement&) = default;
};

struct If {
  Expression condition;
  Block then_block;
  Block else_block; // empty: no else
  friend bool operator==(const If&, const If&) = default;
};

/// `while (c) {..}` or `do {..} while (c);`. Run at most `bound` times (the tool's default where
/// absent); what the bound cuts off is recorded by whoever unrolls, and ends in `unknown`.
struct Loop {
  bool test_first = true;
  Expression condition;
  Block body;
  std::optional<std::uint32_t> bound;
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// `synchronized` enter and exit as separate actions (JLS 17.4.2): `lock(m);` and `unlock(m);`.
struct MonitorStatement {
  bool enter = true;
  MonitorId monitor;
  friend bool operator==(const MonitorStatement&, const MonitorStatement&) = default;
};

/// Thread lifetime (JLS 17.4.4): `start(T);` begins thread T, `join(T);` waits for its end.
struct ThreadStatement {
  enum class Kind : std::uint8_t { start, join } kind = Kind::join;
  ThreadId thread;
  friend bool operator==(const ThreadStatement&, const ThreadStatement&) = default;
};

/// An external action (JLS 17.4.9): `print(e);`.
struct ExternalStatement {
  Expression value;
  friend bool operator==(const ExternalStatement&, const ExternalStatement&) = default;
};

/// `A r = new A { r.x = 1; }`: a fresh object whose fields are 0 and null, and its constructor, in
/// which `r` is `this`. At the end of `body` final fields are frozen (JLS 17.5.1). Of an array
/// there is no body: `int[] r = new int[2];`.
struct New {
  RegisterId target;
  bool declares = false;
  ObjectId object;
  Block body;
  friend bool operator==(const New&, const New&) = default;
};

/// Where `unroll` stopped: a path that gets here is cut off, it is not a complete execution. Never
/// read from a file.
struct Cut {
  friend bool operator==(const Cut&, const Cut&) = default;
};

struct Statement {
  using Node = std::variant<Assign, Access, FenceStatement, If, Loop, MonitorStatement,
                            ThreadStatement, ExternalStatement, New, Cut>;
  Node node;
  text::Span span; // where it was read from; ignored by ==
  friend bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }
};

struct Location {
  std::string name;
  Value initial = 0;
  bool is_final = false; // UMM's final variable: frozen before the next write to something else
  JavaType type = {};
  friend bool operator==(const Location&, const Location&) = default;
};

/// What a thread calls a location: `0:X=x` makes X thread 0's VarHandle for x.
struct Handle {
  std::string name;
  LocationId location;
  friend bool operator==(const Handle&, const Handle&) = default;
};

struct Register {
  std::string name;
  Value initial = 0; // `0:r1=5` in the initial state
  JavaType type = {};
  friend bool operator==(const Register&, const Register&) = default;
};

struct Thread {
  std::string name; // "Thread0", as written
  std::vector<Register> registers;
  std::vector<Handle> handles; // every location the thread touches has one
  Block body;
  friend bool operator==(const Thread&, const Thread&) = default;
};

struct Field {
  std::string name;
  JavaType type = {};
  bool is_final = false; // written in constructors only, and frozen at their end (JLS 17.5)
  friend bool operator==(const Field&, const Field&) = default;
};

/// A class of the text, or an array type. That has one field, which stands for all elements, and no
/// row in the text: array types follow the classes, in the order of `number_of` their elements'
/// types (`order_arrays`).
struct Class {
  std::string name; // "int[]" of an array
  std::vector<Field> fields;
  bool is_array = false;
  friend bool operator==(const Class&, const Class&) = default;
};

/// What a `new` makes.
struct Object {
  ClassId of;
  std::uint32_t length = 0; // of an array

  Object(ClassId class_of, std::uint32_t elements = 0) : of(class_of), length(elements) {}
  friend bool operator==(const Object&, const Object&) = default;
};

struct Program {
  std::vector<Class> classes;
  std::vector<Object> objects; // one for each `new` of the text, in the order of threads
  std::vector<Location> locations;
  std::vector<std::string> monitors;
  std::vector<Thread> threads;
  friend bool operator==(const Program&, const Program&) = default;
};

/// Features that an engine may lack; each names itself as in "unsupported: monitors".
struct Features {
  bool loops = false, monitors = false, thread_lifetime = false, final_fields = false,
       external_actions = false, objects = false, arrays = false;
  bool types = false;  // values of other types than int, references aside
  bool floats = false; // floats and doubles, which are among these
};
Features features(const Program& program);

/// Accesses in the program text (a fence is none), the size that reports and bounds speak of.
std::size_t count_accesses(const Program& program);
std::size_t count_accesses(const Block& block);

} // namespace thinair::litmus
