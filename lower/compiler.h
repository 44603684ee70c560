// Lowering by a real compiler: LLVM's optimizer and back end, the machine code lifted back.
#pragma once

#include "lower/backend.h"
#include "lower/lowered.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace thinair::lower {

/// Why a program has no lowered form: the text of an Unsupported.
struct NotLowered {
  std::string reason;
};

/// x86:llvm-O0 … x86:llvm-O3.
class Compiler {
 public:
  explicit Compiler(Level level) : backend_(level), level_(level) {}

  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program);

  /// Many programs in one module, which takes less than half the time for each. What cannot be
  /// lowered says so and does not keep the others from it.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs);

  /// The IR of one program, before and after the optimizer.
  std::string ir(const litmus::Program& program, bool optimized);

  Level level() const { return level_; }

 private:
  Backend backend_;
  Level level_;
};

} // namespace thinair::lower
