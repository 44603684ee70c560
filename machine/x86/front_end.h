// x86 programs as paths of events, and what models of x86 may name.
#pragma once

#include "machine/x86/program.h"
#include "oracle/graph/path.h"

namespace thinair::x86 {

/// Tags of events.
enum : graph::Tags {
  t_atomic = 1U << 0, // accesses of locked instructions, and of xchg with memory
  t_mfence = 1U << 1,
  t_lfence = 1U << 2,
  t_sfence = 1U << 3,
};

extern const graph::FrontEnd front_end;
inline constexpr graph::Architecture architecture{front_end};

graph::ProgramPaths paths_of(const Program& program, const graph::PathLimits& limits = {});

} // namespace thinair::x86
