// Control paths of Java programs: statements run on symbolic values (JLS 15.7: operands left to
// right; the VarHandle Javadoc for what each access reads and writes).
#include "litmus/modes.h"
#include "litmus/objects.h"
#include "litmus/program.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/graph/await.h"
#include "oracle/graph/decisions.h"
#include "oracle/graph/in_vain.h"
#include "oracle/graph/java_terms.h"
#include "oracle/graph/path.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::graph {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::FieldLocations;
using litmus::LocationId;
using litmus::Mode;
using litmus::Operator;

using litmus::TypeKind;

constexpr std::uint8_t int_bits = 32;

/// What values of a type need, sign-extended: a char needs more than its own 16 bits.
std::uint8_t bits_needed(litmus::JavaType type) {
  if (type.refers() || type.kind == TypeKind::char_) return int_bits;
  return litmus::info(type.kind).bits;
}

Kinds kind_of(Mode mode) {
  switch (mode) {
  case Mode::plain: return k_plain;
  case Mode::opaque: return k_opaque;
  case Mode::acquire: return k_acquire;
  case Mode::release: return k_release;
  case Mode::volatile_: return k_volatile;
  }
  return k_plain;
}

/// Of the two halves of a read-modify-write: plain only where nothing else is said.
Kinds kind_of(Mode read, Mode write) {
  const auto both = kind_of(read) | kind_of(write);
  return both == k_plain ? both : both & ~k_plain;
}

Kinds kind_of(litmus::Fence fence) {
  switch (fence) {
  case litmus::Fence::full: return k_fence | k_volatile;
  case litmus::Fence::acquire: return k_fence | k_acquire;
  case litmus::Fence::load_load: return k_fence | k_acquire | k_load_load;
  case litmus::Fence::release: return k_fence | k_release;
  case litmus::Fence::store_store: return k_fence | k_release | k_store_store;
  }
  return k_fence;
}

/// How many statements start each thread, and how many wait for it.
struct Lifetimes {
  explicit Lifetimes(const litmus::Program& program)
      : started(program.threads.size(), 0), joined(program.threads.size(), 0) {
    for (const auto& thread : program.threads)
      litmus::for_each_statement(thread.body, [this](const litmus::Statement& statement) {
        const auto* node = std::get_if<litmus::ThreadStatement>(&statement.node);
        if (node == nullptr) return;
        const bool start = node->kind == litmus::ThreadStatement::Kind::start;
        ++(start ? started : joined).at(node->thread.value);
      });
  }
  bool any() const {
    const auto some = [](std::uint32_t count) { return count > 0; };
    return std::ranges::any_of(started, some) || std::ranges::any_of(joined, some);
  }

  std::vector<std::uint32_t> started, joined; // by ThreadId
};

/// What the statements of a program that write a location have in common, reached or not.
class Writes {
 public:
  Writes(const litmus::Program& program, const FieldLocations& fields)
      : fields_(fields), all_volatile_(fields.count(), 1), loose_updates_(fields.count(), 0) {
    for (const auto& thread : program.threads) {
      thread_ = &thread;
      litmus::for_each_statement(thread.body, [&](const litmus::Statement& s) { look_at(s); });
    }
    if (cut_) std::ranges::fill(all_volatile_, 0);
  }
  /// By LocationId: whether all are volatile. None, where statements have been left out.
  const std::vector<char>& all_volatile() const { return all_volatile_; }
  /// Whether one is an update that is not volatile.
  bool loose_updates(LocationId location) const { return loose_updates_[location.value] != 0; }

 private:
  void look_at(const litmus::Statement& statement) {
    cut_ = cut_ || std::holds_alternative<litmus::Cut>(statement.node);
    litmus::for_each_expression(statement, [&](const Expression& e) { look_at(e); });
    if (const auto* access = std::get_if<litmus::Access>(&statement.node))
      look_at(access->method, access->location, access->field);
  }
  void look_at(const Expression& e) {
    for (const auto& argument : e.arguments) look_at(argument);
    if (e.op == Operator::access) look_at(e.method, e.location, e.field);
  }
  void look_at(litmus::Method method, LocationId location,
               const std::optional<litmus::FieldOf>& field) {
    const auto& info = litmus::info(method);
    if (!litmus::writes(info.action) || info.write == Mode::volatile_) return;
    for (const auto place : fields_.places(*thread_, location, field)) {
      all_volatile_[place.value] = 0;
      if (litmus::is_rmw(info.action)) loose_updates_[place.value] = 1;
    }
  }

  const FieldLocations& fields_;
  const litmus::Thread* thread_ = nullptr;
  std::vector<char> all_volatile_, loose_updates_;
  bool cut_ = false;
};

/// Locations of 64 bits whose plain accesses tear (JLS 17.7: "a single write to a non-volatile long
/// or double value is treated as two separate writes: one to each 32-bit half"). Such a location is
/// its high half to the search; the low halves stand behind all others.
class Halves {
 public:
  Halves(const litmus::Program& program, const FieldLocations& fields, bool tearing)
      : fields_(fields), low_(fields.count(), none) {
    for (std::uint32_t l = 0; tearing && l < fields.count(); ++l) {
      const auto type = litmus::type_of(program, LocationId{l});
      if (!type.refers() && litmus::info(type.kind).bits == 64)
        low_[l] = static_cast<std::uint32_t>(fields.count()) + count_++;
    }
    for (const auto& thread : program.threads) {
      if (count_ == 0) break;
      litmus::for_each_statement(thread.body, [&](const litmus::Statement& s) {
        litmus::for_each_expression(s, [&](const Expression& e) { look_at(thread, e); });
        if (const auto* access = std::get_if<litmus::Access>(&s.node)) look_at(thread, *access);
      });
    }
  }

  std::uint32_t count() const { return count_; }
  /// That of a location; absent: it does not tear.
  std::optional<LocationId> low(LocationId of) const {
    if (low_[of.value] == none) return std::nullopt;
    return LocationId{low_[of.value]};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void look_at(const litmus::Thread& thread, const Expression& e) {
    for (const auto& argument : e.arguments) look_at(thread, argument);
    if (e.op == Operator::access) look_at<Expression>(thread, e);
  }
  /// Accesses that do not tear would be one event to two locations.
  template <class Node>
  void look_at(const litmus::Thread& thread, const Node& node)
    requires requires { node.method; }
  {
    if (node.method == litmus::Method::get || node.method == litmus::Method::set) return;
    for (const auto place : fields_.places(thread, node.location, node.field))
      if (low_[place.value] != none)
        throw Unsupported("accesses in other modes to a location that may tear");
  }

  const FieldLocations& fields_;
  std::vector<std::uint32_t> low_; // by LocationId
  std::uint32_t count_ = 0;
};

/// What the walks of all threads look at.
struct Program {
  const litmus::Program& program;
  const FieldLocations& fields;
  const Writes& writes;
  const Halves& halves;
  const Lifetimes& lifetimes;
  const InVain& in_vain;
  bool has_finals = false; // then it matters which read an address is from
};

class Walk {
 public:
  Walk(const Program& whole, std::uint32_t thread, PathBuilder& out, VariableSets& sets)
      : program_(whole.program), fields_(whole.fields), writes_(whole.writes),
        halves_(whole.halves), lifetimes_(whole.lifetimes), in_vain_(whole.in_vain),
        has_finals_(whole.has_finals), self_(thread), out_(out), sets_(sets), terms_(out.terms()),
        java_(out.terms()), held_(whole.program.monitors.size()) {
    for (const auto& reg : whole.program.threads[thread].registers)
      registers_.push_back(terms_.constant(reg.initial));
  }

  void run();

 private:
  TermId value(const Expression& e) { return typed(e).term; }
  /// As a variable of the type holds it.
  TermId value(const Expression& e, litmus::JavaType type) {
    return type.refers() ? value(e) : java_.widened(typed(e), type.kind);
  }
  Typed typed(const Expression& e);
  TermId binary(Operator op, TypeKind in, TermId a, TermId b);
  TermId quotient(TermOp op, std::uint8_t bits, TermId a, TermId b);
  template <class Node> // an Expression or an Access
  TermId access(const Node& node);
  bool find_place(const litmus::FieldOf& field, TermId base, TermId index, PathEvent& event);
  std::optional<std::uint32_t> find_element(TermId index, std::uint32_t length);
  std::uint32_t address_from(std::uint8_t reference, TermId term);
  void find_value(PathEvent& event, litmus::ClassId of);
  void note_written(PathEvent& event);
  std::uint8_t reference(TermId term) const;
  TermId compare_and(const litmus::MethodInfo& info, PathEvent event, TermId expected,
                     TermId desired, litmus::JavaType type);
  TermId torn(PathEvent event, LocationId low, bool writes, TermId operand);
  bool stops_half_way(const litmus::MethodInfo& info, PathEvent event);

  litmus::JavaType type_of(litmus::RegisterId reg) const {
    return program_.threads[self_].registers[reg.value].type;
  }
  /// What an access gave, to a register whose type may be wider.
  void give(litmus::RegisterId target, const litmus::Access& node, TermId result) {
    const auto into = type_of(target);
    if (litmus::is_floating(into.kind)) {
      const auto action = litmus::info(node.method).action;
      const bool tells =
          action == Action::compare_and_set || action == Action::weak_compare_and_set;
      const auto from =
          litmus::type_of(program_, program_.threads[self_], node.location, node.field);
      result = java_.converted({result, tells ? TypeKind::int_ : from.kind}, into.kind);
    }
    registers_.at(target.value) = result;
  }

  void add(Kinds kinds, std::uint32_t object = 0,
           litmus::Construct construct = litmus::Construct::plain);
  void run(const litmus::Block& block);
  void run(const litmus::Statement& statement);
  void run_loop(const litmus::Loop& loop);
  void run_monitor(const litmus::MonitorStatement& monitor);
  void run_thread(const litmus::ThreadStatement& other);
  void run_new(const litmus::New& made);

  const litmus::Program& program_;
  const FieldLocations& fields_;
  const Writes& writes_;
  const Halves& halves_;
  const Lifetimes& lifetimes_;
  const InVain& in_vain_;
  bool has_finals_;
  std::uint32_t self_;
  PathBuilder& out_;
  VariableSets& sets_;
  TermPool& terms_;
  JavaTerms java_;
  std::vector<TermId> registers_;
  std::vector<std::vector<std::uint32_t>> held_; // by monitor: its locks, by place in the path
  std::uint32_t source_ = 0;
  std::uint32_t instruction_ = 0;
};

/// Values are kept as litmus/type.h says, so that what widens an integer changes nothing.
Typed Walk::typed(const Expression& e) {
  const auto as_number = [](litmus::JavaType type) {
    return type.refers() ? TypeKind::int_ : type.kind;
  };
  if (e.op == Operator::constant) return {terms_.constant(e.constant), as_number(e.type)};
  if (e.op == Operator::reg)
    return {registers_.at(e.reg.value),
            as_number(program_.threads[self_].registers[e.reg.value].type)};
  if (e.op == Operator::access)
    return {access(e), as_number(litmus::type_of(program_, program_.threads[self_], e))};
  const auto a = typed(e.arguments.at(0));
  if (e.op == Operator::cast) return {java_.converted(a, e.type.kind), e.type.kind};
  const auto b = e.arguments.size() == 1 ? a : typed(e.arguments[1]);
  const auto in = litmus::working_type(e.op, a.type, b.type);
  const auto left = java_.widened(a, in);
  const auto term = e.arguments.size() == 1 ? java_.unary(e.op, in, left)
                                            : binary(e.op, in, left, java_.widened(b, in));
  return {term, litmus::result_type(e.op, in)};
}

/// Java has no value where the divisor is zero: an exception ends the thread there (JLS 15.17.2),
/// and no final state is reached.
TermId Walk::quotient(TermOp op, std::uint8_t bits, TermId a, TermId b) {
  const auto term = terms_.make(op, bits, a, b);
  const auto divisor = terms_.constant_value(b);
  if ((divisor && *divisor != 0) || out_.is_over()) return term;
  if (out_.stops_here())
    out_.path().constraints.push_back(terms_.make(TermOp::equal, bits, b, terms_.constant(0)));
  else
    out_.path().must_divide.push_back(term);
  return term;
}

TermId Walk::binary(Operator op, TypeKind in, TermId a, TermId b) {
  const bool divides = op == Operator::divide || op == Operator::remainder;
  if (!divides || litmus::is_floating(in)) return java_.binary(op, in, a, b);
  return quotient(op == Operator::divide ? TermOp::divide : TermOp::remainder, working_bits(in), a,
                  b);
}

/// A successful one is one event that reads and writes; a failed one is a read in the mode of its
/// read half, and marked. A weak one may fail for no reason.
TermId Walk::compare_and(const litmus::MethodInfo& info, PathEvent event, TermId expected,
                         TermId desired, litmus::JavaType type) {
  const auto old = terms_.variable(event.read);
  const auto same = terms_.make(TermOp::equal, working_bits(type.kind), old, expected);
  bool success = true;
  if (info.action == Action::weak_compare_and_set) {
    success = out_.decisions().choose(2) == 0;
    if (success) out_.require(same, false);
  } else {
    success = out_.decide(same, false);
  }
  if (success && stops_half_way(info, event)) return old;
  if (success) {
    event.kinds = k_read | k_write | k_rmw | kind_of(info.read, info.write);
    event.written = desired;
    if (type.refers()) note_written(event);
  } else {
    event.kinds = k_read | k_failed | kind_of(info.read);
  }
  out_.add(event);
  return info.action == Action::compare_and_exchange ? old : terms_.constant(success ? 1 : 0);
}

/// The read of an update, and then no more of the thread. It makes a difference only where an
/// update that is not volatile may see the same write: all threads agree on the order of others.
bool Walk::stops_half_way(const litmus::MethodInfo& info, PathEvent event) {
  if (!writes_.loose_updates(event.location) || !out_.will_stop()) return false;
  event.kinds = k_read | k_failed | kind_of(info.read);
  out_.add(event);
  out_.end_early();
  return true;
}

template <class Node>
TermId Walk::access(const Node& node) {
  const auto& info = litmus::info(node.method);
  // the reference comes before the arguments, and is looked at after them (JLS 15.7, 15.26.1)
  const auto base = node.field ? registers_.at(node.field->object.value) : TermId{};
  const auto* at = litmus::element_index(node);
  const auto index = at == nullptr ? TermId{} : value(*at);
  const auto arguments = litmus::operands_of(node);
  const auto type = litmus::type_of(program_, program_.threads[self_], node.location, node.field);
  const auto operand = arguments.empty() ? TermId{} : value(arguments[0], type);
  const auto second = arguments.size() < 2 ? TermId{} : value(arguments[1], type);
  PathEvent event;
  event.location = node.location;
  if (node.field && !find_place(*node.field, base, index, event)) return terms_.constant(0);
  event.instruction = instruction_++;
  event.source = source_;
  event.construct = litmus::construct_of(node.method);
  if (const auto low = halves_.low(event.location))
    return torn(event, *low, litmus::writes(info.action), operand);
  auto result = terms_.constant(0);
  if (litmus::reads(info.action)) {
    event.read = out_.next_read();
    event.kinds |= k_read;
    result = terms_.variable(event.read);
    if (type.refers()) find_value(event, type.of);
  }
  if (info.arguments == 2) return compare_and(info, event, operand, second, type);
  if (litmus::writes(info.action)) {
    event.kinds |= k_write;
    event.written = java_.updated(info.action, type, result, operand);
    if (type.refers()) note_written(event);
  }
  if (litmus::is_rmw(info.action) && stops_half_way(info, event)) return result;
  if (litmus::is_rmw(info.action))
    event.kinds |= k_rmw | kind_of(info.read, info.write);
  else
    event.kinds |= kind_of(litmus::reads(info.action) ? info.read : info.write);
  out_.add(event);
  return result;
}

/// A plain access to each half, the high one first; what they see is put together again.
TermId Walk::torn(PathEvent event, LocationId low, bool writes, TermId operand) {
  constexpr std::uint8_t whole = 64, half = 32;
  const auto shift = terms_.constant(half);
  event.kinds |= k_plain | (writes ? k_write : k_read);
  auto other = event;
  other.location = low;
  other.instruction = instruction_++;
  if (writes) {
    event.written = terms_.make(TermOp::shift_right, whole, operand, shift);
    other.written = terms_.make(TermOp::sign_extend, half, operand);
    out_.add(event);
    out_.add(other);
    return terms_.constant(0);
  }
  event.read = out_.next_read();
  out_.add(event);
  other.read = out_.next_read();
  out_.add(other);
  const auto high = terms_.make(TermOp::shift_left, whole, terms_.variable(event.read), shift);
  return terms_.make(TermOp::bit_or, whole, high,
                     terms_.make(TermOp::zero_extend, half, terms_.variable(other.read)));
}

/// The object of a reference, which every path knows: a path reads one value of each reference.
std::uint8_t Walk::reference(TermId term) const {
  const auto known = out_.known(term);
  THINAIR_CHECK(known.has_value(), "a reference that the path does not know");
  return static_cast<std::uint8_t>(*known);
}

/// A path for each element; none where the index is out of bounds, which throws.
std::optional<std::uint32_t> Walk::find_element(TermId index, std::uint32_t length) {
  for (std::uint32_t i = 0; i < length; ++i)
    if (out_.decide(terms_.make(TermOp::equal, int_bits, index, terms_.constant(i)), false))
      return i;
  out_.end_early();
  return std::nullopt;
}

/// Fills in where the field or the element is; false where the reference is null or the index out
/// of bounds.
bool Walk::find_place(const litmus::FieldOf& field, TermId base, TermId index, PathEvent& event) {
  if (out_.is_over()) return false;
  event.base = reference(base);
  if (event.base == 0) {
    out_.end_early();
    return false;
  }
  const litmus::ObjectId object{event.base - 1U};
  auto place = field.field;
  if (field.element) {
    const auto found = find_element(index, program_.objects[object.value].length);
    if (!found) return false;
    place = *found;
    for (const auto variable : terms_.variables_of(index))
      event.address = sets_.unite(event.address, sets_.of(variable));
  }
  event.location = fields_.of(object, place);
  const auto& from = terms_[base];
  if (from.op == TermOp::variable)
    event.address = sets_.unite(event.address, sets_.of(from.variable));
  event.base_from = address_from(event.base, base);
  if (litmus::field_of(program_, program_.threads[self_], field).is_final) event.kinds |= k_final;
  return true;
}

/// A path for each value that the read may see, null first.
void Walk::find_value(PathEvent& event, litmus::ClassId of) {
  if (out_.is_over()) return;
  std::vector<Value> all{0};
  for (std::size_t i = 0; i < program_.objects.size(); ++i)
    if (program_.objects[i].of == of) all.push_back(static_cast<Value>(i) + 1);
  const auto value = all[out_.decisions().choose(static_cast<std::uint32_t>(all.size()))];
  out_.know(event.read, value);
  event.seen = static_cast<std::uint8_t>(value);
  if (value != 0) out_.path().mentions |= std::uint64_t{1} << (value - 1);
}

void Walk::note_written(PathEvent& event) {
  if (out_.is_over()) return;
  event.given = reference(event.written);
  if (event.given == 0) return;
  out_.path().mentions |= std::uint64_t{1} << (event.given - 1);
  event.given_from = address_from(event.given, event.written);
}

/// JLS 17.5.1: a thread that did not make an object has its address from some read that saw it.
/// Which one is for the execution to choose, and counts where fields are final; elsewhere it is the
/// one that the register is from.
std::uint32_t Walk::address_from(std::uint8_t object, TermId term) {
  const auto& path = out_.path();
  if (((path.makes >> (object - 1)) & 1U) != 0) return PathEvent::no_partner;
  std::vector<std::uint32_t> readers;
  for (std::uint32_t i = 0; i < path.events.size(); ++i) {
    const auto& e = path.events[i];
    if (e.seen != object) continue;
    const bool source = terms_[term].op == TermOp::variable && e.read == terms_[term].variable;
    if (has_finals_ || source) readers.push_back(i);
  }
  if (readers.empty()) return PathEvent::no_partner; // of what this very event reads
  return readers[readers.size() == 1
                     ? 0
                     : out_.decisions().choose(static_cast<std::uint32_t>(readers.size()))];
}

/// Its fields are 0 and null until they are written (JLS 17.4.4); its constructor ends with a
/// freeze.
void Walk::run_new(const litmus::New& made) {
  const auto bit = std::uint64_t{1} << made.object.value;
  if ((out_.path().makes & bit) != 0) throw Unsupported("objects made in a loop");
  out_.path().makes |= bit;
  const auto begin = source_;
  registers_.at(made.target.value) = terms_.constant(Value{made.object.value} + 1);
  run(made.body);
  const auto& fields = program_.classes[program_.objects[made.object.value].of.value].fields;
  if (out_.is_over() || std::ranges::none_of(fields, &litmus::Field::is_final)) return;
  PathEvent event;
  event.kinds = k_freeze;
  event.object = made.object.value;
  event.base = static_cast<std::uint8_t>(made.object.value + 1);
  event.instruction = instruction_++;
  event.source = begin;
  out_.add(event);
}

/// An action that accesses no location.
void Walk::add(Kinds kinds, std::uint32_t object, litmus::Construct construct) {
  PathEvent event;
  event.kinds = kinds;
  event.construct = construct;
  event.object = object;
  event.instruction = instruction_++;
  event.source = source_;
  out_.add(event);
}

/// At most `bound` rounds, besides idle ones that are kept; one more where the last one was idle,
/// to see whether it is repeated.
void Walk::run_loop(const litmus::Loop& loop) {
  const auto bound = loop.bound.value_or(out_.limits().loop_bound);
  RoundWatch from_condition(assigned_first(loop, true, registers_.size()));
  RoundWatch from_body(assigned_first(loop, false, registers_.size()));
  const bool watching = out_.limits().close_awaits;
  std::uint32_t idle = 0;
  for (std::uint32_t all = 0;; ++all) {
    terms_.watch().demand(1 + registers_.size() / 8);
    bool enter = true;
    if (all > 0 || loop.test_first) {
      from_condition.begin(out_.path(), registers_);
      enter = out_.decide(value(loop.condition), true);
    }
    const bool redundant =
        from_condition.redundant(out_.path()) || from_body.redundant(out_.path());
    if (watching && redundant && ++idle > out_.limits().idle_rounds) return out_.drop_idle();
    const auto round = all - idle;
    if (!enter && round <= bound) return;
    from_body.begin(out_.path(), registers_);
    const bool look_further = watching && round == bound && from_body.idle(out_.path());
    if (!enter || (round >= bound && !look_further)) return out_.cut();
    run(loop.body);
    if (out_.is_over()) return;
  }
}

/// A thread may enter what it holds; it leaves what it entered last (JLS 17.1). Leaving what it
/// does not hold throws.
void Walk::run_monitor(const litmus::MonitorStatement& monitor) {
  auto& locks = held_.at(monitor.monitor.value);
  const auto place = static_cast<std::uint32_t>(out_.path().events.size());
  if (!monitor.enter && locks.empty()) return out_.end_early();
  const bool waits = monitor.enter && locks.empty();
  if (waits && in_vain_.for_monitor(monitor.monitor.value) && out_.stops_here()) return;
  add(monitor.enter ? k_lock : k_unlock, monitor.monitor.value);
  if (monitor.enter) {
    locks.push_back(place);
  } else {
    out_.path().events[locks.back()].partner = place;
    locks.pop_back();
  }
}

void Walk::run_thread(const litmus::ThreadStatement& other) {
  const bool start = other.kind == litmus::ThreadStatement::Kind::start;
  const auto thread = other.thread.value;
  const bool again = std::ranges::any_of(out_.path().events, [&](const PathEvent& e) {
    return start && (e.kinds & k_start) != 0 && e.object == thread;
  });
  if (thread == self_ || again) return out_.end_early(); // throws, or waits for ever
  const bool may_stop = start ? lifetimes_.started[thread] > 1 : in_vain_.for_thread(thread);
  if (may_stop && out_.stops_here()) return;
  add(start ? k_start : k_join, thread);
}

void Walk::run(const litmus::Statement& statement) {
  terms_.watch().demand();
  source_ = statement.span.begin;
  if (const auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
    registers_.at(assign->target.value) = value(assign->value, type_of(assign->target));
  } else if (const auto* a = std::get_if<litmus::Access>(&statement.node)) {
    const auto result = access(*a);
    if (a->target) give(*a->target, *a, result);
  } else if (const auto* fence = std::get_if<litmus::FenceStatement>(&statement.node)) {
    add(kind_of(fence->fence), 0, litmus::construct_of(fence->fence));
  } else if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
    run(out_.decide(value(branch->condition), true) ? branch->then_block : branch->else_block);
  } else if (const auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
    run_loop(*loop);
  } else if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node)) {
    run_monitor(*monitor);
  } else if (const auto* other = std::get_if<litmus::ThreadStatement>(&statement.node)) {
    run_thread(*other);
  } else if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
    run_new(*made);
  } else if (const auto* print = std::get_if<litmus::ExternalStatement>(&statement.node)) {
    value(print->value); // what is read on the way counts, what is printed is no final state
    add(k_external);
  } else {
    out_.cut();
  }
}

void Walk::run(const litmus::Block& block) {
  for (const auto& statement : block) {
    if (out_.is_over()) return;
    run(statement);
  }
}

/// Synthetic first and last actions (JLS 17.4.2) stand where another thread's synchronize with
/// them.
void Walk::run() {
  auto& path = out_.path();
  path.runs = lifetimes_.started[self_] == 0 || out_.decisions().choose(2) == 0;
  if (path.runs) {
    if (lifetimes_.started[self_] != 0) add(k_begin, self_);
    run(program_.threads[self_].body);
    if (lifetimes_.joined[self_] != 0 && !out_.is_over()) add(k_end, self_);
  }
  path.final_registers = std::move(registers_);
}

/// Those of all objects, and elements, 0 or null at first.
void add_fields(const litmus::Program& program, ProgramPaths& out) {
  for (std::uint32_t i = 0; i < program.objects.size(); ++i) {
    const litmus::ObjectId object{i};
    out.object_names.push_back(litmus::object_name(program, object));
    for (std::uint32_t place = 0; place < litmus::size_of(program, object); ++place) {
      out.initial.push_back(0);
      out.location_names.push_back(litmus::place_name(program, object, place));
      out.location_bits.push_back(bits_needed(litmus::field_of(program, object, place).type));
    }
  }
}

/// Locations that tear become their high halves; the low ones are added.
void split(const Halves& halves, std::size_t count, ProgramPaths& out) {
  for (std::uint32_t l = 0; l < count; ++l) {
    if (!halves.low(LocationId{l})) continue;
    const auto initial = out.initial[l];
    out.initial[l] = initial >> int_bits;
    out.initial.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(initial)));
    out.location_names.push_back(out.location_names[l] + ".low");
    out.location_names[l] += ".high";
    out.location_bits[l] = int_bits;
    out.location_bits.push_back(int_bits);
  }
}

ProgramPaths paths_of(const litmus::Program& program, const PathLimits& limits,
                      const InVain& in_vain) {
  ProgramPaths out;
  out.terms = TermPool(limits.watch);
  out.architecture = Architecture::java;
  for (const auto& location : program.locations) {
    if (location.is_final) throw Unsupported("final variables");
    out.initial.push_back(location.initial);
    out.location_names.push_back(location.name);
    out.location_bits.push_back(bits_needed(location.type));
  }
  const FieldLocations fields(program);
  add_fields(program, out);
  const Halves halves(program, fields, limits.tearing);
  split(halves, fields.count(), out);
  out.monitor_names = program.monitors;
  out.uses = litmus::constructs_of(program);
  const Writes writes(program, fields);
  out.volatile_writes = writes.all_volatile();
  out.volatile_writes.resize(out.initial.size(), 0); // what tears is plain
  const Lifetimes lifetimes(program);
  out.lifetimes = lifetimes.any();
  const Program whole{program,
                      fields,
                      writes,
                      halves,
                      lifetimes,
                      in_vain,
                      out.uses.has(litmus::Construct::final_fields)};
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    out.threads.push_back(all_paths(
        out.terms, limits, [&](PathBuilder& builder) { Walk(whole, t, builder, out.sets).run(); }));
    out.threads.back().started_by_others = lifetimes.started[t] != 0;
    out.cut = out.cut || out.threads.back().cut;
    out.idle = out.idle || out.threads.back().idle;
    out.may_stop = out.may_stop || out.threads.back().may_stop;
  }
  return out;
}

} // namespace

ProgramPaths paths_of(const litmus::Program& program, const PathLimits& limits) {
  for (InVain in_vain(program);;) {
    auto out = paths_of(program, limits, in_vain);
    if (!in_vain.learn(out)) return out;
  }
}

constinit const FrontEnd java_front_end{
    "Java", "Java", {}, [](const litmus::Test& test, const PathLimits& limits) {
      return paths_of(test.java(), limits);
    }};

} // namespace thinair::graph
