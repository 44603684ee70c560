// What comparisons tell, and which way branches go that are decided.
#include "lower/jit/walker.h"

#include <array>
#include <utility>

namespace thinair::lower::jit {
namespace {

bool either(const Known& a, const Known& b, Kind one, Kind other) {
  return (a.kind == one && b.kind == other) || (a.kind == other && b.kind == one);
}

/// Whether both parts are one register.
bool of_itself(const Shape& shape) {
  const auto* a = std::get_if<Reg>(&shape.from[0]);
  const auto* b = std::get_if<Reg>(&shape.from[1]);
  return a != nullptr && b != nullptr && a->name == b->name;
}

} // namespace

/// What a comparison tells; whether the instruction goes.
Flags Walker::compared(const Place& at, const Known& a, const Known& b, Step& step) const {
  const auto noise = [&](Rule rule, Flags flags) {
    step.stays = Step::Stays::no;
    step.rule = rule;
    return flags;
  };
  const auto object = [](const Known& known) {
    return known.kind == Kind::state || known.kind == Kind::result;
  };
  const auto is_null = [](const Known& known) {
    return known.kind == Kind::constant && known.value == 0;
  };
  const bool tests = at.shape.does == Does::test;
  if (!tests && either(a, b, Kind::object, Kind::thread_word))
    return noise(Rule::allocation, Flags::room);
  if (a.kind == Kind::constant && b.kind == Kind::constant) {
    const auto low = [&](const Known& known) {
      return at.shape.bytes == 4 ? known.value & 0xFFFFFFFF : known.value;
    };
    const bool equal = tests ? (low(a) & low(b)) == 0 : low(a) == low(b);
    return equal ? Flags::equal : Flags::not_equal;
  }
  const auto made = [](const Known& known) {
    return (known.kind == Kind::object || known.kind == Kind::reference) && known.value == 0;
  };
  if (at.shape.bytes == 8 &&
      (tests ? made(a) && of_itself(at.shape) : (made(a) && is_null(b)) || (made(b) && is_null(a))))
    return noise(Rule::null_check, Flags::not_equal);
  if (a.is_number() && b.is_number()) return Flags::data;
  if (tests ? object(a) && a == b : (object(a) && is_null(b)) || (object(b) && is_null(a)))
    return noise(Rule::null_check, Flags::not_equal);
  const bool of_class = either(a, b, Kind::class_word, Kind::class_name) ||
                        either(a, b, Kind::class_, Kind::class_name);
  if (!tests && of_class && a.made == b.made) return noise(Rule::class_check, Flags::equal);
  if (!tests && (either(a, b, Kind::thread_word, Kind::constant) ||
                 either(a, b, Kind::thread_word, Kind::literal)))
    return noise(Rule::entry_barrier, Flags::barrier);
  if (!tests && a.kind == Kind::stack && b.kind == Kind::thread_word)
    return noise(Rule::poll, Flags::poll);
  if ((a.kind == Kind::poll_word || b.kind == Kind::poll_word) &&
      notes(at.instruction).find("{poll") != std::string::npos)
    return noise(Rule::poll, Flags::unclear);
  const auto of_header = [](const Known& known) {
    return known.kind == Kind::header || known.kind == Kind::mark;
  };
  if (of_header(a) || of_header(b)) return noise(Rule::header, Flags::unclear);
  refuse("a comparison of what is no number");
}

void Walker::compare(const Place& at, Outcome& out) {
  std::array<Known, 2> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = of(at.shape.from[i], at.before, at.shape.bytes);
    const auto* place = std::get_if<jit::Place>(&at.shape.from[i]);
    if (place != nullptr && parts[i].is_number()) out.step.cell = cell(address(*place, at.before));
  }
  if (parts[0].kind == Kind::class_ && std::holds_alternative<std::int64_t>(at.shape.from[1]))
    parts[1] = named(at.instruction, parts[1]);
  out.after.flags = compared(at, parts[0], parts[1], out.step);
  out.after.asked = out.after.flags == Flags::data ? asked_by(at) : "";
}

/// The register with a number of the program's that a comparison compares with null. What has a bit
/// among its lowest 32 is not null.
std::string Walker::asked_by(const Place& at) const {
  const auto& from = at.shape.from;
  const auto* one = from.size() == 2 ? std::get_if<Reg>(from.data()) : nullptr;
  if (one == nullptr || !layout_.refers || at.shape.bytes < 4) return {};
  if (at.before.reg(one->name).kind != Kind::data) return {};
  const auto* other = std::get_if<Reg>(&from[1]);
  const auto* number = std::get_if<std::int64_t>(&from[1]);
  const Known second = number != nullptr  ? Known{Kind::constant, *number}
                       : other != nullptr ? at.before.reg(other->name)
                                          : unclear;
  const bool with_null = second.kind == Kind::constant && second.value == 0;
  return (at.shape.does == Does::test ? of_itself(at.shape) : with_null) ? one->name : "";
}

void Walker::branch(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const std::uint64_t behind = at.instruction.address + at.instruction.bytes.size();
  Flags flags = at.before.flags;
  Rule rule = Rule::null_check;
  if (shape.compares) {
    flags = compared(at, of(shape.from[0], at.before, shape.bytes),
                     of(shape.from[1], at.before, shape.bytes), out.step);
    rule = out.step.rule;
    out.step.stays = Step::Stays::yes;
  }
  const bool by_equality = shape.when == When::equal || shape.when == When::not_equal;
  const auto decide = [&](bool taken) {
    out.step.stays = taken ? Step::Stays::as_jump : Step::Stays::no;
    out.step.rule = rule;
    out.next = {taken ? shape.target : behind};
  };
  if (flags == Flags::data) {
    out.next = {shape.target, behind};
    out.not_null = shape.compares ? asked_by(at) : at.before.asked;
    if (by_equality && !out.not_null.empty() && shape.target != behind)
      out.not_null_at = shape.when == When::equal ? behind : shape.target;
  } else if (by_equality && (flags == Flags::equal || flags == Flags::not_equal)) {
    decide((flags == Flags::equal) == (shape.when == When::equal));
  } else if (by_equality && flags == Flags::barrier) {
    const bool taken = shape.when == When::equal;
    rule = Rule::entry_barrier;
    const auto [valid, stub] =
        taken ? std::pair(shape.target, behind) : std::pair(behind, shape.target);
    if (!code_.leads_to(stub, "method_entry_barrier") && !code_.calls_and_returns(stub, valid))
      refuse("a branch on a word of the thread");
    decide(taken);
  } else if (flags == Flags::poll && (shape.when == When::above || shape.when == When::not_above)) {
    const bool taken = shape.when == When::not_above;
    rule = Rule::poll;
    const auto stub = taken ? behind : shape.target;
    if (!code_.leads_to(stub, "SafepointBlob") &&
        !code_.leads_to(stub, "polling_page_return_handler_blob"))
      refuse("a branch on the stack pointer");
    decide(taken);
  } else if (flags == Flags::room) {
    const auto slow = code_.first_is_slow(shape.target, behind);
    if (!slow) refuse("a branch on a word of the thread");
    rule = Rule::allocation;
    decide(!*slow);
  } else {
    refuse("a branch on what is no number");
  }
}

} // namespace thinair::lower::jit
