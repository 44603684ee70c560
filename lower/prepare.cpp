// Normal form, loops, features that no code is made for.
#include "lower/prepare.h"

#include "litmus/normal.h"
#include "litmus/text/error.h"
#include "litmus/unroll.h"
#include "lower/bounds.h"
#include "lower/floats.h"
#include "lower/runtime.h"

#include <algorithm>

namespace thinair::lower {

litmus::Program prepared(const litmus::Program& program, std::uint32_t loop_bound) {
  const auto found = litmus::features(program);
  if (std::ranges::any_of(program.locations, &litmus::Location::is_final))
    throw Unsupported("final fields in lowered code");
  auto flat = litmus::is_normal(program) ? program : litmus::normalise(program);
  if (found.floats) flat = comparing_bits(std::move(flat));
  if (found.loops) flat = litmus::unroll(flat, loop_bound);
  if (found.monitors || found.thread_lifetime) settle_runtime(flat);
  check_bounds(flat);
  return flat;
}

Restoration of_source(Restoration restoration, const litmus::Program& source) {
  std::erase_if(restoration.rows, [&](const Restoration::Row& row) {
    if (!row.source.thread) return false;
    const auto& registers = source.threads[row.source.thread->value].registers;
    return std::ranges::find(registers, row.source.name, &litmus::Register::name) ==
           registers.end();
  });
  return restoration;
}

} // namespace thinair::lower
