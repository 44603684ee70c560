// Optimizations that the memory model does not allow.
#pragma once

#include "litmus/program.h"

namespace thinair::mutants {

using litmus::Program;

Program every_second_volatile_store_released(const Program& program);

// neighbours in a thread that change places, where registers let them
Program full_fence_above_store(const Program& program);
Program loads_swapped_around_acquire_fence(const Program& program);
Program stores_swapped_around_release_fence(const Program& program);
Program load_above_acquire(const Program& program);
Program load_above_volatile(const Program& program);
Program store_above_acquire(const Program& program);
Program release_above_store(const Program& program);
Program release_above_load(const Program& program);
Program volatile_load_above_volatile_store(const Program& program);
Program opaque_loads_of_one_location_swapped(const Program& program);
Program opaque_load_above_acquire(const Program& program);
Program load_above_update(const Program& program);

// what is dropped for a neighbour but one
Program load_reused_past_acquire(const Program& program);
Program store_dropped_past_release(const Program& program);

} // namespace thinair::mutants
