// Control paths of x86 threads against the sequential meaning of instructions: whatever a concrete
// run does, exactly one path does too.
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "machine/x86/program.h"
#include "machine/x86/step.h"
#include "oracle/graph/path.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace thinair::x86 {

using namespace litmus;
using namespace graph;
namespace {

using namespace x86;
using litmus::LocationId;

struct Seen {
  bool write = false;
  LocationId location;
  Value value = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

/// Memory that records; loads return whatever the test draws.
class Recorder : public MemoryPort {
 public:
  explicit Recorder(std::mt19937_64& random) : random_(random) {}
  std::uint64_t load(LocationId location, Width width) override {
    static constexpr Value some[] = {0, 1, 2, 3, -1, 5, 0x7fffffff, -0x80000000LL, 255, 128};
    const auto value = truncated(static_cast<std::uint64_t>(some[random_() % 10]), width);
    seen.push_back({false, location, sign_extended(value, width)});
    return value;
  }
  void store(LocationId location, Width width, std::uint64_t value) override {
    seen.push_back({true, location, sign_extended(value, width)});
  }
  std::vector<Seen> seen;

 private:
  std::mt19937_64& random_;
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random(seed) {}
  std::size_t below(std::size_t n) { return random() % n; }

  Operand reg(Width width) {
    static constexpr Register some[] = {Register::rax, Register::rbx, Register::rcx, Register::r8};
    return RegisterOperand{some[below(4)], width};
  }
  Operand memory(Width width) {
    return Memory{LocationId(width == Width::l ? below(2) : 2 + below(2))};
  }
  Operand immediate() {
    static constexpr std::int64_t some[] = {0, 1, 2, 5, -1, 127, 255, 0x7fffffff};
    return Immediate{some[below(8)]};
  }

  Instruction instruction();
  std::mt19937_64 random;
};

Instruction Draw::instruction() {
  static constexpr Opcode all[] = {
      Opcode::mov,  Opcode::movzx,   Opcode::add,  Opcode::sub,   Opcode::and_,   Opcode::or_,
      Opcode::xor_, Opcode::cmp,     Opcode::test, Opcode::inc,   Opcode::dec,    Opcode::neg,
      Opcode::not_, Opcode::shl,     Opcode::shr,  Opcode::sar,   Opcode::imul,   Opcode::xchg,
      Opcode::xadd, Opcode::cmpxchg, Opcode::jcc,  Opcode::setcc, Opcode::cmovcc, Opcode::mfence};
  Instruction in;
  in.opcode = all[below(std::size(all))];
  in.width = below(2) ? Width::l : Width::q;
  in.condition = static_cast<ConditionCode>(below(16));
  const auto destination = [&] { return below(2) ? reg(in.width) : memory(in.width); };
  switch (in.opcode) {
  case Opcode::mov:
  case Opcode::add:
  case Opcode::sub:
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_:
  case Opcode::cmp:
  case Opcode::test:
    in.operands = {destination(), below(2) ? immediate() : reg(in.width)};
    if (below(2)) in.operands = {reg(in.width), memory(in.width)};
    break;
  case Opcode::inc:
  case Opcode::dec:
  case Opcode::neg:
  case Opcode::not_: in.operands = {destination()}; break;
  case Opcode::shl:
  case Opcode::shr:
  case Opcode::sar:
    in.operands = {destination(), Immediate{static_cast<std::int64_t>(below(32))}};
    break;
  case Opcode::imul:
  case Opcode::cmovcc:
    in.operands = {reg(in.width), below(2) ? reg(in.width) : memory(in.width)};
    break;
  case Opcode::xchg:
    in.operands = {reg(in.width), destination()};
    if (below(2)) std::swap(in.operands[0], in.operands[1]);
    break;
  case Opcode::xadd:
  case Opcode::cmpxchg: in.operands = {destination(), reg(in.width)}; break;
  case Opcode::movzx:
    in.width = Width::b;
    in.operands = {reg(Width::l), reg(Width::b)};
    break;
  case Opcode::setcc:
    in.width = Width::b;
    in.operands = {reg(Width::b)};
    break;
  case Opcode::jcc: in.target = "end"; break;
  case Opcode::lea:
  case Opcode::jmp:
  case Opcode::mfence:
  case Opcode::lfence:
  case Opcode::sfence:
  case Opcode::nop: break;
  }
  return in;
}

Program program_of(std::vector<Instruction> code) {
  Program p;
  for (const char* name : {"x", "y"}) p.locations.push_back({name, {Width::l, true}, 0});
  for (const char* name : {"u", "v"}) p.locations.push_back({name, {Width::q, true}, 0});
  p.threads.push_back({});
  p.threads[0].code = std::move(code);
  p.threads[0].end_labels = {"end"};
  return p;
}

/// Runs the code on numbers; flags that the processor leaves undefined end the run.
bool run(const Thread& thread, State& state, Recorder& memory) {
  Flags undefined;
  const auto reads = [&](const Instruction& in) { return info(in.opcode).reads_flags; };
  for (const auto& in : thread.code) {
    const auto unsafe = undefined.carry || undefined.parity || undefined.overflow || undefined.zero;
    if (reads(in) && unsafe) return false;
    const auto before = undefined_flags(in, state);
    const bool jumps = step(in, state, memory);
    if (info(in.opcode).writes_flags) undefined = before;
    if (jumps) break;
  }
  return true;
}

bool follows(const ProgramPaths& paths, const Path& path, const std::vector<Seen>& seen,
             std::vector<Value>& assignment) {
  if (path.events.size() < seen.size()) return false;
  std::size_t next = 0;
  for (const auto& e : path.events) {
    if ((e.kinds & k_fence) != 0) continue;
    if (next == seen.size() || e.location != seen[next].location) return false;
    if (((e.kinds & k_write) != 0) != seen[next].write) return false;
    if ((e.kinds & k_read) != 0) assignment[e.read.value] = seen[next].value;
    ++next;
  }
  if (next != seen.size()) return false;
  for (const auto c : path.constraints)
    if (paths.terms.evaluate(c, assignment) == 0) return false;
  return true;
}

void check(const ProgramPaths& paths, const Path& path, const std::vector<Seen>& seen,
           const State& state, const std::vector<Value>& assignment) {
  std::size_t next = 0;
  for (const auto& e : path.events) {
    if ((e.kinds & k_fence) != 0) continue;
    if ((e.kinds & k_write) != 0) {
      EXPECT_EQ(paths.terms.evaluate(e.written, assignment), seen[next].value);
    }
    ++next;
  }
  for (std::size_t r = 0; r < register_count; ++r)
    EXPECT_EQ(paths.terms.evaluate(path.final_registers[r], assignment),
              static_cast<Value>(state.registers[r]))
        << name(static_cast<Register>(r), Width::q);
}

TEST(X86PathsTest, EveryConcreteRunIsExactlyOnePath) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Draw draw(seed);
    std::vector<Instruction> code;
    for (std::size_t i = 0, n = 1 + draw.below(7); i < n; ++i) code.push_back(draw.instruction());
    const auto program = program_of(code);
    ProgramPaths paths;
    try {
      paths = x86::paths_of(program);
    } catch (const Unsupported&) {
      continue; // flags that the manual leaves undefined
    }
    for (int round = 0; round < 4; ++round) {
      State state;
      Recorder memory(draw.random);
      if (!run(program.threads[0], state, memory)) continue;
      int followed = 0;
      for (const auto& path : paths.threads[0].paths) {
        std::vector<Value> assignment(paths.terms.variable_count(), 0);
        if (!follows(paths, path, memory.seen, assignment)) continue;
        ++followed;
        check(paths, path, memory.seen, state, assignment);
      }
      EXPECT_EQ(followed, 1) << "seed " << seed;
      ++compared;
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 8000);
}

Instruction instruction(Opcode opcode, std::vector<Operand> operands, bool lock = false) {
  Instruction in;
  in.opcode = opcode;
  in.lock = lock;
  in.operands = std::move(operands);
  return in;
}

const Operand x = Memory{LocationId(0)};
const Operand ebx = RegisterOperand{Register::rbx, Width::l};

TEST(X86PathsTest, LockAndMemoryXchgAreAtomicAndShareTheirInstruction) {
  const auto paths =
      paths_of(program_of({instruction(Opcode::inc, {x}, true), instruction(Opcode::inc, {x}),
                           instruction(Opcode::xchg, {x, ebx})}));
  const auto& events = paths.threads[0].paths.at(0).events;
  ASSERT_EQ(events.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(events[i].kinds, i % 2 == 0 ? k_read : k_write) << i;
    EXPECT_EQ(events[i].tags, i == 2 || i == 3 ? Tags{0} : Tags{t_atomic}) << i;
    const bool closes = i == 1 || i == 5; // the update that its read began
    EXPECT_EQ(events[i].partner, closes ? i - 1 : PathEvent::no_partner) << i;
  }
  EXPECT_EQ(events[2].instruction, events[3].instruction);
  EXPECT_NE(events[1].instruction, events[2].instruction);
}

TEST(X86PathsTest, AFailedLockedCompareExchangeIsOneAtomicRead) {
  const auto paths = x86::paths_of(program_of({instruction(Opcode::cmpxchg, {x, ebx}, true)}));
  ASSERT_EQ(paths.threads[0].paths.size(), 2U);
  EXPECT_EQ(paths.threads[0].paths[0].events.size(), 2U);
  ASSERT_EQ(paths.threads[0].paths[1].events.size(), 1U);
  EXPECT_EQ(paths.threads[0].paths[1].events[0].kinds, k_read);
  EXPECT_EQ(paths.threads[0].paths[1].events[0].tags, t_atomic);
}

/// The flag is the outcome: it is decided once. That the jump depends on the read is recorded all
/// the same.
TEST(X86PathsTest, AJumpBehindACompareExchangeDecidesNothingNew) {
  for (const auto condition : {ConditionCode::ne, ConditionCode::e}) {
    auto away = instruction(Opcode::jcc, {});
    away.target = "end";
    away.condition = condition;
    auto last = instruction(Opcode::nop, {});
    last.labels = {"end"};
    const auto paths = x86::paths_of(program_of({instruction(Opcode::cmpxchg, {x, ebx}, true), away,
                                                 instruction(Opcode::mov, {x, ebx}), away, last}));
    ASSERT_EQ(paths.threads[0].paths.size(), 2U);
    for (const auto& path : paths.threads[0].paths) {
      EXPECT_EQ(path.constraints.size(), 1U);
      const bool succeeds = path.events.size() > 1 && (path.events[1].tags & t_atomic) != 0;
      const bool jumps = succeeds == (condition == ConditionCode::e);
      ASSERT_EQ(path.branches.size(), jumps ? 1U : 2U);
      EXPECT_EQ(path.branches[0].condition, path.constraints[0]);
    }
  }
}

TEST(X86PathsTest, ALoopThatTheBoundEndsIsRecordedAndNotAPath) {
  auto back = instruction(Opcode::jcc, {});
  back.target = "again";
  back.condition = ConditionCode::ne;
  auto first = instruction(Opcode::add, {x, Immediate{1}});
  first.labels = {"again"};
  PathLimits limits;
  limits.loop_bound = 2;
  const auto paths = x86::paths_of(program_of({first, back}), limits);
  EXPECT_EQ(paths.threads[0].paths.size(), 3U); // the jump taken 0, 1, 2 times
  EXPECT_TRUE(paths.cut);
}

TEST(X86PathsTest, ALoopThatOnlyLooksIsOneRound) {
  auto back = instruction(Opcode::jcc, {});
  back.target = "again";
  back.condition = ConditionCode::ne;
  auto first = instruction(Opcode::cmp, {x, Immediate{1}});
  first.labels = {"again"};
  PathLimits limits;
  limits.loop_bound = 2;
  const auto paths = x86::paths_of(program_of({first, back}), limits);
  EXPECT_EQ(paths.threads[0].paths.size(), 1U);
  EXPECT_FALSE(paths.cut);
  EXPECT_TRUE(paths.idle);
  limits.close_awaits = false;
  const auto patient = x86::paths_of(program_of({first, back}), limits);
  EXPECT_EQ(patient.threads[0].paths.size(), 3U);
  EXPECT_TRUE(patient.cut);
}

TEST(X86PathsTest, AnAccessOfAnotherWidthIsUnsupported) {
  auto in = instruction(Opcode::mov, {x, ebx});
  in.width = Width::b;
  EXPECT_THROW(x86::paths_of(program_of({in})), Unsupported);
}

} // namespace
} // namespace thinair::x86
