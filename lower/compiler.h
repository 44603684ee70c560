// Lowering by a real compiler: LLVM's optimizer and back end, the machine code read back.
#pragma once

#include "litmus/text/error.h"
#include "lower/backend.h"
#include "lower/code_memory.h"
#include "lower/ir.h"
#include "lower/lowered.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
///
/// A thread's code depends on that thread alone, not on the programs that are compiled with it: the
/// unit is a function (ThreadIr), and no optimization of LLVM looks from one into another that it
/// does not call. So functions of many programs go through LLVM in one module, and each only once.
class Compiler {
 public:
  explicit Compiler(Level level, Machine machine = {}, std::optional<IrTools> tools = {})
      : machine_(machine), backend_(level, machine), tools_(std::move(tools)),
        own_(std::make_unique<CodeMemory>()), memory_(own_.get()) {}

  /// Looks for code there from now on, and leaves it there; it outlives the compiler.
  void share(CodeMemory& memory) { memory_ = &memory; }

  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program);

  /// Many programs at once, which takes less than half the time for each. What cannot be lowered
  /// says so and does not keep the others from it.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs);

  /// Compiles what is new in them: lowering them then finds their code in memory.
  void prepare(std::span<const litmus::Program> programs);

  /// The IR of one program, before and after the optimizer.
  std::string ir(const litmus::Program& program, bool optimized);

  /// An object file of the code: thread 0 is the function P0.
  std::string object(const litmus::Program& program);

 private:
  using Attempt = std::variant<Lowered, Unsupported>;
  std::vector<Attempt> attempts(std::span<const litmus::Program> programs);

  struct Body {
    std::string text;
    std::size_t globals = 0; // how many it names
    friend auto operator<=>(const Body&, const Body&) = default;
  };
  using Compiled = std::map<std::string, std::variant<ThreadCode, Unsupported>>; // by their text
  Compiled compiled(const std::set<Body>& bodies);
  void compile(std::span<const Body> bodies, Compiled& out);
  std::vector<ThreadCode> compile(std::span<const Body> bodies);
  /// Machine code, and where its functions' arguments point (none where addresses are in the code).
  Backend::WithArguments compile_module(const std::string& ir);

  Machine machine_;
  Backend backend_;
  std::optional<IrTools> tools_;
  std::unique_ptr<CodeMemory> own_;
  CodeMemory* memory_;
};

} // namespace thinair::lower
