// Control paths of AArch64 programs, and the sets of their events.
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/meaning.h"
#include "machine/common/walk.h"

#include <array>
#include <vector>

namespace thinair::aarch64 {
namespace {

using litmus::Construct;

template <std::size_t... I>
constexpr auto with_barriers(std::index_sequence<I...>) {
  constexpr std::array<std::string_view, 2 * barrier_count> names{
      "DMB.SY", "DMB.ISH",   "DMB.OSH",   "DMB.LD",  "DMB.ISHLD", "DMB.OSHLD",
      "DMB.ST", "DMB.ISHST", "DMB.OSHST", "DMB.NSH", "DMB.NSHLD", "DMB.NSHST",
      "DSB.SY", "DSB.ISH",   "DSB.OSH",   "DSB.LD",  "DSB.ISHLD", "DSB.OSHLD",
      "DSB.ST", "DSB.ISHST", "DSB.OSHST", "DSB.NSH", "DSB.NSHLD", "DSB.NSHST"};
  return std::to_array<graph::NamedSet>({
      {"A", t_acquire, false, Construct::ordered_instruction, "acquire"},
      {"Q", t_acquire_pc, false, Construct::ordered_instruction, "acquirePC"},
      {"L", t_release, false, Construct::ordered_instruction, "release"},
      {"X", t_exclusive, false, Construct::atomic_instruction, "exclusive"},
      {"NoRet", t_no_return, false, Construct::plain, "not returned"},
      {"ISB", t_isb, true, Construct::fence_instruction, "ISB"},
      {names[I], t_dmb << I, true, Construct::fence_instruction, names[I]}...,
  });
}

constexpr auto sets = with_barriers(std::make_index_sequence<2 * barrier_count>());

graph::ProgramPaths paths(const Test& test, const graph::PathLimits& limits) {
  return paths_of(program_of(test), limits);
}

} // namespace

graph::ProgramPaths paths_of(const Program& program, const graph::PathLimits& limits) {
  return machine::paths_of<Meaning<machine::SymbolicCore>>(program, architecture, limits);
}

constinit const graph::FrontEnd front_end{"AArch64", "aarch64", sets, paths};

} // namespace thinair::aarch64
