// Follows control flow from the verified entry until nothing new is learnt, then decides about each
// instruction once.
#include "lower/jit/walk.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace thinair::lower::jit {
namespace {

using Kind = Known::Kind;

constexpr std::int64_t page = 4096, class_offset = 8;
constexpr unsigned mark_bytes = 8;
constexpr std::int64_t below_the_class = 42; // bits of a header of one word (JEP 450)
constexpr unsigned field_bytes = 4;
constexpr Known data{Kind::data, 0}, unclear{Kind::unclear, 0};

/// What one instruction does, from what is known before it.
struct Outcome {
  State after;
  std::vector<std::uint64_t> next;
  Step step;
};

class Walker {
 public:
  Walker(const Method& method, Machine machine, const Layout& layout, Backend& backend)
      : method_(method), machine_(machine), layout_(layout), backend_(backend),
        fixed_(fixed_registers(machine)) {}

  std::vector<Step> run();
  /// Where loads through the first parameter go, if anything else is not a field yet.
  std::set<std::int64_t> loads;

 private:
  struct Place {
    MachineInstruction instruction;
    Shape shape;
    State before;
  };

  State at_entry() const;
  void reach(std::uint64_t address, const State& state);
  const Place& decoded(std::uint64_t address);
  Outcome outcome(const Place& place);

  Known of(const Source& source, const State& state, unsigned bytes);
  Known address(const jit::Place& place, const State& state) const;
  Known loaded(const Known& address, const State& state, unsigned bytes);
  bool is_field(const Known& address) const;
  std::optional<Cell> cell(const Known& address) const;
  void put(Outcome& out, const std::string& reg, Known known, Rule rule);
  void store(Outcome& out, const Known& address, const Known& value, unsigned bytes,
             std::optional<Cell>& cell);

  void move(const Place& at, Outcome& out);
  void sum(const Place& at, Outcome& out);
  void bits(const Place& at, Outcome& out);
  void shift(const Place& at, Outcome& out);
  void load(const Place& at, Outcome& out);
  void store(const Place& at, Outcome& out);
  void compare(const Place& at, Outcome& out);
  void branch(const Place& at, Outcome& out);
  void other(const Place& at, Outcome& out);
  bool put_together(const Place& at, Outcome& out);
  Flags compared(const Place& at, const Known& a, const Known& b, Step& step) const;
  void require_number(const Known& known) const;

  std::string notes(const MachineInstruction& in) const;
  bool leads_to(std::uint64_t address, std::string_view note);
  bool calls_and_returns(std::uint64_t address, std::uint64_t back);
  [[noreturn]] void refuse(std::string_view what) const;
  [[noreturn]] void leave(const MachineInstruction& in) const;
  bool is_trap(const MachineInstruction& in) const;
  bool is_departing();
  std::vector<Step> without_unused(std::vector<Outcome> outcomes) const;

  const Method& method_;
  const Machine machine_;
  const Layout& layout_;
  Backend& backend_;
  const Fixed fixed_;
  const MachineInstruction* current_ = nullptr; // what is refused
  std::map<std::uint64_t, Place> places_;
  std::set<std::uint64_t> waiting_, reached_;
};

void Walker::refuse(std::string_view what) const {
  throw Unsupported(fmt::format("{} in compiled code: {} [{}]", what, text_of(*current_),
                                hexadecimal(current_->bytes)));
}

/// All that the listing says where an instruction stands.
std::string Walker::notes(const MachineInstruction& in) const {
  const std::uint64_t at = in.address - in.address % compiled_code(machine_).places_of_notes;
  const auto found = method_.notes.find(at);
  return found == method_.notes.end() ? "" : found->second;
}

void Walker::leave(const MachineInstruction& in) const {
  const std::string note = notes(in);
  throw Unsupported(fmt::format("a call in compiled code: {}", note.empty() ? text_of(in) : note));
}

/// C2 calls UncommonTrapBlob, Graal's compiler DeoptimizationBlob. RISC-V's listings have no name
/// for what is called, but say that the interpreter is to execute the bytecode again.
constexpr std::array<std::string_view, 3> traps{"UncommonTrapBlob", "DeoptimizationBlob",
                                                "{reexecute=1"};

bool Walker::is_trap(const MachineInstruction& in) const {
  const std::string note = notes(in);
  return std::ranges::any_of(
      traps, [&](std::string_view name) { return note.find(name) != std::string::npos; });
}

/// Whether the instruction at hand is on a way that ends in a trap and nowhere else.
bool Walker::is_departing() {
  const std::uint64_t next = current_->address + current_->bytes.size();
  return std::ranges::any_of(traps, [&](std::string_view name) { return leads_to(next, name); });
}

/// Whether code that begins there goes to what the listing calls so, without a branch on the way.
bool Walker::leads_to(std::uint64_t address, std::string_view note) {
  constexpr int longest = 10;
  for (int n = 0; n < longest; ++n) {
    const Place& at = decoded(address);
    if (notes(at.instruction).find(note) != std::string::npos) return true;
    if (at.shape.does == Does::branch || at.shape.does == Does::end) return false;
    if (at.shape.does == Does::leave) return false;
    address = at.shape.does == Does::jump ? at.shape.target : address + at.instruction.bytes.size();
    if (address >= method_.code.size()) return false;
  }
  return false;
}

/// Whether code that begins there does no more than to put an address together, call it, and go
/// `back`: RISC-V's listings, and those of 21 for C1, have no name for the call of the entry
/// barrier.
bool Walker::calls_and_returns(std::uint64_t address, std::uint64_t back) {
  constexpr int longest = 12;
  for (int n = 0; n < longest && address < method_.code.size(); ++n) {
    const Place& at = decoded(address);
    const Does does = at.shape.does;
    const std::uint64_t behind = address + at.instruction.bytes.size();
    if (does == Does::leave) {
      if (!at.instruction.falls_through || behind >= method_.code.size()) return false;
      if (behind == back) return true;
      const Place& next = decoded(behind);
      return next.shape.does == Does::jump && next.shape.target == back;
    }
    if (does != Does::move && does != Does::sum && does != Does::bits && does != Does::jump)
      return false;
    address = does == Does::jump ? at.shape.target : behind;
  }
  return false;
}

State Walker::at_entry() const {
  State state;
  state.registers[std::string(fixed_.stack)] = {Kind::stack, 0};
  state.registers[std::string(fixed_.thread)] = {Kind::thread, 0};
  if (!fixed_.zero.empty()) state.registers[std::string(fixed_.zero)] = {Kind::constant, 0};
  constexpr std::array kinds{Kind::state, Kind::result};
  for (std::size_t i = 0; i < std::min(kinds.size(), method_.parameters.size()); ++i) {
    const std::string reg = listed_register(machine_, method_.parameters[i]);
    if (reg.empty())
      throw Unsupported(
          fmt::format("a listing in which \"{}\" is a register", method_.parameters[i]));
    state.registers[reg] = {kinds[i], 0};
  }
  return state;
}

const Walker::Place& Walker::decoded(std::uint64_t address) {
  const auto found = places_.find(address);
  if (found != places_.end()) return found->second;
  if (address >= method_.code.size()) throw Unsupported("a jump out of the compiled code");
  auto in = backend_.decode(method_.code, address);
  Shape shape = shape_of(in, machine_);
  return places_.emplace(address, Place{std::move(in), std::move(shape), {}}).first->second;
}

void Walker::reach(std::uint64_t address, const State& state) {
  decoded(address);
  Place& place = places_.at(address);
  if (reached_.insert(address).second) {
    place.before = state;
    waiting_.insert(address);
  } else if (place.before.join(state)) {
    waiting_.insert(address);
  }
}

Known plus(const Known& known, std::int64_t number) {
  switch (known.kind) {
  case Kind::state:
  case Kind::result:
  case Kind::stack:
  case Kind::thread:
  case Kind::constant: return {known.kind, known.value + number};
  case Kind::class_:
  case Kind::class_name: // put together of parts
  case Kind::thread_word:
  case Kind::literal:
  case Kind::data: return known;
  case Kind::poll_word:
  case Kind::class_word:
  case Kind::mark:
  case Kind::header:
  case Kind::caller:
  case Kind::unclear: return unclear;
  }
  return unclear;
}

/// Where `place` is; a literal for what is in the code.
Known Walker::address(const jit::Place& place, const State& state) const {
  if (place.base.empty() && place.index.empty()) return {Kind::literal, 0};
  std::int64_t number = place.displacement;
  Known base = place.base.empty() ? Known{Kind::constant, 0} : state.reg(place.base);
  if (!place.index.empty()) {
    Known index = state.reg(place.index);
    if (base.kind == Kind::constant && place.scale == 1) std::swap(base, index);
    if (index.kind != Kind::constant) return unclear;
    number += index.value * place.scale;
  }
  return plus(base, number);
}

bool Walker::is_field(const Known& address) const {
  return address.kind == Kind::state &&
         std::ranges::find(layout_.state, address.value) != layout_.state.end();
}

/// The cell at an address; none for words of headers, the thread and so on.
std::optional<Cell> Walker::cell(const Known& address) const {
  const auto index = [&](const std::vector<std::int64_t>& offsets) {
    return std::ranges::find(offsets, address.value) - offsets.begin();
  };
  if (is_field(address)) return Cell{Cell::Kind::field, index(layout_.state)};
  if (address.kind == Kind::stack) return Cell{Cell::Kind::slot, address.value};
  if (address.kind != Kind::result) return std::nullopt;
  const auto at = index(layout_.result);
  if (at == std::ssize(layout_.result)) refuse("an access to the result beside its fields");
  return Cell{Cell::Kind::result, at};
}

Known Walker::loaded(const Known& address, const State& state, unsigned bytes) {
  switch (address.kind) {
  case Kind::state:
    if (is_field(address)) {
      if (bytes != field_bytes) refuse("an access that is not as wide as its field");
      return data;
    }
    loads.insert(address.value);
    if (address.value == class_offset) return {Kind::class_, 0};
    if (address.value == 0 && bytes == mark_bytes) return {Kind::mark, 0};
    if (address.value < 0 || address.value > class_offset)
      if (!layout_.state.empty()) refuse("an access to the state beside its fields");
    return {Kind::header, 0};
  case Kind::result: return {Kind::header, 0};
  case Kind::stack: return state.slot(address.value);
  case Kind::thread: return {Kind::thread_word, address.value};
  case Kind::thread_word: return {Kind::poll_word, 0};
  case Kind::class_: return {Kind::class_word, 0};
  case Kind::literal: return {Kind::literal, 0};
  case Kind::data:
  case Kind::constant:
  case Kind::poll_word:
  case Kind::class_word:
  case Kind::class_name:
  case Kind::mark:
  case Kind::header:
  case Kind::caller:
  case Kind::unclear: break;
  }
  refuse("an access through an address that is not known");
}

Known Walker::of(const Source& source, const State& state, unsigned bytes) {
  if (const auto* number = std::get_if<std::int64_t>(&source)) return {Kind::constant, *number};
  if (const auto* reg = std::get_if<Reg>(&source))
    return reg->name.empty() ? unclear : state.reg(reg->name);
  return loaded(address(std::get<jit::Place>(source), state), state, bytes);
}

void Walker::require_number(const Known& known) const {
  if (!known.is_number()) refuse("a number that is an address, or not known");
}

/// A register gets a value; what is no number of the program's is kept in mind only.
void Walker::put(Outcome& out, const std::string& reg, Known known, Rule rule) {
  if (!reg.empty()) out.after.registers[reg] = known;
  if (known.is_number()) return;
  out.step.stays = Step::Stays::no;
  out.step.rule = rule;
}

Rule rule_for(const Known& known) {
  switch (known.kind) {
  case Kind::stack:
  case Kind::caller: return Rule::frame;
  case Kind::class_:
  case Kind::class_word:
  case Kind::class_name: return Rule::class_check;
  case Kind::mark:
  case Kind::header: return Rule::header;
  case Kind::literal: return Rule::entry_barrier;
  case Kind::poll_word: return Rule::poll;
  case Kind::data:
  case Kind::constant:
  case Kind::state:
  case Kind::result:
  case Kind::thread:
  case Kind::thread_word:
  case Kind::unclear: return Rule::address;
  }
  return Rule::address;
}

void Walker::move(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  Known known = of(shape.from[0], at.before, shape.bytes);
  const bool is_address = !known.is_number() && known.kind != Kind::caller;
  if (is_address && shape.bytes == field_bytes && known.kind != Kind::class_) known = unclear;
  const auto* number = std::get_if<std::int64_t>(&shape.from[0]);
  if (number != nullptr &&
      notes(at.instruction).find(fmt::format("metadata('{}')", state_class)) != std::string::npos)
    known = {Kind::class_name, 0};
  put(out, shape.to, known, rule_for(known));
}

/// What is left of it in 32 bits: no address.
Known shortened(const Known& known) {
  if (known.kind == Kind::constant) return {known.kind, static_cast<std::int32_t>(known.value)};
  return known.is_number() || known.kind == Kind::class_ || known.kind == Kind::class_name
             ? known
             : unclear;
}

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

Known times(const Known& constant, std::int64_t scale) {
  return {Kind::constant, static_cast<std::int64_t>(static_cast<std::uint64_t>(constant.value) *
                                                    static_cast<std::uint64_t>(scale))};
}

void Walker::bits(const Place& at, Outcome& out) {
  Known known = of(at.shape.from[0], at.before, at.shape.bytes);
  const std::int64_t mask = at.shape.mask;
  if (known.kind == Kind::constant && mask == 0)
    known = at.shape.scale == 1 ? data : times(known, at.shape.scale);
  else if (known.kind == Kind::constant)
    known = Known{Kind::constant, (known.value & ~mask) | at.shape.number};
  else if (known.kind != Kind::class_name && known.kind != Kind::class_)
    require_number(known);
  put(out, at.shape.to, known, rule_for(known));
}

/// To the right: of a header's first word, the class is left.
void Walker::shift(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const Known known = of(shape.from[0], at.before, shape.bytes);
  if (known.kind == Kind::mark && shape.number == below_the_class) {
    put(out, shape.to, {Kind::class_, 0}, Rule::class_bits);
  } else if (known.kind == Kind::class_) {
    put(out, shape.to, known, Rule::class_check);
  } else {
    require_number(known);
    put(out, shape.to, data, Rule::address);
  }
  if (shape.sets_flags) out.after.flags = known.is_number() ? Flags::data : Flags::unclear;
}

void Walker::load(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  Known where = address(*shape.place, at.before);
  const auto one = [&](const std::string& to, std::optional<Cell>& cell) {
    const Known known = loaded(where, at.before, shape.bytes);
    put(out, to, known, rule_for(known));
    if (known.is_number()) cell = this->cell(where);
    if (known.kind == Kind::poll_word &&
        (!to.empty() || notes(at.instruction).find("{poll") == std::string::npos))
      refuse("a load through a word of the thread");
  };
  one(shape.to, out.step.cell);
  if (!shape.pair) return;
  where = plus(where, shape.bytes);
  const auto first = out.step.stays;
  one(shape.writes.at(0), out.step.second);
  if (first != out.step.stays || !out.step.cell != !out.step.second)
    refuse("a pair of which one is noise");
}

/// One word; `out.step` says whether the instruction stays.
void Walker::store(Outcome& out, const Known& address, const Known& value, unsigned bytes,
                   std::optional<Cell>& cell) {
  const auto drop = [&](Rule rule) {
    out.step.stays = Step::Stays::no;
    out.step.rule = rule;
  };
  if (address.kind == Kind::stack) {
    const Known stack = out.after.reg(std::string(fixed_.stack));
    if (stack.kind == Kind::stack && address.value <= stack.value - page)
      return drop(Rule::stack_bang);
    for (auto& [slot, held] : out.after.slots) // what it overwrites in part is lost
      if (slot < address.value + static_cast<std::int64_t>(bytes) && slot + 8 > address.value &&
          slot != address.value && slot + 4 > address.value)
        held = unclear;
    out.after.slots[address.value] = value;
    if (!value.is_number()) return drop(rule_for(value));
  } else {
    if (address.kind == Kind::thread && value.kind == Kind::constant && is_departing())
      return drop(Rule::departure);
    if (address.kind != Kind::state && address.kind != Kind::result)
      refuse("a store to what is neither of the two objects");
    if (address.kind == Kind::state && !is_field(address))
      refuse("a store to the state beside its fields");
    if (bytes != field_bytes) refuse("a store that is not as wide as its field");
    require_number(value);
  }
  cell = this->cell(address);
}

void Walker::store(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const Known where = address(*shape.place, at.before);
  store(out, where, of(shape.from[0], at.before, shape.bytes), shape.bytes, out.step.cell);
  if (!shape.pair) return;
  const auto first = out.step.stays;
  store(out, plus(where, shape.bytes), of(shape.from[1], at.before, shape.bytes), shape.bytes,
        out.step.second);
  if (first != out.step.stays) refuse("a pair of which one is noise");
}

bool either(const Known& a, const Known& b, Kind one, Kind other) {
  return (a.kind == one && b.kind == other) || (a.kind == other && b.kind == one);
}

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
  if (a.kind == Kind::constant && b.kind == Kind::constant) {
    const auto low = [&](const Known& known) {
      return at.shape.bytes == 4 ? known.value & 0xFFFFFFFF : known.value;
    };
    const bool equal = tests ? (low(a) & low(b)) == 0 : low(a) == low(b);
    return equal ? Flags::equal : Flags::not_equal;
  }
  if (a.is_number() && b.is_number()) return Flags::data;
  if (tests ? object(a) && a == b : (object(a) && is_null(b)) || (object(b) && is_null(a)))
    return noise(Rule::null_check, Flags::not_equal);
  if (!tests && either(a, b, Kind::class_word, Kind::class_name))
    return noise(Rule::class_check, Flags::equal);
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
  out.after.flags = compared(at, parts[0], parts[1], out.step);
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
  } else if (by_equality && (flags == Flags::equal || flags == Flags::not_equal)) {
    decide((flags == Flags::equal) == (shape.when == When::equal));
  } else if (by_equality && flags == Flags::barrier) {
    const bool taken = shape.when == When::equal;
    rule = Rule::entry_barrier;
    const auto [valid, stub] =
        taken ? std::pair(shape.target, behind) : std::pair(behind, shape.target);
    if (!leads_to(stub, "method_entry_barrier") && !calls_and_returns(stub, valid))
      refuse("a branch on a word of the thread");
    decide(taken);
  } else if (flags == Flags::poll && (shape.when == When::above || shape.when == When::not_above)) {
    const bool taken = shape.when == When::not_above;
    rule = Rule::poll;
    const auto stub = taken ? behind : shape.target;
    if (!leads_to(stub, "SafepointBlob") && !leads_to(stub, "polling_page_return_handler_blob"))
      refuse("a branch on the stack pointer");
    decide(taken);
  } else {
    refuse("a branch on what is no number");
  }
}

/// A class pointer is decompressed: a computation from it and constants, in a register.
bool Walker::put_together(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  bool any = false;
  for (const auto& reg : shape.reads) {
    const Known known = at.before.reg(reg);
    any |= known.kind == Kind::class_;
    if (known.kind != Kind::class_ && known.kind != Kind::constant) return false;
  }
  if (!any || shape.place || shape.writes.size() != 1) return false;
  put(out, shape.writes[0], {Kind::class_, 0}, Rule::class_check);
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

Outcome Walker::outcome(const Place& at) {
  current_ = &at.instruction;
  Outcome out{at.before, {at.instruction.address + at.instruction.bytes.size()}, {}};
  out.step.instruction = at.instruction;
  out.step.shape = at.shape;
  switch (at.shape.does) {
  case Does::other: other(at, out); break;
  case Does::move: move(at, out); break;
  case Does::sum: sum(at, out); break;
  case Does::bits: bits(at, out); break;
  case Does::shift: shift(at, out); break;
  case Does::load: load(at, out); break;
  case Does::store: store(at, out); break;
  case Does::compare:
  case Does::test: compare(at, out); break;
  case Does::branch: branch(at, out); break;
  case Does::jump: out.next = {at.shape.target}; break;
  case Does::leave:
    if (!is_trap(at.instruction)) leave(at.instruction);
    out.step.stays = Step::Stays::as_trap;
    out.next.clear();
    break;
  case Does::end: out.next.clear(); break;
  case Does::nothing:
    out.step.stays = Step::Stays::no;
    out.step.rule = Rule::padding;
    break;
  }
  if (at.shape.does == Does::move && at.shape.sets_flags) out.after.flags = Flags::data;
  return out;
}

std::vector<Step> Walker::run() {
  reach(method_.entry, at_entry());
  while (!waiting_.empty()) {
    const std::uint64_t address = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    const Outcome out = outcome(places_.at(address));
    for (const std::uint64_t next : out.next) reach(next, out.after);
  }
  std::vector<Outcome> outcomes;
  for (const std::uint64_t address : reached_) outcomes.push_back(outcome(places_.at(address)));
  return without_unused(std::move(outcomes));
}

constexpr auto flags_name = "flags";

/// Registers and flags that a step reads if it stays, those of its addresses left out: they are
/// resolved.
std::set<std::string> read_by(const Step& step) {
  std::set<std::string> out;
  if (step.stays != Step::Stays::yes) return out;
  out.insert(step.shape.reads.begin(), step.shape.reads.end());
  for (const Source& source : step.shape.from)
    if (const auto* reg = std::get_if<Reg>(&source)) out.insert(reg->name);
  if (step.shape.does == Does::branch && !step.shape.compares) out.insert(flags_name);
  return out;
}

/// Whether a step does no more than to write `to` and the flags, all of them.
bool only_computes(const Step& step) {
  const Does does = step.shape.does;
  return does == Does::move || does == Does::bits || does == Does::shift ||
         (does == Does::sum && step.shape.writes.empty()) ||
         ((does == Does::compare || does == Does::test) && !step.cell);
}

/// Whether a step that only computes is of use before what is `wanted` then. Takes what it writes
/// out of it.
bool is_of_use(const Step& step, std::set<std::string>& wanted) {
  const bool result = wanted.erase(step.shape.to) > 0;
  const bool flags = step.shape.sets_flags && wanted.erase(flags_name) > 0;
  return result || flags;
}

/// Goes where nothing that stays is between a jump and where it goes.
void drop_jumps_ahead(std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool jumps = steps[i].stays == Step::Stays::as_jump ||
                       (steps[i].stays == Step::Stays::yes && steps[i].shape.does == Does::jump);
    if (!jumps || steps[i].shape.target <= steps[i].instruction.address) continue;
    std::size_t next = i + 1;
    while (next < steps.size() && steps[next].stays == Step::Stays::no) ++next;
    if (next == steps.size() || steps[next].instruction.address < steps[i].shape.target) continue;
    steps[i].stays = Step::Stays::no;
    steps[i].rule = Rule::unused;
  }
}

/// Constants and comparisons that went into what went are not worth an instruction, and some
/// constants are addresses, which are others in every run. No register is read when the method has
/// returned.
std::vector<Step> Walker::without_unused(std::vector<Outcome> outcomes) const {
  std::map<std::uint64_t, std::set<std::string>> live; // before each instruction
  const auto after = [&](const Outcome& out) {
    std::set<std::string> wanted;
    for (const std::uint64_t next : out.next) wanted.insert(live[next].begin(), live[next].end());
    return wanted;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto out = outcomes.rbegin(); out != outcomes.rend(); ++out) {
      auto wanted = after(*out);
      const Does does = out->step.shape.does;
      const bool computes = only_computes(out->step);
      if (!computes && (does == Does::load || does == Does::sum)) wanted.erase(out->step.shape.to);
      if (!computes || is_of_use(out->step, wanted)) wanted.merge(read_by(out->step));
      auto& before = live[out->step.instruction.address];
      changed |= before != wanted;
      before = std::move(wanted);
    }
  }
  std::vector<Step> steps;
  for (Outcome& out : outcomes) {
    auto wanted = after(out);
    if (out.step.stays == Step::Stays::yes && only_computes(out.step) &&
        !is_of_use(out.step, wanted)) {
      out.step.stays = Step::Stays::no;
      out.step.rule = Rule::unused;
    }
    steps.push_back(std::move(out.step));
  }
  drop_jumps_ahead(steps);
  return steps;
}

} // namespace

Cell trap_cell(const Layout& layout) {
  return {Cell::Kind::result, static_cast<std::int64_t>(layout.result.size())};
}

namespace {

/// What stands for a trap: three instructions, of which the first has its place.
std::vector<Step> trap_at(const Step& trap, Machine machine, const Layout& layout,
                          Backend& backend) {
  const auto code = compiled_code(machine).trap;
  const std::vector<std::uint8_t> bytes(code.begin(), code.end());
  std::vector<Step> out;
  for (std::uint64_t at = 0; at < bytes.size();) {
    Step step;
    step.instruction = backend.decode(bytes, at);
    at += step.instruction.bytes.size();
    step.instruction.address = trap.instruction.address + (out.empty() ? 0 : 1);
    step.shape = shape_of(step.instruction, machine);
    if (step.shape.does == Does::store) step.cell = trap_cell(layout);
    out.push_back(std::move(step));
  }
  return out;
}

} // namespace

std::vector<Step> walk(const Method& method, Machine machine, const Layout& layout,
                       Backend& backend) {
  std::vector<Step> out;
  for (Step& step : Walker(method, machine, layout, backend).run()) {
    if (step.stays == Step::Stays::as_trap)
      std::ranges::move(trap_at(step, machine, layout, backend), std::back_inserter(out));
    else
      out.push_back(std::move(step));
  }
  return out;
}

std::int64_t offset_read(const Method& getter, Machine machine, Backend& backend) {
  const Layout nothing;
  Walker walker(getter, machine, nothing, backend);
  walker.run();
  std::erase_if(walker.loads, [](std::int64_t offset) { return offset < class_offset; });
  if (walker.loads.size() != 1)
    throw Unsupported(fmt::format("a getter that reads {} fields", walker.loads.size()));
  return *walker.loads.begin();
}

} // namespace thinair::lower::jit
