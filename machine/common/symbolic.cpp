// Events and forks of a machine's thread.
#include "machine/common/symbolic.h"

#include "litmus/text/error.h"
#include "machine/common/addresses.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::machine {

using graph::PathEvent;

namespace {

std::uint64_t bits(Value value) { return static_cast<std::uint64_t>(value); }

} // namespace

void AccessWidths::note(LocationId location, Width width) {
  const Cell& cell = cells_[location.value];
  std::optional<Width>& known = widths_[location.value];
  if (width > cell.type.width)
    throw Unsupported(fmt::format("an access of {} bytes to {} of {}", static_cast<int>(width),
                                  cell.name, static_cast<int>(cell.type.width)));
  if (known.value_or(width) != width)
    throw Unsupported(fmt::format("accesses of {} and {} bytes to {}", static_cast<int>(*known),
                                  static_cast<int>(width), cell.name));
  known = width;
}

SymbolicCore::SymbolicCore(std::span<const Cell> cells, AccessWidths& widths,
                           graph::VariableSets& sets, graph::PathBuilder& out)
    : cells_(cells), widths_(widths), sets_(sets), out_(out), terms_(out.terms()) {}

Symbol SymbolicCore::make(TermOp op, std::uint8_t width, Word a, Word b) {
  if (graph::arity(op) == 1) return {terms_.make(op, width, a.term), a.from, a.picked};
  return {terms_.make(op, width, a.term, b.term), unite(a.from, b.from), unite(a.picked, b.picked)};
}

Symbol SymbolicCore::picked_by(Word condition, Word value) {
  value.picked = unite(value.picked, unite(condition.from, condition.picked));
  return value;
}

Symbol SymbolicCore::pick(Word condition, Word a, Word b) {
  if (a.from != b.from || a.picked != b.picked)
    return picked_by(condition, decide(condition) ? a : b);
  a.term = terms_.make(TermOp::select, 64, condition.term, a.term, b.term);
  return picked_by(condition, a);
}

Symbol SymbolicCore::choose(Word condition, Word a, Word b) {
  return {terms_.make(TermOp::select, 64, condition.term, a.term, b.term),
          unite(condition.from, unite(a.from, b.from)),
          unite(condition.picked, unite(a.picked, b.picked))};
}

bool SymbolicCore::branch(Word condition) {
  if (out_.is_over()) return false;
  const bool taken = target_is_next_ || out_.decide(condition.term, false);
  if (condition.from != graph::no_variables || condition.picked != graph::no_variables) {
    auto& path = out_.path();
    path.branches.push_back({condition.term, static_cast<std::uint32_t>(path.events.size()),
                             condition.from, condition.picked});
  }
  return taken;
}

/// What the cell holds once `value` is written to its low part.
TermId SymbolicCore::whole_cell(LocationId location, TermId value, Width width) {
  const Cell& cell = cells_[location.value];
  if (width == cell.type.width) return value;
  const TermId low = terms_.make(TermOp::zero_extend, litmus::bits_of(width), value);
  const auto rest = bits(cell.initial) & ~litmus::truncated(~std::uint64_t{0}, width);
  return terms_.make(TermOp::bit_or, 64, terms_.constant(static_cast<Value>(rest)), low);
}

LocationId SymbolicCore::location_of(Word address, Width width) {
  const auto found = resolve(out_, cells_, address.term, width);
  if (!found) return LocationId(0); // the path is over
  widths_.note(*found, width);
  return *found;
}

PathEvent SymbolicCore::event(graph::Kinds kinds, const Access& access, Word address) const {
  PathEvent e;
  e.kinds = kinds;
  e.tags = access.tags;
  e.construct = access.construct;
  e.instruction = instruction_;
  e.source = place_;
  e.address = address.from;
  e.picked_address = address.picked;
  return e;
}

Symbol SymbolicCore::add_read(LocationId location, const Access& access, Word address) {
  auto e = event(graph::k_read, access, address);
  e.location = location;
  e.read = out_.next_read();
  last_read_ = static_cast<std::uint32_t>(out_.path().events.size());
  out_.add(e);
  const TermId whole = terms_.variable(e.read);
  if (access.width == cells_[location.value].type.width) return {whole, sets_.of(e.read)};
  return {terms_.make(TermOp::sign_extend, litmus::bits_of(access.width), whole), sets_.of(e.read)};
}

std::uint32_t SymbolicCore::add_write(LocationId location, Word value, const Access& access,
                                      Word address) {
  auto e = event(graph::k_write, access, address);
  e.location = location;
  e.written = whole_cell(location, value.term, access.width);
  e.data = value.from;
  e.picked_data = value.picked;
  out_.add(e);
  return static_cast<std::uint32_t>(out_.path().events.size()) - 1;
}

Symbol SymbolicCore::load(Word address, const Access& access) {
  const auto location = location_of(address, access.width);
  if (out_.is_over()) return number(0);
  return add_read(location, access, address);
}

void SymbolicCore::store(Word address, Word value, const Access& access) {
  const auto location = location_of(address, access.width);
  if (!out_.is_over()) add_write(location, value, access, address);
}

/// The write of an update whose read was added at that place.
void SymbolicCore::store_behind(std::uint32_t read, Word value, const Access& access,
                                Word address) {
  if (out_.is_over()) return;
  const auto place = add_write(out_.path().events[read].location, value, access, address);
  out_.path().events[place].partner = read;
}

/// The event that was added last writes as well.
void SymbolicCore::write_too(Word value, const Access& access) {
  if (out_.is_over()) return;
  PathEvent& e = out_.path().events.back();
  e.kinds |= graph::k_write;
  e.written = whole_cell(e.location, value.term, access.width);
  e.data = value.from;
  e.picked_data = value.picked;
}

Symbol SymbolicCore::compare_and_swap(Word address, Word expected, Word wanted, const Access& read,
                                      const Access& write) {
  const Word old = load(address, read);
  if (out_.is_over()) return old;
  if (out_.decide(terms_.make(TermOp::equal, litmus::bits_of(read.width), old.term, expected.term),
                  false))
    store_behind(last_read_, picked_by(old, picked_by(expected, wanted)), write, address);
  return old;
}

Symbol SymbolicCore::compare_and_swap_as_one(Word address, Word expected, Word wanted,
                                             const Access& access, const Access& failed) {
  const Word old = load(address, access);
  if (out_.is_over()) return old;
  wanted.from = unite(wanted.from, expected.from);
  const auto equal =
      terms_.make(TermOp::equal, litmus::bits_of(access.width), old.term, expected.term);
  if (out_.decide(equal, false)) {
    write_too(wanted, access);
  } else {
    out_.path().events.back().tags = failed.tags;
    out_.path().events.back().construct = failed.construct;
  }
  return old;
}

Symbol SymbolicCore::load_exclusive(Word address, const Access& access) {
  const Word loaded = load(address, access);
  if (!out_.is_over()) monitor_ = {true, out_.path().events[last_read_].location, last_read_};
  return loaded;
}

Symbol SymbolicCore::store_exclusive(Word address, Word value, const Access& access) {
  const auto location = location_of(address, access.width);
  const Monitor monitor = std::exchange(monitor_, {});
  if (out_.is_over() || !monitor.open || monitor.location != location) return number(1);
  if (out_.decisions().choose(2) == 1) return number(1);
  store_behind(monitor.read, value, access, address);
  return number(0);
}

Symbol SymbolicCore::store_exclusive_told(Word address, Word value, const Access& access) {
  const std::size_t before = out_.path().events.size();
  Word status = store_exclusive(address, value, access);
  if (out_.is_over() || out_.path().events.size() == before) return status;
  PathEvent& e = out_.path().events.back();
  e.kinds |= graph::k_status;
  e.read = out_.next_read();
  terms_.variable(e.read); // so that no other read has it
  status.from = sets_.of(e.read);
  return status;
}

void SymbolicCore::fence(graph::Tags tags, litmus::Construct construct) {
  out_.add(event(graph::k_fence, {Width::l, tags, construct}, {}));
}

} // namespace thinair::machine
