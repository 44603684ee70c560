// What a test asks: propositions over final registers and memory, and the clauses that quantify
// them.
#pragma once

#include "litmus/ids.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::litmus {

/// A thing whose final value can be asked for: register `0:r1`, or location `[x]` where `thread` is
/// absent; a cell of an array is the location called `t[1]`. The order is that of printed
/// behaviours: registers by thread then name, then locations by name.
struct Observable {
  std::optional<ThreadId> thread;
  std::string name;

  friend bool operator==(const Observable&, const Observable&) = default;
  friend std::strong_ordering operator<=>(const Observable& a, const Observable& b);
};

std::string to_string(const Observable& observable); // "0:r1", "[x]" or "t[1]"

/// A proposition: a value tree. Atoms compare an observable with a constant, or two observables.
struct Proposition {
  enum class Kind : std::uint8_t {
    always,
    never,
    equal,
    not_equal,
    all,
    any,
    negation,
    implication
  };
  Kind kind = Kind::always;
  Observable left;                 // equal, not_equal
  std::optional<Observable> right; // equal, not_equal; absent: `constant`
  Value constant = 0;
  /// What `constant` stands for: of x86 the location whose address it is, of Java `null` or an
  /// object; empty: a number.
  std::string address;
  std::vector<Proposition> parts; // all, any: two or more; negation: one; implication: two

  friend bool operator==(const Proposition&, const Proposition&) = default;
};

enum class Quantifier : std::uint8_t {
  exists,     // herd's `exists`
  not_exists, // herd's `~exists`
  forall,     // herd's `forall`
  required,   // some execution must show it
  forbidden,  // no execution may show it
  contested,  // experts disagree: reported, never a failure
};

enum class Verdict : std::uint8_t { allowed, forbidden, contested };

/// What a source says about an outcome under one model: `verdicts jls04=allowed jam21=forbidden`.
struct ModelVerdict {
  std::string model;
  Verdict verdict = Verdict::allowed;
  friend bool operator==(const ModelVerdict&, const ModelVerdict&) = default;
};

/// One question of a test.
struct Clause {
  Quantifier quantifier = Quantifier::exists;
  std::string label; // required, forbidden, contested: how tables name it; may be empty
  Proposition proposition;
  std::string because; // one sentence
  std::vector<ModelVerdict> verdicts;
  std::string confidence; // certain | likely | unsure; empty: certain
  friend bool operator==(const Clause&, const Clause&) = default;
};

/// A final state: values of `observables` of a `BehaviourSet`, in the same order.
using Behaviour = std::vector<Value>;

/// A final state by itself: what was looked at, in the order of observables, and its value.
struct State {
  std::vector<std::pair<Observable, Value>> values;
  friend bool operator==(const State&, const State&) = default;
};
State state_of(const std::vector<Observable>& observables, const Behaviour& behaviour);
std::string to_string(const State& state); // "0:r1=1; [x]=2"
/// The state that this is the text of; absent: of none.
std::optional<State> state_in(std::string_view text);

/// Whether `behaviour` (values of `observables`) satisfies the proposition. Every observable must
/// be listed.
bool holds(const Proposition& proposition, const std::vector<Observable>& observables,
           const Behaviour& behaviour);

/// Observables mentioned, sorted, without repetition.
std::vector<Observable> mentioned(const Proposition& proposition);

/// "0:r1=1; [x]=2": the canonical text of a behaviour of a Java test. (Of any test: litmus/test.h.)
std::string to_string(const std::vector<Observable>& observables, const Behaviour& behaviour);

std::string to_string(const Proposition& proposition); // herd's syntax

/// The proposition that every execution satisfies.
Proposition anything();
Proposition equals(Observable observable, Value value);
/// That all of them hold; `anything()` of none, the part itself of one.
Proposition all_of(std::vector<Proposition> parts);
/// That the observables have these values.
Proposition exactly(const State& state);
Proposition exactly(const std::vector<Observable>& observables, const Behaviour& behaviour);

} // namespace thinair::litmus
