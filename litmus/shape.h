// The names that shapes of litmus tests go by: SB, MP, IRIW.
#pragma once

#include "litmus/program.h"

#include <span>
#include <string>
#include <string_view>

namespace thinair::litmus {

/// A shape: what each thread does to which location, "Wx Ry | Wy Rx".
struct Shape {
  std::string_view name;
  std::string_view threads;
};

/// As diy7 names cycles and the literature names coherence tests; no two have equal programs.
std::span<const Shape> shapes();

/// The name of the shape whose reads and writes the program has, up to the names and the order of
/// threads and locations; fences, values, modes and branches are not looked at. An update is a read
/// or a write, as it fits: "SB with updates". Empty where no shape fits.
std::string shape_of(const Program& program);

/// What the threads of a shape do: "one thread writes x and reads y; another writes y and reads x".
/// Empty for what is no name of a shape.
std::string shape_in_words(std::string_view name);

} // namespace thinair::litmus
