// Programs for tests of lowering: built by hand, or at random from everything lowering accepts.
#pragma once

#include "litmus/program.h"
#include "litmus/random.h"

#include <string>
#include <vector>

namespace thinair::lower::testing {

struct Shape {
  std::size_t threads = 2, statements = 6, locations = 3, registers = 5;
  unsigned depth = 3; // of expressions and of ifs
};

/// `x`, `y`, …; registers r0, r1, …; all 31 methods, five fences, expressions and ifs; no division.
litmus::Program random_program(litmus::Random& random, const Shape& shape = {});

/// One thread `P0` over the locations x and y.
litmus::Program one_thread(std::vector<litmus::Statement> body, std::size_t registers = 3);

litmus::Statement access(litmus::Method method, std::uint32_t location,
                         std::vector<litmus::Expression> arguments = {},
                         std::optional<std::uint32_t> target = {});

} // namespace thinair::lower::testing
