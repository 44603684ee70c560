// AArch64's rows for lowering and for running.
#include "lower/attempts.h"
#include "lower/naming.h"
#include "lower/run_alone.h"
#include "lower/text_rules.h"
#include "machine/aarch64/code/jit.h"
#include "machine/aarch64/code/lattice.h"
#include "machine/aarch64/program.h"
#include "machine/aarch64/step.h"
#include "machine/code/table.h"
#include "runners/out_of_order.h"

#include <array>

namespace thinair::lower::aarch64_code {
namespace {

using Names = std::string_view;

class Processor {
 public:
  using Instruction = aarch64::Instruction;
  Processor(std::span<const litmus::Cell> cells, std::vector<std::uint64_t>& memory)
      : memory_(cells, memory) {}
  void set(aarch64::Register reg, std::uint64_t value) { registers_.x.at(index(reg)) = value; }
  bool step(const Instruction& in) { return aarch64::step(in, registers_, core_); }
  std::vector<std::uint64_t> registers() const {
    return {registers_.x.begin(), registers_.x.end()};
  }

 private:
  Addressed memory_;
  machine::ConcreteCore core_{memory_};
  aarch64::Registers registers_;
};

// AAPCS64: arguments in x0 to x7, and what a function need not preserve (x18 is the platform's).
constexpr auto pins =
    std::to_array<Names>({"w8", "w9", "w10", "w11", "w12", "w13", "w14", "w15", "w16", "w17", "w7",
                          "w6", "w5", "w4", "w3", "w2", "w1", "w0"});
constexpr auto addresses = std::to_array<Names>({"X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7"});

constexpr auto loads =
    std::to_array<Names>({"ldr", "ldar", "ldapr", "ldxr", "ldaxr"}); // of all widths
constexpr auto attempts = std::to_array<Names>({"stxr", "stlxr"});

bool retries(const litmus::Test& test, std::size_t thread, std::size_t from, std::size_t jump) {
  return only_retries({loads, attempts}, test, thread, from, jump);
}

std::string register_in_tests(std::string_view name) { return 'X' + std::string(name.substr(1)); }

} // namespace
} // namespace thinair::lower::aarch64_code

namespace thinair::aarch64 {

constexpr lower::MachineInfo lowering{
    .prefix = "aarch64",
    .title = "AArch64",
    .form = "aarch64:NAME",
    .help = "AArch64 code, by a scheme or by LLVM",
    .word = "AArch64",
    .is_cell_name = lower::is_safe_name,
    .register_in_tests = lower::aarch64_code::register_in_tests,
    .read_rules = lower::read_rules<Instruction>,
    .lattice = &lower::aarch64_code::lattice,
    .run_alone = lower::run_alone<lower::aarch64_code::Processor>,
    .only_retries = lower::aarch64_code::retries,
    .triple = "aarch64-unknown-linux-gnu",
    .features = "+lse",
    .pins = lower::aarch64_code::pins,
    .addresses = lower::aarch64_code::addresses,
    .end_of_thread = "hlt #0",
    .end_opcode = "HLT",
    .jump = "b",
    .compiled = &lower::jit::aarch64_code::compiled,
};

constexpr runners::Operational armv8{"aarch64", "armv8", false, runners::out_of_order_states,
                                     nullptr};
constexpr const runners::Operational* operational = &armv8;

} // namespace thinair::aarch64
