// Control paths of x86 programs: instructions run on symbolic registers and flags (Intel SDM vol.
// 2; machine/x86/step.cpp is the same on numbers).
#include "litmus/text/error.h"
#include "machine/common/addresses.h"
#include "machine/x86/flags.h"
#include "machine/x86/flow.h"
#include "machine/x86/front_end.h"
#include "machine/x86/step.h"
#include "oracle/graph/decisions.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thinair::x86 {
namespace {

using graph::PathBuilder;
using graph::PathEvent;
using graph::PathLimits;
using graph::ProgramPaths;
using graph::TermId;
using graph::TermOp;
using graph::TermPool;

std::size_t index(Register reg) { return static_cast<std::size_t>(reg); }

/// A register: `value` is sign-extended from `width`; above it the register is zero (SDM vol. 1,
/// 3.4.1.1: 32-bit results are zero-extended).
struct Content {
  TermId value;
  Width width = Width::q;
};

class Walk {
 public:
  Walk(const Program& program, const Thread& thread, const Flow& flow, PathBuilder& out,
       graph::VariableSets& sets);
  void run();
  std::vector<TermId> registers();

 private:
  TermId number(Value v) { return terms_.constant(v); }
  TermId make(TermOp op, TermId a, TermId b = {}) {
    return terms_.make(op, bits_of(in_->width), a, b);
  }
  TermId sign_extended(TermId v, Width width) {
    return terms_.make(TermOp::sign_extend, bits_of(width), v);
  }

  TermId whole(Register reg);
  TermId read(Register reg, Width width);
  void write(Register reg, Width width, TermId value);
  TermId read(std::size_t operand, Width width);
  TermId read(std::size_t operand) { return read(operand, in_->width); }
  void write(std::size_t operand, TermId value);

  TermId computed_address(const Memory& memory);
  bool place(const Memory& memory, Width width, PathEvent& event);
  TermId load(const Memory& memory, Width width);
  void store(const Memory& memory, Width width, TermId value);
  void check_width(LocationId location, Width width) const;
  PathEvent event() const;

  void execute();
  void binary();
  void unary();
  void shift();
  void multiply();
  void exchange();
  void compare_exchange();
  void load_address();
  void fence();
  void jump();

  void look_back(std::size_t at);

  TermId sum(TermId a, TermId b);
  TermId difference(TermId a, TermId b);
  TermId logical(TermId result);

  const Program& program_;
  const Thread& thread_;
  const Flow& flow_;
  PathBuilder& out_;
  graph::VariableSets& sets_;
  TermPool& terms_;
  std::array<Content, every_register> registers_;
  SymbolicFlags flags_;
  const Instruction* in_ = nullptr;
  std::size_t next_ = 0;                  // index of the instruction after *in_
  std::uint32_t executed_ = 0;            // instructions so far: names the events of one
  std::vector<std::uint32_t> jumps_back_; // by instruction

  /// What was so when the path came by the beginning of a loop.
  struct Mark {
    std::array<Content, every_register> registers;
    std::size_t events = 0;
    std::uint32_t idle = 0;
  };
  std::map<std::size_t, Mark> marks_; // by beginning of a loop
};

Walk::Walk(const Program& program, const Thread& thread, const Flow& flow, PathBuilder& out,
           graph::VariableSets& sets)
    : program_(program), thread_(thread), flow_(flow), out_(out), sets_(sets), terms_(out.terms()),
      jumps_back_(thread.code.size(), 0) {
  registers_.fill({number(0), Width::q});
  for (const auto& initial : thread.initial) {
    const auto* location = std::get_if<LocationId>(&initial.value);
    const Value value = location ? static_cast<Value>(litmus::address_of(*location))
                                 : std::get<std::int64_t>(initial.value);
    registers_[index(initial.reg)] = {number(value), Width::q};
  }
}

TermId Walk::whole(Register reg) {
  const auto& content = registers_[index(reg)];
  if (content.width == Width::q) return content.value;
  return terms_.make(TermOp::zero_extend, bits_of(content.width), content.value);
}

std::vector<TermId> Walk::registers() {
  std::vector<TermId> out;
  for (std::size_t i = 0; i < registers_.size(); ++i)
    out.push_back(whole(static_cast<Register>(i)));
  return out;
}

TermId Walk::read(Register reg, Width width) {
  const auto& content = registers_[index(reg)];
  if (content.width == width) return content.value;
  return sign_extended(whole(reg), width);
}

/// `value` is sign-extended from `width`.
void Walk::write(Register reg, Width width, TermId value) {
  if (width == Width::q || width == Width::l) {
    registers_[index(reg)] = {value, width};
    return;
  }
  const Value low = (Value{1} << bits_of(width)) - 1;
  const auto kept = terms_.make(TermOp::bit_and, 64, whole(reg), number(~low));
  const auto fresh = terms_.make(TermOp::zero_extend, bits_of(width), value);
  registers_[index(reg)] = {terms_.make(TermOp::bit_or, 64, kept, fresh), Width::q};
}

TermId Walk::computed_address(const Memory& memory) {
  auto address = whole(std::get<Register>(memory.base));
  if (memory.displacement != 0)
    address = terms_.make(TermOp::add, 64, address, number(memory.displacement));
  if (!memory.index) return address;
  const auto index = terms_.make(TermOp::zero_extend, bits_of(memory.index->width),
                                 read(memory.index->reg, memory.index->width));
  const auto scaled = terms_.make(TermOp::multiply, 64, index, number(memory.scale));
  return terms_.make(TermOp::add, 64, address, scaled);
}

/// Where an access goes, and what its address comes from; false where the path ends there.
bool Walk::place(const Memory& memory, Width width, PathEvent& event) {
  if (const auto* named = std::get_if<LocationId>(&memory.base)) {
    event.location = *named;
  } else {
    const auto address = computed_address(memory);
    const auto found = machine::resolve(out_, program_.locations, address, width);
    if (!found) return false;
    event.location = *found;
    for (const auto variable : terms_.variables_of(address))
      event.address = sets_.unite(event.address, sets_.of(variable));
  }
  check_width(event.location, width);
  return true;
}

void Walk::check_width(LocationId location, Width width) const {
  const auto& declared = program_.locations.at(location.value);
  if (declared.type.width != width)
    throw Unsupported("an access of " + std::to_string(static_cast<int>(width)) + " bytes to " +
                      declared.name + " of " +
                      std::to_string(static_cast<int>(declared.type.width)));
}

PathEvent Walk::event() const {
  PathEvent e;
  e.instruction = executed_;
  e.source = static_cast<std::uint32_t>(next_ - 1);
  if (is_atomic(*in_)) {
    e.tags = t_atomic;
    e.construct = litmus::Construct::atomic_instruction;
  }
  return e;
}

TermId Walk::load(const Memory& memory, Width width) {
  auto e = event();
  e.kinds |= graph::k_read;
  if (!place(memory, width, e)) return number(0);
  e.read = out_.next_read();
  out_.add(e);
  return terms_.variable(e.read);
}

void Walk::store(const Memory& memory, Width width, TermId value) {
  auto e = event();
  e.kinds |= graph::k_write;
  if (!place(memory, width, e)) return;
  e.written = value;
  if ((e.tags & t_atomic) != 0) // what it read is the event before
    e.partner = static_cast<std::uint32_t>(out_.path().events.size()) - 1;
  out_.add(e);
}

TermId Walk::read(std::size_t operand, Width width) {
  const Operand& o = in_->operands.at(operand);
  if (const auto* immediate = std::get_if<Immediate>(&o))
    return sign_extended(number(immediate->value), width);
  if (const auto* reg = std::get_if<RegisterOperand>(&o)) return read(reg->reg, width);
  return load(std::get<Memory>(o), width);
}

void Walk::write(std::size_t operand, TermId value) {
  const Operand& o = in_->operands.at(operand);
  if (const auto* reg = std::get_if<RegisterOperand>(&o))
    write(reg->reg, reg->width, value);
  else
    store(std::get<Memory>(o), in_->width, value);
}

TermId Walk::sum(TermId a, TermId b) {
  FlagSource source{FlagSource::Kind::sum, bits_of(in_->width), a, b, make(TermOp::add, a, b)};
  flags_.set(source);
  return source.result;
}

TermId Walk::difference(TermId a, TermId b) {
  FlagSource source{FlagSource::Kind::difference, bits_of(in_->width), a, b,
                    make(TermOp::subtract, a, b)};
  flags_.set(source);
  return source.result;
}

TermId Walk::logical(TermId result) {
  flags_.set({FlagSource::Kind::logical, bits_of(in_->width), result, result, result});
  return result;
}

void Walk::binary() {
  const auto a = read(0), b = read(1);
  if (in_->opcode == Opcode::add) write(0, sum(a, b));
  if (in_->opcode == Opcode::sub) write(0, difference(a, b));
  if (in_->opcode == Opcode::and_) write(0, logical(make(TermOp::bit_and, a, b)));
  if (in_->opcode == Opcode::or_) write(0, logical(make(TermOp::bit_or, a, b)));
  if (in_->opcode == Opcode::xor_) write(0, logical(make(TermOp::bit_xor, a, b)));
  if (in_->opcode == Opcode::cmp) difference(a, b);
  if (in_->opcode == Opcode::test) logical(make(TermOp::bit_and, a, b));
}

void Walk::unary() {
  const auto a = read(0);
  const auto carry = flags_.carry;
  if (in_->opcode == Opcode::not_) write(0, make(TermOp::bit_not, a));
  if (in_->opcode == Opcode::neg) write(0, difference(number(0), a));
  if (in_->opcode == Opcode::inc) write(0, sum(a, number(1)));
  if (in_->opcode == Opcode::dec) write(0, difference(a, number(1)));
  if (in_->opcode == Opcode::inc || in_->opcode == Opcode::dec) flags_.carry = carry;
}

/// Counts are masked to five bits, six for 64-bit operands, and must be known.
void Walk::shift() {
  const auto a = read(0);
  const auto raw = terms_.constant_value(read(1, Width::b));
  if (!raw) throw Unsupported("a shift by a count that memory decides");
  const auto bits = bits_of(in_->width);
  const auto count = static_cast<unsigned>(*raw) & (bits == 64 ? 63U : 31U);
  if (count >= bits) throw Unsupported("a shift by more than the operand's width");
  if (count == 0) return write(0, a); // flags keep their values
  const auto op = in_->opcode == Opcode::shl   ? TermOp::shift_left
                  : in_->opcode == Opcode::shr ? TermOp::shift_right_unsigned
                                               : TermOp::shift_right;
  const auto last = in_->opcode == Opcode::shl ? bits - count : count - 1; // the bit shifted out
  FlagSource source{FlagSource::Kind::shifted, bits, a, a, make(op, a, number(count))};
  source.has_carry = true;
  source.carry =
      make(TermOp::bit_and, make(TermOp::shift_right_unsigned, a, number(last)), number(1));
  const auto top = [&](TermId v) { return make(TermOp::less, v, number(0)); };
  source.overflow = in_->opcode == Opcode::shl
                        ? make(TermOp::bit_xor, top(source.result), source.carry)
                    : in_->opcode == Opcode::shr ? top(a)
                                                 : number(0);
  write(0, source.result);
  flags_.set(source);
}

void Walk::multiply() {
  const auto a = read(0), b = read(1);
  const auto bits = bits_of(in_->width);
  FlagSource source{FlagSource::Kind::product, bits, a, b, make(TermOp::multiply, a, b)};
  if (bits < 64) {
    const auto full = terms_.make(TermOp::multiply, 64, a, b);
    source.has_carry = true;
    source.carry =
        terms_.make(TermOp::logical_not, 64, terms_.make(TermOp::equal, 64, full, source.result));
  }
  write(0, source.result);
  flags_.set(source);
}

void Walk::exchange() {
  const bool memory_second = std::holds_alternative<Memory>(in_->operands.at(1));
  const auto first = read(0), second = read(1);
  if (in_->opcode == Opcode::xadd) {
    const auto total = sum(first, second);
    write(1, first); // `xadd r, r`: the sum is what stays
    write(0, total);
  } else if (memory_second) {
    write(0, second);
    write(1, first);
  } else {
    write(1, first);
    write(0, second);
  }
}

/// One path where it succeeds, one where it fails: then it is a read only.
void Walk::compare_exchange() {
  const auto expected = read(Register::rax, in_->width);
  const auto found = read(0), wanted = read(1);
  difference(expected, found);
  if (out_.decide(make(TermOp::equal, expected, found), false))
    write(0, wanted);
  else
    write(Register::rax, in_->width, found);
}

void Walk::load_address() {
  const auto& memory = std::get<Memory>(in_->operands.at(1));
  const auto* location = std::get_if<LocationId>(&memory.base);
  const auto address = location ? number(static_cast<Value>(litmus::address_of(*location)))
                                : computed_address(memory);
  write(0, sign_extended(address, in_->width));
}

void Walk::fence() {
  auto e = event();
  e.kinds = graph::k_fence;
  e.tags = in_->opcode == Opcode::mfence   ? t_mfence
           : in_->opcode == Opcode::lfence ? t_lfence
                                           : t_sfence;
  out_.add(e);
}

void Walk::jump() {
  const auto target = flow_.target(next_ - 1);
  if (target < next_ && ++jumps_back_[next_ - 1] > out_.limits().loop_bound) return out_.cut();
  next_ = target;
}

/// A round that only reads and leaves what may be looked at as it was adds nothing: the path
/// without it does all that this one does (docs/engine.md).
void Walk::look_back(std::size_t at) {
  const auto& events = out_.path().events;
  const auto found = marks_.find(at);
  std::uint32_t idle = 0;
  if (found != marks_.end() && out_.limits().close_awaits) {
    const Mark& mark = found->second;
    const Slots live = flow_.live(at);
    bool same = (live & flags_slot) == 0;
    for (std::size_t i = 0; i < every_register; ++i)
      same = same && (((live >> i) & 1U) == 0 || (registers_[i].value == mark.registers[i].value &&
                                                  registers_[i].width == mark.registers[i].width));
    same =
        same && std::all_of(events.begin() + static_cast<std::ptrdiff_t>(mark.events), events.end(),
                            [](const PathEvent& e) { return (e.kinds & graph::k_write) == 0; });
    if (same) idle = mark.idle + 1;
    if (idle > out_.limits().idle_rounds) return out_.drop_idle();
  }
  marks_.insert_or_assign(at, Mark{registers_, events.size(), idle});
}

void Walk::execute() {
  switch (in_->opcode) {
  case Opcode::mov: return write(0, read(1));
  case Opcode::movzx: // `width` is the source's
    return write(0, terms_.make(TermOp::zero_extend, bits_of(in_->width), read(1)));
  case Opcode::lea: return load_address();
  case Opcode::add:
  case Opcode::sub:
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_:
  case Opcode::cmp:
  case Opcode::test: return binary();
  case Opcode::inc:
  case Opcode::dec:
  case Opcode::neg:
  case Opcode::not_: return unary();
  case Opcode::shl:
  case Opcode::shr:
  case Opcode::sar: return shift();
  case Opcode::imul: return multiply();
  case Opcode::xchg:
  case Opcode::xadd: return exchange();
  case Opcode::cmpxchg: return compare_exchange();
  case Opcode::jmp: return jump();
  case Opcode::jcc:
    if (out_.decide(condition_term(terms_, in_->condition, flags_), true)) jump();
    return;
  case Opcode::setcc:
    return write(0, terms_.make(TermOp::logical_not, 32,
                                terms_.make(TermOp::logical_not, 32,
                                            condition_term(terms_, in_->condition, flags_))));
  case Opcode::cmovcc: {
    const auto source = read(1); // read whether or not it moves
    const auto condition = condition_term(terms_, in_->condition, flags_);
    return write(0, terms_.make(TermOp::select, 64, condition, source, read(0)));
  }
  case Opcode::mfence:
  case Opcode::lfence:
  case Opcode::sfence: return fence();
  case Opcode::nop: return;
  }
}

void Walk::run() {
  while (next_ < thread_.code.size() && !out_.is_over()) {
    if (flow_.is_head(next_)) look_back(next_);
    if (out_.is_over()) return;
    terms_.watch().demand();
    in_ = &thread_.code[next_++];
    ++executed_;
    execute();
  }
}

/// What the end of a thread looks at.
Slots observed_of(std::size_t thread, const PathLimits& limits) {
  if (!limits.asked) return ~flags_slot;
  Slots out = 0;
  for (const auto& reg : *limits.asked)
    if (reg.thread == thread) out |= Slots{1} << reg.index;
  return out;
}

} // namespace

ProgramPaths paths_of(const Program& program, const PathLimits& limits) {
  ProgramPaths out;
  out.terms = TermPool(limits.watch);
  out.architecture = architecture;
  for (const auto& location : program.locations) {
    out.initial.push_back(
        litmus::sign_extended(static_cast<std::uint64_t>(location.initial), location.type.width));
    out.location_names.push_back(location.name);
    out.location_bits.push_back(bits_of(location.type.width));
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const auto& thread = program.threads[t];
    const Flow flow(thread, observed_of(t, limits));
    out.threads.push_back(graph::all_paths(out.terms, limits, [&](PathBuilder& builder) {
      Walk walk(program, thread, flow, builder, out.sets);
      walk.run();
      builder.path().final_registers = walk.registers();
    }));
    const auto& paths = out.threads.back();
    out.cut = out.cut || paths.cut;
    out.idle = out.idle || paths.idle;
    out.may_stop = out.may_stop || paths.may_stop;
    out.strays = out.strays || !paths.strayed.empty();
  }
  machine::drop_unfounded(out);
  return out;
}

namespace {

using litmus::Construct;

/// LFENCE and SFENCE order nothing more than is ordered already.
constexpr auto sets = std::to_array<graph::NamedSet>({
    {"X", t_atomic, false, Construct::atomic_instruction, "locked"},
    {"A", t_atomic, false, Construct::atomic_instruction},
    {"MFENCE", t_mfence, true, Construct::fence_instruction, "mfence"},
    {"LFENCE", t_lfence, true, Construct::plain, "lfence"},
    {"SFENCE", t_sfence, true, Construct::plain, "sfence"},
});

ProgramPaths paths(const Test& test, const PathLimits& limits) {
  return paths_of(program_of(test), limits);
}

} // namespace

constinit const graph::FrontEnd front_end{"x86", "x86", sets, paths};

} // namespace thinair::x86
