// Every program up to a size and up to symmetry, each exactly once.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace thinair::gen {

/// The programs of at least one and at most `max_size` accesses and fences, in at most
/// `max_threads` threads, over at most `max_locations` locations, made of these methods and fences.
/// Every read keeps its result; the writes to a location store 1, 2, .. in the order in which the
/// program text has them; a compare-and-set expects the initial value.
struct Space {
  std::uint32_t max_size = 4;
  std::uint32_t max_threads = 2;
  std::uint32_t max_locations = 2;
  std::vector<litmus::Method> methods;
  std::vector<litmus::Fence> fences;
};

/// Builds the program at hand; only called for those that are wanted.
using MakeProgram = std::function<litmus::Program()>;

/// Calls `visit(index, make)` for each class of programs that differ in the order of threads and in
/// the names of locations only, smaller programs first, until it returns false. The numbering is
/// the same on every machine. Returns how many were visited.
std::uint64_t
enumerate(const Space& space,
          const std::function<bool(std::uint64_t index, const MakeProgram& make)>& visit);

/// How many there are.
std::uint64_t count(const Space& space);

} // namespace thinair::gen
