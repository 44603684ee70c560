// Assembles a harness around each piece, and calls it.
#include "tests/lower/processor.h"

#include "machine/x86/flow.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace thinair::lower::testing {
namespace {

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
std::string harness(const std::string& piece, std::size_t number) {
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
  text += piece;
  text += "\tpushfq\n\tpushq %rdi\n\tmovq 16(%rsp), %rdi\n";
  each("\tmovq %{0}, {1}(%rdi)\n");
  text += fmt::format("\tpopq {}(%rdi)\n\tpopq 128(%rdi)\n\tpopq %rdi\n",
                      offset_of(x86::Register::rdi));
  for (std::size_t i = std::size(saved); i-- > 0;) text += fmt::format("\tpopq %{}\n", saved[i]);
  return text + fmt::format("\tret\n\t.size F{0}, .-F{0}\n", number);
}

class OneCell : public x86::MemoryPort {
 public:
  explicit OneCell(std::uint64_t& cell) : cell_(cell) {}
  std::uint64_t load(litmus::LocationId, x86::Width width) override {
    return litmus::truncated(cell_, width);
  }
  void store(litmus::LocationId, x86::Width width, std::uint64_t value) override {
    const std::uint64_t mask = litmus::truncated(~std::uint64_t{0}, width);
    cell_ = (cell_ & ~mask) | (value & mask);
  }

 private:
  std::uint64_t& cell_;
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

std::uint64_t& rdi_of(x86::State& state) {
  return state.registers[static_cast<std::size_t>(x86::Register::rdi)];
}

} // namespace

Outcome random_input(litmus::Random& random) {
  Outcome input;
  for (auto& reg : input.state.registers) reg = random_word(random);
  rdi_of(input.state) = litmus::address_of(litmus::LocationId(0));
  input.state.flags = from_bits(random.next());
  input.cell = random.chance(1, 3) // so that cmpxchg succeeds, at some width
                   ? input.state.registers[static_cast<std::size_t>(x86::Register::rax)]
                   : random_word(random);
  return input;
}

Outcome interpret(const x86::Thread& thread, const Outcome& input) {
  Outcome out = input;
  OneCell cell(out.cell);
  for (std::size_t at = 0; at < thread.code.size();) {
    const x86::Instruction& in = thread.code[at];
    const x86::Flags fresh = x86::undefined_flags(in, out.state);
    for (const auto& row : flag_bits) out.undefined.*row.flag |= fresh.*row.flag;
    at = x86::step(in, out.state, cell) ? litmus::position_of(thread, in.target) : at + 1;
  }
  return out;
}

Executable::Executable(const std::vector<std::string>& pieces) : page_(MAP_FAILED) {
  std::string text = "\t.text\n";
  for (std::size_t i = 0; i < pieces.size(); ++i) text += harness(pieces[i], i);
  Backend backend(Level::O0);
  std::vector<std::uint8_t> bytes;
  for (const auto& function : backend.disassemble(backend.assemble(text))) {
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

Executable::~Executable() {
  if (works()) munmap(page_, size_);
}

bool Executable::works() const { return page_ != MAP_FAILED; }

/// %rdi points at a real cell; values that are its address are made ours again.
Outcome Executable::run(std::size_t piece, const Outcome& input) const {
  alignas(8) std::uint64_t memory = input.cell;
  const auto real = reinterpret_cast<std::uintptr_t>(&memory);
  Outcome out = input;
  rdi_of(out.state) = real;
  Context context{{}, to_bits(out.state.flags)};
  std::copy_n(out.state.registers.begin(), x86::register_count, context.registers.begin());
  const auto at = reinterpret_cast<std::uintptr_t>(page_) + starts_.at(piece);
  reinterpret_cast<void (*)(Context*)>(at)(&context);
  constexpr auto rsp = static_cast<std::size_t>(x86::Register::rsp);
  context.registers[rsp] = input.state.registers[rsp];
  for (auto& reg : context.registers)
    if (reg == real) reg = litmus::address_of(litmus::LocationId(0));
  std::ranges::copy(context.registers, out.state.registers.begin());
  out.state.flags = from_bits(context.flags);
  out.cell = memory;
  return out;
}

bool alike(const Outcome& expected, Outcome real) {
  for (const auto& row : flag_bits)
    if (expected.undefined.*row.flag) real.state.flags.*row.flag = expected.state.flags.*row.flag;
  return real.state == expected.state && real.cell == expected.cell;
}

std::string to_string(const Outcome& outcome) {
  std::string text =
      fmt::format("cell {:x}, flags {:x}", outcome.cell, to_bits(outcome.state.flags));
  for (std::size_t i = 0; i < outcome.state.registers.size(); ++i)
    text += fmt::format(", {} {:x}", x86::name(static_cast<x86::Register>(i), x86::Width::q),
                        outcome.state.registers[i]);
  return text;
}

} // namespace thinair::lower::testing
