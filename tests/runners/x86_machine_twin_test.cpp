// The machine against its slow twin, which moves every process at every state and merges only
// states that are equal to the last bit: reductions must lose nothing and add nothing.
#include "litmus/test.h"
#include "machine/x86/code/configuration.h"
#include "machine/x86/code/store_buffers.h"
#include "tests/support/random_x86.h"

#include <gtest/gtest.h>

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
      : asked_(litmus::observables(test)), machine_(x86::program_of(test), asked_) {}

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

TEST(X86MachineTwin, AgreesOnRandomPrograms) {
  std::size_t states = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = test::random_x86(seed);
    const litmus::Test test = litmus::parse({"random", text});
    const auto result = x86_machine(test);
    ASSERT_EQ(result.status, oracle::Result::Status::ok);
    const std::set<litmus::Behaviour> found(result.behaviours.begin(), result.behaviours.end());
    ASSERT_EQ(found, Twin(test).run()) << "seed " << seed << "\n" << text;
    states += found.size();
  }
  EXPECT_GT(states, 8000U) << "the programs have become dull";
}

} // namespace
} // namespace thinair::runners
