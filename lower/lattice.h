// What stands above and below an instruction: which orderings a machine's code can do without, and
// which it can have more of.
#pragma once

#include "lower/machine.h"
#include "lower/scheme.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// What stands directly below an instruction; `*` stands for its operands. Below a fence may be
/// nothing.
struct Edge {
  std::string_view stronger, weaker;
};

struct Price {
  std::string_view instruction; // with `*` for any operands
  std::uint64_t cost;
};

/// What instructions were measured to cost, and who published it.
struct Measured {
  std::string_view unit;   // "tenths of a cycle"
  std::string_view source; // where it was published, and of what
  std::span<const Price> prices;
};

/// What a machine says of its instructions.
struct Lattice {
  std::span<const Edge> edges;
  std::span<const std::string_view> fences; // that a rule may begin or end with, the strongest last
  std::span<const Price> prices;            // an order: what orders more costs more
  const Measured* measured = nullptr;       // null: nothing was published that we know of
};

/// One edge of the lattice, taken at one instruction of one rule.
struct Step {
  Operation operation;
  std::string rule; // the operation's after the step
  std::string what; // "`dmb ish` becomes `dmb ishld`", "without the second `dmb ish`"
};

/// Every single weakening of the scheme's rules, and every single strengthening of those of
/// `operations` (fences put at either end among them). Steps that no assembler knows are none.
std::vector<Step> weakenings(Machine machine, const SchemeText& scheme);
std::vector<Step> weakenings(Machine machine, const SchemeText& scheme, Operation operation);
std::vector<Step> strengthenings(Machine machine, const SchemeText& scheme,
                                 const std::vector<Operation>& operations);
SchemeText after(SchemeText scheme, const Step& step);

/// Whether the first rule is the second with some of its orderings weakened or left out, or is the
/// second. Code that is below shows all that the other does: what machines' models forbid, they
/// forbid because of an order, and here are fewer.
bool stands_below(Machine machine, const std::string& weaker, const std::string& stronger);

/// What makes the second rule of the first, which it stands below: "`fence rw, rw` becomes `fence
/// w, r`; without `fence r, rw`". Empty where they are the same.
std::string way_down(Machine machine, const std::string& stronger, const std::string& weaker);

/// The rule without any ordering that the lattice can take away.
std::string weakest(Machine machine, const std::string& rule);

/// The rule of an operation with all the ordering that the lattice has: full fences around it, and
/// no instruction that could order more.
std::string strongest(Machine machine, const std::string& rule);

/// What instructions cost beside one another.
class Costs {
 public:
  /// Numbers that only order orderings, by how much they order; they are no measurements.
  explicit Costs(Machine machine);
  /// The same with what a file says: an instruction, with `*` for any operands, and a number a
  /// line. Throws InputError.
  Costs(Machine machine, const text::Source& source);
  /// What was measured and published, and the order where nothing was.
  static Costs measured(Machine machine);

  std::uint64_t of(std::string_view instruction) const;
  std::uint64_t of_rule(const std::string& rule) const;
  std::uint64_t of(const SchemeText& scheme) const;
  /// What the numbers are: "tenths of a cycle, …".
  const std::string& source() const { return source_; }

 private:
  struct Row {
    std::string pattern;
    std::uint64_t cost = 0;
  };
  std::vector<Row> rows_; // the first that matches counts
  std::string source_;
};

} // namespace thinair::lower
