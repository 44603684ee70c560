// LLVM behind a plain interface: IR or assembly to object code, object code to decoded
// instructions.
#pragma once

#include "lower/machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// An operand as LLVM's disassembler gives it. x86 memory is five of them: base, scale, index,
/// displacement, segment.
struct MachineOperand {
  enum class Kind : std::uint8_t { none, reg, number } kind = Kind::none;
  std::string reg; // LLVM's name: "EAX"
  std::int64_t number = 0;
  friend bool operator==(const MachineOperand&, const MachineOperand&) = default;
};

struct MachineInstruction {
  std::uint64_t address = 0; // within its section
  std::vector<std::uint8_t> bytes;
  std::string opcode; // LLVM's name: "MOV32rm"
  std::vector<MachineOperand> operands;
  std::optional<std::uint64_t> target; // of a direct branch
  bool falls_through = true;           // false for an unconditional branch
  std::string symbol;                  // what a relocation inside it refers to; may be empty
  std::int64_t symbol_offset = 0;      // how far into the symbol
  std::string text;                    // as LLVM prints it
  /// Registers, whether named or implied, and whether memory is accessed: of Backend::decode alone.
  std::vector<std::string> reads, writes;
  bool accesses_memory = false;
};

struct MachineFunction {
  std::string name;
  std::vector<MachineInstruction> code;
};

/// LLVM's -O levels, for the optimizer and the code generator together.
enum class Level : std::uint8_t { O0, O1, O2, O3 };
std::string_view name(Level level); // "O2"

/// LLVM's target machine. Each thread has its own: LLVM's is not made to be shared.
class Backend {
 public:
  /// `more`: features of the processor beside those of the machine's row, for what is decoded.
  explicit Backend(Level level, Machine machine = {}, std::string_view more = {});
  ~Backend();
  Backend(Backend&&) noexcept;
  Backend& operator=(Backend&&) noexcept;

  /// LLVM IR, as text, through the optimizer and the code generator to an ELF object in memory.
  /// A text that LLVM does not accept is our bug.
  std::string compile(const std::string& ir);

  /// The same with the addresses of globals passed to each function as its arguments, after the
  /// optimizer has seen globals: no code to compute them.
  struct WithArguments {
    std::string object;
    std::map<std::string, std::vector<std::string>> arguments; // globals' names, by function
  };
  WithArguments compile_with_arguments(const std::string& ir);

  /// The step in between, for compilers outside of this process: IR as their optimizer left it, to
  /// IR with arguments for their code generator.
  struct IrWithArguments {
    std::string ir;
    std::map<std::string, std::vector<std::string>> arguments;
  };
  static IrWithArguments with_arguments(const std::string& optimized);

  /// The same after the optimizer: IR again.
  std::string optimize(const std::string& ir);

  /// Assembly text (AT&T for x86) to an ELF object in memory. Throws InputError for what LLVM's
  /// assembler rejects, with its message.
  std::string assemble(const std::string& assembly);

  /// The functions of an object, in the order of their addresses. Throws Unsupported for bytes that
  /// do not decode.
  std::vector<MachineFunction> disassemble(const std::string& object);

  /// The instruction at that place of raw code, which addresses within count from. Throws
  /// Unsupported for bytes that do not decode.
  MachineInstruction decode(const std::vector<std::uint8_t>& code, std::uint64_t at);

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

/// The version of LLVM in use: "19.1.7". Empty where thinair was built without (without_llvm.cpp):
/// then every Backend throws Unsupported when it is made.
std::string backend_version();

/// "8b 05 00 00 00 00", for messages.
std::string hexadecimal(const std::vector<std::uint8_t>& bytes);

/// As LLVM prints it, with a blank in the place of tabs.
std::string text_of(const MachineInstruction& instruction);

/// Throws Unsupported: "INSTRUCTION [BYTES]".
[[noreturn]] void unsupported(const MachineInstruction& instruction);

} // namespace thinair::lower
