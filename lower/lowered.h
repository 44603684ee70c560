// A source program as machine code, and the way back from what the machine shows to the source.
#pragma once

#include "litmus/condition.h"
#include "litmus/language.h"
#include "litmus/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thinair::lower {

/// Where the final value of a source observable is found: in a machine register or location, or it
/// is known without running anything (a register never assigned, a constant).
using Found = std::variant<litmus::Observable, litmus::Value>;

/// The inverse of register allocation: every register of every source thread, and every source
/// location, has a row. Nothing is dropped.
struct Restoration {
  struct Row {
    litmus::Observable source;
    Found found;
    litmus::TypeKind type = litmus::TypeKind::int_; // of the source's value
    std::optional<litmus::Observable> high = {}; // of a location in halves: where the upper one is
    friend bool operator==(const Row&, const Row&) = default;
  };
  std::vector<Row> rows; // sorted by source

  /// Private locations that are 1 at the end of an execution cut off by the bound of a loop: such a
  /// behaviour is not one of the program.
  std::vector<litmus::Observable> cuts;

  /// What is 1 at the end where compiled code was left for the interpreter, by an uncommon trap:
  /// how it goes on is not known.
  std::vector<litmus::Observable> traps;
  std::vector<litmus::Value> objects; // their addresses, by ObjectId

  /// A reference as the machine has it.
  litmus::Value address_of(litmus::Value reference) const {
    return reference == 0 ? 0 : objects.at(static_cast<std::size_t>(reference) - 1);
  }

  litmus::Value reference_at(litmus::Value address) const; // and back

  /// The target observables that restoring needs, sorted, without repetition.
  std::vector<litmus::Observable> needed() const;

  /// Those among `rows`, in their order: what restored behaviours are made of.
  std::vector<litmus::Observable> observables() const;

  /// What a target behaviour is of.
  enum class Of : std::uint8_t {
    whole_execution,
    cut_off, // one of `cuts` is set
    trapped, // one of `traps` is
  };
  Of of(const std::vector<litmus::Observable>& observed, const litmus::Behaviour& behaviour) const;

  /// The source behaviour that a target behaviour (values of `observed`) stands for. Of machine
  /// values the low bits count, as many as the type has; addresses become references.
  litmus::Behaviour restore(const std::vector<litmus::Observable>& observed,
                            const litmus::Behaviour& behaviour) const;

  friend bool operator==(const Restoration&, const Restoration&) = default;
};

/// Where a row's value is found: "0:rbx", "4", "[x] and [x_high]".
std::string to_string(const Restoration::Row& row);
/// "0:r1 <- 0:rbx; [x] <- [x]", for printing beside the code.
std::string to_string(const Restoration& restoration);

/// Which source statement each instruction comes from: its number in the thread's text, counted
/// from 0 in the order of reading; none for code that belongs to no statement alone.

struct Lowered {
  litmus::Code program;
  const litmus::Language* language = nullptr; // that the program is written in
  Restoration restoration;
  litmus::Program source; // without loops and nested accesses: what was lowered
  std::vector<std::vector<std::uint32_t>> origins; // by thread, then instruction; may be empty
  std::vector<std::string> mix;                    // names of the schemes; empty: it is no mix
  std::vector<std::string> compilers; // by thread, where not all are compiled by the same
};

} // namespace thinair::lower
