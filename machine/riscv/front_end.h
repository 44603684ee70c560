// RISC-V programs as paths of events, and what models of RISC-V may name.
#pragma once

#include "oracle/graph/front_end.h"

namespace thinair::riscv {

/// Tags of events. The fences of a predecessor and a successor set are nine bits, in the order r,
/// w, rw of both.
enum : graph::Tags {
  t_acquire = 1U << 0, // `.aq` alone
  t_release = 1U << 1, // `.rl` alone
  t_acquire_release = 1U << 2,
  t_exclusive = 1U << 3, // LR and SC
  t_amo = 1U << 4,
  t_fence_tso = 1U << 5,
  t_fence_instructions = 1U << 6, // `fence.i`
  t_first_fence = 1U << 7,
};

extern const graph::FrontEnd front_end;
inline constexpr graph::Architecture architecture{front_end};

} // namespace thinair::riscv
