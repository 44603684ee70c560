// Executes one x86 instruction (Intel SDM vol. 2; the flags as its appendix A lists them).
#include "machine/x86/step.h"

#include "litmus/text/error.h"
#include "machine/common/addresses.h"

#include <bit>
#include <utility>

namespace thinair::x86 {
namespace {

using litmus::address_of;
using litmus::sign_extended;
using litmus::truncated;

unsigned bits(Width width) { return litmus::bits_of(width); }

bool sign_of(std::uint64_t value, Width width) { return (value >> (bits(width) - 1)) & 1; }

std::size_t place_of(Register reg) { return static_cast<std::size_t>(reg); }

/// Shift counts are masked to five bits, six for 64-bit operands.
unsigned shift_count(std::uint64_t raw, Width width) { return raw & (width == Width::q ? 63 : 31); }

std::uint64_t computed_address(const Memory& memory, const State& state) {
  std::uint64_t address = state.registers.at(place_of(std::get<Register>(memory.base)));
  address += static_cast<std::uint64_t>(memory.displacement);
  if (memory.index)
    address += memory.scale *
               truncated(state.registers.at(place_of(memory.index->reg)), memory.index->width);
  return address;
}

class Run {
 public:
  Run(const Instruction& instruction, State& state, MemoryPort& memory)
      : in_(instruction), state_(state), memory_(memory), width_(instruction.width),
        location_(accessed(instruction, state, memory.program())) {}

  bool operator()();

 private:
  std::uint64_t read(std::size_t operand, Width width);
  std::uint64_t read(std::size_t operand) { return read(operand, width_); }
  void write(std::size_t operand, std::uint64_t value);
  void write(Register reg, Width width, std::uint64_t value);

  void set_result_flags(std::uint64_t result);
  std::uint64_t sum(std::uint64_t a, std::uint64_t b);
  std::uint64_t difference(std::uint64_t a, std::uint64_t b);
  std::uint64_t logical(std::uint64_t result);

  void binary();
  void unary();
  void shift();
  void multiply();
  void exchange();
  void compare_exchange();
  void load_address();
  void conditional_move();

  const Instruction& in_;
  State& state_;
  MemoryPort& memory_;
  Width width_;
  std::optional<LocationId> location_; // found before any register changes
};

std::uint64_t Run::read(std::size_t operand, Width width) {
  const Operand& o = in_.operands.at(operand);
  if (const auto* immediate = std::get_if<Immediate>(&o))
    return truncated(static_cast<std::uint64_t>(immediate->value), width);
  if (const auto* reg = std::get_if<RegisterOperand>(&o))
    return truncated(state_.registers[place_of(reg->reg)], width);
  return memory_.load(location_.value(), width);
}

void Run::write(Register reg, Width width, std::uint64_t value) {
  std::uint64_t& whole = state_.registers[place_of(reg)];
  if (width == Width::q || width == Width::l) {
    whole = truncated(value, width);
  } else {
    const std::uint64_t mask = (std::uint64_t{1} << bits(width)) - 1;
    whole = (whole & ~mask) | (value & mask);
  }
}

void Run::write(std::size_t operand, std::uint64_t value) {
  const Operand& o = in_.operands.at(operand);
  if (const auto* reg = std::get_if<RegisterOperand>(&o)) {
    write(reg->reg, reg->width, value);
  } else {
    THINAIR_CHECK(std::holds_alternative<Memory>(o), "an instruction writes to an immediate");
    memory_.store(location_.value(), width_, truncated(value, width_));
  }
}

void Run::set_result_flags(std::uint64_t result) {
  state_.flags.zero = truncated(result, width_) == 0;
  state_.flags.sign = sign_of(result, width_);
  state_.flags.parity = std::popcount(result & 0xFF) % 2 == 0;
}

std::uint64_t Run::sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t result = truncated(a + b, width_);
  state_.flags.carry = result < a;
  state_.flags.overflow = sign_of(~(a ^ b) & (a ^ result), width_);
  set_result_flags(result);
  return result;
}

std::uint64_t Run::difference(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t result = truncated(a - b, width_);
  state_.flags.carry = a < b;
  state_.flags.overflow = sign_of((a ^ b) & (a ^ result), width_);
  set_result_flags(result);
  return result;
}

std::uint64_t Run::logical(std::uint64_t result) {
  state_.flags.carry = state_.flags.overflow = false;
  set_result_flags(result);
  return result;
}

void Run::binary() {
  const std::uint64_t a = read(0), b = read(1);
  if (in_.opcode == Opcode::add) write(0, sum(a, b));
  if (in_.opcode == Opcode::sub) write(0, difference(a, b));
  if (in_.opcode == Opcode::and_) write(0, logical(a & b));
  if (in_.opcode == Opcode::or_) write(0, logical(a | b));
  if (in_.opcode == Opcode::xor_) write(0, logical(a ^ b));
  if (in_.opcode == Opcode::cmp) difference(a, b);
  if (in_.opcode == Opcode::test) logical(a & b);
}

void Run::unary() {
  const std::uint64_t a = read(0);
  const bool carry = state_.flags.carry;
  if (in_.opcode == Opcode::not_) write(0, ~a);
  if (in_.opcode == Opcode::neg) write(0, difference(0, a));
  if (in_.opcode == Opcode::inc) write(0, sum(a, 1));
  if (in_.opcode == Opcode::dec) write(0, difference(a, 1));
  if (in_.opcode == Opcode::inc || in_.opcode == Opcode::dec) state_.flags.carry = carry;
}

void Run::shift() {
  const std::uint64_t a = read(0);
  const unsigned count = shift_count(read(1, Width::b), width_);
  std::uint64_t result = a;
  bool carry = state_.flags.carry;
  for (unsigned i = 0; i < count; ++i) {
    carry = in_.opcode == Opcode::shl ? sign_of(result, width_) : (result & 1) != 0;
    if (in_.opcode == Opcode::shl) result = truncated(result << 1, width_);
    if (in_.opcode == Opcode::shr) result >>= 1;
    if (in_.opcode == Opcode::sar)
      result = truncated(static_cast<std::uint64_t>(sign_extended(result, width_) >> 1), width_);
  }
  write(0, result);
  if (count == 0) return; // flags keep their values
  state_.flags.carry = carry;
  state_.flags.overflow = in_.opcode == Opcode::shl   ? sign_of(result, width_) != carry
                          : in_.opcode == Opcode::shr ? sign_of(a, width_)
                                                      : false;
  set_result_flags(result);
}

/// Two operands: `imul r, r/m`; the product's low half, CF = OF = whether the high half matters.
void Run::multiply() {
  std::int64_t product = 0;
  const bool lost = __builtin_mul_overflow(sign_extended(read(0), width_),
                                           sign_extended(read(1), width_), &product);
  const auto low = truncated(static_cast<std::uint64_t>(product), width_);
  write(0, low);
  state_.flags.carry = state_.flags.overflow = lost || product != sign_extended(low, width_);
}

void Run::exchange() {
  const std::uint64_t first = read(0), second = read(1);
  if (in_.opcode == Opcode::xadd) {
    const std::uint64_t total = sum(first, second);
    write(1, first); // `xadd r, r`: the sum is what stays
    write(0, total);
  } else if (std::holds_alternative<Memory>(in_.operands.at(1))) {
    write(0, second);
    write(1, first);
  } else {
    write(1, first);
    write(0, second);
  }
}

void Run::compare_exchange() {
  const std::uint64_t expected = truncated(state_.registers[place_of(Register::rax)], width_);
  const std::uint64_t found = read(0), wanted = read(1);
  difference(expected, found);
  if (state_.flags.zero) {
    write(0, wanted);
  } else {
    // The processor writes the old value back; what reads memory cannot tell, and a failed
    // compare-and-exchange counts as a read only.
    write(Register::rax, width_, found);
  }
}

void Run::load_address() {
  const auto& memory = std::get<Memory>(in_.operands.at(1));
  const auto* location = std::get_if<LocationId>(&memory.base);
  write(0, location ? address_of(*location) : computed_address(memory, state_));
}

/// The source is read, and an `l` destination's upper half cleared, whether or not it moves.
void Run::conditional_move() {
  const std::uint64_t source = read(1);
  write(0, holds(in_.condition, state_.flags) ? source : read(0));
}

bool Run::operator()() {
  switch (in_.opcode) {
  case Opcode::mov:
  case Opcode::movzx: write(0, read(1)); break;
  case Opcode::lea: load_address(); break;
  case Opcode::add:
  case Opcode::sub:
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_:
  case Opcode::cmp:
  case Opcode::test: binary(); break;
  case Opcode::inc:
  case Opcode::dec:
  case Opcode::neg:
  case Opcode::not_: unary(); break;
  case Opcode::shl:
  case Opcode::shr:
  case Opcode::sar: shift(); break;
  case Opcode::imul: multiply(); break;
  case Opcode::xchg:
  case Opcode::xadd: exchange(); break;
  case Opcode::cmpxchg: compare_exchange(); break;
  case Opcode::jmp: return true;
  case Opcode::jcc: return holds(in_.condition, state_.flags);
  case Opcode::setcc: write(0, holds(in_.condition, state_.flags)); break;
  case Opcode::cmovcc: conditional_move(); break;
  case Opcode::mfence:
  case Opcode::lfence:
  case Opcode::sfence:
  case Opcode::nop: break;
  }
  return false;
}

const Memory* memory_operand(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (const auto* memory = std::get_if<Memory>(&operand)) return memory;
  return nullptr;
}

} // namespace

std::optional<LocationId> accessed(const Instruction& instruction, const State& state,
                                   const Program* program) {
  const Memory* memory = memory_operand(instruction);
  if (!memory || instruction.opcode == Opcode::lea || instruction.opcode == Opcode::nop)
    return std::nullopt;
  if (const auto* location = std::get_if<LocationId>(&memory->base)) return *location;
  const auto address = computed_address(*memory, state);
  const auto found = program != nullptr ? litmus::location_at(address, program->locations)
                                        : litmus::scalar_at(address);
  if (!found) throw Unsupported("an access through a register that holds no location's address");
  return found;
}

bool faults(const Instruction& instruction, const State& state) {
  const Memory* memory = memory_operand(instruction);
  if (!memory || instruction.opcode == Opcode::lea || instruction.opcode == Opcode::nop)
    return false;
  return std::holds_alternative<Register>(memory->base) &&
         machine::faults(computed_address(*memory, state));
}

bool is_atomic(const Instruction& instruction) {
  return instruction.lock ||
         (instruction.opcode == Opcode::xchg && memory_operand(instruction) != nullptr);
}

bool step(const Instruction& instruction, State& state, MemoryPort& memory) {
  return Run(instruction, state, memory)();
}

Flags undefined_flags(const Instruction& instruction, const State& before) {
  Flags none;
  if (instruction.opcode == Opcode::imul)
    return {.carry = false, .parity = true, .zero = true, .sign = true, .overflow = false};
  if (instruction.opcode != Opcode::shl && instruction.opcode != Opcode::shr &&
      instruction.opcode != Opcode::sar)
    return none;
  std::uint64_t raw = before.registers[place_of(Register::rcx)];
  if (const auto* immediate = std::get_if<Immediate>(&instruction.operands.at(1)))
    raw = static_cast<std::uint64_t>(immediate->value);
  const unsigned count = shift_count(truncated(raw, Width::b), instruction.width);
  none.overflow = count > 1;
  none.carry = instruction.opcode != Opcode::sar && count >= bits(instruction.width);
  return none;
}

bool holds(ConditionCode condition, const Flags& f) {
  switch (condition) {
  case ConditionCode::o: return f.overflow;
  case ConditionCode::no: return !f.overflow;
  case ConditionCode::b: return f.carry;
  case ConditionCode::ae: return !f.carry;
  case ConditionCode::e: return f.zero;
  case ConditionCode::ne: return !f.zero;
  case ConditionCode::be: return f.carry || f.zero;
  case ConditionCode::a: return !f.carry && !f.zero;
  case ConditionCode::s: return f.sign;
  case ConditionCode::ns: return !f.sign;
  case ConditionCode::p: return f.parity;
  case ConditionCode::np: return !f.parity;
  case ConditionCode::l: return f.sign != f.overflow;
  case ConditionCode::ge: return f.sign == f.overflow;
  case ConditionCode::le: return f.zero || f.sign != f.overflow;
  case ConditionCode::g: return !f.zero && f.sign == f.overflow;
  }
  return false;
}

} // namespace thinair::x86
