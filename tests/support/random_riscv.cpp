// Writes random RISC-V tests as text.
#include "tests/support/random_riscv.h"

#include "litmus/random.h"
#include "machine/riscv/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace thinair::test {
namespace {

using litmus::Random;

constexpr std::array<std::string_view, 9> fences{"r,r",  "r,w",  "r,rw", "w,r",  "w,w",
                                                 "w,rw", "rw,r", "rw,w", "rw,rw"};
constexpr std::array<std::string_view, 4> orders{"", ".aq", ".rl", ".aqrl"};

/// Columns side by side, as a test has them.
std::string rows_of(const std::vector<std::vector<std::string>>& threads) {
  std::size_t rows = 1;
  for (const auto& thread : threads) rows = std::max(rows, thread.size());
  std::string out;
  for (std::size_t t = 0; t < threads.size(); ++t)
    out += fmt::format("{} P{} ", t == 0 ? "" : "|", t);
  out += ";\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads.size(); ++t)
      out +=
          fmt::format("{} {} ", t == 0 ? "" : "|", row < threads[t].size() ? threads[t][row] : "");
    out += ";\n";
  }
  return out;
}

/// One hart of few accesses. x10 to x12 point at x, y and z; results go to x13 and on; x5 to x9 are
/// for what is done on the way.
class Hart {
 public:
  Hart(Random& random, std::size_t number, char width)
      : random_(random), number_(number), width_(width) {}

  std::vector<std::string> code(std::uint64_t accesses) {
    for (std::uint64_t i = 0; i < accesses; ++i) {
      if (i > 0 && random_.chance(2, 5)) fence();
      access();
    }
    if (!open_label_.empty()) code_.push_back(open_label_ + ":");
    return std::move(code_);
  }
  unsigned results() const { return next_ - 13; }

 private:
  void add(std::string instruction) { code_.push_back(std::move(instruction)); }
  std::string result() { return fmt::format("x{}", next_++); }
  std::string pointer() { return fmt::format("x{}", random_.between(10, 12)); }
  std::string some_result() { return fmt::format("x{}", random_.between(13, next_ - 1)); }

  void fence() {
    if (random_.chance(1, 8)) return add("fence.tso");
    add(fmt::format("fence {}", fences[random_.below(fences.size())]));
  }

  /// A register that points at a cell, perhaps after what was read before.
  std::string address() {
    if (next_ == 13 || !random_.chance(1, 4)) return pointer();
    const std::string from = some_result();
    if (random_.chance(1, 2))
      add(fmt::format("xor x7,{},{}", from, from));
    else
      add(fmt::format("andi x7,{},0", from));
    add(fmt::format("add x6,{},x7", pointer()));
    return "x6";
  }

  /// A register with a number to store.
  std::string value() {
    if (next_ == 13 || !random_.chance(1, 3)) {
      add(fmt::format("{}{}", random_.chance(1, 2) ? "ori x5,x0," : "li x5,",
                      random_.between(1, 3)));
      return "x5";
    }
    switch (random_.below(4)) {
    case 0: add(fmt::format("xor x5,{0},{0}", some_result())), add("addi x5,x5,1"); break;
    case 1: add(fmt::format("addi x5,{},1", some_result())); break;
    case 2: add(fmt::format("or x5,{},{}", some_result(), some_result())); break;
    default: add(fmt::format("slt x5,{},{}", some_result(), some_result())); break;
    }
    return "x5";
  }

  void branch() {
    if (!open_label_.empty() || next_ == 13) return;
    open_label_ = fmt::format("L{}{}", number_, static_cast<char>('a' + labels_++));
    const std::string_view op = std::array{"beq", "bne", "blt", "bge"}[random_.below(4)];
    add(fmt::format("{} {},{},{}", op, some_result(), random_.chance(1, 2) ? "x0" : some_result(),
                    open_label_));
    if (!random_.chance(1, 2)) return;
    add(open_label_ + ":"); // it goes on there either way
    open_label_.clear();
  }

  void access() {
    if (random_.chance(1, 5)) branch();
    switch (random_.below(10)) {
    case 0:
    case 1:
    case 2: {
      const std::string at = address();
      return add(fmt::format("l{}{} {},0({})", width_,
                             random_.chance(1, 5) ? orders[1 + 2 * random_.below(2)] : "", result(),
                             at));
    }
    case 3:
    case 4:
    case 5: {
      const std::string at = address(), stored = value();
      return add(fmt::format("s{}{} {},0({})", width_,
                             random_.chance(1, 5) ? orders[2 + random_.below(2)] : "", stored, at));
    }
    case 6:
    case 7: return update();
    default: return conditional();
    }
  }

  void update() {
    const std::array<std::string_view, 7> operations{"swap", "swap", "add", "or",
                                                     "xor",  "max",  "min"};
    const std::string at = address(), stored = value();
    add(fmt::format("amo{}.{}{} {},{},({})", operations[random_.below(7)], width_,
                    orders[random_.below(4)], random_.chance(1, 6) ? "x0" : result(), stored, at));
  }

  void conditional() {
    const std::string at = pointer();
    add(fmt::format("lr.{}{} {},({})", width_, orders[random_.below(4)], result(), at));
    if (random_.chance(1, 4)) fence();
    if (random_.chance(1, 6)) add(fmt::format("l{} {},0({})", width_, result(), pointer()));
    const std::string stored = value();
    add(fmt::format("sc.{}{} {},{},({})", width_, orders[random_.below(4)], result(), stored,
                    random_.chance(1, 12) ? pointer() : at));
  }

  Random& random_;
  std::size_t number_;
  char width_;
  std::vector<std::string> code_;
  std::int64_t next_ = 13;
  std::string open_label_;
  int labels_ = 0;
};

} // namespace

std::string random_riscv(std::uint64_t seed) {
  Random random(seed);
  const char width = random.chance(1, 5) ? 'd' : 'w';
  const std::string_view type = width == 'd' || random.chance(1, 6) ? "int64_t " : "";
  const std::uint64_t threads = random.chance(1, 3) ? 3 : 2;
  std::vector<std::vector<std::string>> code;
  std::string initial = fmt::format("{0}x; {0}y; {0}z;\n", type), shown;
  for (std::uint64_t t = 0; t < threads; ++t) {
    Hart hart(random, t, width);
    code.push_back(hart.code(threads == 3 ? random.between(1, 2) : random.between(2, 3)));
    initial += fmt::format(" {0}:x10=x; {0}:x11=y; {0}:x12=z;\n", t);
    for (unsigned r = 0; r < hart.results(); ++r) shown += fmt::format("{}:x{}; ", t, 13 + r);
  }
  return fmt::format("RISCV random{}\n{{ {}}}\n{}locations [{}x; y; z;]\nexists (true)\n", seed,
                     initial, rows_of(code), shown);
}

namespace {

using riscv::InstructionInfo;
using riscv::Shape;

/// Registers of arithmetic: x5 to x9 hold what was read, x13 to x20 results. Cells b, h, w and d of
/// 1 to 8 bytes are at x10, x11, x12 and x21.
class Calculation {
 public:
  explicit Calculation(Random& random) : random_(random) {}

  std::vector<std::string> code() {
    for (int reg = 5; reg < 10; ++reg) add(fmt::format("ld x{},0(x{})", reg, 17 + reg));
    for (int i = 0; i < 12; ++i)
      instruction(riscv::instructions()[random_.below(riscv::instructions().size())]);
    if (open_) add("L:");
    return std::move(code_);
  }

 private:
  void add(std::string instruction) { code_.push_back(std::move(instruction)); }
  std::string reg() {
    const std::uint64_t drawn = random_.below(14);
    if (drawn == 0) return "x0";
    return fmt::format("x{}", drawn < 6 ? 4 + drawn : 7 + drawn);
  }
  std::string target() {
    return random_.chance(1, 10) ? "x0" : fmt::format("x{}", random_.between(13, 20));
  }
  /// The register that points at the cell of a width.
  static std::string_view pointer(litmus::Width width) {
    switch (width) {
    case litmus::Width::b: return "x10";
    case litmus::Width::w: return "x11";
    case litmus::Width::l: return "x12";
    case litmus::Width::q: return "x21";
    }
    return "x21";
  }

  void instruction(const InstructionInfo& row) {
    const std::string word(row.mnemonic);
    const auto at = pointer(row.width);
    switch (row.shape) {
    case Shape::registers: return add(fmt::format("{} {},{},{}", word, target(), reg(), reg()));
    case Shape::immediate:
      return add(fmt::format("{} {},{},{}", word, target(), reg(), random_.between(-2048, 2047)));
    case Shape::shift:
      return add(fmt::format("{} {},{},{}", word, target(), reg(),
                             random_.below(row.width == litmus::Width::l ? 32 : 64)));
    case Shape::unary: return add(fmt::format("{} {},{}", word, target(), reg()));
    case Shape::upper: return add(fmt::format("{} {},{}", word, target(), random_.below(1U << 20)));
    case Shape::constant:
      return add(
          fmt::format("{} {},{}", word, target(), static_cast<std::int64_t>(random_.next())));
    case Shape::load: return add(fmt::format("{} {},0({})", word, target(), at));
    case Shape::store: return add(fmt::format("{} {},0({})", word, reg(), at));
    case Shape::reserve: return add(fmt::format("{} {},({})", word, target(), at));
    case Shape::condition:
    case Shape::update: return add(fmt::format("{} {},{},({})", word, target(), reg(), at));
    case Shape::branch: open_ = true; return add(fmt::format("{} {},{},L", word, reg(), reg()));
    case Shape::jump:
    case Shape::fence:
    case Shape::plain: return;
    }
  }

  Random& random_;
  std::vector<std::string> code_;
  bool open_ = false;
};

std::int64_t number(Random& random) {
  constexpr std::array<std::int64_t, 10> edges{
      0, 1, -1, 2, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 0xFFFFFFFF, -2};
  if (random.chance(1, 2)) return edges[random.below(edges.size())];
  return static_cast<std::int64_t>(random.next()) >> random.below(64);
}

} // namespace

std::string random_riscv_arithmetic(std::uint64_t seed) {
  Random random(seed);
  std::string initial =
                  "int8_t b; int16_t h; int w; int64_t d;\n 0:x10=b; 0:x11=h; 0:x12=w; 0:x21=d;\n",
              shown;
  for (int i = 0; i < 5; ++i)
    initial += fmt::format(" int64_t c{}={}; 0:x{}=c{};\n", i, number(random), 22 + i, i);
  for (int r = 13; r <= 20; ++r) {
    initial += fmt::format(" int64_t 0:x{};", r);
    shown += fmt::format("0:x{}; ", r);
  }
  return fmt::format("RISCV arithmetic{}\n{{ {}}}\n{}locations [{}b; h; w; d;]\nexists (true)\n",
                     seed, initial, rows_of({Calculation(random).code()}), shown);
}

} // namespace thinair::test
