// Sets of reads' variables, shared: what addresses, values and branches of a machine program come
// from.
#pragma once

#include "oracle/graph/term.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace thinair::graph {

struct SetId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(SetId, SetId) = default;
};

/// No set of its own: that of the variables of a term.
inline constexpr SetId by_term{0};
inline constexpr SetId no_variables{1};

class VariableSets {
 public:
  VariableSets() : sets_(2) {}

  SetId of(Variable variable) { return intern({variable}); }
  SetId unite(SetId a, SetId b) {
    if (a == b || b == no_variables) return a;
    if (a == no_variables) return b;
    std::vector<Variable> both;
    std::ranges::set_union((*this)[a], (*this)[b], std::back_inserter(both));
    return intern(std::move(both));
  }

  /// Ascending, without repetition.
  std::span<const Variable> operator[](SetId id) const { return sets_[id.value]; }

 private:
  SetId intern(std::vector<Variable> variables) {
    const auto next = SetId{static_cast<std::uint32_t>(sets_.size())};
    const auto [place, added] = ids_.try_emplace(variables, next);
    if (added) sets_.push_back(std::move(variables));
    return place->second;
  }

  std::vector<std::vector<Variable>> sets_;
  std::map<std::vector<Variable>, SetId> ids_;
};

} // namespace thinair::graph
