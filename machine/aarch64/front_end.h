// AArch64 programs as paths of events, and what models of AArch64 may name.
#pragma once

#include "machine/aarch64/program.h"
#include "oracle/graph/path.h"

namespace thinair::aarch64 {

/// Tags of events. Those of barriers are `t_dmb` and `t_dsb` shifted to the left by the number of
/// the Barrier.
enum : graph::Tags {
  t_acquire = 1U << 0,    // reads of ldar, ldaxr, of updates with `a`
  t_acquire_pc = 1U << 1, // of ldapr
  t_release = 1U << 2,
  t_exclusive = 1U << 3, // exclusives and updates
  t_no_return = 1U << 4, // reads of updates whose result goes to the zero register
  t_isb = 1U << 5,
  t_dmb = 1U << 6,
  t_dsb = t_dmb << barrier_count,
};

extern const graph::FrontEnd front_end;
inline constexpr graph::Architecture architecture{front_end};

graph::ProgramPaths paths_of(const Program& program, const graph::PathLimits& limits = {});

} // namespace thinair::aarch64
