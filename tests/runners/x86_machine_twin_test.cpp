// The machine against its slow twin, which moves every process at every state and merges only
// states that are equal to the last bit: reductions must lose nothing and add nothing.
#include "litmus/random.h"
#include "litmus/test.h"
#include "runners/x86_configuration.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace thinair::runners {
namespace {

/// A configuration whole: every register, every flag, every cell.
std::vector<std::uint64_t> whole(const Configuration& c) {
  std::vector<std::uint64_t> out(c.memory);
  for (const MachineThread& thread : c.threads) {
    out.insert(out.end(), thread.cpu.registers.begin(), thread.cpu.registers.end());
    const auto& f = thread.cpu.flags;
    for (const bool flag : {f.carry, f.parity, f.zero, f.sign, f.overflow}) out.push_back(flag);
    out.push_back(thread.next);
    out.push_back(thread.buffer.size());
    for (const BufferedStore& store : thread.buffer) {
      out.push_back(store.location.value);
      out.push_back(store.value);
    }
  }
  return out;
}

class Twin {
 public:
  explicit Twin(const litmus::Test& test)
      : asked_(litmus::observables(test)), machine_(test.x86(), asked_) {}

  std::set<litmus::Behaviour> run() {
    std::vector<Configuration> open{machine_.start()};
    seen_.insert(whole(open.back()));
    while (!open.empty()) {
      const Configuration here = std::move(open.back());
      open.pop_back();
      bool moved = false;
      for (std::size_t t = 0; t < machine_.threads(); ++t) {
        for (const bool flush : {false, true}) {
          if (flush ? here.threads[t].buffer.empty() : !can_step(here, t)) continue;
          moved = true;
          Configuration there = here;
          flush ? machine_.flush(there, t) : machine_.step(there, t);
          if (seen_.insert(whole(there)).second) open.push_back(std::move(there));
        }
      }
      if (!moved) found_.insert(machine_.observe(here));
    }
    return std::move(found_);
  }

 private:
  bool can_step(const Configuration& c, std::size_t t) const {
    using Kind = NextStep::Kind;
    const Kind kind = machine_.next_step(c, t).kind;
    return kind == Kind::local || kind == Kind::load ||
           (kind == Kind::locked && c.threads[t].buffer.empty());
  }

  std::vector<litmus::Observable> asked_;
  Machine machine_;
  std::set<std::vector<std::uint64_t>> seen_;
  std::set<litmus::Behaviour> found_;
};

class RandomTest {
 public:
  explicit RandomTest(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::size_t threads = 2 + random_.below(2);
    std::string names, rows, initial;
    std::vector<std::vector<std::string>> code(threads);
    for (std::size_t t = 0; t < threads; ++t) {
      names += fmt::format("{} P{}", t == 0 ? "" : " |", t);
      initial += fmt::format(" {}:rdi={};", t, cell());
      for (std::size_t i = 0, n = 2 + random_.below(3); i < n; ++i)
        code[t].push_back(fmt::format("{} {}", i == 2 ? "L:" : "", instruction(i)));
      while (code[t].size() < 3) code[t].push_back(code[t].size() == 2 ? "L:" : "");
      code[t].resize(4);
    }
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t t = 0; t < threads; ++t)
        rows += fmt::format("{} {}", t == 0 ? "" : " |", code[t][row]);
      rows += " ;\n";
    }
    std::string asked = "x; y; ";
    for (std::size_t t = 0; t < threads; ++t)
      asked += random_.chance(80, 100) ? fmt::format("{}:rax; ", t) : "";
    return fmt::format("X86_64 random\n{{{}}}\n{};\n{}locations [{}]\n", initial, names, rows,
                       asked);
  }

 private:
  std::string cell() { return random_.chance(50, 100) ? "x" : "y"; }
  std::string memory() { return random_.chance(15, 100) ? "(%rdi)" : "(" + cell() + ")"; }

  std::string instruction(std::size_t row) {
    constexpr std::array forms{
        "movl ${1},{0}",
        "movl ${1},{0}",
        "movl {0},%eax",
        "movl {0},%eax",
        "movl %eax,{0}",
        "movl {0},%ebx",
        "xchgl %eax,{0}",
        "lock xaddl %eax,{0}",
        "lock cmpxchgl {0},%ebx",
        "lock incl {0}",
        "addl ${1},{0}",
        "mfence",
        "cmpl {0},%eax",
        "addl %ebx,%eax",
        "cmovel {0},%eax",
        "cmpxchgl {0},%ebx",
        "sete %al",
        "testl %eax,%eax",
        "lock orl ${1},{0}",
        "movl $0,%eax",
        "decl {0}",
        "leaq (x),%rdi",
    };
    if (row < 2 && random_.chance(15, 100)) return random_.chance(50, 100) ? "je L" : "jne L";
    return fmt::format(fmt::runtime(random_.pick(forms)), memory(), 1 + random_.below(2));
  }

  litmus::Random random_;
};

TEST(X86MachineTwin, AgreesOnRandomPrograms) {
  std::size_t states = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = RandomTest(seed).text();
    const litmus::Test test = litmus::parse({"random", text});
    const auto result = x86_machine(test);
    ASSERT_EQ(result.status, executions::Result::Status::ok);
    const std::set<litmus::Behaviour> found(result.behaviours.begin(), result.behaviours.end());
    ASSERT_EQ(found, Twin(test).run()) << "seed " << seed << "\n" << text;
    states += found.size();
  }
  EXPECT_GT(states, 8000U) << "the programs have become dull";
}

} // namespace
} // namespace thinair::runners
