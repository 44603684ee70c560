// Who may compile what where several schemes are mixed.
#pragma once

#include "litmus/modes.h"
#include "litmus/program.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace thinair::litmus {

/// The schemes of a mix, by what they compile differently: of schemes that have one rule for an
/// operation, only the first is a choice for it.
struct Choices {
  Choice schemes = 1;
  std::vector<std::vector<Choice>> of_method, of_fence; // empty: the first compiles everything

  std::span<const Choice> of(Method method) const;
  std::span<const Choice> of(Fence fence) const;
  friend bool operator==(const Choices&, const Choices&) = default;
};

/// Every choice of the program, an access's or a fence's, may be changed; in the order of the text.
void each_choice(Program& program, const std::function<void(Method, Choice&)>& access,
                 const std::function<void(Fence, Choice&)>& fence);

/// One more than the largest choice of the program: a mix needs as many schemes.
Choice choices_of(const Program& program);

/// The same program with the first choice everywhere.
Program without_choices(const Program& program);

} // namespace thinair::litmus
