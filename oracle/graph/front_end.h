// What turns programs of one kind, Java's or a machine's, into paths of events, and what models of
// that kind may name.
#pragma once

#include "litmus/constructs.h"
#include "litmus/language.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace thinair::graph {

struct ProgramPaths;
struct PathLimits;

/// A property of events that a machine has and others have not: a bit of PathEvent::tags.
using Tags = std::uint64_t;

/// A set of events that models of a machine may name: those with any of the tags.
struct NamedSet {
  std::string_view name; // "MFENCE"; herd's, where herd has it
  Tags tags = 0;
  bool fences = false; // they are fences; else accesses to memory
  /// What programs use that has such events, and a model has to give a meaning to; plain: nothing,
  /// as events are ordered no further by it.
  litmus::Construct construct = litmus::Construct::plain;
  std::string_view shown = {}; // how drawings call them: "locked"; empty: another row does
};

struct FrontEnd {
  std::string_view name;          // "Java", "x86": of the programs, for messages
  std::string_view machine;       // as languages name theirs
  std::span<const NamedSet> sets; // none has two rows; of Java none
  ProgramPaths (*paths)(const litmus::Test& test, const PathLimits& limits) = nullptr;
};

/// Java's (java_paths.cpp).
extern const FrontEnd java_front_end;

/// All of them, Java's first (machine/table.cpp).
std::span<const FrontEnd* const> front_ends();

/// Whose executions a model is about: a front end, compared by identity.
class Architecture {
 public:
  static const Architecture java;

  constexpr explicit Architecture(const FrontEnd& front_end) : front_end_(&front_end) {}
  const FrontEnd* operator->() const { return front_end_; }
  bool is_java() const { return *this == java; }
  friend constexpr bool operator==(Architecture, Architecture) = default;

 private:
  const FrontEnd* front_end_;
};

inline constexpr Architecture Architecture::java{java_front_end};

/// That of a test's program.
Architecture architecture_of(const litmus::Test& test);

} // namespace thinair::graph
