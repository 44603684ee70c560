// What an address leads to, and what is known of what stands there.
#include "lower/jit/walker.h"

#include <algorithm>
#include <utility>

namespace thinair::lower::jit {
namespace {

constexpr unsigned mark_bytes = 8, class_bytes = 4;

} // namespace

Known plus(const Known& known, std::int64_t number) {
  switch (known.kind) {
  case Kind::state:
  case Kind::result:
  case Kind::stack:
  case Kind::thread:
  case Kind::object:
  case Kind::reference:
  case Kind::data:
  case Kind::constant: return {known.kind, known.value + number, known.made};
  case Kind::class_:
  case Kind::class_name: // put together of parts
  case Kind::exception:
  case Kind::thread_word:
  case Kind::thrown:
  case Kind::literal: return known;
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
    // An element: which one, the machine finds out.
    const bool indexes = base.is_number() && index.is_number() && !layout_.objects.empty();
    if (index.kind != Kind::constant) return indexes ? data : unclear;
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

namespace {

/// Whether an object has a field of that width there, or an element; 0: somewhere.
bool has_field(const ObjectPlace& object, std::int64_t offset, unsigned bytes, bool reads) {
  const auto is_it = [&](const ObjectPlace::Field& field) {
    return field.bytes == bytes && (offset == 0 || field.offset == offset);
  };
  return std::ranges::any_of(object.fields, is_it) ||
         (reads && object.length && is_it(*object.length));
}

} // namespace

/// A field of an object that this thread has made, or of one that a reference leads to: which one
/// that is, the machine finds out. Of the latter it is known how far behind the reference it is,
/// unless an index says so.
void Walker::require_field(const Known& address, unsigned bytes, bool reads) const {
  if (address.kind != Kind::object) {
    if (std::ranges::none_of(layout_.objects, [&](const ObjectPlace& object) {
          return has_field(object, address.value, bytes, reads);
        }))
      refuse("an access that is not as wide as a field");
    return;
  }
  const auto& fields = layout_.objects.at(address.made).fields;
  const auto field = std::ranges::find(fields, address.value, &ObjectPlace::Field::offset);
  if (field == fields.end()) refuse("an access to an object beside its fields");
  if (field->bytes != bytes) refuse("an access that is not as wide as its field");
}

/// Whether the word of a header is read there that says of what class an object of the program's
/// is.
bool Walker::is_class_of_object(const Known& address, unsigned bytes) const {
  if (bytes != class_bytes) return false;
  if (address.kind == Kind::constant)
    return std::ranges::any_of(layout_.made_before, [&](litmus::Value object) {
      return static_cast<std::uint32_t>(object) + class_offset == address.value;
    });
  const bool is_field = std::ranges::any_of(layout_.objects, [](const ObjectPlace& each) {
    return std::ranges::find(each.fields, class_offset, &ObjectPlace::Field::offset) !=
               each.fields.end() ||
           (each.length && each.length->offset == class_offset);
  });
  return layout_.refers && !is_field && address.value == class_offset &&
         (address.kind == Kind::object || address.kind == Kind::reference);
}

Known Walker::loaded(const Known& address, const State& state, unsigned bytes) {
  switch (address.kind) {
  case Kind::state:
    if (is_field(address)) {
      if (bytes != width_of(address)) refuse("an access that is not as wide as its field");
      return data;
    }
    loads.insert(address.value);
    if (layout_.state.empty() && address.value > class_offset) return data; // a getter's
    if (address.value == class_offset) return {Kind::class_, 0, states_class};
    if (address.value == 0 && bytes == mark_bytes) return {Kind::mark, 0};
    if (address.value < 0 || address.value > class_offset)
      if (!layout_.state.empty()) refuse("an access to the state beside its fields");
    return {Kind::header, 0};
  case Kind::result: return {Kind::header, 0};
  case Kind::stack: return state.slot(address.value);
  case Kind::thread: return {Kind::thread_word, address.value};
  case Kind::thread_word: return {Kind::poll_word, 0};
  case Kind::class_: return {Kind::class_word, 0, address.made};
  case Kind::literal: return {Kind::literal, 0};
  case Kind::data:
  case Kind::object:
  case Kind::reference:
    if (is_class_of_object(address, bytes)) return {Kind::class_, 0, objects_class};
    if (layout_.objects.empty()) break;
    require_field(address, bytes, true);
    return data;
  case Kind::constant:
    if (is_class_of_object(address, bytes)) return {Kind::class_, 0, objects_class};
    break;
  case Kind::poll_word:
  case Kind::class_word:
  case Kind::class_name:
  case Kind::exception:
  case Kind::thrown:
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
  case Kind::exception: return Rule::allocation;
  case Kind::mark:
  case Kind::header: return Rule::header;
  case Kind::literal: return Rule::entry_barrier;
  case Kind::poll_word: return Rule::poll;
  case Kind::data:
  case Kind::constant:
  case Kind::object:
  case Kind::reference:
  case Kind::state:
  case Kind::result:
  case Kind::thread:
  case Kind::thread_word:
  case Kind::thrown:
  case Kind::unclear: return Rule::address;
  }
  return Rule::address;
}

} // namespace thinair::lower::jit
