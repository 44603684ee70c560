// Follows control flow from the verified entry until nothing new is learnt, then decides about each
// instruction once.
#include "lower/jit/walk.h"

#include "litmus/text/error.h"
#include "lower/jit/ahead.h"
#include "lower/jit/compiled.h"
#include "lower/jit/known.h"
#include "lower/jit/unused.h"

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
      : method_(method), machine_(machine), layout_(layout), code_(method, machine, backend),
        fixed_(fixed_registers(machine)) {}

  std::vector<Step> run();
  /// Where loads through the first parameter go, if anything else is not a field yet.
  std::set<std::int64_t> loads;

 private:
  struct Place {
    const MachineInstruction& instruction;
    const Shape& shape;
    const State& before;
  };

  State at_entry() const;
  void reach(std::uint64_t address, const State& state);
  Outcome outcome(std::uint64_t address);

  Known of(const Source& source, const State& state, unsigned bytes);
  Known address(const jit::Place& place, const State& state) const;
  Known loaded(const Known& address, const State& state, unsigned bytes);
  bool is_field(const Known& address) const;
  unsigned width_of(const Known& address) const;
  std::optional<Cell> cell(const Known& address) const;
  void require_field(const Known& address, unsigned bytes) const;
  std::vector<Word> words_at(const Known& address, const Source& source, const Known& value,
                             unsigned bytes) const;
  void initialize(const Place& at, Outcome& out, const Known& where);
  void settle_pair(Step& step, const Known& where, Step::Stays first) const;
  bool allocates(const Place& at, Outcome& out);
  bool throws(const Place& at) const;
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

  std::string notes(const MachineInstruction& in) const { return code_.notes(in); }
  [[noreturn]] void refuse(std::string_view what) const;
  [[noreturn]] void leave(const MachineInstruction& in) const;
  bool is_trap(const MachineInstruction& in) const;
  bool is_departing();

  const Method& method_;
  const Machine machine_;
  const Layout& layout_;
  CodeAhead code_;
  const Fixed fixed_;
  const MachineInstruction* current_ = nullptr; // what is refused
  std::map<std::uint64_t, State> before_;       // what is reached
  std::set<std::uint64_t> waiting_;
};

void Walker::refuse(std::string_view what) const {
  throw Unsupported(fmt::format("{} in compiled code: {} [{}]", what, text_of(*current_),
                                hexadecimal(current_->bytes)));
}

void Walker::leave(const MachineInstruction& in) const {
  const std::string note = notes(in);
  throw Unsupported(fmt::format("a call in compiled code: {}", note.empty() ? text_of(in) : note));
}

bool Walker::is_trap(const MachineInstruction& in) const {
  const std::string note = notes(in);
  return std::ranges::any_of(
      traps, [&](std::string_view name) { return note.find(name) != std::string::npos; });
}

/// Whether the instruction at hand is on a way that ends in a trap and nowhere else.
bool Walker::is_departing() {
  return code_.leads_to_trap(current_->address + current_->bytes.size());
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

void Walker::reach(std::uint64_t address, const State& state) {
  code_.at(address);
  const auto [before, is_new] = before_.try_emplace(address, state);
  if (is_new || before->second.join(state)) waiting_.insert(address);
}

Known plus(const Known& known, std::int64_t number) {
  switch (known.kind) {
  case Kind::state:
  case Kind::result:
  case Kind::stack:
  case Kind::thread:
  case Kind::object:
  case Kind::constant: return {known.kind, known.value + number, known.made};
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

/// Of the field at an address of one of the two objects.
unsigned Walker::width_of(const Known& address) const {
  const bool state = address.kind == Kind::state;
  const auto& offsets = state ? layout_.state : layout_.result;
  const auto& widths = state ? layout_.state_bytes : layout_.result_bytes;
  const auto field = std::ranges::find(offsets, address.value) - offsets.begin();
  return field < std::ssize(widths) ? widths[static_cast<std::size_t>(field)] : field_bytes;
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

/// A field of an object that this thread has made, or of one that a reference leads to: which one
/// that is, the machine finds out, and that it is a field.
void Walker::require_field(const Known& address, unsigned bytes) const {
  if (bytes != field_bytes) refuse("an access that is not as wide as a field");
  if (address.kind != Kind::object) return;
  const auto& fields = layout_.objects.at(address.made).fields;
  if (std::ranges::find(fields, address.value) == fields.end())
    refuse("an access to an object beside its fields");
}

Known Walker::loaded(const Known& address, const State& state, unsigned bytes) {
  switch (address.kind) {
  case Kind::state:
    if (is_field(address)) {
      if (bytes != width_of(address)) refuse("an access that is not as wide as its field");
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
  case Kind::object:
    if (layout_.objects.empty()) break;
    require_field(address, bytes);
    return data;
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
  case Kind::object:
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
  if (known.kind == Kind::object) known = data;
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

/// Room for an object is taken: the register has its address from here on. Of an exception that the
/// thread throws, no more is looked at.
bool Walker::allocates(const Place& at, Outcome& out) {
  const Known where = address(*at.shape.place, at.before);
  if (layout_.objects.empty() || where.kind != Kind::thread || at.shape.pair) return false;
  const auto found = code_.allocation(at.instruction.address, where.value);
  if (!found) return false;
  if (found->throws) {
    out.step.stays = Step::Stays::as_throw;
    out.next.clear();
    return true;
  }
  const auto made = std::ranges::find(layout_.objects, found->line, &ObjectPlace::line);
  if (found->line == 0 || made == layout_.objects.end()) refuse("an object of another `new`");
  out.step.stays = Step::Stays::as_new;
  out.step.made = static_cast<std::uint32_t>(made - layout_.objects.begin());
  out.after.registers[at.shape.to] = {Kind::object, 0, out.step.made};
  return true;
}

void Walker::load(const Place& at, Outcome& out) {
  if (allocates(at, out)) return;
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
  const auto first = std::exchange(out.step.stays, Step::Stays::yes);
  one(shape.writes.at(0), out.step.second);
  settle_pair(out.step, where, first);
}

/// Of a pair in the frame, one may be noise: then the other stays alone.
void Walker::settle_pair(Step& step, const Known& where, Step::Stays first) const {
  const bool same = first == step.stays && !step.cell == !step.second;
  if (!same && where.kind != Kind::stack) refuse("a pair of which one is noise");
  if (first == Step::Stays::yes) step.stays = first;
}

/// To an object that this thread has made: the words of a store that are fields. What is beside
/// fields is its header, or left over.
std::vector<Word> Walker::words_at(const Known& address, const Source& source, const Known& value,
                                   unsigned bytes) const {
  std::vector<Word> out;
  for (const std::int64_t field : layout_.objects.at(address.made).fields) {
    const std::int64_t further = field - address.value;
    if (further <= -std::int64_t{field_bytes} || further >= std::int64_t{bytes}) continue;
    if (further < 0 || further + field_bytes > bytes) refuse("a store to a part of a field");
    require_number(value);
    Word word{further, {}, {}};
    if (value.kind == Kind::constant && (bytes <= 8 || value.value == 0))
      word.constant = static_cast<std::int32_t>(further == 0 ? value.value : value.value >> 32);
    if (const auto* reg = std::get_if<Reg>(&source); reg != nullptr && further == 0)
      word.reg = reg->name;
    if (!word.constant && word.reg.empty()) refuse("a store of several words");
    out.push_back(std::move(word));
  }
  return out;
}

void Walker::initialize(const Place& at, Outcome& out, const Known& where) {
  const Shape& shape = at.shape;
  std::vector<Word> words;
  for (std::size_t i = 0; i < shape.from.size(); ++i) {
    const auto behind = static_cast<std::int64_t>(i * shape.bytes);
    const Known value = of(shape.from[i], at.before, shape.bytes);
    for (Word& word : words_at(plus(where, behind), shape.from[i], value, shape.bytes)) {
      word.further += behind;
      words.push_back(std::move(word));
    }
  }
  if (shape.bytes == field_bytes && !shape.pair && !words.empty()) return;
  out.step.stays = words.empty() ? Step::Stays::no : Step::Stays::as_words;
  out.step.rule = Rule::allocation;
  out.step.words = std::move(words);
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
    if (address.kind == Kind::thread && value.kind == Kind::object) return drop(Rule::allocation);
    const bool by_reference = address.kind == Kind::data && !layout_.objects.empty();
    if (by_reference) require_field(address, bytes);
    if (address.kind != Kind::state && address.kind != Kind::result && !by_reference)
      refuse("a store to what is neither of the two objects");
    if (address.kind == Kind::state && !is_field(address))
      refuse("a store to the state beside its fields");
    if (bytes != width_of(address)) refuse("a store that is not as wide as its field");
    require_number(value);
  }
  cell = this->cell(address);
}

void Walker::store(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const Known where = address(*shape.place, at.before);
  if (where.kind == Kind::object) return initialize(at, out, where);
  store(out, where, of(shape.from[0], at.before, shape.bytes), shape.bytes, out.step.cell);
  if (!shape.pair) return;
  const auto first = std::exchange(out.step.stays, Step::Stays::yes);
  store(out, plus(where, shape.bytes), of(shape.from[1], at.before, shape.bytes), shape.bytes,
        out.step.second);
  settle_pair(out.step, where, first);
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
  if (!tests && either(a, b, Kind::object, Kind::thread_word))
    return noise(Rule::allocation, Flags::room);
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

/// Whether a trap is taken because a reference of the program's is null: then the interpreter,
/// which executes the bytecode again, throws. A request is a negative number; its bits, all of them
/// turned over, are what is to be done (3) and the reason (5), of which 1 is `null_check`
/// (HotSpot's deoptimization.hpp, the same in 17, 21, 25 and 28).
bool Walker::throws(const Place& at) const {
  if (layout_.objects.empty() || method_.parameters.empty()) return false;
  const Known request = at.before.reg(listed_register(machine_, method_.parameters[0]));
  if (request.kind != Kind::constant) return false;
  constexpr std::int32_t actions = 3, reasons = 31, null_check = 1;
  const auto bits = ~static_cast<std::int32_t>(request.value);
  return bits >= 0 && ((bits >> actions) & reasons) == null_check && bits >> (actions + 5) == 0;
}

Outcome Walker::outcome(std::uint64_t address) {
  const auto& decoded = code_.at(address);
  const Place at{decoded.instruction, decoded.shape, before_.at(address)};
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
    out.step.stays = throws(at) ? Step::Stays::as_throw : Step::Stays::as_trap;
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
    const Outcome out = outcome(address);
    for (const std::uint64_t next : out.next) reach(next, out.after);
  }
  std::vector<Followed> code;
  for (const auto& [address, before] : before_) {
    Outcome out = outcome(address);
    code.push_back({std::move(out.step), std::move(out.next)});
  }
  return without_unused(std::move(code));
}

} // namespace

Cell trap_cell(const Layout& layout) {
  return {Cell::Kind::result, static_cast<std::int64_t>(layout.result.size())};
}

namespace {

/// What stands for the end of a way: some instructions, of which the first has its place.
std::vector<Step> end_at(const Step& end, Machine machine, const Layout& layout, Backend& backend) {
  const bool trap = end.stays == Step::Stays::as_trap;
  const auto code = trap ? compiled_code(machine).trap : compiled_code(machine).fault;
  const std::vector<std::uint8_t> bytes(code.begin(), code.end());
  std::vector<Step> out;
  for (std::uint64_t at = 0; at < bytes.size();) {
    Step step;
    step.instruction = backend.decode(bytes, at);
    at += step.instruction.bytes.size();
    step.instruction.address = end.instruction.address + (out.empty() ? 0 : 1);
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
    if (step.stays == Step::Stays::as_trap || step.stays == Step::Stays::as_throw)
      std::ranges::move(end_at(step, machine, layout, backend), std::back_inserter(out));
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
