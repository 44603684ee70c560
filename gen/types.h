// Other types than int: a program of ints with some of its locations, fields and elements made
// bytes, longs and so on, and the way back, a step at a time.
#pragma once

#include "gen/reduce.h"
#include "litmus/program.h"
#include "litmus/random.h"

#include <cstdint>

namespace thinair::gen {

/// The program, of ints and references, in which about `share` of 100 locations and fields (and
/// elements, all of an array) have another type, of those about `floats` of 100 float or double;
/// registers and casts follow. Half of the longs and doubles are written values that differ in both
/// halves.
litmus::Program with_types(litmus::Program program, std::uint32_t share, std::uint32_t floats,
                           litmus::Random& random);

/// Whether the printer's text of it is read as it stands: an edit may have put a value where its
/// type does not fit.
bool types_fit(const litmus::Program& program);

/// Literals, casts, registers and locations of other types than int, references aside.
std::uint64_t count_types(const litmus::Program& program);

} // namespace thinair::gen
