// What registers hold of what is computed from others.
#include "lower/jit/walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::lower::jit {
namespace {

constexpr std::int64_t below_the_class = 42; // bits of a header of one word (JEP 450)

} // namespace

/// What a constant is by the listing: the class of the state, that of a reference (a class in the
/// program's own, or `Object` where nobody looks inside), or none.
Known Walker::named(const MachineInstruction& in, const Known& number) const {
  constexpr std::string_view opening = "metadata('", object = "java/lang/Object";
  const std::string note = code_.frames_at(in.address, in.address + in.bytes.size() - 1);
  const auto at = note.find(opening);
  if (at == std::string::npos) return number;
  std::string_view name = std::string_view(note).substr(at + opening.size());
  name = name.substr(0, name.find('\''));
  const auto nested = name.find('$');
  if (name == state_class || (nested != name.npos && name.substr(nested + 1) == state_class))
    return {Kind::class_name, 0, states_class};
  if (name == null_pointer) return {Kind::exception, 0};
  if (layout_.refers && (nested != name.npos || name == object))
    return {Kind::class_name, 0, objects_class};
  return number;
}

/// C2 has exceptions ready for code that has thrown some before: constants of the code.
bool Walker::is_exception(const MachineInstruction& in) const {
  constexpr std::array<std::string_view, 2> exceptions{
      "{oop(a 'java/lang/NullPointerException'",
      "{oop(a 'java/lang/ArrayIndexOutOfBoundsException'"};
  const std::string note = notes(in);
  return !layout_.objects.empty() && std::ranges::any_of(exceptions, [&](std::string_view words) {
    return note.find(words) != std::string::npos;
  });
}

void Walker::move(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  Known known = of(shape.from[0], at.before, shape.bytes);
  const bool is_address = !known.is_number() && known.kind != Kind::caller;
  if (is_address && shape.bytes == field_bytes && known.kind != Kind::class_) known = unclear;
  if (known.kind == Kind::reference && shape.bytes == field_bytes) known = data;
  if (std::holds_alternative<std::int64_t>(shape.from[0])) {
    known = named(at.instruction, known);
    if (is_exception(at.instruction)) known = {Kind::thrown, 0};
  }
  put(out, shape.to, known, rule_for(known));
}

namespace {

/// What is left of it in 32 bits: no address.
Known shortened(const Known& known) {
  if (known.kind == Kind::constant) return {known.kind, static_cast<std::int32_t>(known.value)};
  if (known.kind == Kind::reference) return data;
  return known.is_number() || known.kind == Kind::class_ || known.kind == Kind::class_name ||
                 known.kind == Kind::exception
             ? known
             : unclear;
}

} // namespace

void Walker::sum(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  Known known = of(shape.from[0], at.before, shape.bytes);
  if (shape.from.size() == 2) {
    Known second = of(shape.from[1], at.before, shape.bytes);
    if (known.kind == Kind::constant && shape.scale == 1) std::swap(known, second);
    if (second.kind == Kind::constant)
      known = plus(known, second.value * shape.scale);
    else
      known = known.is_number() && second.is_number() ? data : unclear;
  }
  known = plus(known, shape.number);
  if (shape.bytes == 4) known = shortened(known);
  put(out, shape.to, known, rule_for(known));
  for (const auto& popped : shape.writes) out.after.registers[popped] = {Kind::caller, 0};
  if (shape.sets_flags) out.after.flags = known.is_number() ? Flags::data : Flags::unclear;
}

namespace {

Known times(const Known& constant, std::int64_t scale) {
  return {Kind::constant, static_cast<std::int64_t>(static_cast<std::uint64_t>(constant.value) *
                                                    static_cast<std::uint64_t>(scale))};
}

} // namespace

void Walker::bits(const Place& at, Outcome& out) {
  Known known = of(at.shape.from[0], at.before, at.shape.bytes);
  const std::int64_t mask = at.shape.mask;
  if (known.kind == Kind::constant && mask == 0)
    known = at.shape.scale == 1 ? data : times(known, at.shape.scale);
  else if (known.kind == Kind::constant)
    known = Known{Kind::constant, (known.value & ~mask) | at.shape.number};
  else if (known.kind != Kind::class_name && known.kind != Kind::class_ &&
           known.kind != Kind::exception && known.kind != Kind::thrown)
    require_number(known);
  if (known.kind == Kind::object || known.kind == Kind::reference || known.kind == Kind::data)
    known = data;
  put(out, at.shape.to, known, rule_for(known));
}

/// To the right: of a header's first word, the class is left.
void Walker::shift(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const Known known = of(shape.from[0], at.before, shape.bytes);
  if (known.kind == Kind::mark && shape.number == below_the_class) {
    put(out, shape.to, {Kind::class_, 0, states_class}, Rule::class_bits);
  } else if (known.kind == Kind::class_) {
    put(out, shape.to, known, Rule::class_check);
  } else {
    require_number(known);
    put(out, shape.to, data, Rule::address);
  }
  if (shape.sets_flags) out.after.flags = known.is_number() ? Flags::data : Flags::unclear;
}

/// A class pointer is decompressed: a computation from it and constants, in a register.
bool Walker::put_together(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  bool any = false;
  std::uint32_t whose = states_class;
  for (const auto& reg : shape.reads) {
    const Known known = at.before.reg(reg);
    const bool is_class = known.kind == Kind::class_ || known.kind == Kind::class_name ||
                          known.kind == Kind::exception;
    if (is_class) whose = known.made;
    any |= is_class;
    if (!is_class && known.kind != Kind::constant) return false;
  }
  if (!any || shape.place || shape.writes.size() != 1) return false;
  put(out, shape.writes[0], {Kind::class_, 0, whose}, Rule::class_check);
  if (shape.sets_flags) out.after.flags = Flags::unclear;
  return true;
}

void Walker::other(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  if (put_together(at, out)) return;
  for (const auto& reg : shape.reads) {
    if (reg == "flags") {
      if (at.before.flags != Flags::data) refuse("flags of what is no number");
    } else {
      require_number(at.before.reg(reg));
    }
  }
  if (shape.place) {
    const Known where = address(*shape.place, at.before);
    if (where.kind == Kind::stack && shape.adds_nothing) { // whatever is there stays there
      out.step.cell = cell(where);
      out.after.flags = Flags::unclear;
      return;
    }
    require_number(loaded(where, at.before, shape.bytes));
    out.step.cell = cell(where);
    if (where.kind == Kind::stack) out.after.slots[where.value] = data;
  }
  for (const auto& reg : shape.writes) {
    if (reg == fixed_.stack || reg == fixed_.thread) refuse("a change of a fixed register");
    out.after.registers[reg] = data;
  }
  if (shape.sets_flags) out.after.flags = Flags::data;
}

} // namespace thinair::lower::jit
