// Lowering by a real compiler: LLVM's optimizer and back end, the machine code lifted back.
#pragma once

#include "lower/backend.h"
#include "lower/lowered.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::lower {

/// Why a program has no lowered form: the text of an Unsupported.
struct NotLowered {
  std::string reason;
};

/// A compiler outside of this process: a module's IR to an ELF object, or to optimized IR. Both may
/// throw Unsupported.
struct IrTools {
  std::function<std::string(const std::string& ir)> compile, optimize;
};

/// x86:llvm-O0 … x86:llvm-O3: LLVM in this process, or other tools.
class Compiler {
 public:
  explicit Compiler(Level level, std::optional<IrTools> tools = {})
      : backend_(level), level_(level), tools_(std::move(tools)) {}

  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program);

  /// Many programs in one module, which takes less than half the time for each. What cannot be
  /// lowered says so and does not keep the others from it.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs);

  /// The IR of one program, before and after the optimizer.
  std::string ir(const litmus::Program& program, bool optimized);

  Level level() const { return level_; }

 private:
  std::string compile(const std::string& ir) {
    return tools_ ? tools_->compile(ir) : backend_.compile(ir);
  }

  Backend backend_;
  Level level_;
  std::optional<IrTools> tools_;
};

} // namespace thinair::lower
