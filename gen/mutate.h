// Random edits of a program: neighbours of what is known to be interesting.
#pragma once

#include "gen/profile.h"
#include "litmus/program.h"
#include "litmus/random.h"

#include <optional>
#include <span>
#include <string_view>

namespace thinair::gen {

/// One kind of edit; absent where the program has nothing to apply it to.
struct Mutation {
  std::string_view name;
  std::uint32_t weight;
  std::optional<litmus::Program> (*apply)(const litmus::Program&, const Profile&, litmus::Random&);
};

std::span<const Mutation> mutations();

/// One to three edits. Where no edit fits the profile's bounds, the program itself (tidied), or
/// nothing if it is beyond them.
std::optional<litmus::Program> mutate(const litmus::Program& program, const Profile& profile,
                                      litmus::Random& random);

} // namespace thinair::gen
