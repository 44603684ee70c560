// Canonical forms: the least order of threads, found by a search that prunes by automorphisms.
#include "litmus/canonical.h"

#include "litmus/flatten.h"
#include "litmus/text/digest.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <limits>
#include <utility>

namespace thinair::litmus {
namespace {

using FlatKind = FlatToken::Kind;
using Word = std::uint64_t;
using Words = std::vector<Word>;

/// What a word of a serialisation says; each with a number of 32 bits.
enum class Tag : std::uint8_t {
  shape,
  location,
  new_location,
  value,
  monitor,
  self,
  placed,
  awaited,
  wide, // half of a value that 32 bits do not hold
};

Word word(Tag tag, std::uint32_t number) { return static_cast<Word>(tag) << 32 | number; }

/// Names given in the order of first mention, and taken back in reverse.
class Names {
 public:
  explicit Names(std::size_t count) : names_(count, none) {}

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t find(std::uint32_t id) const { return names_[id]; }
  std::uint32_t give(std::uint32_t id) {
    names_[id] = static_cast<std::uint32_t>(given_.size());
    given_.push_back(id);
    return names_[id];
  }
  /// Ids in the order of their names.
  const std::vector<std::uint32_t>& given() const { return given_; }
  void take_back(std::size_t keep) {
    for (; given_.size() > keep; given_.pop_back()) names_[given_.back()] = none;
  }

 private:
  std::vector<std::uint32_t> names_, given_;
};

/// Values that keep their names, 0, perhaps 1, and those that do not fit in seven bits, and those
/// renamed in the order of first mention.
class ValueNames {
 public:
  explicit ValueNames(ValueUse use) : use_(use) {}

  std::uint32_t name(std::uint32_t bits) {
    if (bits == 0 || bits > most_renamed || use_ == ValueUse::computed) return bits;
    if (use_ == ValueUse::pins_one && bits == 1) return bits;
    const std::uint32_t first = use_ == ValueUse::pins_one ? 2 : 1;
    const auto found = std::ranges::find(given_, bits);
    const auto place = static_cast<std::uint32_t>(found - given_.begin());
    if (found == given_.end()) given_.push_back(bits);
    return first + place;
  }
  std::size_t count() const { return given_.size(); }
  void take_back(std::size_t keep) { given_.resize(keep); }
  static constexpr std::uint32_t most_renamed = 0x7f;

 private:
  ValueUse use_;
  std::vector<std::uint32_t> given_;
};

/// Threads in the order of a partial permutation, and the names their code has given so far.
class Placement {
 public:
  explicit Placement(const Program& program)
      : program_(program), values_(value_use(program)), locations_(program.locations.size()),
        monitors_(program.monitors.size()), awaited_(program.threads.size()),
        places_(program.threads.size(), unplaced) {
    for (const Thread& thread : program.threads) threads_.push_back(flatten(program, thread));
  }

  struct Mark {
    std::size_t values, locations, monitors, awaited;
  };
  Mark mark() const {
    return {values_.count(), locations_.given().size(), monitors_.given().size(),
            awaited_.given().size()};
  }
  void undo(const Mark& mark) {
    values_.take_back(mark.values);
    locations_.take_back(mark.locations);
    monitors_.take_back(mark.monitors);
    awaited_.take_back(mark.awaited);
  }

  /// Serialises thread `t` as the next one, giving names to what it is the first to mention.
  void write(std::uint32_t t, Words& out) {
    out.clear();
    out.push_back(word(Tag::awaited, awaited_.find(t)));
    for (const FlatToken token : threads_[t].tokens) write(token, t, out);
  }

  void place(std::uint32_t t, std::uint32_t at) { places_[t] = at; }
  void remove(std::uint32_t t) { places_[t] = unplaced; }
  bool is_placed(std::uint32_t t) const { return places_[t] != unplaced; }
  std::uint32_t place_of(std::uint32_t t) const { return places_[t]; }

  const FlatThread& flat(std::uint32_t t) const { return threads_[t]; }
  Names& locations() { return locations_; }
  Names& monitors() { return monitors_; }
  Value value(Value v) {
    const bool large = v < 0 || v > ValueNames::most_renamed;
    return large ? v : values_.name(static_cast<std::uint32_t>(v));
  }

 private:
  static constexpr std::uint32_t unplaced = std::numeric_limits<std::uint32_t>::max();

  void write(FlatToken token, std::uint32_t t, Words& out) {
    switch (token.kind) {
    case FlatKind::shape: out.push_back(word(Tag::shape, token.payload)); return;
    case FlatKind::value: out.push_back(word(Tag::value, values_.name(token.payload))); return;
    case FlatKind::location: write_location(token.payload, out); return;
    case FlatKind::monitor:
      out.push_back(word(Tag::monitor, named(monitors_, token.payload)));
      return;
    case FlatKind::thread: write_thread(token.payload, t, out); return;
    }
  }

  void write_location(std::uint32_t id, Words& out) {
    if (const std::uint32_t name = locations_.find(id); name != Names::none) {
      out.push_back(word(Tag::location, name));
      return;
    }
    locations_.give(id);
    const Location& location = program_.locations[id];
    const std::uint32_t type = number_of(location.type);
    out.push_back(word(Tag::new_location, type << 1 | (location.is_final ? 1 : 0)));
    const auto bits = static_cast<std::uint64_t>(location.initial);
    if (location.initial == static_cast<std::int32_t>(location.initial)) {
      out.push_back(word(Tag::value, values_.name(static_cast<std::uint32_t>(bits))));
    } else {
      out.push_back(word(Tag::wide, static_cast<std::uint32_t>(bits >> 32)));
      out.push_back(word(Tag::wide, static_cast<std::uint32_t>(bits)));
    }
  }

  /// A thread not placed yet is known by when it was first spoken of.
  void write_thread(std::uint32_t id, std::uint32_t t, Words& out) {
    if (id == t) {
      out.push_back(word(Tag::self, 0));
    } else if (is_placed(id)) {
      out.push_back(word(Tag::placed, places_[id]));
    } else {
      out.push_back(word(Tag::awaited, named(awaited_, id)));
    }
  }

  static std::uint32_t named(Names& names, std::uint32_t id) {
    const std::uint32_t known = names.find(id);
    return known == Names::none ? names.give(id) : known;
  }

  const Program& program_;
  std::vector<FlatThread> threads_;
  ValueNames values_;
  Names locations_, monitors_, awaited_;
  std::vector<std::uint32_t> places_;
};

/// Finds the order of threads whose serialisation is least. At each place only threads with the
/// least next part are tried. Two orders with equal serialisations are an automorphism of the
/// program: below the place where they part, the later one has nothing new.
class Search {
 public:
  explicit Search(const Program& program)
      : placement_(program), count_(static_cast<std::uint32_t>(program.threads.size())),
        levels_(count_) {
    descend(0);
    for (std::uint32_t at = 0; at < count_; ++at) { // the names that the best order gives
      Words ignored;
      placement_.write(best_order_[at], ignored);
      placement_.place(best_order_[at], at);
    }
  }

  const std::vector<std::uint32_t>& order() const { return best_order_; }
  const std::vector<Words>& parts() const { return best_; }
  Placement& placement() { return placement_; }

 private:
  struct Level {
    Words least, current;
    std::vector<std::uint32_t> ties;
  };

  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  void find_ties(Level& level) {
    level.ties.clear();
    for (std::uint32_t t = 0; t < count_; ++t) {
      if (placement_.is_placed(t)) continue;
      const auto mark = placement_.mark();
      placement_.write(t, level.current);
      placement_.undo(mark);
      const auto order =
          level.ties.empty() ? std::strong_ordering::less : level.current <=> level.least;
      if (order > 0) continue;
      if (order < 0) {
        level.ties.clear();
        std::swap(level.least, level.current);
      }
      level.ties.push_back(t);
    }
  }

  /// Whether the least part at this place keeps up with the best order; a better one replaces it.
  bool keeps_up(std::uint32_t at) {
    const Words& least = levels_[at].least;
    if (at < best_.size()) {
      const auto order = least <=> best_[at];
      if (order > 0) return false;
      if (order == 0) return true;
      best_.resize(at);
      best_order_.clear();
    }
    best_.push_back(least);
    return true;
  }

  void descend(std::uint32_t at) {
    if (at == count_) return finish();
    Level& level = levels_[at];
    find_ties(level);
    if (!keeps_up(at)) return;
    for (const std::uint32_t t : level.ties) {
      const auto mark = placement_.mark();
      placement_.write(t, level.current);
      placement_.place(t, at);
      order_.push_back(t);
      descend(at + 1);
      order_.pop_back();
      placement_.remove(t);
      placement_.undo(mark);
      if (return_to_ < at) return;
      return_to_ = nowhere;
    }
  }

  void finish() {
    if (best_order_.empty()) {
      best_order_ = order_;
    } else {
      const auto part = std::ranges::mismatch(order_, best_order_).in1 - order_.begin();
      return_to_ = static_cast<std::uint32_t>(part);
    }
  }

  Placement placement_;
  std::uint32_t count_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> order_, best_order_;
  std::vector<Words> best_;
  std::uint32_t return_to_ = nowhere;
};

/// Writes the program again in the names of a finished search.
class Rewriter {
 public:
  Rewriter(const Program& program, Search& search)
      : program_(program), placement_(search.placement()), order_(search.order()) {}

  Program rewrite() {
    Program out;
    out.classes = program_.classes;
    out_ = &out;
    for (const std::uint32_t id : placement_.locations().given()) {
      const Location& old = program_.locations[id];
      out.locations.push_back({fmt::format("x{}", out.locations.size()),
                               placement_.value(old.initial), old.is_final, old.type});
    }
    for (std::size_t i = 0; i < placement_.monitors().given().size(); ++i)
      out.monitors.push_back(fmt::format("m{}", i));
    for (const std::uint32_t t : order_) out.threads.push_back(thread(t, out.threads.size()));
    return out;
  }

 private:
  Thread thread(std::uint32_t t, std::size_t number) {
    const Thread& old = program_.threads[t];
    Thread out;
    out.name = fmt::format("Thread{}", number);
    registers_.assign(old.registers.size(), RegisterId{});
    for (const RegisterId id : placement_.flat(t).registers) {
      registers_[id.value] = RegisterId{static_cast<std::uint32_t>(out.registers.size())};
      out.registers.push_back({fmt::format("r{}", out.registers.size()),
                               placement_.value(old.registers[id.value].initial),
                               old.registers[id.value].type});
    }
    mentioned_.assign(out.registers.size(), false);
    touched_.assign(program_.locations.size(), false);
    out.body = old.body;
    block(out.body);
    for (std::uint32_t i = 0; i < touched_.size(); ++i)
      if (touched_[i]) out.handles.push_back({fmt::format("X{}", i), LocationId{i}});
    return out;
  }

  void block(Block& statements) {
    for (Statement& statement : statements) {
      statement.span = {};
      std::visit([this](auto& node) { rename(node); }, statement.node);
    }
  }

  void rename(RegisterId& reg) {
    reg = registers_[reg.value];
    mentioned_[reg.value] = true;
  }
  /// Declared where it is mentioned first, if that is an assignment.
  void rename(RegisterId& target, bool& declares) {
    declares = !mentioned_[registers_[target.value].value];
    rename(target);
  }
  void rename(LocationId& location) {
    location = LocationId{placement_.locations().find(location.value)};
    touched_[location.value] = true;
  }
  void rename(Expression& e) {
    if (e.op == Operator::constant) e.constant = placement_.value(e.constant);
    if (e.op == Operator::reg) rename(e.reg);
    if (e.op == Operator::access) rename(e.location, e.field);
    for (Expression& argument : e.arguments) rename(argument);
  }
  void rename(Assign& node) {
    rename(node.value);
    rename(node.target, node.declares);
  }
  void rename(LocationId& location, std::optional<FieldOf>& field) {
    field ? rename(field->object) : rename(location);
  }
  void rename(Access& node) {
    rename(node.location, node.field);
    for (Expression& argument : node.arguments) rename(argument);
    if (node.target) {
      rename(*node.target, node.declares);
    } else {
      node.declares = false;
    }
  }
  void rename(New& node) {
    out_->objects.push_back(program_.objects[node.object.value]);
    node.object = ObjectId{static_cast<std::uint32_t>(out_->objects.size() - 1)};
    rename(node.target, node.declares);
    block(node.body);
  }
  void rename(If& node) {
    rename(node.condition);
    block(node.then_block);
    block(node.else_block);
  }
  void rename(Loop& node) {
    rename(node.condition);
    block(node.body);
  }
  void rename(MonitorStatement& node) {
    node.monitor = MonitorId{placement_.monitors().find(node.monitor.value)};
  }
  void rename(ThreadStatement& node) {
    node.thread = ThreadId{placement_.place_of(node.thread.value)};
  }
  void rename(ExternalStatement& node) { rename(node.value); }
  static void rename(FenceStatement&) {}
  static void rename(Cut&) {}

  const Program& program_;
  Placement& placement_;
  const std::vector<std::uint32_t>& order_;
  Program* out_ = nullptr;
  std::vector<RegisterId> registers_; // by old id
  std::vector<bool> mentioned_;       // by new id
  std::vector<bool> touched_;         // by new id
};

/// Nothing of a program without: those have the hashes that they always had.
void add_classes(const Program& program, text::Digest& digest) {
  for (const Class& each : program.classes) {
    digest.add(std::uint64_t{each.fields.size()});
    for (const Field& field : each.fields) {
      const std::uint64_t type = number_of(field.type);
      digest.add(type << 1 | (field.is_final ? 1U : 0U));
      if (each.is_array) digest.add(~std::uint64_t{0});
    }
  }
}

} // namespace

Program canonical(const Program& program) {
  Search search(program);
  return Rewriter(program, search).rewrite();
}

ContentHash content_hash(const Program& program) {
  Search search(program);
  text::Digest digest;
  add_classes(program, digest);
  for (const Words& part : search.parts()) {
    digest.add(std::uint64_t{part.size()});
    for (const Word w : part) digest.add(w);
  }
  return {digest.words()};
}

std::string to_string(const ContentHash& hash) {
  return fmt::format("{:016x}{:016x}", hash.words[0], hash.words[1]);
}

} // namespace thinair::litmus
