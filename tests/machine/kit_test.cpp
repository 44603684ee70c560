// The kit of machine/common, shown on a machine of five instructions: one meaning gives steps on
// numbers and paths.
#include "litmus/text/error.h"
#include "machine/common/concrete.h"
#include "machine/common/values.h"
#include "machine/common/walk.h"
#include "machine/x86/front_end.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace thinair::machine {
namespace {

/// Registers 0 to 3; register 3 points at the first cell from the beginning, the others hold 0
/// where no initial value says otherwise.
struct Toy {
  using Reg = std::uint32_t;
  static std::optional<Reg> register_named(std::string_view) { return std::nullopt; }
  enum class Kind : std::uint8_t { load, store, add, select, jump_if, link, conditional, jump };
  Kind kind = Kind::load;
  Reg a = 0, b = 0, c = 0;
  std::string target;
  std::vector<std::string> labels;
  friend bool operator==(const Toy&, const Toy&) = default;
};

template <class Core>
using Registers = std::array<typename Core::Word, 4>;

/// load a,[b]; store a,[b]; add a,b,c; select a,b,c (by a); jump_if a; link a,[b]; conditional
/// a,b,[c].
template <class Core>
bool execute(const Toy& in, Registers<Core>& r, Core& core) {
  switch (in.kind) {
  case Toy::Kind::load: r[in.a] = core.load(r[in.b], {}); return false;
  case Toy::Kind::store: core.store(r[in.b], r[in.a], {}); return false;
  case Toy::Kind::add: r[in.a] = core.make(TermOp::add, 64, r[in.b], r[in.c]); return false;
  case Toy::Kind::select: r[in.a] = core.pick(r[in.a], r[in.b], r[in.c]); return false;
  case Toy::Kind::jump_if: return core.branch(r[in.a]);
  case Toy::Kind::link: r[in.a] = core.load_exclusive(r[in.b], {}); return false;
  case Toy::Kind::conditional: r[in.a] = core.store_exclusive(r[in.c], r[in.b], {}); return false;
  case Toy::Kind::jump: return true;
  }
  return false;
}

struct Meaning {
  using Instruction = Toy;
  using Core = SymbolicCore;
  using State = Registers<SymbolicCore>;
  static constexpr Slots observed = 0b1111, monitor = 0b10000;
  static State initial(const litmus::ThreadOf<Toy>& thread, SymbolicCore& core) {
    const auto pointer = core.number(static_cast<Value>(litmus::address_of(LocationId(0))));
    State out{core.number(0), core.number(0), core.number(0), pointer};
    for (const auto& each : thread.initial)
      out[each.reg] = core.number(std::get<Value>(each.value));
    return out;
  }
  static bool execute(const Toy& in, State& state, SymbolicCore& core) {
    return machine::execute(in, state, core);
  }
  static std::vector<Symbol> registers(const State& state, SymbolicCore&) {
    return {state.begin(), state.end()};
  }
  static Slots bit(Toy::Reg reg) { return Slots{1} << reg; }
  static Slots reads(const Toy& in) {
    switch (in.kind) {
    case Toy::Kind::load:
    case Toy::Kind::link: return bit(in.b);
    case Toy::Kind::store: return bit(in.a) | bit(in.b);
    case Toy::Kind::add: return bit(in.b) | bit(in.c);
    case Toy::Kind::select: return bit(in.a) | bit(in.b) | bit(in.c);
    case Toy::Kind::jump_if: return bit(in.a);
    case Toy::Kind::conditional: return bit(in.b) | bit(in.c) | monitor;
    case Toy::Kind::jump: return 0;
    }
    return 0;
  }
  static Slots writes(const Toy& in) {
    if (in.kind == Toy::Kind::store || in.kind == Toy::Kind::jump_if || in.kind == Toy::Kind::jump)
      return 0;
    const bool exclusive = in.kind == Toy::Kind::link || in.kind == Toy::Kind::conditional;
    return bit(in.a) | (exclusive ? monitor : 0);
  }
  static bool ends_run(const Toy& in) { return in.kind == Toy::Kind::jump; }
  static bool agree(const State& a, const State& b, Slots slots) {
    for (Toy::Reg i = 0; i < 4; ++i)
      if ((slots & bit(i)) != 0 && a[i] != b[i]) return false;
    return true;
  }
};

using K = Toy::Kind;

litmus::ProgramOf<Toy> program_of(std::vector<Toy> code, std::size_t cells = 1) {
  litmus::ProgramOf<Toy> program;
  for (std::size_t i = 0; i < cells; ++i)
    program.locations.push_back({std::string(1, static_cast<char>('x' + i)), {}, 0});
  program.threads.push_back({"P0", {}, std::move(code), {"end"}});
  return program;
}

graph::ProgramPaths paths(std::vector<Toy> code, std::size_t cells = 1,
                          const graph::PathLimits& limits = {}) {
  return paths_of<Meaning>(program_of(std::move(code), cells), x86::architecture, limits);
}

std::vector<graph::Variable> reads_of(const graph::ProgramPaths& all, SetId set) {
  return {all.sets[set].begin(), all.sets[set].end()};
}

TEST(Kit, AddressesAndDataComeFromWhatInstructionsSay) {
  // r0 = load; r1 = r0 + r3 … an address that the read decides, and so is the cell
  auto program = program_of(
      {{K::load, 0, 3, 0, "", {}}, {K::add, 1, 0, 3, "", {}}, {K::store, 0, 1, 0, "", {}}}, 2);
  const auto founded = [&](Value offset) { // by another thread's write
    program.threads.push_back({"P", {{0, offset, {}}}, {{K::store, 0, 3, 0, "", {}}}, {}});
    return paths_of<Meaning>(program, x86::architecture, {});
  };
  const auto y =
      static_cast<Value>(litmus::address_of(LocationId(1)) - litmus::address_of(LocationId(0)));
  const auto only_cells = founded(y);
  EXPECT_EQ(only_cells.threads[0].paths.size(), 2U);
  EXPECT_EQ(only_cells.threads[0].strayed.size(), 0U);
  const auto all = founded(y + 1);
  ASSERT_EQ(all.threads[0].paths.size(), 2U); // of x, of y
  EXPECT_EQ(all.threads[0].strayed.size(), 1U);
  for (const auto& path : all.threads[0].paths) {
    ASSERT_EQ(path.events.size(), 2U);
    const auto& write = path.events[1];
    EXPECT_EQ(reads_of(all, write.address), std::vector{path.events[0].read});
    EXPECT_EQ(reads_of(all, write.data), std::vector{path.events[0].read});
    ASSERT_EQ(path.constraints.size(), 1U); // the read is what makes that address
    for (const Value value : {Value{0}, y, y + 1}) {
      std::vector<Value> values(path.events[0].read.value + 1, value);
      EXPECT_EQ(all.terms.evaluate(path.constraints[0], values) != 0,
                value == (write.location == LocationId(0) ? 0 : y));
    }
  }
}

TEST(Kit, AChoiceIsNoDataDependency) {
  const auto all = paths(
      {{K::load, 0, 3, 0, "", {}}, {K::select, 0, 1, 2, "", {}}, {K::store, 0, 3, 0, "", {}}});
  ASSERT_EQ(all.threads[0].paths.size(), 1U); // both values are 0, and of no read
  const auto& path = all.threads[0].paths[0];
  EXPECT_TRUE(reads_of(all, path.events[1].data).empty());
  EXPECT_EQ(reads_of(all, path.events[1].picked_data), std::vector{path.events[0].read});
}

TEST(Kit, AChoiceBetweenReadsForks) {
  const auto all = paths({{K::load, 0, 3, 0, "", {}},
                          {K::load, 1, 3, 0, "", {}},
                          {K::select, 0, 1, 2, "", {}},
                          {K::store, 0, 3, 0, "", {}}});
  ASSERT_EQ(all.threads[0].paths.size(), 2U);
  EXPECT_EQ(reads_of(all, all.threads[0].paths[0].events[2].data).size(), 1U);
  EXPECT_EQ(reads_of(all, all.threads[0].paths[1].events[2].data).size(), 0U);
}

TEST(Kit, ABranchToTheNextInstructionForksNothing) {
  const auto all = paths({{K::load, 0, 3, 0, "", {}},
                          {K::jump_if, 0, 0, 0, "next", {}},
                          {K::store, 0, 3, 0, "", {"next"}}});
  ASSERT_EQ(all.threads[0].paths.size(), 1U);
  const auto& path = all.threads[0].paths[0];
  EXPECT_TRUE(path.constraints.empty());
  ASSERT_EQ(path.branches.size(), 1U);
  EXPECT_EQ(path.branches[0].position, 1U);
  EXPECT_EQ(reads_of(all, path.branches[0].from), std::vector{path.events[0].read});
}

TEST(Kit, ExclusivesFailOrSucceedAndNeedTheirMonitor) {
  const auto pair = paths({{K::link, 0, 3, 0, "", {}}, {K::conditional, 1, 0, 3, "", {}}});
  ASSERT_EQ(pair.threads[0].paths.size(), 2U);
  EXPECT_EQ(pair.threads[0].paths[0].events[1].partner, 0U);
  EXPECT_EQ(pair.threads[0].paths[1].events.size(), 1U);
  const auto lone = paths({{K::conditional, 1, 0, 3, "", {}}});
  ASSERT_EQ(lone.threads[0].paths.size(), 1U);
  EXPECT_EQ(lone.terms.constant_value(lone.threads[0].paths[0].final_registers[1]), 1);
}

std::vector<Toy> retry_loop() {
  return {{K::link, 0, 3, 0, "", {"again"}},
          {K::conditional, 1, 0, 3, "", {}},
          {K::jump_if, 1, 0, 0, "again", {}}};
}

TEST(Kit, ALoopThatOnlyTriesAgainIsOneRound) {
  const auto all = paths(retry_loop());
  EXPECT_EQ(all.threads[0].paths.size(), 1U);
  EXPECT_FALSE(all.cut);
  EXPECT_TRUE(all.idle);
  graph::PathLimits patient;
  patient.close_awaits = false;
  EXPECT_EQ(paths(retry_loop(), 1, patient).threads[0].paths.size(), patient.loop_bound + 1);
  EXPECT_TRUE(paths(retry_loop(), 1, patient).cut);
}

TEST(Kit, ALoopThatCountsItsRoundsIsCut) {
  auto code = retry_loop(); // r2 += status: how often it failed is seen at the end
  code.insert(code.begin() + 2, Toy{K::add, 2, 2, 1, "", {}});
  EXPECT_TRUE(paths(code).cut);
  EXPECT_EQ(paths(code).threads[0].paths.size(), graph::PathLimits{}.loop_bound + 1);
}

TEST(Kit, AnAddressOfNoCellIsUnsupported) {
  // r1 = r3 + r3
  EXPECT_THROW(paths({{K::add, 1, 3, 3, "", {}}, {K::load, 0, 1, 0, "", {}}}), Unsupported);
}

TEST(Kit, AnAccessByNullEndsTheThread) {
  const std::vector<Toy> code = {{K::load, 0, 1, 0, "", {}}, {K::store, 0, 3, 0, "", {}}};
  EXPECT_TRUE(paths(code).threads[0].paths.empty()); // no final state
  EXPECT_TRUE(paths(code).may_stop);
  graph::PathLimits limits;
  limits.stopped = true;
  const auto all = paths(code, 1, limits);
  ASSERT_EQ(all.threads[0].paths.size(), 1U);
  EXPECT_TRUE(all.threads[0].paths[0].stops);
  EXPECT_TRUE(all.threads[0].paths[0].events.empty());
}

/// What nobody writes is no address that a read decides.
TEST(Kit, AddressesOutOfThinAirAreLeftOut) {
  const auto all = paths(
      {{K::load, 0, 3, 0, "", {}}, {K::add, 1, 0, 3, "", {}}, {K::store, 0, 1, 0, "", {}}}, 2);
  ASSERT_EQ(all.threads[0].paths.size(), 1U);
  EXPECT_EQ(all.threads[0].paths[0].events[1].location, LocationId(0));
  EXPECT_TRUE(all.threads[0].strayed.empty());
}

TEST(Kit, PossibleValuesOfMasksChoicesAndSums) {
  graph::TermPool terms;
  const auto x = terms.variable(terms.fresh_variable());
  const auto masked = terms.make(TermOp::bit_and, 32, x, terms.constant(5));
  EXPECT_EQ(possible_values(terms, masked), (std::vector<Value>{0, 1, 4, 5}));
  const auto sum = terms.make(TermOp::add, 64, masked, terms.constant(100));
  EXPECT_EQ(possible_values(terms, sum), (std::vector<Value>{100, 101, 104, 105}));
  const auto choice = terms.make(TermOp::select, 64, x, terms.constant(7), terms.constant(3));
  EXPECT_EQ(possible_values(terms, choice), (std::vector<Value>{3, 7}));
  EXPECT_EQ(possible_values(terms, x), std::nullopt);
  EXPECT_EQ(possible_values(terms, terms.make(TermOp::less, 32, x, terms.constant(9))),
            (std::vector<Value>{0, 1}));
}

/// Memory of numbers.
class Numbers final : public MemoryPort {
 public:
  Value load(std::uint64_t address, Width) override { return cells[address]; }
  void store(std::uint64_t address, Width, Value value) override { cells[address] = value; }
  std::map<std::uint64_t, Value> cells;
};

TEST(Kit, TheSameMeaningRunsOnNumbers) {
  Numbers memory;
  ConcreteCore core(memory);
  Registers<ConcreteCore> registers{0, 0, 5, 64};
  memory.cells[64] = 40;
  execute({K::link, 0, 3, 0, "", {}}, registers, core);
  execute({K::add, 0, 0, 2, "", {}}, registers, core);
  execute({K::conditional, 1, 0, 3, "", {}}, registers, core);
  EXPECT_EQ(memory.cells[64], 45);
  EXPECT_EQ(registers[1], 0);
  execute({K::conditional, 1, 2, 3, "", {}}, registers, core);
  EXPECT_EQ(registers[1], 1); // the monitor was closed
  EXPECT_TRUE(execute({K::jump_if, 1, 0, 0, "there", {}}, registers, core));
}

} // namespace
} // namespace thinair::machine
