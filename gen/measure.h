// How large a program is: the order in which a reduction goes down.
#pragma once

#include "litmus/program.h"

#include <array>
#include <cstdint>

namespace thinair::gen {

/// Lexicographic, the most important first: threads, accesses, fences and other actions (a `new` is
/// one), branches and loops, statements, strength of actions (a compare-and-set above a get), final
/// fields, fields, variables for references, locations and monitors, registers, expression nodes,
/// strength of modes and fences, sum of constants' sizes, sum of choices (0 where the first scheme
/// of a mix compiles everything), other types than int. Every edit of a reducer pass makes it
/// smaller, so that every reduction ends.
using Measure = std::array<std::uint64_t, 16>;

Measure measure(const litmus::Program& program);

/// plain < opaque < acquire = release < volatile.
std::uint32_t strength(litmus::Mode mode);
std::uint32_t strength(const litmus::MethodInfo& method); // both halves
std::uint32_t strength(litmus::Fence fence); // full above acquire and release above the one-sided

/// get and set 0, get-and-set 1, get-and-add and get-and-bitwise 2, compare-and-* 3.
std::uint32_t complexity(litmus::Action action);

} // namespace thinair::gen
