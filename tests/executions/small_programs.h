// Small random programs for the tests of the engine: few enough events for the slow twin.
#pragma once

#include "litmus/random.h"
#include "litmus/test.h"
#include "machine/x86/format.h"

#include <string>
#include <utility>
#include <vector>

namespace thinair::executions {

/// Java programs of `accesses` accesses over two locations, all kinds and modes.
class SmallJava {
 public:
  SmallJava(std::uint64_t seed, std::size_t accesses) : random_(seed), left_(accesses) {}

  litmus::Test make() {
    litmus::Program p;
    p.locations = {{"x", 0, false}, {"y", 0, false}};
    const auto threads = 2 + random_.below(2);
    for (std::size_t t = 0; t < threads; ++t) {
      const auto share = t + 1 == threads ? left_ : std::min(left_, 1 + random_.below(3));
      left_ -= share;
      p.threads.push_back(thread(t, share));
    }
    litmus::Test test;
    test.name = "small";
    for (std::uint32_t t = 0; t < threads; ++t)
      for (const auto& reg : p.threads[t].registers)
        test.locations.push_back({litmus::ThreadId(t), reg.name});
    if (random_.chance(2, 3)) test.locations.push_back({{}, "x"});
    if (random_.chance(1, 2)) test.locations.push_back({{}, "y"});
    test.program = std::move(p);
    return test;
  }

 private:
  litmus::Thread thread(std::size_t index, std::size_t share) {
    litmus::Thread t;
    t.name = "Thread" + std::to_string(index);
    t.registers = {{"r0", 0}, {"r1", 0}};
    t.handles = {{"X", litmus::LocationId(0)}, {"Y", litmus::LocationId(1)}};
    t.body = block(share);
    return t;
  }

  litmus::Block block(std::size_t share) {
    litmus::Block out;
    while (share > 0) {
      if (random_.chance(1, 6)) out.push_back({litmus::FenceStatement{fence()}, {}});
      if (share > 1 && random_.chance(1, 6)) {
        litmus::If branch;
        branch.condition = litmus::Expression::of(reg());
        branch.then_block = block(1);
        if (random_.chance(1, 2)) branch.else_block = block(1);
        out.push_back({branch, {}});
        share -= std::min<std::size_t>(share, 2);
        continue;
      }
      out.push_back({access(), {}});
      --share;
    }
    return out;
  }

  litmus::Access access() {
    using litmus::Action;
    litmus::Access a;
    const auto all = litmus::methods();
    do {
      a.method = all[random_.below(all.size())].method;
    } while (litmus::info(a.method).action > Action::set && random_.chance(1, 2));
    a.location = litmus::LocationId(static_cast<std::uint32_t>(random_.below(2)));
    for (int i = 0; i < litmus::info(a.method).arguments; ++i) a.arguments.push_back(value());
    if (litmus::info(a.method).action != Action::set) a.target = reg();
    return a;
  }

  litmus::Expression value() {
    using litmus::Expression;
    if (random_.chance(1, 4)) return Expression::of(reg());
    if (random_.chance(1, 10))
      return Expression::binary(litmus::Operator::add, Expression::of(reg()),
                                Expression::number(1));
    return Expression::number(static_cast<std::int32_t>(random_.below(3)));
  }
  litmus::RegisterId reg() {
    return litmus::RegisterId(static_cast<std::uint32_t>(random_.below(2)));
  }
  litmus::Fence fence() {
    const auto all = litmus::fences();
    return all[random_.below(all.size())].fence;
  }

  litmus::Random random_;
  std::size_t left_;
};

/// x86 programs of `accesses` instructions with memory, locked and not.
class SmallX86 {
 public:
  SmallX86(std::uint64_t seed, std::size_t accesses) : random_(seed), left_(accesses) {}

  litmus::Test make() {
    x86::Program p;
    p.locations = {{"x", {}, 0}, {"y", {}, 0}};
    litmus::Test test;
    test.name = "small";
    test.language = &x86::att;
    for (std::uint32_t t = 0; t < 2; ++t) {
      const auto share = t == 1 ? left_ : std::min(left_, 1 + random_.below(3));
      left_ -= share;
      p.threads.push_back({"P" + std::to_string(t), {}, code(share), {"end"}});
      for (const char* reg : {"rax", "rbx"}) test.locations.push_back({litmus::ThreadId(t), reg});
    }
    if (random_.chance(2, 3)) test.locations.push_back({{}, "x"});
    if (random_.chance(1, 2)) test.locations.push_back({{}, "y"});
    test.program = std::move(p);
    return test;
  }

 private:
  using Opcode = x86::Opcode;

  std::vector<x86::Instruction> code(std::size_t share) {
    std::vector<x86::Instruction> out;
    for (; share > 0; --share) {
      if (random_.chance(1, 5)) out.push_back(make(Opcode::mfence, {}));
      if (random_.chance(1, 8)) {
        out.push_back(make(Opcode::cmp, {reg(), x86::Immediate{1}}));
        out.push_back(make(Opcode::jcc, {}));
        out.back().target = "end";
      }
      out.push_back(instruction());
    }
    return out;
  }

  x86::Instruction instruction() {
    const auto kind = random_.below(10);
    if (kind < 3) return make(Opcode::mov, {cell(), immediate()});
    if (kind < 6) return make(Opcode::mov, {reg(), cell()});
    if (kind == 6) return make(Opcode::mov, {cell(), reg()});
    if (kind == 7) return make(Opcode::xchg, {cell(), reg()});
    if (kind == 8) return lock(make(random_.chance(1, 2) ? Opcode::inc : Opcode::dec, {cell()}));
    return lock(make(random_.chance(1, 2) ? Opcode::xadd : Opcode::cmpxchg, {cell(), reg()}));
  }

  x86::Instruction lock(x86::Instruction in) {
    in.lock = random_.chance(1, 2);
    return in;
  }
  static x86::Instruction make(Opcode opcode, std::vector<x86::Operand> operands) {
    x86::Instruction in;
    in.opcode = opcode;
    in.operands = std::move(operands);
    return in;
  }
  x86::Operand cell() {
    return x86::Memory{litmus::LocationId(static_cast<std::uint32_t>(random_.below(2)))};
  }
  x86::Operand reg() {
    return x86::RegisterOperand{random_.chance(1, 2) ? x86::Register::rax : x86::Register::rbx,
                                x86::Width::l};
  }
  x86::Operand immediate() {
    return x86::Immediate{static_cast<litmus::Value>(1 + random_.below(2))};
  }

  litmus::Random random_;
  std::size_t left_;
};

} // namespace thinair::executions
