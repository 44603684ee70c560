// RISC-V's rows for lowering and for running.
#include "lower/attempts.h"
#include "lower/naming.h"
#include "lower/run_alone.h"
#include "lower/text_rules.h"
#include "machine/code/table.h"
#include "machine/riscv/code/jit.h"
#include "machine/riscv/code/lattice.h"
#include "machine/riscv/meaning.h"
#include "machine/riscv/program.h"

#include <array>

namespace thinair::lower::riscv_code {
namespace {

using Names = std::string_view;

class Processor {
 public:
  using Instruction = riscv::Instruction;
  Processor(std::span<const litmus::Cell> cells, std::vector<std::uint64_t>& memory)
      : memory_(cells, memory) {}
  void set(riscv::Register reg, std::uint64_t value) {
    state_.registers.at(index(reg)) = static_cast<litmus::Value>(value);
  }
  bool step(const Instruction& in) { return riscv::execute(in, state_, core_); }
  std::vector<std::uint64_t> registers() const {
    return {state_.registers.begin(), state_.registers.end()};
  }

 private:
  Addressed memory_;
  machine::ConcreteCore core_{memory_};
  riscv::State<machine::ConcreteCore> state_;
};

// RISC-V calling convention: arguments in a0 to a7 (x10 to x17), temporaries x5 to x7, x28 to x31.
constexpr auto pins = std::to_array<Names>({"x17", "x16", "x15", "x14", "x13", "x28", "x29", "x30",
                                            "x31", "x5", "x6", "x7", "x12", "x11", "x10"});
constexpr auto addresses =
    std::to_array<Names>({"X10", "X11", "X12", "X13", "X14", "X15", "X16", "X17"});

constexpr auto loads =
    std::to_array<Names>({"lb", "lh", "lw ", "ld ", "lr.w", "lr.d"}); // lbu and lhu, too
constexpr auto attempts = std::to_array<Names>({"sc.w", "sc.d"});

bool retries(const litmus::Test& test, std::size_t thread, std::size_t from, std::size_t jump) {
  return only_retries({loads, attempts}, test, thread, from, jump);
}

std::string register_in_tests(std::string_view name) { return 'x' + std::string(name.substr(1)); }

} // namespace
} // namespace thinair::lower::riscv_code

namespace thinair::riscv {

constexpr lower::MachineInfo lowering{
    .prefix = "riscv",
    .title = "RISC-V",
    .form = "riscv:NAME",
    .help = "RISC-V code, by a scheme or by LLVM",
    .word = "RISCV",
    .is_cell_name = lower::is_safe_name,
    .register_in_tests = lower::riscv_code::register_in_tests,
    .read_rules = lower::read_rules<Instruction>,
    .lattice = &lower::riscv_code::lattice,
    .run_alone = lower::run_alone<lower::riscv_code::Processor>,
    .only_retries = lower::riscv_code::retries,
    .triple = "riscv64-unknown-linux-gnu",
    .features = "+m,+a",
    .pins = lower::riscv_code::pins,
    .addresses = lower::riscv_code::addresses,
    .end_of_thread = "ebreak",
    .end_opcode = "EBREAK",
    .jump = "j",
    .compiled = &lower::jit::riscv_code::compiled,
};

constexpr const runners::Operational* operational = nullptr;

} // namespace thinair::riscv
