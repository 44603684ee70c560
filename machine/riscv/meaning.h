// The meaning of one RISC-V instruction, once for numbers and for symbols: registers, and accesses
// to memory with what orders them. `Core` is one of the kit's (machine/common).
#pragma once

#include "machine/riscv/compute.h"
#include "machine/riscv/front_end.h"
#include "machine/riscv/program.h"

#include <array>

namespace thinair::riscv {

/// The registers of a hart; x0 stays zero.
template <class Core>
struct State {
  std::array<typename Core::Word, register_count> registers{};
  friend bool operator==(const State&, const State&) = default;
};

/// The bit that `.aq` and `.rl` set. An LR that only releases, and an SC that only acquires, are
/// not guaranteed to order anything ("Zalrsc").
inline graph::Tags annotation(Shape shape, bool acquire, bool release) {
  if (acquire && release) return t_acquire_release;
  if (acquire) return shape == Shape::condition ? graph::Tags{0} : t_acquire;
  return release && shape != Shape::reserve ? graph::Tags{t_release} : 0;
}

/// What a fence orders; 0: no accesses to memory.
graph::Tags fence_tag(Accesses before, Accesses after);

template <class Core>
class Execution {
 public:
  using Word = typename Core::Word;
  using Access = machine::Access;
  using Op = graph::TermOp;

  Execution(const Instruction& in, State<Core>& state, Core& core)
      : in_(in), row_(info(in.opcode)), state_(state), core_(core) {}

  /// Whether it goes to its target.
  bool run() {
    switch (row_.shape) {
    case Shape::registers: write(result(read(in_.rs1), read(in_.rs2))); return false;
    case Shape::immediate:
    case Shape::shift:
    case Shape::unary:
    case Shape::upper:
    case Shape::constant: write(result(read(in_.rs1), number())); return false;
    case Shape::load: load(); return false;
    case Shape::store: core_.store(address(), stored(), access()); return false;
    case Shape::reserve: write(core_.load_exclusive(address(), access(t_exclusive))); return false;
    case Shape::condition:
      write(core_.store_exclusive_told(address(), stored(), access(t_exclusive)));
      return false;
    case Shape::update: update(); return false;
    case Shape::branch: return core_.branch(result(read(in_.rs1), read(in_.rs2)));
    case Shape::jump: return true;
    case Shape::fence: fence(fence_tag(in_.before, in_.after)); return false;
    case Shape::plain:
      if (row_.operation == Operation::fence_tso) fence(t_fence_tso);
      if (row_.operation == Operation::fence_instructions) fence(t_fence_instructions);
      return false;
    }
    return false;
  }

 private:
  Word read(Register reg) const { return state_.registers[index(reg)]; }
  void write(Word value) {
    if (!is_zero(in_.rd)) state_.registers[index(in_.rd)] = value;
  }
  Word result(Word a, Word b) { return compute(core_, row_, a, b); }
  Word number() { return core_.number(immediate_of(row_, in_.immediate)); }

  Word address() {
    if (in_.immediate == 0) return read(in_.rs1);
    return core_.make(Op::add, 64, read(in_.rs1), core_.number(in_.immediate));
  }
  /// The low part of a register, as wide as the access.
  Word fitting(Register reg) {
    if (row_.width == Width::q) return read(reg);
    return core_.make(Op::sign_extend, litmus::bits_of(row_.width), read(reg));
  }
  Word stored() { return fitting(in_.rs2); }

  /// `tags` are those of the instruction, beside its annotations.
  Access access(graph::Tags tags = 0) const {
    using litmus::Construct;
    const graph::Tags noted = annotation(row_.shape, in_.acquire, in_.release);
    return {row_.width, tags | noted,
            tags != 0    ? Construct::atomic_instruction
            : noted != 0 ? Construct::ordered_instruction
                         : Construct::plain};
  }

  void load() {
    const Word found = core_.load(address(), access());
    write(row_.zero_extends ? core_.make(Op::zero_extend, litmus::bits_of(row_.width), found)
                            : found);
  }

  /// An AMO is one operation, which reads and writes (17.1.1).
  void update() {
    if (row_.operation != Operation::compare_and_swap)
      return write(core_.update_as_one(address(), access(t_amo),
                                       [&](Word old) { return result(old, stored()); }));
    // One that fails reads, and does not release (Zacas).
    Access failed = access(t_amo);
    failed.tags = t_amo | annotation(row_.shape, in_.acquire, false);
    write(
        core_.compare_and_swap_as_one(address(), fitting(in_.rd), stored(), access(t_amo), failed));
  }

  void fence(graph::Tags tags) {
    using litmus::Construct;
    const bool orders = (tags & ~t_fence_instructions) != 0;
    core_.fence(tags, orders ? Construct::fence_instruction : Construct::plain);
  }

  const Instruction& in_;
  const InstructionInfo& row_;
  State<Core>& state_;
  Core& core_;
};

/// Runs one instruction and says whether it goes to its target.
template <class Core>
bool execute(const Instruction& in, State<Core>& state, Core& core) {
  return Execution<Core>(in, state, core).run();
}

} // namespace thinair::riscv
