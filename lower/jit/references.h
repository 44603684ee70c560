// References in compiled code: numbers that say which object, as long as nobody looks inside.
#pragma once

#include "litmus/program.h"
#include "lower/jit/method.h"

#include <cstddef>
#include <span>

namespace thinair::lower::jit {

/// For programs that do not look inside (inside.h): the program with ints in the place of
/// references: null is 0, the n-th object `objects[n]`, and `new` a constant. With fields nobody
/// reads, identity is all that an object has. Throws Unsupported for arrays.
litmus::Program with_numbers(const litmus::Program& program,
                             std::span<const litmus::Value> objects);

/// The same with 1, 2, … for the objects.
litmus::Program with_numbers(const litmus::Program& program);

/// Where the fields lie that a thread's code works on, locations and registers in their order.
Layout layout_of(const Compilation& compilation, std::size_t thread);

/// The address in a listing's note "{oop(a 'java/lang/Object'{0x00000000f0091ec0})}", as the code
/// of the method has it: compressed, in 32 bits. Throws Unsupported where there is none, or one
/// that is not compressed so.
litmus::Value object_returned(const Method& getter);

} // namespace thinair::lower::jit
