// Addresses that come from memory, as references are in machine code: our engine against the real
// herd7 on random programs that hand pointers over, on each machine.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "machine/aarch64/front_end.h"
#include "machine/riscv/front_end.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

using litmus::Random;

/// How a machine writes what the programs are made of. {a}: the register that has a cell's address;
/// {v}, {w}: registers for values; {n}: a number; {l}: a label.
struct Spelling {
  const char* name;
  const char* word; // of the format
  const char* model;
  graph::Architecture architecture;
  std::vector<std::string> registers; // addresses of p, q, x, y; then pointers; then values
  std::string constant, load, store, skip_if_null;
  std::vector<std::string> fences;
};

constexpr std::size_t cells = 4, pointers = 2, values = 4;
constexpr const char* cell_names[cells] = {"p", "q", "x", "y"};

const std::vector<Spelling>& spellings() {
  static const std::vector<Spelling> all = {
      {"x86",
       "X86_64",
       "x86-tso",
       x86::architecture,
       {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"},
       "movq ${n},%{v}",
       "movq (%{a}),%{v}",
       "movq %{v},(%{a})",
       "cmpq $0,%{v}\nje {l}",
       {"mfence"}},
      {"aarch64",
       "AArch64",
       "armv8",
       aarch64::architecture,
       {"X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9"},
       "MOV {v},#{n}",
       "LDR {v},[{a}]",
       "STR {v},[{a}]",
       "CBZ {v},{l}",
       {"DMB SY", "DMB LD", "DMB ST"}},
      {"riscv",
       "RISCV",
       "riscv",
       riscv::architecture,
       {"x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14"},
       "addi {v},x0,{n}",
       "ld {v},0({a})",
       "sd {v},0({a})",
       "beq {v},x0,{l}",
       {"fence rw,rw", "fence w,w", "fence r,r"}},
  };
  return all;
}

/// One thread: stores of numbers and of addresses, and accesses through pointers that it has read,
/// where they are not null.
class Thread {
 public:
  Thread(Random& random, const Spelling& spelling, std::uint32_t number, bool makes)
      : random_(random), spelling_(spelling), number_(number) {
    for (std::uint32_t left = makes ? 2 : 3; left > 0; --left) {
      if (random.chance(1, 4)) lines_.push_back(random.pick(spelling.fences));
      if (makes ? random.chance(3, 4) : random.chance(1, 5))
        publish();
      else
        follow();
    }
    if (!label_.empty()) lines_.push_back(label_ + ":");
  }

  const std::vector<std::string>& lines() const { return lines_; }
  std::string initial() const {
    std::string out;
    for (std::size_t c = 0; c < cells; ++c)
      out += fmt::format("{}:{}={}; ", number_, spelling_.registers[c], cell_names[c]);
    for (const auto& shown : shown_) out += fmt::format("{}=7; ", shown);
    return out;
  }
  const std::vector<std::string>& shown() const { return shown_; }

 private:
  void emit(const std::string& pattern, const std::string& address, const std::string& value) {
    const std::string text =
        fmt::format(fmt::runtime(pattern), fmt::arg("a", address), fmt::arg("v", value),
                    fmt::arg("n", 1 + random_.below(2)), fmt::arg("l", next_label_));
    std::string line;
    for (const char c : text + '\n') {
      if (c != '\n') {
        line += c;
        continue;
      }
      if (!label_.empty()) line = std::exchange(label_, {}) + ": " + line;
      lines_.push_back(std::exchange(line, {}));
    }
  }

  const std::string& cell(std::size_t first, std::size_t count) {
    return spelling_.registers[first + random_.below(count)];
  }
  const std::string& scratch() { return spelling_.registers[cells + pointers]; }

  /// A number to x or y, then the address of one of them to p or q.
  void publish() {
    emit(spelling_.constant, "", scratch());
    const auto target = random_.below(2);
    emit(spelling_.store, spelling_.registers[2 + target], scratch());
    if (random_.chance(1, 3)) lines_.push_back(random_.pick(spelling_.fences));
    emit(spelling_.store, cell(0, 2), spelling_.registers[2 + target]);
  }

  void follow() {
    const std::string pointer = spelling_.registers[cells + random_.below(pointers)];
    emit(spelling_.load, cell(0, 2), pointer);
    if (random_.chance(1, 3)) emit(spelling_.store, cell(0, 2), pointer); // handed on, null or not
    next_label_ = fmt::format("L{}{}", number_, labels_++);
    emit(spelling_.skip_if_null, "", pointer);
    if (random_.chance(1, 4)) {
      emit(spelling_.constant, "", scratch());
      emit(spelling_.store, pointer, scratch());
    } else if (shown_.size() + 1 < values) {
      const std::string& value = spelling_.registers[cells + pointers + 1 + shown_.size()];
      emit(spelling_.load, pointer, value);
      shown_.push_back(fmt::format("{}:{}", number_, value));
    }
    label_ = next_label_;
  }

  Random& random_;
  const Spelling& spelling_;
  std::uint32_t number_;
  std::vector<std::string> lines_, shown_;
  std::string label_, next_label_;
  int labels_ = 0;
};

/// Numbers are shown, addresses are not: herd7 has names for them.
std::string drawn(const Spelling& spelling, std::uint64_t index) {
  Random random(77, index);
  std::vector<Thread> threads;
  for (std::uint32_t t = 0; t < 2; ++t) threads.emplace_back(random, spelling, t, t == 0);
  std::string text = fmt::format(
      "{} pointers{}\n{{ uint64_t p; uint64_t q; uint64_t x; uint64_t y; ", spelling.word, index);
  std::vector<std::string> shown{"[x]", "[y]"};
  std::size_t rows = 0;
  for (const Thread& thread : threads) {
    text += thread.initial();
    shown.insert(shown.end(), thread.shown().begin(), thread.shown().end());
    rows = std::max(rows, thread.lines().size());
  }
  text += "}\n";
  for (std::size_t row = 0; row <= rows; ++row) {
    std::vector<std::string> line;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const auto& lines = threads[t].lines();
      line.push_back(row == 0                 ? fmt::format("P{}", t)
                     : row - 1 < lines.size() ? lines[row - 1]
                                              : "");
    }
    text += fmt::format(" {} ;\n", fmt::join(line, " | "));
  }
  for (auto& each : shown)
    if (each.starts_with('[')) each = each.substr(1, each.size() - 2);
  return text + fmt::format("locations [{};]\nexists (x=1)\n", fmt::join(shown, "; "));
}

class PointersOnEach : public testing::TestWithParam<std::size_t> {};

/// THINAIR_POINTER_PROGRAMS of them, from THINAIR_HERD7_SEED on.
TEST_P(PointersOnEach, AreFollowedAsHerd7DoesIt) {
  if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  const Spelling& spelling = spellings()[GetParam()];
  const auto number = [](const char* name, std::size_t usual) {
    const char* given = std::getenv(name);
    return given != nullptr ? std::strtoul(given, nullptr, 10) : usual;
  };
  const std::size_t programs = number("THINAIR_POINTER_PROGRAMS", 20), batch = 200;
  const std::size_t first = number("THINAIR_HERD7_SEED", 1);
  HerdOptions options;
  options.model = spelling.model;
  options.seconds = 2;
  options.optace = "true"; // the models are coherent
  const auto plan = cat::load_model(spelling.model, spelling.architecture);
  Agreement counts;
  for (std::size_t done = 0; done < programs; done += batch) {
    std::vector<litmus::Test> tests;
    for (std::size_t i = done; i < std::min(done + batch, programs); ++i)
      tests.push_back(litmus::parse({"drawn", drawn(spelling, first + i)}));
    agree(tests, plan, options, counts);
  }
  std::printf("%s: %s\n", spelling.name, to_string(counts).c_str());
  EXPECT_LE(counts.undecided * 20, programs) << "too many come to nothing";
  EXPECT_GT(counts.equal * 10, programs * 9);
}

INSTANTIATE_TEST_SUITE_P(Machine, PointersOnEach, testing::Values(0U, 1U, 2U),
                         [](const auto& info) {
                           return std::string(spellings()[info.param].name);
                         });

} // namespace
} // namespace thinair::runners
