// The meaning of AArch64 instructions (DDI 0487, C6.2), once for numbers (step.h) and for paths
// (paths.cpp): a template over the core that machine/common/symbolic.h explains. Values are
// sign-extended from the width that they have.
#pragma once

#include "litmus/text/error.h"
#include "machine/aarch64/front_end.h"
#include "machine/common/divide.h"
#include "machine/common/symbolic.h"

#include <array>
#include <cstdint>
#include <variant>

namespace thinair::aarch64 {

using litmus::bits_of;
using litmus::Construct;
using machine::Access;

/// The flags N, Z, C and V: made only where something asks for them, of what set them.
template <class Word>
struct FlagsOf {
  enum class Kind : std::uint8_t { given, sum, difference, logical };
  Kind kind = Kind::given;
  std::uint8_t bits = 32;
  Word a{}, b{}, result{};    // operands, and the result at `bits`
  std::array<Word, 4> nzcv{}; // given: each 0 or 1
  friend bool operator==(const FlagsOf&, const FlagsOf&) = default;
};

/// A register: `value` is sign-extended from `width`; above it the register is zero.
template <class Word>
struct HeldOf {
  Word value{};
  Width width = Width::q;
  friend bool operator==(const HeldOf&, const HeldOf&) = default;
};

template <class Core>
struct State {
  using Word = typename Core::Word;

  explicit State(Core& core) {
    registers.fill({core.number(0), Width::q});
    flags.nzcv.fill(core.number(0));
  }

  std::array<HeldOf<Word>, register_count> registers;
  FlagsOf<Word> flags;
};

template <class Core>
class Execution {
 public:
  using Word = typename Core::Word;
  using Flags = FlagsOf<Word>;

  Execution(const Instruction& in, State<Core>& state, Core& core)
      : in_(in), info_(*in.info), state_(state), core_(core), bits_(bits_of(in.width)) {}

  /// Whether it goes to its target.
  bool run();

  Word read(Register reg, Width width);
  /// Non-zero where the condition holds: 0 or 1.
  Word holds(Condition condition);

 private:
  Word number(Value value) { return core_.number(value); }
  Word make(TermOp op, Word a, Word b = {}) { return core_.make(op, bits_, a, b); }
  Word wide(TermOp op, Word a, Word b = {}) { return core_.make(op, 64, a, b); }
  Word negated(Word truth) { return wide(TermOp::logical_not, truth); }
  Word is_zero(Word value) { return make(TermOp::equal, value, number(0)); }

  const RegisterOperand& reg(std::size_t operand) const {
    return std::get<RegisterOperand>(in_.operands[operand]);
  }
  bool discards(std::size_t operand) const { return reg(operand).reg == Register::zero; }
  Value constant(std::size_t operand) const {
    const auto& immediate = std::get<Immediate>(in_.operands[operand]);
    return litmus::sign_extended(static_cast<std::uint64_t>(immediate.value) << immediate.shift,
                                 Width::q);
  }
  unsigned count(std::size_t operand) const { return static_cast<unsigned>(constant(operand)); }
  Condition condition() const { return std::get<Condition>(in_.operands.back()); }

  Word value(std::size_t operand);
  Word whole(std::size_t operand) { return read(reg(operand).reg, reg(operand).width); }
  Word changed(const RegisterOperand& operand, Width into);
  Word rotated(Word value, unsigned amount);
  void write(std::size_t operand, Word value) { write(reg(operand), value); }
  void write(const RegisterOperand& operand, Word value);

  // Flags
  Word negative();
  Word zero();
  Word carry();
  Word overflow();
  Word by_flags(Condition even);
  Word by_difference(Condition even);
  void set_flags(typename Flags::Kind kind, Word a, Word b, Word result);
  Word arithmetic(TermOp op, Word a, Word b, bool with_flags);
  Word logical(Word a, Word b);

  // Instructions
  void perform();
  void move();
  Word product();
  Word long_product();
  void move_part();
  void compare();
  Word divided(Word a, Word b);
  Word shifted();
  Word extract();
  Word inserted_zero();
  Word inserted();
  Word mask(unsigned width) { return number(width >= 64 ? -1 : (Value{1} << width) - 1); }
  Word alternative(Word value);
  void compare_if();
  bool jump();

  // Memory
  Word address(std::size_t operand);
  Word from_memory(Word value);
  Word to_memory(std::size_t operand);
  Access read_access(bool atomic, bool returns) const;
  Access write_access(bool atomic) const;
  Access plain() const { return {access_width(in_), 0, Construct::plain}; }
  void access();
  void pair();
  void exclusive();
  void update();
  Word fetched(Word old, Word operand);
  void fence();

  const Instruction& in_;
  const InstructionInfo& info_;
  State<Core>& state_;
  Core& core_;
  std::uint8_t bits_;
};

/// Runs one instruction and says whether it goes to `in.target`.
template <class Core>
bool execute(const Instruction& in, State<Core>& state, Core& core) {
  return Execution<Core>(in, state, core).run();
}

// Registers

template <class Core>
auto Execution<Core>::read(Register reg, Width width) -> Word {
  if (reg == Register::zero) return number(0);
  const auto& held = state_.registers[index(reg)];
  if (held.width == width) return held.value;
  return core_.make(width == Width::l ? TermOp::sign_extend : TermOp::zero_extend, 32, held.value);
}

template <class Core>
void Execution<Core>::write(const RegisterOperand& operand, Word value) {
  if (operand.reg != Register::zero) state_.registers[index(operand.reg)] = {value, operand.width};
}

/// A register or an immediate, as an operand of the instruction's width.
template <class Core>
auto Execution<Core>::value(std::size_t operand) -> Word {
  if (const auto* given = std::get_if<RegisterOperand>(&in_.operands[operand]))
    return changed(*given, in_.width);
  return number(litmus::sign_extended(static_cast<std::uint64_t>(constant(operand)), in_.width));
}

template <class Core>
auto Execution<Core>::rotated(Word value, unsigned amount) -> Word {
  const Word low = make(TermOp::shift_right_unsigned, value, number(amount));
  return make(TermOp::bit_or, low,
              make(TermOp::shift_left, value, number((bits_ - amount) % bits_)));
}

/// DDI 0487, shared/functions: ShiftReg and ExtendReg.
template <class Core>
auto Execution<Core>::changed(const RegisterOperand& operand, Width into) -> Word {
  const auto bits = bits_of(into);
  const auto shift = [&](TermOp op, Word v) {
    return operand.amount == 0 ? v : core_.make(op, bits, v, number(operand.amount));
  };
  const auto part = [&](TermOp op, std::uint8_t from) {
    const Word v = core_.make(op, from, read(operand.reg, operand.width));
    return shift(TermOp::shift_left, from == bits ? read(operand.reg, into) : v);
  };
  switch (operand.change) {
  case Change::lsl: return shift(TermOp::shift_left, read(operand.reg, operand.width));
  case Change::lsr: return shift(TermOp::shift_right_unsigned, read(operand.reg, operand.width));
  case Change::asr: return shift(TermOp::shift_right, read(operand.reg, operand.width));
  case Change::ror: {
    const Word v = read(operand.reg, operand.width);
    return operand.amount == 0 ? v : rotated(v, operand.amount);
  }
  case Change::uxtb: return part(TermOp::zero_extend, 8);
  case Change::uxth: return part(TermOp::zero_extend, 16);
  case Change::uxtw: return part(TermOp::zero_extend, 32);
  case Change::sxtb: return part(TermOp::sign_extend, 8);
  case Change::sxth: return part(TermOp::sign_extend, 16);
  case Change::sxtw: return part(TermOp::sign_extend, 32);
  case Change::uxtx:
  case Change::sxtx: return shift(TermOp::shift_left, read(operand.reg, into));
  }
  return {};
}

// Flags

template <class Core>
auto Execution<Core>::negative() -> Word {
  const Flags& f = state_.flags;
  return f.kind == Flags::Kind::given ? f.nzcv[0]
                                      : core_.make(TermOp::less, f.bits, f.result, number(0));
}

template <class Core>
auto Execution<Core>::zero() -> Word {
  const Flags& f = state_.flags;
  return f.kind == Flags::Kind::given ? f.nzcv[1]
                                      : core_.make(TermOp::equal, f.bits, f.result, number(0));
}

/// AddWithCarry: a subtraction adds the complement and 1, so that its carry says that nothing was
/// borrowed.
template <class Core>
auto Execution<Core>::carry() -> Word {
  const Flags& f = state_.flags;
  switch (f.kind) {
  case Flags::Kind::given: return f.nzcv[2];
  case Flags::Kind::sum: return core_.make(TermOp::below, f.bits, f.result, f.a);
  case Flags::Kind::difference: return core_.make(TermOp::below_equal, f.bits, f.b, f.a);
  case Flags::Kind::logical: return number(0);
  }
  return {};
}

template <class Core>
auto Execution<Core>::overflow() -> Word {
  const Flags& f = state_.flags;
  const auto differ = [&](Word a, Word b) { return core_.make(TermOp::bit_xor, f.bits, a, b); };
  const auto both = [&](Word a, Word b) {
    return core_.make(TermOp::less, f.bits, core_.make(TermOp::bit_and, f.bits, a, b), number(0));
  };
  switch (f.kind) {
  case Flags::Kind::given: return f.nzcv[3];
  case Flags::Kind::sum: return both(differ(f.a, f.result), differ(f.b, f.result));
  case Flags::Kind::difference: return both(differ(f.a, f.b), differ(f.a, f.result));
  case Flags::Kind::logical: return number(0);
  }
  return {};
}

/// C1.2.4, of the conditions with an even encoding.
template <class Core>
auto Execution<Core>::by_flags(Condition even) -> Word {
  const auto unequal = [&] { return wide(TermOp::bit_xor, negative(), overflow()); };
  if (even == Condition::eq) return zero();
  if (even == Condition::cs) return carry();
  if (even == Condition::mi) return negative();
  if (even == Condition::vs) return overflow();
  if (even == Condition::hi) return wide(TermOp::bit_and, carry(), negated(zero()));
  if (even == Condition::ge) return negated(unequal());
  if (even == Condition::gt) return wide(TermOp::bit_and, negated(zero()), negated(unequal()));
  return number(1);
}

/// The same of a comparison, as terms that say what was compared.
template <class Core>
auto Execution<Core>::by_difference(Condition even) -> Word {
  const Flags& f = state_.flags;
  if (even == Condition::eq) return core_.make(TermOp::equal, f.bits, f.a, f.b);
  if (even == Condition::hi) return core_.make(TermOp::below, f.bits, f.b, f.a);
  if (even == Condition::ge) return core_.make(TermOp::less_equal, f.bits, f.b, f.a);
  if (even == Condition::gt) return core_.make(TermOp::less, f.bits, f.b, f.a);
  return by_flags(even);
}

template <class Core>
auto Execution<Core>::holds(Condition condition) -> Word {
  if (condition == Condition::al || condition == Condition::nv) return number(1);
  const auto number_of = static_cast<std::uint8_t>(condition);
  const auto even = static_cast<Condition>(number_of & ~1U);
  const Word truth =
      state_.flags.kind == Flags::Kind::difference ? by_difference(even) : by_flags(even);
  return number_of % 2 == 0 ? truth : negated(truth);
}

template <class Core>
void Execution<Core>::set_flags(typename Flags::Kind kind, Word a, Word b, Word result) {
  state_.flags.kind = kind;
  state_.flags.bits = bits_;
  state_.flags.a = a;
  state_.flags.b = b;
  state_.flags.result = result;
}

template <class Core>
auto Execution<Core>::arithmetic(TermOp op, Word a, Word b, bool with_flags) -> Word {
  const Word result = make(op, a, b);
  const auto kind = op == TermOp::add ? Flags::Kind::sum : Flags::Kind::difference;
  if (with_flags) set_flags(kind, a, b, result);
  return result;
}

template <class Core>
auto Execution<Core>::logical(Word a, Word b) -> Word {
  const Word result = make(info_.op, a, info_.inverted ? make(TermOp::bit_not, b) : b);
  if (info_.flags) set_flags(Flags::Kind::logical, result, result, result);
  return result;
}

// What computes

template <class Core>
void Execution<Core>::move_part() {
  const auto& immediate = std::get<Immediate>(in_.operands[1]);
  const Value part = Value{0xffff} << immediate.shift;
  const Word kept = make(TermOp::bit_and, whole(0), number(~part));
  write(0, make(TermOp::bit_or, kept, value(1)));
}

template <class Core>
void Execution<Core>::compare() {
  const Word a = whole(0), b = value(1);
  if (info_.op == TermOp::bit_and)
    logical(a, b);
  else
    arithmetic(info_.op, a, b, true);
}

/// A division by zero is 0.
template <class Core>
auto Execution<Core>::divided(Word a, Word b) -> Word {
  if (info_.is_signed) return core_.choose(is_zero(b), number(0), make(TermOp::divide, a, b));
  if (bits_ == 64)
    return core_.choose(is_zero(b), number(0), machine::unsigned_quotient(core_, 64, a, b));
  const Word x = core_.make(TermOp::zero_extend, 32, a), y = core_.make(TermOp::zero_extend, 32, b);
  return core_.choose(is_zero(b), number(0),
                      core_.make(TermOp::sign_extend, 32, wide(TermOp::divide, x, y)));
}

/// By an immediate, or by a register modulo the width.
template <class Core>
auto Execution<Core>::shifted() -> Word {
  const Word a = whole(1);
  const Word by =
      std::holds_alternative<Immediate>(in_.operands[2]) ? number(constant(2)) : whole(2);
  const Word low = make(info_.op, a, by);
  if (!info_.inverted) return low;
  return make(TermOp::bit_or, low, make(TermOp::shift_left, a, make(TermOp::negate, by)));
}

/// ubfx, sbfx: bits from the operand's place, to the bottom.
template <class Core>
auto Execution<Core>::extract() -> Word {
  const unsigned least = count(2), width = count(3);
  const Word up = make(TermOp::shift_left, whole(1), number(bits_ - least - width));
  return make(info_.op, up, number(bits_ - width));
}

/// ubfiz, sbfiz: bits from the bottom, to the operand's place.
template <class Core>
auto Execution<Core>::inserted_zero() -> Word {
  const unsigned least = count(2), width = count(3);
  const Word up = make(TermOp::shift_left, whole(1), number(bits_ - width));
  return make(info_.op, up, number(bits_ - least - width));
}

template <class Core>
auto Execution<Core>::inserted() -> Word {
  const unsigned least = count(2), width = count(3);
  const bool low = info_.does == Does::insert_low;
  const Word source = low ? make(TermOp::shift_right_unsigned, whole(1), number(least)) : whole(1);
  const unsigned place = low ? 0 : least;
  const Word part = make(TermOp::bit_and, source, mask(width));
  const Word hole = make(TermOp::shift_left, mask(width), number(place));
  const Word kept = make(TermOp::bit_and, whole(0), make(TermOp::bit_not, hole));
  return make(TermOp::bit_or, kept, make(TermOp::shift_left, part, number(place)));
}

/// What csinc, cinc and their like make of a register.
template <class Core>
auto Execution<Core>::alternative(Word value) -> Word {
  if (info_.op == TermOp::add) return make(TermOp::add, value, number(1));
  if (info_.op == TermOp::bit_not || info_.op == TermOp::negate) return make(info_.op, value);
  return value;
}

/// The flags of the comparison where the condition holds, else those given.
template <class Core>
void Execution<Core>::compare_if() {
  const Word truth = holds(condition());
  const Word a = whole(0), b = value(1);
  if (core_.decide(truth)) {
    arithmetic(info_.op, core_.picked_by(truth, a), core_.picked_by(truth, b), true);
    return;
  }
  const auto given = static_cast<unsigned>(constant(2));
  set_flags(Flags::Kind::given, {}, {}, {});
  for (unsigned i = 0; i < 4; ++i)
    state_.flags.nzcv[i] = core_.picked_by(truth, number(given >> (3 - i) & 1));
}

/// A whole register is copied as it is held: what was written in 32 bits stays known to be no
/// wider, so that it is the same term where 32 bits of the copy are compared.
template <class Core>
void Execution<Core>::move() {
  const auto& to = std::get<RegisterOperand>(in_.operands[0]);
  const auto* from = std::get_if<RegisterOperand>(&in_.operands[1]);
  const bool whole = from != nullptr && in_.width == Width::q && from->width == Width::q &&
                     from->change == Change::lsl && from->amount == 0;
  if (!whole || from->reg == Register::zero || to.reg == Register::zero) return write(0, value(1));
  state_.registers[index(to.reg)] = state_.registers[index(from->reg)];
}

template <class Core>
auto Execution<Core>::product() -> Word {
  const Word out = make(TermOp::multiply, whole(1), whole(2));
  return info_.inverted ? make(TermOp::negate, out) : out;
}

template <class Core>
auto Execution<Core>::long_product() -> Word {
  const auto op = info_.is_signed ? TermOp::sign_extend : TermOp::zero_extend;
  return wide(TermOp::multiply, core_.make(op, 32, whole(1)), core_.make(op, 32, whole(2)));
}

// Memory

template <class Core>
auto Execution<Core>::address(std::size_t operand) -> Word {
  const auto& memory = std::get<Memory>(in_.operands[operand]);
  const Word base = read(memory.base, Width::q);
  if (memory.index) return wide(TermOp::add, base, changed(*memory.index, Width::q));
  return memory.displacement == 0 ? base : wide(TermOp::add, base, number(memory.displacement));
}

/// A value of memory as the register has it: bytes and halfwords are extended.
template <class Core>
auto Execution<Core>::from_memory(Word value) -> Word {
  const Width width = access_width(in_);
  if (width == in_.width || info_.is_signed) return value;
  return core_.make(TermOp::zero_extend, bits_of(width), value);
}

template <class Core>
auto Execution<Core>::to_memory(std::size_t operand) -> Word {
  const Width width = access_width(in_);
  const Word value = whole(operand);
  return width == in_.width ? value : core_.make(TermOp::sign_extend, bits_of(width), value);
}

/// Loads with acquire order nothing where an update's result is dropped: the pages of SWP and LDADD
/// say that they acquire where the destination is not WZR or XZR.
template <class Core>
Access Execution<Core>::read_access(bool atomic, bool returns) const {
  Access out = plain();
  if (info_.acquire && returns) out.tags |= t_acquire;
  if (info_.acquire_pc) out.tags |= t_acquire_pc;
  if (out.tags != 0) out.construct = Construct::ordered_instruction;
  if (atomic) out.tags |= t_exclusive;
  if (atomic) out.construct = Construct::atomic_instruction;
  if (!returns) out.tags |= t_no_return;
  return out;
}

template <class Core>
Access Execution<Core>::write_access(bool atomic) const {
  Access out = plain();
  if (info_.release) out.tags |= t_release;
  if (info_.release) out.construct = Construct::ordered_instruction;
  if (atomic) out.tags |= t_exclusive;
  if (atomic) out.construct = Construct::atomic_instruction;
  return out;
}

template <class Core>
void Execution<Core>::access() {
  if (info_.does == Does::load)
    write(0, from_memory(core_.load(address(1), read_access(false, true))));
  else
    core_.store(address(1), to_memory(0), write_access(false));
}

/// Two accesses, in no order.
template <class Core>
void Execution<Core>::pair() {
  const Word first = address(2);
  const Word second = wide(TermOp::add, first, number(static_cast<Value>(in_.width)));
  if (info_.does == Does::store_pair) {
    core_.store(first, whole(0), plain());
    core_.store(second, whole(1), plain());
    return;
  }
  const Word a = core_.load(first, plain()), b = core_.load(second, plain());
  write(0, a);
  write(1, b);
}

template <class Core>
void Execution<Core>::exclusive() {
  if (info_.does == Does::load_exclusive)
    return write(0, from_memory(core_.load_exclusive(address(1), read_access(true, true))));
  write(0, core_.store_exclusive(address(2), to_memory(1), write_access(true)));
}

template <class Core>
auto Execution<Core>::fetched(Word old, Word operand) -> Word {
  const auto bits = bits_of(access_width(in_));
  if (info_.does == Does::swap) return operand;
  if (info_.does == Does::fetch) {
    const Word second = info_.inverted ? core_.make(TermOp::bit_not, bits, operand) : operand;
    return core_.make(info_.op, bits, old, second);
  }
  const Word first =
      core_.make(info_.op, bits, info_.inverted ? operand : old, info_.inverted ? old : operand);
  return core_.choose(first, old, operand);
}

/// ldadd and its like: the operand, the register for the old value (st* forms: none), the address.
template <class Core>
void Execution<Core>::update() {
  const bool returns = in_.operands.size() == 3;
  const Word where = address(in_.operands.size() - 1);
  if (info_.does == Does::compare_and_swap) {
    const Word old = core_.compare_and_swap(where, to_memory(0), to_memory(1),
                                            read_access(true, !discards(0)), write_access(true));
    return write(0, from_memory(old));
  }
  const Word operand = to_memory(0);
  const Word old =
      core_.update(where, read_access(true, returns && !discards(1)), write_access(true),
                   [&](Word before) { return fetched(before, operand); });
  if (returns) write(1, from_memory(old));
}

template <class Core>
void Execution<Core>::fence() {
  if (info_.does == Does::fence_isb) return core_.fence(t_isb);
  const auto kind = static_cast<unsigned>(std::get<Barrier>(in_.operands[0]));
  core_.fence((info_.does == Does::fence_dsb ? t_dsb : t_dmb) << kind);
}

// Control

template <class Core>
bool Execution<Core>::jump() {
  if (info_.does == Does::jump) return true;
  if (info_.does == Does::jump_if) return core_.branch(holds(std::get<Condition>(in_.operands[0])));
  Word tested = whole(0);
  if (info_.does == Does::jump_if_bit)
    tested = make(TermOp::bit_and, make(TermOp::shift_right_unsigned, tested, number(constant(1))),
                  number(1));
  const Word truth = is_zero(tested);
  const bool on_zero = (info_.does == Does::jump_if_zero) != info_.inverted; // cbz, tbz
  return core_.branch(on_zero ? truth : negated(truth));
}

template <class Core>
bool Execution<Core>::run() {
  if (info_.does >= Does::jump) return jump();
  perform();
  return false;
}

template <class Core>
void Execution<Core>::perform() {
  const auto sum = [&](TermOp op, Word a, Word b) { return arithmetic(op, a, b, info_.flags); };
  switch (info_.does) {
  case Does::move: return move();
  case Does::move_wide: return write(0, value(1));
  case Does::move_not:
  case Does::move_not_wide: return write(0, make(TermOp::bit_not, value(1)));
  case Does::move_part: return move_part();
  case Does::negate: return write(0, sum(TermOp::subtract, number(0), value(1)));
  case Does::arithmetic: return write(0, sum(info_.op, whole(1), value(2)));
  case Does::logical: return write(0, logical(whole(1), value(2)));
  case Does::compare: return compare();
  case Does::multiply: return write(0, product());
  case Does::multiply_long: return write(0, long_product());
  case Does::multiply_add:
  case Does::multiply_subtract: return write(0, make(info_.op, whole(3), product()));
  case Does::divide: return write(0, divided(whole(1), whole(2)));
  case Does::shift: return write(0, shifted());
  case Does::extend: return write(0, core_.make(info_.op, bits_of(*info_.width), whole(1)));
  case Does::extract: return write(0, extract());
  case Does::insert_zero: return write(0, inserted_zero());
  case Does::insert:
  case Does::insert_low: return write(0, inserted());
  case Does::select:
    return write(0, core_.pick(holds(condition()), whole(1), alternative(whole(2))));
  case Does::set:
    return write(
        0, core_.pick(holds(condition()), number(info_.op == TermOp::negate ? -1 : 1), number(0)));
  case Does::change_if:
    return write(0, core_.pick(holds(condition()), alternative(whole(1)), whole(1)));
  case Does::compare_if: return compare_if();
  case Does::load:
  case Does::store: return access();
  case Does::load_pair:
  case Does::store_pair: return pair();
  case Does::load_exclusive:
  case Does::store_exclusive: return exclusive();
  case Does::swap:
  case Does::fetch:
  case Does::fetch_extreme:
  case Does::compare_and_swap: return update();
  case Does::fence:
  case Does::fence_dsb:
  case Does::fence_isb: return fence();
  case Does::nop:
  case Does::jump:
  case Does::jump_if:
  case Does::jump_if_zero:
  case Does::jump_if_bit: return;
  }
}

} // namespace thinair::aarch64
