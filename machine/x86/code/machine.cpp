// x86's rows for lowering and for running.
#include "lower/run_alone.h"
#include "machine/code/table.h"
#include "machine/x86/code/jit.h"
#include "machine/x86/code/lattice.h"
#include "machine/x86/code/lift.h"
#include "machine/x86/code/names.h"
#include "machine/x86/code/retries.h"
#include "machine/x86/code/rules.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/code/trace.h"
#include "machine/x86/step.h"

#include <array>

namespace thinair::lower::x86_code {
namespace {

class Processor : private x86::MemoryPort {
 public:
  using Instruction = x86::Instruction;
  Processor(std::span<const litmus::Cell> cells, std::vector<std::uint64_t>& memory)
      : cells_{{cells.begin(), cells.end()}, {}}, memory_(memory) {}

  void set(x86::Register reg, std::uint64_t value) {
    state_.registers[static_cast<std::size_t>(reg)] = value;
  }
  bool step(const Instruction& in) { return x86::step(in, state_, *this); }
  std::vector<std::uint64_t> registers() const {
    return {state_.registers.begin(), state_.registers.end()};
  }

 private:
  const x86::Program* program() const override { return &cells_; }
  std::uint64_t load(litmus::LocationId location, x86::Width width) override {
    return litmus::truncated(memory_.at(location.value), width);
  }
  void store(litmus::LocationId location, x86::Width width, std::uint64_t value) override {
    store_in(memory_.at(location.value), width, value);
  }

  const x86::Program cells_; // without threads
  std::vector<std::uint64_t>& memory_;
  x86::State state_;
};

/// Registers that 64-bit instructions name are read whole at the end: who restores the values of a
/// program knows how much of them counts.
std::vector<x86::InitialRegister> whole_registers(const x86::Thread& thread) {
  std::array<bool, x86::register_count> whole{};
  for (const auto& in : thread.code) {
    if (in.width != x86::Width::q) continue;
    if (in.opcode == x86::Opcode::cmpxchg)
      whole[static_cast<std::size_t>(x86::Register::rax)] = true;
    for (const auto& operand : in.operands)
      if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand))
        whole[static_cast<std::size_t>(reg->reg)] = true;
  }
  std::vector<x86::InitialRegister> out;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole[i])
      out.push_back({static_cast<x86::Register>(i), litmus::Value{0}, {x86::Width::q, true}});
  return out;
}

/// The code of whole programs ends at the `hlt` that the compiler was made to place (ir.h).
litmus::Code lifted(std::span<const SymbolicFunction> functions,
                    const std::vector<litmus::Cell>& cells) {
  x86::Program program{cells, {}};
  const LiftOptions options{"HLT", false};
  for (std::size_t i = 0; i < functions.size(); ++i) {
    auto thread = lift(*functions[i].code, options, functions[i].symbols, i, program);
    thread.initial = whole_registers(thread);
    program.threads.push_back(std::move(thread));
  }
  return program;
}

constexpr auto pins =
    std::to_array<std::string_view>({"r8", "r9", "r10", "r11", "rsi", "rdi", "rcx", "rdx", "rax"});

} // namespace
} // namespace thinair::lower::x86_code

namespace thinair::x86 {

constexpr lower::MachineInfo lowering{
    .prefix = "x86",
    .title = "x86",
    .form = "x86:NAME[@DIR]",
    .help = "x86 code, by a scheme or by LLVM, on a machine with store buffers; @DIR: with the opt "
            "and llc of that folder",
    .word = "X86_64",
    .is_cell_name = lower::x86_code::is_cell_name,
    .register_in_tests = [](std::string_view name) { return std::string(name); },
    .read_rules = lower::x86_code::read_rules,
    .lattice = &lower::x86_code::lattice,
    .run_alone = lower::run_alone<lower::x86_code::Processor>,
    .only_retries = lower::x86_code::only_retries,
    .triple = "x86_64-unknown-linux-gnu",
    .features = "",
    .is_without_optimizer = true,
    .pins = lower::x86_code::pins,
    .addresses = {},
    .end_of_thread = "hlt",
    .end_opcode = "HLT",
    .jump = "jmp",
    .lift = lower::x86_code::lifted,
    .compiled = &lower::jit::x86_code::compiled,
};

constexpr runners::Operational store_buffers{"x86", "x86-tso", true, runners::x86_machine,
                                             runners::x86_trace};
constexpr const runners::Operational* operational = &store_buffers;

} // namespace thinair::x86
