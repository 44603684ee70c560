// Every AArch64 instruction on random registers, flags and memory against an emulated processor:
// results and flags, nothing of order. Needs qemu-aarch64, llvm-mc and llvm-objcopy; skips without.
#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/aarch64/assembly.h"
#include "machine/aarch64/step.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace thinair::aarch64 {
namespace {

using U = std::uint64_t;

constexpr U code_at = 0x400000, input_at = 0x10000000, output_at = 0x20000000, page = 0x1000;
constexpr std::size_t watched = 8,
                      row_words = watched + 2; // X0 to X7, the flags, a cell that X8 points at

struct Case {
  Instruction in;
  std::array<U, row_words> words{};
};

/// Some ways to write an instruction of a row.
std::vector<std::string> examples(const InstructionInfo& row) {
  std::vector<std::string> out;
  const std::vector<std::vector<std::string>> ways{
      {"{}4", "#1", "#0xff", "#0", "#5", "#2", "#3", "#9", "eq", "3"},
      {"{}4,lsl #3", "{}4,lsr #5", "{}4,asr #9", "#31", "#65535", "#7", "#11", "#4", "hi", "31"},
      {"#4095", "#0x7f80", "#0xfffffffe", "{}4", "#12", "#0", "#32", "#2", "lt", "0"},
  };
  for (const char width : {'w', 'x'})
    for (const auto& way : ways) {
      const auto filled = [&](const std::string& text) {
        return fmt::format(fmt::runtime(text), width);
      };
      std::string text = row.does == Does::jump_if ? "b." + way[8] : row.mnemonic, operands;
      int reg = 1;
      for (const char letter : row.shape) {
        if (letter == '=' || letter == '+' || (letter == 'c' && row.does == Does::jump_if))
          continue;
        std::string operand;
        const bool is_low = &way == &ways[0], rotates = row.does == Does::shift;
        switch (letter) {
        case 'r': operand = fmt::format("{}{}", width, reg++); break;
        case 'w':
        case 'x': operand = fmt::format("{}{}", letter, reg++); break;
        case 'V': operand = is_low ? filled("{}4") : "#" + std::to_string(-77 * reg); break;
        case 'H': operand = filled(&way == &ways[2] ? "{}4" : way[0]); break;
        case 'A': operand = filled(way[0]); break;
        case 'L': operand = &way == &ways[2] ? way[1] : filled(way[0]); break;
        case 'i': operand = is_low ? "#0" : "#65535,lsl #16"; break;
        case 's': operand = is_low ? filled("{}4") : rotates ? way[5] : way[4]; break;
        case 'b': operand = way[5]; break;
        case 'k': operand = way[6] == "#32" ? "#19" : way[6]; break;
        case 'f': operand = way[7]; break;
        case 'p': operand = is_low ? filled("{}4") : "#30"; break;
        case 'c': operand = way[8]; break;
        case 'B': operand = "ish"; break;
        case 't': operand = "L"; break;
        default: operand = "[x8]"; break;
        }
        operands += (operands.empty() ? " " : ",") + operand;
      }
      out.push_back(text + operands);
    }
  for (const char* extended : {"x1,x2,w4,sxtw #2", "x1,x2,w4,uxtb", "x1,x2,w4,sxth #1",
                               "x1,x2,x4,sxtx #3", "w1,w2,w4,uxth #2"})
    if (row.does == Does::arithmetic) out.push_back(row.mnemonic + " " + extended);
  return out;
}

Instruction read(const std::string& text) {
  const auto test =
      litmus::parse({"t", "AArch64 t\n{}\n P0 ;\n " + text + " ;\n L: ;\nexists (true)\n"});
  return program_of(test).threads.at(0).code.at(0);
}

U drawn(litmus::Random& random) {
  constexpr auto edges =
      std::to_array<U>({0, 1, 2, 31, 63, 64, 127, 128, 255, 0x7fffffff, 0x80000000, 0xffffffff,
                        0x7fffffffffffffff, 0x8000000000000000, ~U{0}, ~U{0} - 1});
  if (random.chance(2, 3)) return edges[random.below(edges.size())];
  return random.next() >> random.below(64);
}

std::vector<Case> cases() {
  litmus::Random random(1);
  std::vector<Case> out;
  for (const InstructionInfo& row : instructions())
    for (const std::string& text : examples(row)) {
      const Instruction in = read(text);
      for (std::uint64_t i = 0; i < test::draws(12); ++i) {
        Case next{in, {}};
        for (U& word : next.words) word = drawn(random);
        next.words[watched] = random.below(16) << 28;
        if (random.chance(1, 4)) next.words[2] = next.words[1];
        out.push_back(next);
      }
    }
  return out;
}

std::string assembled(const std::vector<Case>& all) {
  std::string out = fmt::format("mov x28,#{}\nmov x29,#{}\n", input_at, output_at);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Instruction in = all[i].in;
    if (!in.target.empty()) in.target = fmt::format(".L{}", i);
    for (std::size_t r = 0; r < watched; r += 2)
      out += fmt::format("ldp x{},x{},[x28],#16\n", r, r + 1);
    out += "ldp x9,x10,[x28],#16\nmsr nzcv,x9\nstr x10,[x29]\nstr xzr,[x29,#80]\nmov x8,x29\n" +
           print_instruction(in) +
           fmt::format("\n{}.L{}:\nmrs x9,nzcv\n", in.target.empty() ? "" : "mvn x7,x7\n", i);
    for (std::size_t r = 0; r < watched; r += 2)
      out += fmt::format("stp x{},x{},[x29,#{}]\n", r, r + 1, 16 + 8 * r);
    out += "str x9,[x29,#8]\nadd x29,x29,#80\n";
  }
  const U size = all.size() * 8 * row_words;
  return out + fmt::format("mov x0,#1\nmov x1,#{}\nmovz x2,#{}\nmovk x2,#{},lsl #16\nmov "
                           "x8,#64\nsvc #0\nmov x0,#0\n"
                           "mov x8,#93\nsvc #0\n",
                           output_at, size & 0xffff, size >> 16);
}

void put(std::string& file, U value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) file += static_cast<char>(value >> (8 * i));
}

void put_segment(std::string& file, U flags, U offset, U address, U size, U memory) {
  put(file, 1, 4);
  put(file, flags, 4);
  for (const U field : {offset, address, address, size, memory, page}) put(file, field, 8);
}

/// A program that the kernel, or its emulator, loads: code, input, and room for output.
std::string executable(const std::string& code, const std::vector<Case>& all) {
  std::string input, file = std::string("\177ELF\2\1\1", 7) + std::string(9, '\0');
  for (const Case& each : all)
    for (const U word : each.words) put(input, word, 8);
  const U begin = page, data = (begin + code.size() + page - 1) / page * page;
  put(file, 2, 2);
  put(file, 183, 2); // AArch64
  put(file, 1, 4);
  put(file, code_at + begin, 8);
  put(file, 64, 8);
  put(file, 0, 8);
  put(file, 0, 4);
  for (const U field : {64, 56, 3, 0, 0, 0}) put(file, field, 2);
  put_segment(file, 5, begin, code_at + begin, code.size(), code.size());
  put_segment(file, 4, data, input_at, input.size(), input.size());
  put_segment(file, 6, 0, output_at, 0, input.size() + page);
  file.resize(begin);
  file += code;
  file.resize(data);
  return file + input;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool run(const std::string& command) {
  return std::system((command + " 2>/dev/null").c_str()) == 0;
}

bool available() {
  return run("command -v qemu-aarch64 >/dev/null") && run("command -v llvm-mc >/dev/null") &&
         run("command -v llvm-objcopy >/dev/null");
}

/// The rows of output; empty where something went wrong.
std::string by_processor(const std::vector<Case>& all) {
  const std::string base = testing::TempDir() + "thinair-aarch64-" +
                           std::to_string(testing::UnitTest::GetInstance()->random_seed());
  std::ofstream(base + ".s") << assembled(all);
  const std::string assemble = fmt::format(
      "llvm-mc -triple=aarch64-linux-gnu -mattr=+v8.5a -filetype=obj -o {0}.o {0}.s", base);
  if (!run(assemble) ||
      !run(fmt::format("llvm-objcopy -O binary --only-section=.text {0}.o {0}.bin", base)))
    return {};
  std::ofstream(base, std::ios::binary) << executable(slurp(base + ".bin"), all);
  run(fmt::format("chmod +x {0} && qemu-aarch64 {0} > {0}.out", base));
  std::string out = slurp(base + ".out");
  run(fmt::format("rm -f {0} {0}.s {0}.o {0}.bin {0}.out", base));
  return out;
}

/// Memory by byte.
class Memory final : public machine::MemoryPort {
 public:
  Value load(U address, Width width) override {
    U out = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(width); ++i)
      out |= U{bytes[address + i]} << (8 * i);
    return litmus::sign_extended(out, width);
  }
  void store(U address, Width width, Value value) override {
    for (unsigned i = 0; i < static_cast<unsigned>(width); ++i)
      bytes[address + i] = static_cast<std::uint8_t>(static_cast<U>(value) >> (8 * i));
  }
  std::map<U, std::uint8_t> bytes;
};

std::array<U, row_words> by_step(const Case& each, U address) {
  Memory memory;
  memory.store(address, Width::q, static_cast<Value>(each.words[watched + 1]));
  // what the harness leaves behind the cell: the flags of the row before they are written
  machine::ConcreteCore core(memory);
  Registers registers;
  std::copy_n(each.words.begin(), watched, registers.x.begin());
  registers.x[8] = address;
  registers.nzcv = static_cast<std::uint8_t>(each.words[watched] >> 28);
  const bool jumped = step(each.in, registers, core);
  if (!each.in.target.empty() && !jumped) registers.x[7] = ~registers.x[7];
  std::array<U, row_words> out{};
  out[0] = static_cast<U>(memory.load(address, Width::q));
  out[1] = U{registers.nzcv} << 28;
  std::copy_n(registers.x.begin(), watched, out.begin() + 2);
  return out;
}

TEST(AArch64Processor, AgreesOnResultsFlagsAndMemory) {
  if (!available()) GTEST_SKIP() << "no qemu-aarch64, llvm-mc or llvm-objcopy here";
  const auto all = cases();
  const std::string output = by_processor(all);
  ASSERT_EQ(output.size(), all.size() * 8 * row_words) << "the program did not run";
  std::size_t different = 0;
  for (std::size_t i = 0; i < all.size() && different < 20; ++i) {
    std::array<U, row_words> theirs{};
    std::memcpy(theirs.data(), output.data() + i * sizeof theirs, sizeof theirs);
    const auto ours = by_step(all[i], output_at + i * sizeof theirs);
    const bool pair = all[i].in.info->does == Does::store_pair && all[i].in.width == Width::q;
    for (std::size_t w = 0; w < row_words; ++w) {
      if (w == 1 && pair) continue; // the second half is where the flags go
      EXPECT_EQ(theirs[w], ours[w]) << print_instruction(all[i].in) << ", word " << w;
      different += theirs[w] != ours[w];
    }
  }
  EXPECT_GE(all.size(), test::draws(12) * 6 * instructions().size());
}

} // namespace
} // namespace thinair::aarch64
