// What RISC-V instructions become as events, and what the events come from.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/riscv/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/graph/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace thinair::riscv {
namespace {

using graph::PathEvent;
using graph::ProgramPaths;

litmus::Test one_hart(const std::string& code, const std::string& initial = "") {
  return litmus::parse({"t.litmus", "RISCV t\n{ 0:x10=x; 0:x11=y; " + initial + "}\n P0 ;\n" +
                                        code + "exists (true)\n"});
}

ProgramPaths paths(const std::string& code, const std::string& initial = "") {
  return graph::paths_of(one_hart(code, initial));
}

/// Final states of `shown`, under the model.
std::set<std::string> states(litmus::Test test, const std::vector<std::string>& registers) {
  test.locations.clear();
  for (const auto& each : registers) test.locations.push_back({litmus::ThreadId(0), each});
  const auto result = executions::behaviours(test, cat::load_model("riscv", architecture));
  EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
  std::set<std::string> out;
  for (const auto& behaviour : result.behaviours)
    out.insert(litmus::to_string(test, result.observables, behaviour));
  return out;
}

/// The tags of the only event of one instruction; of all of its paths, those of the first.
graph::Tags tags_of(const std::string& instruction) {
  const auto all = paths(" " + instruction + " ;\n");
  return all.threads.at(0).paths.at(0).events.at(0).tags;
}

TEST(RiscvPaths, Annotations) {
  EXPECT_EQ(tags_of("lw x5,0(x10)"), 0U);
  EXPECT_EQ(tags_of("lw.aq x5,0(x10)"), t_acquire);
  EXPECT_EQ(tags_of("lw.aqrl x5,0(x10)"), t_acquire_release);
  EXPECT_EQ(tags_of("sw.rl x5,0(x10)"), t_release);
  EXPECT_EQ(tags_of("amoadd.w x5,x6,(x10)"), t_amo);
  EXPECT_EQ(tags_of("amoadd.w.aq x5,x6,(x10)"), t_amo | t_acquire);
  EXPECT_EQ(tags_of("amoadd.w.rl x5,x6,(x10)"), t_amo | t_release);
  EXPECT_EQ(tags_of("amoadd.w.aqrl x5,x6,(x10)"), t_amo | t_acquire_release);
  EXPECT_EQ(tags_of("lr.w x5,(x10)"), t_exclusive);
  EXPECT_EQ(tags_of("lr.w.aq x5,(x10)"), t_exclusive | t_acquire);
  EXPECT_EQ(tags_of("lr.w.rl x5,(x10)"), t_exclusive) << "\"Zalrsc\": not guaranteed to order";
  EXPECT_EQ(tags_of("lr.w.aqrl x5,(x10)"), t_exclusive | t_acquire_release);
}

TEST(RiscvPaths, StoreConditionalsAreAnnotatedOnlyWithRelease) {
  const auto tags = [](const std::string& mnemonic) {
    const auto all = paths(" lr.w x5,(x10) ;\n " + mnemonic + " x6,x7,(x10) ;\n");
    return all.threads.at(0).paths.at(0).events.at(1).tags;
  };
  EXPECT_EQ(tags("sc.w"), t_exclusive);
  EXPECT_EQ(tags("sc.w.aq"), t_exclusive);
  EXPECT_EQ(tags("sc.w.rl"), t_exclusive | t_release);
  EXPECT_EQ(tags("sc.w.aqrl"), t_exclusive | t_acquire_release);
}

TEST(RiscvPaths, EachFenceHasASetOfItsOwn) {
  std::set<graph::Tags> seen;
  for (const char* before : {"r", "w", "rw"})
    for (const char* after : {"r", "w", "rw"}) {
      const graph::Tags tag = tags_of(std::string("fence ") + before + "," + after);
      EXPECT_TRUE(seen.insert(tag).second);
      const std::string name = std::string("Fence.") + before + "." + after;
      const auto row = std::ranges::find(architecture->sets, name, &graph::NamedSet::name);
      ASSERT_NE(row, architecture->sets.end()) << name;
      EXPECT_EQ(row->tags, tag) << name;
    }
  EXPECT_EQ(tags_of("fence.tso"), t_fence_tso);
  EXPECT_EQ(tags_of("fence"), tags_of("fence rw,rw"));
  EXPECT_EQ(tags_of("fence iorw,ow"), tags_of("fence rw,w")) << "devices are not looked at";
  EXPECT_EQ(tags_of("fence io,rw"), 0U);
}

TEST(RiscvPaths, AnUpdateIsOneEvent) {
  const auto all = paths(" amoadd.w x5,x6,(x10) ;\n");
  const auto& events = all.threads.at(0).paths.at(0).events;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kinds & (graph::k_read | graph::k_write), graph::k_read | graph::k_write);
}

TEST(RiscvPaths, AFailedCompareAndSwapReadsAndDoesNotRelease) {
  const auto all = paths(" amocas.w.aqrl x5,x6,(x10) ;\n");
  std::vector<PathEvent> events;
  for (const auto& path : all.threads.at(0).paths) events.push_back(path.events.at(0));
  ASSERT_EQ(events.size(), 2U);
  std::ranges::sort(events, {}, &PathEvent::kinds);
  EXPECT_EQ(events[0].kinds & graph::k_write, 0U);
  EXPECT_EQ(events[0].tags, t_amo | t_acquire);
  EXPECT_NE(events[1].kinds & graph::k_write, 0U);
  EXPECT_EQ(events[1].tags, t_amo | t_acquire_release);
  EXPECT_EQ(tags_of("amocas.w.rl x5,x6,(x10)") & t_amo, t_amo);
}

/// The places of reads, or of stores that were done, that the last event's value comes from.
std::vector<std::size_t> data_of_last(const ProgramPaths& all) {
  const auto& events = all.threads.at(0).paths.at(0).events;
  std::vector<std::size_t> out;
  const auto from = all.sets[events.back().data];
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool gives = (events[i].kinds & (graph::k_read | graph::k_status)) != 0;
    if (gives && std::ranges::find(from, events[i].read) != from.end()) out.push_back(i);
  }
  return out;
}

using Places = std::vector<std::size_t>;

TEST(RiscvPaths, DependenciesAreThoseOfRegisters) {
  EXPECT_EQ(data_of_last(paths(" lw x5,0(x10) ;\n xor x6,x5,x5 ;\n sw x6,0(x11) ;\n")), Places{0});
  EXPECT_EQ(data_of_last(paths(" lw x5,0(x10) ;\n mul x6,x5,x0 ;\n sw x6,0(x11) ;\n")), Places{0});
  EXPECT_EQ(data_of_last(paths(" lw x5,0(x10) ;\n maxu x6,x7,x5 ;\n sw x6,0(x11) ;\n")), Places{0});
  EXPECT_EQ(data_of_last(paths(" lw x0,0(x10) ;\n sw x0,0(x11) ;\n")), Places{});
  EXPECT_EQ(data_of_last(paths(" lw x5,0(x10) ;\n li x5,1 ;\n sw x5,0(x11) ;\n")), Places{});
}

TEST(RiscvPaths, WhatASuccessIsToldByDependsOnTheStore) {
  const auto all = paths(" lr.w x5,(x10) ;\n sc.w x6,x7,(x10) ;\n sw x6,0(x11) ;\n");
  ASSERT_EQ(all.threads.at(0).paths.at(0).events.size(), 3U);
  EXPECT_EQ(data_of_last(all), Places{1});
}

TEST(RiscvPaths, ABranchToTheNextInstructionIsABranch) {
  const auto all = paths(" lw x5,0(x10) ;\n beq x5,x0,L ;\n L: sw x6,0(x11) ;\n");
  ASSERT_EQ(all.threads.at(0).paths.size(), 1U);
  const auto& path = all.threads.at(0).paths[0];
  ASSERT_EQ(path.branches.size(), 1U);
  EXPECT_EQ(path.branches[0].position, 1U);
  EXPECT_EQ(all.sets[path.branches[0].from].size(), 1U);
}

TEST(RiscvPaths, StoreConditionalsFailWithoutAReservationOfTheirCell) {
  const std::set<std::string> fails{"0:x6=1"}, both{"0:x6=0", "0:x6=1"};
  EXPECT_EQ(states(one_hart(" sc.w x6,x7,(x10) ;\n"), {"x6"}), fails);
  EXPECT_EQ(states(one_hart(" lr.w x5,(x11) ;\n sc.w x6,x7,(x10) ;\n"), {"x6"}), fails);
  EXPECT_EQ(states(one_hart(" lr.w x5,(x10) ;\n sc.w x6,x7,(x10) ;\n"), {"x6"}), both);
  EXPECT_EQ(
      states(one_hart(" lr.w x5,(x10) ;\n sc.w x6,x7,(x10) ;\n sc.w x6,x7,(x10) ;\n"), {"x6"}),
      fails);
}

/// Rounds that fail add nothing, however often they are done: no loop bound is reached.
TEST(RiscvPaths, RetryLoopsAreOneSuccessfulRound) {
  const auto test = litmus::parse(
      {"t.litmus",
       "RISCV t\n{ 0:x10=x; 1:x10=x; }\n P0 | P1 ;\n L: lr.w x5,(x10) | L: lr.w x5,(x10) ;\n"
       " addi x6,x5,1 | addi x6,x5,1 ;\n sc.w x7,x6,(x10) | sc.w x7,x6,(x10) ;\n"
       " bnez x7,L | bnez x7,L ;\nlocations [0:x5; 1:x5; x;]\nexists (x=2)\n"});
  const auto result = executions::behaviours(test, cat::load_model("riscv", architecture));
  EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
  EXPECT_EQ(result.behaviours.size(), 2U);
}

/// A narrow access has the low part of its cell; the rest keeps its initial value.
TEST(RiscvPaths, AccessesMayBeNarrowerThanTheirCell) {
  auto test = one_hart(" li x5,-2 ;\n sw x5,0(x12) ;\n lw x6,0(x12) ;\n lwu x7,0(x12) ;\n",
                       "int64_t z=21474836480; 0:x12=z; int64_t 0:x7;"); // 5 << 32
  test.locations = {{litmus::ThreadId(0), "x6"}, {litmus::ThreadId(0), "x7"}, {std::nullopt, "z"}};
  const auto result = executions::behaviours(test, cat::load_model("riscv", architecture));
  ASSERT_EQ(result.behaviours.size(), 1U);
  EXPECT_EQ(litmus::to_string(test, result.observables, result.behaviours[0]),
            "0:x6=-2; 0:x7=4294967294; [z]=25769803774");
}

/// It knows no fence and no update of RISC-V, so that it would be silent about both.
TEST(RiscvPaths, TheModelOfStoreBuffersIsForOtherPrograms) {
  EXPECT_THROW(cat::load_model("tso", architecture), InputError);
  EXPECT_THROW(cat::load_model("x86-tso", architecture), InputError);
}

TEST(RiscvPaths, WhatIsNotDoneIsSaid) {
  const auto says = [](const std::string& code, const std::string& initial = "") {
    try {
      paths(code, initial);
    } catch (const Unsupported& error) {
      return std::string(error.what());
    }
    return std::string("done");
  };
  EXPECT_EQ(says(" ld x5,0(x10) ;\n"), "unsupported: an access of 8 bytes to x of 4");
  EXPECT_EQ(says(" lw x5,0(x12) ;\n ld x6,0(x12) ;\n", "int64_t z; 0:x12=z;"),
            "unsupported: accesses of 4 and 8 bytes to z");
  EXPECT_EQ(says(" lw x5,4(x10) ;\n"),
            "unsupported: an access through a register that holds no location's address");
  EXPECT_EQ(says(" li x5,1 ;\n", "0:x0=1;"), "unsupported: an initial value of x0");
}

} // namespace
} // namespace thinair::riscv
