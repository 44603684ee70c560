// Locations that code takes in two halves, each a cell of its own: longs of a 32-bit processor,
// which may tear (JLS 17.7).
#pragma once

#include "lower/lowered.h"
#include "lower/naming.h"
#include "machine/x86/code/rules.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace thinair::lower::x86_code {

/// The rule that makes an access's code: that of its type, by the scheme that the program chose.
const Rule& rule_of(std::span<const SchemeRules* const> mix, const litmus::Program& program,
                    const litmus::Thread& thread, const litmus::Access& access);

class Halves {
 public:
  /// The upper halves stand behind the first `cells` cells. Throws Unsupported for a location that
  /// one access takes in halves and another whole: models know no accesses that overlap.
  Halves(std::span<const SchemeRules* const> mix, const litmus::Program& program,
         std::size_t cells);

  /// Of a location that is in halves, where the upper one is.
  std::optional<litmus::LocationId> high_of(litmus::LocationId location) const {
    return high_[location.value];
  }
  /// Splits these cells of the program's locations.
  void split(std::vector<litmus::Cell>& cells, Legal legal) const;
  /// Says of each location that is in halves where the upper one is found.
  void tell(Lowered& lowered, std::span<const litmus::Cell> cells) const;

 private:
  std::vector<std::optional<litmus::LocationId>> high_; // by location of the source
};

} // namespace thinair::lower::x86_code
