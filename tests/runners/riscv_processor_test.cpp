// What RISC-V instructions compute, against a processor: qemu-riscv64 runs them, where it and
// LLVM's assembler are found. (It says nothing of order between harts.)
#include "litmus/random.h"
#include "machine/common/concrete.h"
#include "machine/riscv/assembly.h"
#include "machine/riscv/meaning.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

namespace thinair::riscv {
namespace {

/// One instruction on x6 and x7, with its result in x5; of updates also what memory holds at x6.
struct Case {
  Instruction instruction;
  Value a = 0, b = 0, cell = 0;
};

std::string found(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (auto program = runners::find_program(name); !program.empty()) return program;
  return {};
}

Value drawn(litmus::Random& random) {
  constexpr auto edges =
      std::to_array<Value>({0, 1, -1, 2, 31, 63, 127, 128, -128, INT32_MAX, INT32_MIN, 0xFFFFFFFF,
                            0x80000000, INT64_MAX, INT64_MIN, INT64_MIN + 1});
  if (random.chance(2, 3)) return edges[random.below(edges.size())];
  return static_cast<Value>(random.next()) >> random.below(64);
}

/// What qemu 7 has: neither Zacas nor Zabha.
bool is_run(const InstructionInfo& row) {
  if (row.operation == Operation::compare_and_swap || row.shape == Shape::reserve ||
      row.shape == Shape::condition)
    return false;
  if (row.shape == Shape::update) return row.width >= Width::l;
  return row.shape <= Shape::store || row.shape == Shape::branch;
}

std::vector<Case> cases() {
  litmus::Random random(5);
  std::vector<Case> out;
  for (const InstructionInfo& row : instructions()) {
    if (!is_run(row)) continue;
    for (int i = 0; i < 20; ++i) {
      Case each;
      Instruction& in = each.instruction;
      in.opcode = *opcode_named(row.mnemonic);
      if (has_result(row.shape)) in.rd = static_cast<Register>(5);
      if (row.shape != Shape::upper && row.shape != Shape::constant)
        in.rs1 = static_cast<Register>(6);
      in.rs2 = static_cast<Register>(7);
      each.a = drawn(random), each.b = drawn(random), each.cell = drawn(random);
      if (row.shape == Shape::immediate) in.immediate = random.between(-2048, 2047);
      if (row.shape == Shape::shift)
        in.immediate = random.between(0, row.width == Width::l ? 31 : 63);
      if (row.shape == Shape::upper) in.immediate = random.between(0, 0xFFFFF);
      if (row.shape == Shape::constant) in.immediate = drawn(random);
      if (row.shape == Shape::branch) in.target = "1f";
      out.push_back(std::move(each));
    }
  }
  return out;
}

/// Results go to a buffer on the stack, at x9 and on: x5, and the cell that is at 0(x8).
std::string program(const std::vector<Case>& all) {
  const std::size_t bytes = 16 * all.size();
  std::string out = fmt::format(".text\nli x5,{}\nsub x2,x2,x5\nmv x9,x2\naddi x8,x2,-64\n", bytes);
  for (const Case& each : all) {
    const auto shape = info(each.instruction.opcode).shape;
    out += fmt::format("li x7,{}\nsd x7,0(x8)\nli x5,1\nli x7,{}\nli x6,{}\n", each.cell, each.b,
                       each.a);
    if (accesses_memory(shape)) out += "mv x6,x8\n";
    out += print_instruction(each.instruction) + "\n";
    if (shape == Shape::branch) out += "li x5,0\n1:\n";
    out += "sd x5,0(x9)\nld x5,0(x8)\nsd x5,8(x9)\naddi x9,x9,16\n";
  }
  // write(1, sp, bytes), exit(0)
  return out +
         fmt::format("li a0,1\nmv a1,x2\nli a2,{}\nli a7,64\necall\nli a0,0\nli a7,93\necall\n",
                     bytes);
}

/// An executable file that is loaded whole, with this code behind its headers.
std::string executable(const std::string& code) {
  constexpr std::uint64_t base = 0x10000, headers = 64 + 56;
  std::string out("\x7f"
                  "ELF\x02\x01\x01",
                  7);
  out.resize(16, '\0');
  const auto add = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  };
  add(2, 2), add(243, 2), add(1, 4), add(base + headers, 8), add(64, 8), add(0, 8), add(0, 4);
  add(64, 2), add(56, 2), add(1, 2), add(0, 2), add(0, 2), add(0, 2);
  const std::uint64_t size = headers + code.size();
  add(1, 4), add(5, 4), add(0, 8), add(base, 8), add(base, 8), add(size, 8), add(size, 8),
      add(0x1000, 8);
  return out + code;
}

class Cell : public machine::MemoryPort {
 public:
  explicit Cell(Value value) { std::memcpy(bytes_.data(), &value, 8); }
  Value load(std::uint64_t, Width width) override {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes_.data(), static_cast<std::size_t>(width));
    return litmus::sign_extended(out, width);
  }
  void store(std::uint64_t, Width width, Value value) override {
    std::memcpy(bytes_.data(), &value, static_cast<std::size_t>(width));
  }
  Value whole() { return load(0, Width::q); }

 private:
  std::array<char, 8> bytes_{};
};

std::pair<Value, Value> by_step(const Case& each) {
  Cell cell(each.cell);
  machine::ConcreteCore core(cell);
  State<machine::ConcreteCore> state;
  state.registers[5] = 1, state.registers[6] = each.a, state.registers[7] = each.b;
  const bool jumps = execute(each.instruction, state, core);
  const bool branch = info(each.instruction.opcode).shape == Shape::branch;
  return {branch ? Value{jumps} : state.registers[5], cell.whole()};
}

TEST(RiscvProcessor, ComputesAsTheStepsDo) {
  static_assert(std::endian::native == std::endian::little);
  const std::string assembler = found({"llvm-mc", "llvm-mc-19", "llvm-mc-18"});
  const std::string copy = found({"llvm-objcopy", "llvm-objcopy-19", "llvm-objcopy-18"});
  const std::string processor = found({"qemu-riscv64", "qemu-riscv64-static"});
  if (assembler.empty() || copy.empty() || processor.empty())
    GTEST_SKIP() << "no qemu-riscv64, or no LLVM tools";
  const auto all = cases();
  EXPECT_GE(all.size(), 1700U);
  const runners::TemporaryDirectory folder;
  const auto run = [&](std::vector<std::string> words) {
    auto outcome =
        runners::run({.argv = std::move(words), .directory = folder.path(), .seconds = 60});
    EXPECT_TRUE(outcome.end == runners::Outcome::End::exited && outcome.code == 0)
        << runners::describe(outcome) << outcome.error;
    return outcome.out;
  };
  folder.write("p.s", program(all));
  run({assembler, "-triple=riscv64", "-mattr=+m,+a,+zba,+zbb", "-filetype=obj", "-o", "p.o",
       "p.s"});
  run({copy, "-O", "binary", "--only-section=.text", "p.o", "p.bin"});
  std::ifstream file(folder.path() + "/p.bin", std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  const std::string elf = folder.write("p", executable(code));
  std::filesystem::permissions(elf, std::filesystem::perms::owner_all);
  const std::string out = run({processor, "-cpu", "rv64,zba=true,zbb=true", elf});
  ASSERT_EQ(out.size(), 16 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::array<Value, 2> theirs{};
    std::memcpy(theirs.data(), out.data() + 16 * i, 16);
    ASSERT_EQ(by_step(all[i]), std::pair(theirs[0], theirs[1]))
        << print_instruction(all[i].instruction) << " of " << all[i].a << " and " << all[i].b
        << ", cell " << all[i].cell;
  }
}

} // namespace
} // namespace thinair::riscv
