// Runs x86 code on the processor of this machine: registers, flags and one cell in, the same out.
#pragma once

#include "litmus/random.h"
#include "lower/backend.h"
#include "lower/lowered.h"
#include "machine/x86/step.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thinair::lower::testing {

/// What our semantics or the processor starts with or leaves behind. Of memory there is one cell,
/// which %rdi points at.
struct Outcome {
  x86::State state;
  std::uint64_t cell = 0;
  x86::Flags undefined; // that some instruction of the run leaves undefined
};

/// Registers, flags and the cell at random, with a liking for edges; %rdi as our semantics has it.
Outcome random_input(litmus::Random& random);

/// The code by `x86::step`. Memory is reached through %rdi alone.
Outcome interpret(const x86::Thread& thread, const Outcome& input);

/// Pieces of code in executable memory.
class Executable {
 public:
  /// Lines of AT&T assembly, labels among them.
  explicit Executable(const std::vector<std::string>& pieces);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  bool works() const; // whether this system gives executable memory
  Outcome run(std::size_t piece, const Outcome& input) const;

 private:
  void* page_;
  std::size_t size_ = 0;
  std::vector<std::size_t> starts_;
};

/// Whether both are alike, what `expected` says is undefined left out.
bool alike(const Outcome& expected, Outcome real);

std::string to_string(const Outcome& outcome);

} // namespace thinair::lower::testing
