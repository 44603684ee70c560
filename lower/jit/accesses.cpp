// What loads and stores do, of fields, the frame, new objects and the VM's words.
#include "lower/jit/walker.h"

#include <algorithm>
#include <utility>

namespace thinair::lower::jit {
namespace {

constexpr std::int64_t page = 4096;

/// C1 puts the class of what it makes into a register before it takes room for it.
bool holds_exception(const State& state) {
  return std::ranges::any_of(
      state.registers, [](const auto& each) { return each.second.kind == Known::Kind::exception; });
}

} // namespace

/// The object, by the line of its `new`. Graal's compiler has none: then by its class, if the
/// thread has but one `new` of that.
std::uint32_t Walker::made_by(const Allocation& made) const {
  const auto is_it = [&](const ObjectPlace& place) {
    return made.line != 0 ? place.line == made.line : !place.is_other && place.of == made.of;
  };
  const auto found = std::ranges::find_if(layout_.objects, is_it);
  if (found == layout_.objects.end()) refuse("an object of another `new`");
  if (std::ranges::count_if(layout_.objects, is_it) > 1)
    refuse("an object of one of several `new` of its class");
  return static_cast<std::uint32_t>(found - layout_.objects.begin());
}

/// Room for an object is taken: the register has its address from here on. Of an exception that the
/// thread throws, no more is looked at.
bool Walker::allocates(const Place& at, Outcome& out) {
  const Known where = address(*at.shape.place, at.before);
  if (layout_.objects.empty() || where.kind != Kind::thread || at.shape.pair) return false;
  const auto found = code_.allocation(at.instruction.address, where.value);
  if (!found) return false;
  const bool of_exception = found->line == 0 && found->of.empty() && holds_exception(at.before);
  if (found->throws || of_exception) {
    out.step.stays = Step::Stays::as_throw;
    out.next.clear();
    return true;
  }
  out.step.stays = Step::Stays::as_new;
  out.step.made = made_by(*found);
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
  for (const auto& field : layout_.objects.at(address.made).fields) {
    const std::int64_t further = field.offset - address.value;
    if (further <= -std::int64_t{field.bytes} || further >= std::int64_t{bytes}) continue;
    if (further < 0 || further + field.bytes > bytes) refuse("a store to a part of a field");
    require_number(value);
    Word word{further, field.bytes, {}, {}};
    if (value.kind == Kind::constant && (bytes <= 8 || value.value == 0))
      word.constant =
          value.value == 0
              ? 0
              : litmus::sign_extended(static_cast<std::uint64_t>(value.value >> (8 * further)),
                                      static_cast<litmus::Width>(field.bytes));
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
  // Zeros of more than a word may be those of a vector register, which tests do not have.
  const bool whole = words.size() == 1 && words[0].bytes == shape.bytes;
  if (whole && !shape.pair && (words[0].constant != 0 || shape.bytes <= field_bytes)) return;
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
    const bool by_reference =
        (address.kind == Kind::data || address.kind == Kind::reference) && !layout_.objects.empty();
    if (by_reference) require_field(address, bytes, false);
    if (address.kind != Kind::state && address.kind != Kind::result && !by_reference)
      refuse("a store to what is neither of the two objects");
    if (address.kind == Kind::state && !is_field(address))
      refuse("a store to the state beside its fields");
    if (!by_reference && bytes != width_of(address))
      refuse("a store that is not as wide as its field");
    require_number(value);
  }
  cell = this->cell(address);
}

void Walker::store(const Place& at, Outcome& out) {
  const Shape& shape = at.shape;
  const Known where = address(*shape.place, at.before);
  if (where.kind == Kind::thrown) { // gets its message, and is thrown
    out.step.stays = Step::Stays::as_throw;
    out.next.clear();
    return;
  }
  if (where.kind == Kind::object) return initialize(at, out, where);
  store(out, where, of(shape.from[0], at.before, shape.bytes), shape.bytes, out.step.cell);
  if (!shape.pair) return;
  const auto first = std::exchange(out.step.stays, Step::Stays::yes);
  store(out, plus(where, shape.bytes), of(shape.from[1], at.before, shape.bytes), shape.bytes,
        out.step.second);
  settle_pair(out.step, where, first);
}

} // namespace thinair::lower::jit
