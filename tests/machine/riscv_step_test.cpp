// What RISC-V instructions compute: against the manual's definitions written down a second time
// with the compiler's own integers, and steps on numbers against paths on terms.
#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/common/concrete.h"
#include "machine/riscv/front_end.h"
#include "machine/riscv/meaning.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/draws.h"
#include "tests/support/random_riscv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace thinair::riscv {
namespace {

using machine::ConcreteCore;

/// Memory by address, of bytes.
class Memory : public machine::MemoryPort {
 public:
  Value load(std::uint64_t address, Width width) override {
    std::uint64_t out = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(width); ++i)
      out |= std::uint64_t{bytes[address + i]} << (8 * i);
    return litmus::sign_extended(out, width);
  }
  void store(std::uint64_t address, Width width, Value value) override {
    for (unsigned i = 0; i < static_cast<unsigned>(width); ++i)
      bytes[address + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
  std::map<std::uint64_t, std::uint8_t> bytes;
};

using U = std::uint64_t;
using S = std::int64_t;
__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

S word(U value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

/// What `mnemonic` makes of two registers, by the manual.
std::optional<S> expected(std::string_view mnemonic, U a, U b) {
  const S sa = static_cast<S>(a), sb = static_cast<S>(b);
  const auto wa = static_cast<std::int32_t>(word(a)), wb = static_cast<std::int32_t>(word(b));
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  const bool overflow = sa == INT64_MIN && sb == -1, short_overflow = wa == INT32_MIN && wb == -1;
  const std::map<std::string_view, S> table{
      {"add", static_cast<S>(a + b)},
      {"sub", static_cast<S>(a - b)},
      {"and", static_cast<S>(a & b)},
      {"or", static_cast<S>(a | b)},
      {"xor", static_cast<S>(a ^ b)},
      {"sll", static_cast<S>(a << (b & 63))},
      {"srl", static_cast<S>(a >> (b & 63))},
      {"sra", sa >> (b & 63)},
      {"slt", sa < sb},
      {"sltu", a < b},
      {"addw", word(a + b)},
      {"subw", word(a - b)},
      {"sllw", word(U{ua} << (b & 31))},
      {"srlw", word(ua >> (b & 31))},
      {"sraw", wa >> (b & 31)},
      {"mul", static_cast<S>(a * b)},
      {"mulh", static_cast<S>(static_cast<Wide>(sa) * sb >> 64)},
      {"mulhu", static_cast<S>(static_cast<WideUnsigned>(a) * b >> 64)},
      {"mulhsu", static_cast<S>(static_cast<Wide>(sa) * static_cast<Wide>(b) >> 64)},
      {"mulw", word(a * b)},
      {"div", b == 0     ? -1
              : overflow ? sa
                         : sa / sb},
      {"divu", b == 0 ? -1 : static_cast<S>(a / b)},
      {"rem", b == 0     ? sa
              : overflow ? 0
                         : sa % sb},
      {"remu", b == 0 ? sa : static_cast<S>(a % b)},
      {"divw", wb == 0          ? -1
               : short_overflow ? wa
                                : wa / wb},
      {"divuw", ub == 0 ? -1 : word(ua / ub)},
      {"remw", wb == 0          ? wa
               : short_overflow ? 0
                                : wa % wb},
      {"remuw", ub == 0 ? wa : word(ua % ub)},
      {"min", std::min(sa, sb)},
      {"max", std::max(sa, sb)},
      {"minu", static_cast<S>(std::min(a, b))},
      {"maxu", static_cast<S>(std::max(a, b))},
      {"sext.b", static_cast<std::int8_t>(a)},
      {"sext.h", static_cast<std::int16_t>(a)},
      {"zext.h", static_cast<std::uint16_t>(a)},
      {"zext.w", static_cast<S>(ua)},
      {"beq", a == b},
      {"bne", a != b},
      {"blt", sa < sb},
      {"bge", sa >= sb},
      {"bltu", a < b},
      {"bgeu", a >= b},
  };
  const auto found = table.find(mnemonic);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

/// The name of the row that computes the same from a register and a number.
std::string with_registers(std::string_view mnemonic) {
  std::string out(mnemonic);
  const auto at = out.find('i', out.starts_with("s") && !out.starts_with("slti") ? 3 : 1);
  return out.erase(at, 1);
}

Value drawn(litmus::Random& random) {
  constexpr auto edges =
      std::to_array<Value>({0, 1, -1, 2, 31, 32, 63, 64, 127, 128, -128, INT32_MAX, INT32_MIN,
                            0xFFFFFFFF, 0x80000000, INT64_MAX, INT64_MIN, INT64_MIN + 1});
  if (random.chance(2, 3)) return edges[random.below(edges.size())];
  return static_cast<Value>(random.next()) >> random.below(64);
}

TEST(RiscvStep, ComputesWhatTheManualSays) {
  litmus::Random random(1);
  std::set<std::string_view> seen;
  for (const InstructionInfo& row : instructions()) {
    const bool numbered = row.shape == Shape::immediate || row.shape == Shape::shift;
    const bool compared = numbered || row.shape == Shape::registers || row.shape == Shape::unary ||
                          row.shape == Shape::branch;
    if (!compared) continue;
    seen.insert(row.mnemonic);
    for (std::uint64_t i = 0; i < test::draws(400); ++i) {
      Memory memory;
      ConcreteCore core(memory);
      State<ConcreteCore> state;
      Instruction in;
      in.opcode = *opcode_named(row.mnemonic);
      in.rd = static_cast<Register>(5), in.rs1 = static_cast<Register>(6);
      in.rs2 = static_cast<Register>(7);
      const Value a = drawn(random);
      Value b = drawn(random);
      if (row.shape == Shape::immediate) b = random.between(-2048, 2047);
      if (row.shape == Shape::shift) b = random.between(0, row.width == Width::l ? 31 : 63);
      if (numbered)
        in.immediate = b;
      else
        state.registers[7] = b;
      state.registers[6] = a;
      const bool jumps = execute(in, state, core);
      const auto wanted = expected(numbered ? with_registers(row.mnemonic) : row.mnemonic,
                                   static_cast<U>(a), static_cast<U>(b));
      ASSERT_TRUE(wanted.has_value()) << row.mnemonic;
      ASSERT_EQ(row.shape == Shape::branch ? Value{jumps} : state.registers[5], *wanted)
          << row.mnemonic << " of " << a << " and " << b;
    }
  }
  EXPECT_EQ(seen.size(), 55U);
}

struct Update {
  std::string_view name;
  S (*change)(S found, S stored);
};

TEST(RiscvStep, UpdatesWriteWhatTheManualSays) {
  constexpr auto updates = std::to_array<Update>({
      {"amoswap", [](S, S b) { return b; }},
      {"amoadd", [](S a, S b) { return static_cast<S>(static_cast<U>(a) + static_cast<U>(b)); }},
      {"amoxor", [](S a, S b) { return a ^ b; }},
      {"amoand", [](S a, S b) { return a & b; }},
      {"amoor", [](S a, S b) { return a | b; }},
      {"amomin", [](S a, S b) { return std::min(a, b); }},
      {"amomax", [](S a, S b) { return std::max(a, b); }},
      {"amominu",
       [](S a, S b) { return static_cast<S>(std::min(static_cast<U>(a), static_cast<U>(b))); }},
      {"amomaxu",
       [](S a, S b) { return static_cast<S>(std::max(static_cast<U>(a), static_cast<U>(b))); }},
  });
  constexpr std::array<std::pair<char, Width>, 4> widths{
      {{'b', Width::b}, {'h', Width::w}, {'w', Width::l}, {'d', Width::q}}};
  litmus::Random random(2);
  for (const auto& [name, change] : updates)
    for (const auto& [letter, width] : widths)
      for (int i = 0; i < 50; ++i) {
        Memory memory;
        ConcreteCore core(memory);
        State<ConcreteCore> state;
        const Value found = litmus::sign_extended(static_cast<U>(drawn(random)), width);
        const Value operand = drawn(random),
                    stored = litmus::sign_extended(static_cast<U>(operand), width);
        memory.store(64, width, found);
        state.registers[6] = 64, state.registers[7] = operand;
        Instruction in;
        in.opcode = opcode_named(std::string(name) + "." + letter).value();
        in.rd = static_cast<Register>(5), in.rs1 = static_cast<Register>(6);
        in.rs2 = static_cast<Register>(7);
        execute(in, state, core);
        EXPECT_EQ(state.registers[5], found) << name;
        EXPECT_EQ(memory.load(64, width),
                  litmus::sign_extended(static_cast<U>(change(found, stored)), width))
            << name << "." << letter << " of " << found << " and " << operand;
      }
}

TEST(RiscvStep, LuiAndLoadsExtend) {
  Memory memory;
  ConcreteCore core(memory);
  State<ConcreteCore> state;
  const auto run = [&](std::string_view mnemonic, Value immediate) {
    Instruction in;
    in.opcode = opcode_named(mnemonic).value();
    in.rd = static_cast<Register>(5), in.rs1 = static_cast<Register>(6), in.immediate = immediate;
    execute(in, state, core);
    return state.registers[5];
  };
  EXPECT_EQ(run("lui", 1), 4096);
  EXPECT_EQ(run("lui", 0x80000), INT32_MIN);
  state.registers[6] = 100;
  memory.store(108, Width::q, -2);
  EXPECT_EQ(run("lb", 8), -2);
  EXPECT_EQ(run("lbu", 8), 254);
  EXPECT_EQ(run("lh", 8), -2);
  EXPECT_EQ(run("lhu", 8), 65534);
  EXPECT_EQ(run("lw", 8), -2);
  EXPECT_EQ(run("lwu", 8), 0xFFFFFFFE);
  EXPECT_EQ(run("ld", 8), -2);
}

TEST(RiscvStep, TheZeroRegisterStaysZero) {
  Memory memory;
  ConcreteCore core(memory);
  State<ConcreteCore> state;
  Instruction in;
  in.opcode = opcode_named("li").value();
  in.immediate = 7;
  execute(in, state, core);
  EXPECT_EQ(state.registers[0], 0);
}

/// Runs a test's only thread on numbers: its final registers and cells, as the engine shows them.
std::string run_on_numbers(const litmus::Test& test, bool exclusives_fail) {
  const Program& program = program_of(test);
  const Thread& thread = program.threads.at(0);
  Memory memory;
  for (std::uint32_t i = 0; i < program.locations.size(); ++i)
    memory.store(litmus::address_of(LocationId(i)), program.locations[i].type.width,
                 program.locations[i].initial);
  ConcreteCore core(memory);
  core.exclusives_fail = exclusives_fail;
  State<ConcreteCore> state;
  for (const auto& initial : thread.initial) {
    const auto* location = std::get_if<LocationId>(&initial.value);
    state.registers[index(initial.reg)] = location
                                              ? static_cast<Value>(litmus::address_of(*location))
                                              : std::get<Value>(initial.value);
  }
  for (std::size_t at = 0; at < thread.code.size();) {
    const Instruction& in = thread.code[at++];
    if (!execute(in, state, core)) continue;
    at = static_cast<std::size_t>(
        std::ranges::find_if(thread.code,
                             [&](const Instruction& i) {
                               return std::ranges::find(i.labels, in.target) != i.labels.end();
                             }) -
        thread.code.begin());
  }
  const auto shown = litmus::observables(test);
  litmus::Behaviour values;
  for (const Observable& o : shown) {
    if (o.thread) {
      values.push_back(state.registers[index(*register_named(o.name))]);
      continue;
    }
    const auto cell = std::ranges::find(program.locations, o.name, &litmus::Cell::name);
    const auto id = static_cast<std::uint32_t>(cell - program.locations.begin());
    values.push_back(memory.load(litmus::address_of(LocationId(id)), cell->type.width));
  }
  return litmus::to_string(test, shown, values);
}

/// One thread by itself ends as its steps say, whether all of its store-conditionals fail that can
/// or none does; what else the engine finds are runs in which some do.
TEST(RiscvStep, PathsOfTermsEndWhereStepsOnNumbersDo) {
  const cat::Plan model = cat::load_model("riscv", architecture);
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < test::draws(2000); ++seed) {
    const auto test = litmus::parse({"random.litmus", test::random_riscv_arithmetic(seed)});
    SCOPED_TRACE(litmus::print(test));
    const auto result = executions::behaviours(test, model);
    ASSERT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
    std::set<std::string> found;
    for (const auto& behaviour : result.behaviours)
      found.insert(litmus::to_string(test, result.observables, behaviour));
    std::set<std::string> ends{run_on_numbers(test, false), run_on_numbers(test, true)};
    EXPECT_TRUE(std::ranges::includes(found, ends));
    if (found.size() <= 2) {
      EXPECT_EQ(found, ends);
    }
    several += found.size() > 2 ? 1 : 0;
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_LE(several * 50, test::draws(2000)) << "too many are not compared exactly";
}

} // namespace
} // namespace thinair::riscv
