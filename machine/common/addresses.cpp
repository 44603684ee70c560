// Guesses of addresses, and what can be said against them.
#include "machine/common/addresses.h"

#include "litmus/text/error.h"
#include "machine/common/values.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace thinair::machine {

using graph::Path;
using graph::PathBuilder;
using graph::ProgramPaths;
using graph::TermId;
using graph::TermOp;
using graph::TermPool;
using graph::Variable;
using litmus::Cell;
using litmus::LocationId;
using litmus::Value;

namespace {

std::uint64_t unsigned_of(Value value) { return static_cast<std::uint64_t>(value); }

Value address_of_cell(std::span<const Cell> cells, std::uint32_t i) {
  return static_cast<Value>(litmus::address_of(LocationId(i), cells));
}

/// The value of a term of which every variable has one.
template <class ValueOf>
std::optional<Value> value_with(const TermPool& terms, TermId term, ValueOf&& value_of) {
  if (const auto constant = terms.constant_value(term)) return constant;
  std::vector<Value> assignment;
  for (const Variable variable : terms.variables_of(term)) {
    const std::optional<Value> value = value_of(variable);
    if (!value) return std::nullopt;
    if (assignment.size() <= variable.value) assignment.resize(variable.value + 1, 0);
    assignment[variable.value] = *value;
  }
  return terms.evaluate(term, assignment);
}

/// The same of a term with one variable.
std::optional<Value> with(const TermPool& terms, TermId term, Value value) {
  return value_with(terms, term, [&](Variable) { return std::optional(value); });
}

class Resolving {
 public:
  Resolving(PathBuilder& out, std::span<const Cell> cells, TermId address, litmus::Width width)
      : out_(out), terms_(out.terms()), cells_(cells), address_(address), width_(width) {}

  std::optional<LocationId> run() {
    if (const auto constant = terms_.constant_value(address_)) {
      if (const auto found = place_of(*constant)) return found;
      if (faults(unsigned_of(*constant))) return fault();
      throw Unsupported(no_location);
    }
    if (const auto value = known(address_)) {
      if (const auto found = place_of(*value); found && fits(found->value)) return found;
      return faults(unsigned_of(*value)) ? fault() : stray();
    }
    const auto whole = std::exchange(address_, without_known(address_));
    is_known_in_part_ = whole != address_;
    if (const auto few = possible_values(terms_, address_)) return one_of(*few);
    const auto variables = terms_.variables_of(address_);
    if (variables.size() == 1 && is_displacement()) return guessed(variables.front());
    std::vector<Value> all;
    for (std::uint32_t i = 0; i < cells_.size(); ++i)
      if (fits(i)) all.push_back(address_of_cell(cells_, i));
    return decided(all, true);
  }

 private:
  std::optional<LocationId> place_of(Value address) const {
    return litmus::location_at(unsigned_of(address), cells_);
  }
  bool fits(std::uint32_t cell) const { return cells_[cell].type.width == width_; }
  std::optional<LocationId> fault() {
    out_.end_early();
    return std::nullopt;
  }
  std::optional<LocationId> stray() {
    out_.stray(no_location);
    return std::nullopt;
  }
  /// What the path knows of a term already.
  std::optional<Value> known(TermId term) const {
    return value_with(terms_, term,
                      [&](Variable variable) { return out_.known(terms_.variable(variable)); });
  }

  /// The term with numbers in the place of what the path knows, so that what it says of an index is
  /// said of the index alone.
  TermId without_known(TermId id) {
    if (const auto value = out_.known(id)) return terms_.constant(*value);
    const graph::Term term = terms_[id];
    const auto operands = graph::arity(term.op);
    if (operands == 0 || terms_.levels(id) > most_levels) return id;
    const TermId a = without_known(term.a);
    const TermId b = operands < 2 ? TermId{} : without_known(term.b);
    const TermId c = operands < 3 ? TermId{} : without_known(term.c);
    return terms_.make(term.op, term.bits, a, b, c);
  }
  static constexpr std::uint32_t most_levels = 8; // shared operands are walked each time

  /// Whether the address is the one variable and a number: not an index times four, nor one of
  /// bytes that something is done to (`i ^ 2`, `i & 1`), which other bits of the index show.
  bool is_displacement() const {
    const auto base = with(terms_, address_, 0);
    return std::ranges::all_of(std::to_array<Value>({1, 2, 4, 8, 16, -1}), [&](Value index) {
      const auto moved = with(terms_, address_, index);
      return !base || !moved || *moved == *base + index;
    });
  }

  std::optional<LocationId> one_of(const std::vector<Value>& values) {
    std::vector<Value> here;
    bool beyond = false, faulty = false;
    for (const Value value : values) {
      if (place_of(value))
        here.push_back(value);
      else
        (faults(unsigned_of(value)) ? faulty : beyond) = true;
    }
    if (here.empty() && !faulty && is_known_in_part_) return stray(); // on this path
    if (here.empty() && !faulty) throw Unsupported(no_location);
    if (values.size() == 1) return place_of(values[0]);
    return decided(here, beyond || faulty);
  }

  std::optional<LocationId> decided(const std::vector<Value>& values, bool beyond) {
    for (const Value here : values) {
      const auto equal = terms_.make(TermOp::equal, 64, address_, terms_.constant(here));
      if (out_.decide(equal, false)) return place_of(here);
    }
    const auto low = terms_.make(TermOp::below, 64, address_, terms_.constant(4096));
    if (beyond && out_.decide(low, false)) return fault();
    if (beyond) return stray();
    out_.drop(); // one of the values it has
    return std::nullopt;
  }

  /// A path for each value of the one read that the address comes from.
  std::optional<LocationId> guessed(Variable from) {
    const auto base = with(terms_, address_, 0);
    std::vector<Value> guesses;
    if (base && faults(unsigned_of(*base))) guesses.push_back(0);
    for (std::uint32_t i = 0; base && i < cells_.size(); ++i) {
      if (!fits(i)) continue;
      const Value here = address_of_cell(cells_, i);
      if (with(terms_, address_, here - *base) == here) guesses.push_back(here - *base);
    }
    const auto count = static_cast<std::uint32_t>(guesses.size());
    const auto chosen = out_.decisions().choose(count + 1);
    if (chosen == count) {
      for (const Value guess : guesses)
        out_.require(terms_.make(TermOp::logical_not, 64, is(from, guess)), false);
      return stray();
    }
    out_.know(from, guesses[chosen]);
    const bool denied = std::ranges::any_of(
        out_.path().constraints, [&](TermId constraint) { return known(constraint) == Value{0}; });
    if (denied) {
      out_.drop();
      return std::nullopt;
    }
    const Value address = *with(terms_, address_, guesses[chosen]);
    if (const auto found = place_of(address)) return found;
    return fault();
  }
  TermId is(Variable variable, Value value) {
    return terms_.make(TermOp::equal, 64, terms_.variable(variable), terms_.constant(value));
  }

  PathBuilder& out_;
  TermPool& terms_;
  std::span<const Cell> cells_;
  TermId address_;
  litmus::Width width_;
  bool is_known_in_part_ = false;
};

/// What each cell may ever hold, as far as that is a handful; the least that its initial value and
/// the writes of paths make of each other.
class Founded {
 public:
  explicit Founded(const ProgramPaths& program) : program_(program), held_(program.initial.size()) {
    for (std::size_t i = 0; i < held_.size(); ++i) held_[i].values.insert(program.initial[i]);
    do {
      changed_ = false;
      for (const auto& thread : program.threads)
        for (const auto* paths : {&thread.paths, &thread.cut_off, &thread.strayed})
          for (const Path& path : *paths) add_writes(path);
    } while (changed_);
  }

  /// Whether each read may see a value that all constraints of it alone allow.
  bool holds(const Path& path) const {
    return std::ranges::none_of(
        path.events, [&](const graph::PathEvent& event) { return sees_nothing(path, event); });
  }

 private:
  static constexpr std::size_t most = 64;

  struct Held {
    bool anything = false;
    std::set<Value> values;
  };

  bool sees_nothing(const Path& path, const graph::PathEvent& event) const {
    if ((event.kinds & graph::k_read) == 0) return false;
    const auto values = seen_by(path, event);
    return values && values->empty();
  }

  /// What a read may see; absent: anything.
  std::optional<std::vector<Value>> seen_by(const Path& path, const graph::PathEvent& read) const {
    const TermPool& terms = program_.terms;
    const Held& from = held_[read.location.value];
    if (from.anything) return std::nullopt;
    std::vector<Value> out(from.values.begin(), from.values.end());
    for (const TermId constraint : path.constraints) {
      const auto variables = terms.variables_of(constraint);
      if (variables.size() != 1 || variables.front() != read.read) continue;
      std::erase_if(out, [&](Value value) { return with(terms, constraint, value) == Value{0}; });
    }
    return out;
  }

  /// What a term may be on that path; absent: anything.
  std::optional<std::vector<Value>> values_of(const Path& path, TermId term) const {
    const TermPool& terms = program_.terms;
    if (const auto constant = terms.constant_value(term)) return std::vector<Value>{*constant};
    const auto variables = terms.variables_of(term);
    if (variables.size() != 1) return std::nullopt;
    const auto read = std::ranges::find_if(path.events, [&](const graph::PathEvent& e) {
      return (e.kinds & graph::k_read) != 0 && e.read == variables.front();
    });
    if (read == path.events.end()) return std::nullopt;
    const auto seen = seen_by(path, *read);
    if (!seen) return std::nullopt;
    std::vector<Value> out;
    for (const Value value : *seen)
      if (const auto made = with(terms, term, value)) out.push_back(*made);
    return out;
  }

  /// Those before a read that sees nothing yet: it may be one of them that the read is to see.
  void add_writes(const Path& path) {
    for (const auto& event : path.events) {
      if (sees_nothing(path, event)) return;
      if ((event.kinds & graph::k_write) == 0) continue;
      Held& into = held_[event.location.value];
      if (into.anything) continue;
      const std::size_t before = into.values.size();
      const auto values = values_of(path, event.written);
      if (values) into.values.insert(values->begin(), values->end());
      into.anything = !values || into.values.size() > most;
      changed_ = changed_ || into.anything || into.values.size() != before;
    }
  }

  const ProgramPaths& program_;
  std::vector<Held> held_; // by location
  bool changed_ = false;
};

} // namespace

std::optional<LocationId> resolve(PathBuilder& out, std::span<const Cell> cells, TermId address,
                                  litmus::Width width) {
  if (out.is_over()) return std::nullopt;
  return Resolving(out, cells, address, width).run();
}

void drop_unfounded(ProgramPaths& program) {
  // where memory decides an address, it may be no location's
  if (std::ranges::all_of(program.threads,
                          [](const graph::ThreadPaths& thread) { return thread.strayed.empty(); }))
    return;
  const Founded founded(program);
  program.strays = false;
  for (auto& thread : program.threads) {
    for (auto* paths : {&thread.paths, &thread.cut_off, &thread.strayed})
      std::erase_if(*paths, [&](const Path& path) { return !founded.holds(path); });
    program.strays = program.strays || !thread.strayed.empty();
  }
}

} // namespace thinair::machine
