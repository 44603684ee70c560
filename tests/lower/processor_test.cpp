// Our x86 semantics against the processor this test runs on: registers, flags and memory after each
// instruction, on random inputs.
#include "litmus/random.h"
#include "litmus/x86/step.h"
#include "lower/assembly.h"
#include "lower/backend.h"
#include "tests/lower/instructions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace thinair::lower {
namespace {

constexpr std::size_t rounds = 60;

/// What the harness loads into the processor before the code under test, and finds after it.
struct Context {
  std::array<std::uint64_t, x86::register_count> registers;
  std::uint64_t flags;
};

struct FlagBit {
  bool x86::Flags::* flag;
  std::uint64_t bit; // in RFLAGS (SDM vol. 1, 3.4.3)
};
constexpr std::array<FlagBit, 5> flag_bits{{{&x86::Flags::carry, 0x1},
                                            {&x86::Flags::parity, 0x4},
                                            {&x86::Flags::zero, 0x40},
                                            {&x86::Flags::sign, 0x80},
                                            {&x86::Flags::overflow, 0x800}}};

std::uint64_t to_bits(const x86::Flags& flags) {
  std::uint64_t bits = 0x202; // what is always set in user mode
  for (const auto& row : flag_bits)
    if (flags.*row.flag) bits |= row.bit;
  return bits;
}

x86::Flags from_bits(std::uint64_t bits) {
  x86::Flags flags;
  for (const auto& row : flag_bits) flags.*row.flag = (bits & row.bit) != 0;
  return flags;
}

constexpr const char* saved[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};

std::size_t offset_of(x86::Register reg) { return 8 * static_cast<std::size_t>(reg); }

/// `void f(Context*)`: loads everything, runs the code, stores everything.
std::string harness(const x86::Program& program, std::size_t number) {
  std::string text = fmt::format("\t.globl F{0}\n\t.type F{0}, @function\nF{0}:\n", number);
  for (const char* reg : saved) text += fmt::format("\tpushq %{}\n", reg);
  text += "\tpushq %rdi\n\tpushq 128(%rdi)\n\tpopfq\n";
  const auto each = [&](const char* form) {
    for (std::size_t i = 0; i < x86::register_count; ++i) {
      const auto reg = static_cast<x86::Register>(i);
      if (reg == x86::Register::rsp || reg == x86::Register::rdi) continue;
      text += fmt::format(fmt::runtime(form), x86::name(reg, x86::Width::q), offset_of(reg));
    }
  };
  each("\tmovq {1}(%rdi), %{0}\n");
  text += fmt::format("\tmovq {}(%rdi), %rdi\n", offset_of(x86::Register::rdi));
  const std::string labels = fmt::format(".L{}_", number);
  for (const auto& in : program.threads[0].code)
    text += fmt::format("\t{}\n", att(program, in, labels));
  for (const auto& label : program.threads[0].end_labels)
    text += fmt::format("{}{}:\n", labels, label);
  text += "\tpushfq\n\tpushq %rdi\n\tmovq 16(%rsp), %rdi\n";
  each("\tmovq %{0}, {1}(%rdi)\n");
  text += fmt::format("\tpopq {}(%rdi)\n\tpopq 128(%rdi)\n\tpopq %rdi\n",
                      offset_of(x86::Register::rdi));
  for (std::size_t i = std::size(saved); i-- > 0;) text += fmt::format("\tpopq %{}\n", saved[i]);
  return text + fmt::format("\tret\n\t.size F{0}, .-F{0}\n", number);
}

/// Machine code in executable memory.
class Executable {
 public:
  explicit Executable(const std::vector<MachineFunction>& functions) {
    std::vector<std::uint8_t> bytes;
    for (const auto& function : functions) {
      starts_.push_back(bytes.size());
      for (const auto& in : function.code)
        bytes.insert(bytes.end(), in.bytes.begin(), in.bytes.end());
    }
    size_ = bytes.size();
    page_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page_ == MAP_FAILED) return;
    std::memcpy(page_, bytes.data(), size_);
    if (mprotect(page_, size_, PROT_READ | PROT_EXEC) != 0) {
      munmap(page_, size_);
      page_ = MAP_FAILED;
    }
  }
  ~Executable() {
    if (works()) munmap(page_, size_);
  }
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  bool works() const { return page_ != MAP_FAILED; }
  void run(std::size_t function, Context& context) const {
    const auto at = reinterpret_cast<std::uintptr_t>(page_) + starts_[function];
    reinterpret_cast<void (*)(Context*)>(at)(&context);
  }

 private:
  void* page_ = MAP_FAILED;
  std::size_t size_ = 0;
  std::vector<std::size_t> starts_;
};

class OneCell : public x86::MemoryPort {
 public:
  explicit OneCell(std::uint64_t value) : cell(value) {}
  std::uint64_t load(litmus::LocationId, x86::Width width) override {
    return x86::truncated(cell, width);
  }
  void store(litmus::LocationId, x86::Width width, std::uint64_t value) override {
    const std::uint64_t mask = x86::truncated(~std::uint64_t{0}, width);
    cell = (cell & ~mask) | (value & mask);
  }
  std::uint64_t cell;
};

std::uint64_t random_word(litmus::Random& random) {
  switch (random.below(6)) {
  case 0: return random.below(4);
  case 1: return ~random.below(4);
  case 2: return std::uint64_t{1} << random.below(64);
  case 3: return (std::uint64_t{1} << random.below(64)) - 1;
  }
  return random.next();
}

/// Memory operands of the cell become accesses through %rdi, which points at it.
x86::Program through_rdi(std::vector<x86::Instruction> code) {
  for (auto& in : code)
    for (auto& operand : in.operands)
      if (std::holds_alternative<x86::Memory>(operand)) operand = x86::Memory{x86::Register::rdi};
  return testing::program_of(std::move(code));
}

struct Input {
  x86::State state;
  std::uint64_t cell = 0;
};

Input random_input(litmus::Random& random) {
  Input input;
  for (auto& reg : input.state.registers) reg = random_word(random);
  input.state.registers[static_cast<std::size_t>(x86::Register::rdi)] =
      x86::address_of(litmus::LocationId(0));
  input.state.flags = from_bits(random.next());
  input.cell = random.chance(1, 3) // so that cmpxchg succeeds, at some width
                   ? input.state.registers[static_cast<std::size_t>(x86::Register::rax)]
                   : random_word(random);
  return input;
}

/// Runs the code by `step`; flags that some instruction leaves undefined are collected.
x86::Flags interpret(const x86::Program& program, x86::State& state, OneCell& cell) {
  x86::Flags undefined;
  const auto& code = program.threads[0].code;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const x86::Flags fresh = x86::undefined_flags(code[at], state);
    for (const auto& row : flag_bits) undefined.*row.flag |= fresh.*row.flag;
    if (x86::step(code[at], state, cell)) break; // the only label is the end
  }
  return undefined;
}

/// The real run, %rdi pointing at a real cell, and values that are its address made ours again.
void execute(const Executable& code, std::size_t function, x86::State& state, std::uint64_t& cell) {
  alignas(8) std::uint64_t memory = cell;
  const auto real = reinterpret_cast<std::uintptr_t>(&memory);
  const auto ours = x86::address_of(litmus::LocationId(0));
  Context context{state.registers, to_bits(state.flags)};
  context.registers[static_cast<std::size_t>(x86::Register::rdi)] = real;
  code.run(function, context);
  context.registers[static_cast<std::size_t>(x86::Register::rsp)] =
      state.registers[static_cast<std::size_t>(x86::Register::rsp)];
  for (auto& reg : context.registers)
    if (reg == real) reg = ours;
  state.registers = context.registers;
  state.flags = from_bits(context.flags);
  cell = memory;
}

std::string described(const x86::State& state, std::uint64_t cell) {
  std::string text = fmt::format("cell {:x}, flags {:x}", cell, to_bits(state.flags));
  for (std::size_t i = 0; i < state.registers.size(); ++i)
    text += fmt::format(", {} {:x}", x86::name(static_cast<x86::Register>(i), x86::Width::q),
                        state.registers[i]);
  return text;
}

std::vector<x86::Program> programs() {
  std::vector<x86::Program> result;
  for (const auto& instruction : testing::all_instructions()) {
    std::vector<x86::Instruction> code{instruction};
    if (!instruction.target.empty()) { // a jump: something for it to jump over
      x86::Instruction skipped;
      skipped.opcode = x86::Opcode::not_;
      skipped.operands = {x86::RegisterOperand{x86::Register::rbx, x86::Width::l}};
      code.push_back(skipped);
    }
    result.push_back(through_rdi(std::move(code)));
  }
  return result;
}

/// The code of all programs, where this processor and this system can run it.
class Processor : public ::testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "needs an x86-64 processor";
#endif
  }

  static std::vector<MachineFunction> assembled(const std::vector<x86::Program>& all) {
    std::string text = "\t.text\n";
    for (std::size_t i = 0; i < all.size(); ++i) text += harness(all[i], i);
    Backend backend(Level::O0);
    return backend.disassemble(backend.assemble(text));
  }

  /// Whether our run of `program` and the real run of `function` end alike.
  static ::testing::AssertionResult agree(const x86::Program& program, const Executable& code,
                                          std::size_t function, const Input& input) {
    x86::State expected = input.state, real = input.state;
    OneCell cell(input.cell);
    std::uint64_t real_cell = input.cell;
    const x86::Flags undefined = interpret(program, expected, cell);
    execute(code, function, real, real_cell);
    for (const auto& row : flag_bits)
      if (undefined.*row.flag) real.flags.*row.flag = expected.flags.*row.flag;
    if (real == expected && real_cell == cell.cell) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << att(program, program.threads[0].code[0]) << "\nfrom "
           << described(input.state, input.cell) << "\nours " << described(expected, cell.cell)
           << "\nreal " << described(real, real_cell);
  }
};

TEST_F(Processor, EveryInstructionDoesWhatOurSemanticsSays) {
  const auto all = programs();
  const auto functions = assembled(all);
  ASSERT_EQ(functions.size(), all.size());
  ASSERT_GT(all.size(), 1000u);
  const Executable code(functions);
  if (!code.works()) GTEST_SKIP() << "this system gives no executable memory";
  litmus::Random random(2026);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t round = 0; round < rounds; ++round)
      ASSERT_TRUE(agree(all[i], code, i, random_input(random)));
}

TEST_F(Processor, AWrongInstructionIsNoticed) {
  const auto all = programs();
  const Executable code(assembled(all));
  if (!code.works()) GTEST_SKIP() << "this system gives no executable memory";
  litmus::Random random(7);
  std::size_t noticed = 0;
  for (std::size_t i = 0; i + 40 < all.size(); i += 40) // each for another one
    for (std::size_t round = 0; round < rounds; ++round)
      if (!agree(all[i + 40], code, i, random_input(random))) {
        ++noticed;
        break;
      }
  EXPECT_GE(noticed, all.size() / 40 - 1);
}

} // namespace
} // namespace thinair::lower
