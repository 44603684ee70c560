// Paths of AArch64 threads against steps on numbers: what a concrete run does, exactly one path
// does too. And what events carry.
#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/step.h"
#include "machine/common/walk.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/aarch64_programs.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thinair::aarch64 {
namespace {

struct Seen {
  bool write = false;
  LocationId location;
  Value value = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

/// Memory that records; loads return small numbers as they come.
class Recorder final : public machine::MemoryPort {
 public:
  Recorder(litmus::Random& random, std::span<const litmus::Cell> cells)
      : random_(random), cells_(cells) {}
  Value load(std::uint64_t address, Width) override {
    seen.push_back(
        {false, *litmus::location_at(address, cells_), static_cast<Value>(random_.below(4))});
    return seen.back().value;
  }
  void store(std::uint64_t address, Width, Value value) override {
    seen.push_back({true, *litmus::location_at(address, cells_), value});
  }
  std::vector<Seen> seen;

 private:
  litmus::Random& random_;
  std::span<const litmus::Cell> cells_;
};

/// Absent: it tries again and again, as it stores to where it did not load from.
std::optional<Registers> run(const Thread& thread, machine::ConcreteCore& core) {
  Registers out;
  for (const auto& initial : thread.initial)
    out.x[index(initial.reg)] = litmus::address_of(std::get<LocationId>(initial.value));
  std::size_t steps = 0;
  for (std::size_t at = 0; at < thread.code.size();) {
    if (++steps > 200) return std::nullopt;
    const Instruction& in = thread.code[at];
    at = step(in, out, core) ? litmus::position_of(thread, in.target) : at + 1;
  }
  return out;
}

/// Whether the path is that run: its accesses, its constraints, its registers.
bool is(const graph::ProgramPaths& all, const graph::Path& path, const std::vector<Seen>& seen,
        const Registers& end) {
  std::vector<Value> values(all.terms.variable_count(), 0);
  std::vector<graph::PathEvent> accesses;
  for (const auto& e : path.events)
    if ((e.kinds & graph::k_fence) == 0) accesses.push_back(e);
  if (accesses.size() != seen.size()) return false;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i].write && (accesses[i].kinds & graph::k_read) != 0)
      values[accesses[i].read.value] = seen[i].value;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const bool write = (accesses[i].kinds & graph::k_write) != 0;
    if (write != seen[i].write || accesses[i].location != seen[i].location) return false;
    if (write && all.terms.evaluate(accesses[i].written, values) != seen[i].value) return false;
  }
  for (const auto constraint : path.constraints)
    if (all.terms.evaluate(constraint, values).value_or(0) == 0) return false;
  for (std::size_t i = 0; i < register_count; ++i)
    if (all.terms.evaluate(path.final_registers[i], values) != static_cast<Value>(end.x[i]))
      return false;
  return true;
}

TEST(AArch64Paths, EachRunIsOnePath) {
  litmus::Random random(1);
  for (std::uint64_t seed = 1; seed <= test::draws(400); ++seed) {
    const auto test = litmus::parse({"t", test::aarch64_program(seed)});
    const Program& program = program_of(test);
    const auto all = paths_of(program);
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      for (int i = 0; i < 8; ++i) {
        Recorder memory(random, program.locations);
        machine::ConcreteCore core(memory);
        const auto end = run(program.threads[t], core);
        if (!end) break;
        const auto count =
            std::ranges::count_if(all.threads[t].paths, [&](const graph::Path& path) {
              return is(all, path, memory.seen, *end);
            });
        EXPECT_EQ(count, 1) << litmus::print(test) << "thread " << t;
      }
  }
}

/// The only path of a thread with this code; X0 points at x, X1 at y.
graph::ProgramPaths paths(const std::string& code) {
  const auto test = litmus::parse(
      {"t", "AArch64 t\n{ 0:X0=x; 0:X1=y; }\n P0 ;\n " + code + " ;\nexists (true)\n"});
  return paths_of(program_of(test));
}

graph::Tags tags(const std::string& code, std::size_t event = 0) {
  return paths(code).threads.at(0).paths.at(0).events.at(event).tags;
}

TEST(AArch64Paths, EventsSayWhatModelsAskFor) {
  EXPECT_EQ(tags("LDR W1,[X0]"), 0U);
  EXPECT_EQ(tags("LDAR W1,[X0]"), t_acquire);
  EXPECT_EQ(tags("LDAR WZR,[X0]"), t_acquire);
  EXPECT_EQ(tags("LDAPR W1,[X0]"), t_acquire_pc);
  EXPECT_EQ(tags("STLR W1,[X0]"), t_release);
  EXPECT_EQ(tags("LDAXR W1,[X0]"), t_acquire | t_exclusive);
  EXPECT_EQ(tags("SWPAL W1,W2,[X0]"), t_acquire | t_exclusive);
  EXPECT_EQ(tags("SWPAL W1,W2,[X0]", 1), t_release | t_exclusive);
  EXPECT_EQ(tags("SWPA W1,W2,[X0]", 1), t_exclusive);
  EXPECT_EQ(tags("SWPAL W1,WZR,[X0]"), t_exclusive | t_no_return);
  EXPECT_EQ(tags("CASAL WZR,W2,[X0]"), t_exclusive | t_no_return);
  EXPECT_EQ(tags("STADDL W1,[X0]"), t_exclusive | t_no_return);
  EXPECT_EQ(tags("STADDL W1,[X0]", 1), t_release | t_exclusive);
  EXPECT_EQ(tags("DMB ISHLD"), t_dmb << static_cast<unsigned>(Barrier::ishld));
  EXPECT_EQ(tags("DSB SY"), t_dsb);
  EXPECT_EQ(tags("ISB"), t_isb);
  std::vector<std::string_view> dmb;
  for (const auto& set : front_end.sets)
    if ((set.tags & t_dmb << static_cast<unsigned>(Barrier::oshst)) != 0) dmb.push_back(set.name);
  EXPECT_EQ(dmb, std::vector<std::string_view>{"DMB.OSHST"});
}

/// Reads that the last event of the first path comes from: how many of its address, its value, the
/// choice of the value.
std::vector<std::size_t> sources(const std::string& code) {
  const auto all = paths(code);
  const auto& e = all.threads.at(0).paths.at(0).events.back();
  return {all.sets[e.address].size(), all.sets[e.data].size(), all.sets[e.picked_data].size()};
}

TEST(AArch64Paths, DependenciesAreThoseOfTheText) {
  using Counts = std::vector<std::size_t>;
  EXPECT_EQ(sources("LDR W2,[X0] ; EOR W3,W2,W2 ; STR W4,[X1,W3,SXTW]"), (Counts{1, 0, 0}));
  EXPECT_EQ(sources("LDR W2,[X0] ; EOR W3,W2,W2 ; STR W3,[X1]"), (Counts{0, 1, 0}));
  EXPECT_EQ(sources("LDR W2,[X0] ; CMP W2,#0 ; CSEL W3,W4,W5,EQ ; STR W3,[X1]"), (Counts{0, 0, 1}));
  EXPECT_EQ(sources("LDR W2,[X0] ; CMP W2,#0 ; CSET W3,EQ ; STR W3,[X1]"), (Counts{0, 0, 1}));
  EXPECT_EQ(sources("LDR W2,[X0] ; LDR W6,[X1] ; CMP W2,#0 ; CSEL W3,W6,W5,EQ ; STR W3,[X1]"),
            (Counts{0, 1, 1}));
  EXPECT_EQ(sources("LDXR W2,[X0] ; STXR W3,W5,[X0] ; STR W3,[X1]"), (Counts{0, 0, 0}));
  EXPECT_EQ(sources("LDADD W2,W3,[X0] ; STR W3,[X1]"), (Counts{0, 1, 0}));
  EXPECT_EQ(sources("LDADD W2,WZR,[X0] ; STR WZR,[X1]"), (Counts{0, 0, 0}));
}

TEST(AArch64Paths, ABranchDependsThoughItDecidesNothing) {
  const auto all = paths("LDR W2,[X0] ; EOR W3,W2,W2 ; CBNZ W3,L ; L: STR W4,[X1]");
  ASSERT_EQ(all.threads[0].paths.size(), 1U);
  ASSERT_EQ(all.threads[0].paths[0].branches.size(), 1U);
  EXPECT_EQ(all.sets[all.threads[0].paths[0].branches[0].from].size(), 1U);
}

TEST(AArch64Paths, RoundsThatFailAddNothing) {
  const std::string loop = "L: LDAXR W2,[X0] ; ADD W3,W2,#1 ; STLXR W4,W3,[X0] ; CBNZ W4,L";
  EXPECT_EQ(paths(loop).threads[0].paths.size(), 1U);
  EXPECT_FALSE(paths(loop).cut);
  const std::string counted = "L: LDAXR W2,[X0] ; ADD W5,W5,#1 ; STLXR W4,W3,[X0] ; CBNZ W4,L";
  EXPECT_TRUE(paths(counted).cut);
  const std::string compared =
      "L: LDAXR W2,[X0] ; CMP W2,#1 ; B.NE M ; STLXR W4,W3,[X0] ; CBNZ W4,L ; M: NOP";
  // the status of a failure is seen at the end where the comparison leaves the loop
  EXPECT_EQ(paths(compared).threads[0].paths.size(), 4U);
  EXPECT_FALSE(paths(compared).cut);
}

/// What C2 makes of an update: the expected value is a copy of the whole register that was loaded.
TEST(AArch64Paths, AnUpdateThatIsTriedAgainIsOneRound) {
  for (const std::string copy : {"MOV X4,X2", "MOV W4,W2"}) {
    const std::string round = "LDR W2,[X0] ; ADD W3,W2,#1 ; " + copy + " ; CASL W4,W3,[X0] ; ";
    for (const std::string end : {"CMP W4,W2 ; B.NE L", "CMP W4,W2 ; CSET W5,EQ ; CBZ W5,L"}) {
      const auto all = paths("L: " + round + end);
      EXPECT_EQ(all.threads[0].paths.size(), 1U) << round << end;
      EXPECT_FALSE(all.cut) << round << end;
    }
  }
}

TEST(AArch64Paths, AnAddressThatStraysIsUnsupportedWhereAnExecutionDoes) {
  const auto model = cat::load_model("armv8", architecture);
  const auto text = [](int stored) {
    return "AArch64 t\n{ 0:X0=x; 0:X1=y; 1:X0=x; }\n P0 | P1 ;\n LDR W2,[X0] | MOV W1,#" +
           std::to_string(stored) +
           " ;\n AND W3,W2,#4096 | STR W1,[X0] ;\n LDR W4,[X1,W3,SXTW] | ;\nexists (0:X4=0)\n";
  };
  EXPECT_EQ(executions::behaviours(litmus::parse({"t", text(1)}), model).behaviours.size(), 1U);
  EXPECT_THROW(executions::behaviours(litmus::parse({"t", text(4096)}), model), Unsupported);
}

} // namespace
} // namespace thinair::aarch64
