// Tests as jcstress sources, and jcstress's outcomes as behaviours of the tests.
#pragma once

#include "litmus/test.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jcstress {

/// The package of all tests: jcstress refuses classes without one.
inline constexpr std::string_view package = "litmus";

/// A field of the result: r1, r2, … in order.
struct Slot {
  litmus::Observable observable;
  /// What it holds where no path wrote the register, which is then `unwritten` to us.
  std::optional<litmus::Value> sentinel;
  litmus::Value unwritten = 0;
  litmus::TypeKind type = litmus::TypeKind::int_;
  /// Not of the test: 1 where a thread ended in an exception, which is no final state. The last one
  /// of a test whose threads may throw.
  bool tells_exception = false;
};

/// A test on its way to a JVM.
struct Prepared {
  std::string name;       // of the test
  std::string class_name; // in `package`
  litmus::Test test;      // what runs, exactly: registers start at sentinels (sentinel.h)
  std::vector<Slot> slots;
};

/// Observes every register, and `locations` at the end (all of them where absent: those that the
/// test's questions name). Throws Unsupported for x86 tests and for tests without anything to see.
Prepared prepare(const litmus::Test& test,
                 const std::optional<std::vector<litmus::Observable>>& locations = {});

/// What jcstress is to think of an outcome.
struct Grade {
  std::string outcome; // "1, 0"; empty: all that no other grade names
  bool acceptable = true;
  std::string reason;
};

/// The source file. Throws Unsupported for what a JVM cannot be asked (docs/jvm.md).
std::string source_of(const Prepared& test, std::span<const Grade> grades);

/// What the fields of a result are: ints, or longs where some value is one.
enum class Fields : std::uint8_t { ints, longs };
Fields fields_of(const Prepared& test);

/// The simple name of the result class: jcstress's own up to eight ints, else an emitted one.
std::string result_class(std::size_t slots, Fields fields = Fields::ints);
/// The file of an emitted one; no value where jcstress has it.
std::optional<std::string> result_source(std::size_t slots, Fields fields = Fields::ints);
inline std::string result_class(const Prepared& test) {
  return result_class(test.slots.size(), fields_of(test));
}
inline std::optional<std::string> result_source(const Prepared& test) {
  return result_source(test.slots.size(), fields_of(test));
}

/// The behaviour that jcstress prints as "1, 0", over the observables of `slots`; absent where it
/// is no such text, or says that a thread ended in an exception.
std::optional<litmus::Behaviour> behaviour_of(const Prepared& test, std::string_view outcome);
/// The outcome that a behaviour of Prepared::test (sentinels and all) has.
std::string outcome_of(const Prepared& test, const litmus::Behaviour& behaviour);
/// The outcome where a thread ended in an exception; absent where none can.
std::optional<std::string> exception_outcome(const Prepared& test);

std::vector<litmus::Observable> observables_of(const Prepared& test);

} // namespace thinair::runners::jcstress
