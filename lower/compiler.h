// Lowering by a real compiler: LLVM's optimizer and back end, the machine code read back.
#pragma once

#include "lower/backend.h"
#include "lower/ir.h"
#include "lower/lowered.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace thinair::lower {

/// Why a program has no lowered form: the text of an Unsupported.
struct NotLowered {
  std::string reason;
};

/// A compiler outside of this process: a module's IR to optimized IR, and that to an ELF object.
/// Both may throw Unsupported.
struct IrTools {
  std::function<std::string(const std::string& ir)> optimize, generate;
};

/// x86:llvm-O0 … riscv:llvm-O3: LLVM in this process, or other tools. One for each thread of
/// thinair's.
class Compiler {
 public:
  explicit Compiler(Level level, Machine machine = Machine::x86, std::optional<IrTools> tools = {})
      : machine_(machine), backend_(level, machine), tools_(std::move(tools)) {}

  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program);

  /// Many programs in one module, which takes less than half the time for each. What cannot be
  /// lowered says so and does not keep the others from it.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs);

  /// The IR of one program, before and after the optimizer.
  std::string ir(const litmus::Program& program, bool optimized);

  /// The object file that the code is read from.
  std::string object(const litmus::Program& program);

 private:
  Lowered lowered(const litmus::Program& program, const ProgramIr& ir,
                  const std::map<std::string, MachineFunction>& functions,
                  const std::map<std::string, std::vector<std::string>>& arguments) const;
  /// Machine code, and where its functions' arguments point (none where addresses are in the code).
  Backend::WithArguments compile(const std::string& ir);

  Machine machine_;
  Backend backend_;
  std::optional<IrTools> tools_;
};

} // namespace thinair::lower
