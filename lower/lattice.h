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

/// What a machine says of its instructions.
struct Lattice {
  std::span<const Edge> edges;
  std::span<const std::string_view> fences; // that a rule may begin or end with
  std::span<const Price> prices;
};

/// Rules of a scheme as its file has them (Target::rules), by operation.
using RuleTexts = std::vector<std::string>;

/// One edge of the lattice, taken at one instruction of one rule.
struct Step {
  std::size_t operation = 0;
  std::string rule; // the operation's after the step
  std::string what; // "`dmb ish` becomes `dmb ishld`", "without `dmb ish`"
};

/// Every single weakening of the scheme's rules, and every single strengthening of those of
/// `operations` (fences put at either end among them). Steps that no assembler knows are none.
std::vector<Step> weakenings(Machine machine, const RuleTexts& rules);
std::vector<Step> strengthenings(Machine machine, const RuleTexts& rules,
                                 const std::vector<std::size_t>& operations);

/// What instructions cost beside one another. The numbers of the tables only order orderings, by
/// how much they order; they are no measurements.
class Costs {
 public:
  explicit Costs(Machine machine);
  /// The same with what a file says: an instruction, with `*` for any operands, and a number a
  /// line. Throws InputError.
  Costs(Machine machine, const text::Source& source);

  std::uint64_t of(std::string_view instruction) const;
  std::uint64_t of(const RuleTexts& rules) const;

 private:
  struct Row {
    std::string pattern;
    std::uint64_t cost = 0;
  };
  std::vector<Row> rows_; // the first that matches counts
};

} // namespace thinair::lower
