// A thread runs again and again, with one read returning another value each time.
#include "tests/causality/letter_traces.h"

#include "litmus/modes.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <algorithm>
#include <map>
#include <variant>

namespace thinair::causality::letter {
namespace {

using litmus::Expression;
using litmus::Mode;
using litmus::Operator;

/// A run that goes no further: an exception, or enough rounds of a loop.
struct Ends {};

struct Choice {
  std::size_t taken = 0, count = 1;
};

class Run {
 public:
  Run(const litmus::Program& program, std::size_t thread, const Domain& domain,
      const Limits& limits, std::vector<Choice>& choices)
      : program_(program), places_(program), thread_(thread), domain_(domain), limits_(limits),
        choices_(choices) {
    for (const auto& reg : program.threads[thread].registers)
      trace_.registers.push_back(static_cast<std::int32_t>(reg.initial));
  }

  Trace run() {
    try {
      const bool started = named(litmus::ThreadStatement::Kind::start);
      if (started && choose(2) == 1) { // nobody starts it: it has done all it will do
        trace_.whole = true;
        return trace_;
      }
      if (started) add(Deed::begin, static_cast<std::uint32_t>(thread_));
      run(program_.threads[thread_].body);
      if (named(litmus::ThreadStatement::Kind::join))
        add(Deed::end, static_cast<std::uint32_t>(thread_));
      trace_.whole = true;
    } catch (const Ends&) {
      trace_.registers.clear();
    }
    return trace_;
  }

 private:
  bool named(litmus::ThreadStatement::Kind kind) const {
    bool found = false;
    for (const auto& thread : program_.threads)
      litmus::for_each_statement(thread.body, [&](const litmus::Statement& s) {
        const auto* node = std::get_if<litmus::ThreadStatement>(&s.node);
        found = found || (node != nullptr && node->kind == kind && node->thread.value == thread_);
      });
    return found;
  }

  std::size_t choose(std::size_t count) {
    if (at_ == choices_.size()) choices_.push_back({0, count});
    return choices_[at_++].taken;
  }

  void add(Deed deed, std::uint32_t object) {
    trace_.actions.push_back({.thread = thread_, .deed = deed, .object = object});
  }

  void access(Deed deed, std::uint32_t object, std::int32_t value, Mode mode, bool update) {
    Action action{.thread = thread_, .deed = deed, .object = object, .value = value};
    action.is_volatile = mode == Mode::volatile_;
    action.updates = update && deed == Deed::write;
    action.of_update = update && deed == Deed::read;
    action.mode = mode;
    trace_.actions.push_back(action);
  }

  std::int32_t value(const Expression& e) {
    if (e.op == Operator::constant) return static_cast<std::int32_t>(e.constant);
    if (e.op == Operator::reg) return trace_.registers.at(e.reg.value);
    if (e.op == Operator::access) return access(e);
    const auto a = value(e.arguments.at(0)), b = value(e.arguments.at(1));
    if (e.op == Operator::equal) return a == b ? 1 : 0;
    if (e.op == Operator::not_equal) return a != b ? 1 : 0;
    const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
    if (e.op == Operator::add) return static_cast<std::int32_t>(x + y);
    if (e.op == Operator::subtract) return static_cast<std::int32_t>(x - y);
    if (e.op == Operator::bit_xor) return static_cast<std::int32_t>(x ^ y);
    const bool divides = e.op == Operator::divide;
    THINAIR_CHECK(divides || e.op == Operator::remainder, "an operator that the twin lacks");
    if (b == 0) throw Ends{};
    return divides ? a / b : a % b;
  }

  /// A field or an element has a location behind those of the program. Null throws when the
  /// arguments have their values (JLS 15.26.1), and after it an index (JLS 15.10.4).
  litmus::LocationId place(litmus::LocationId location, const std::optional<litmus::FieldOf>& field,
                           std::int32_t index) {
    if (!field) return location;
    const auto reference = trace_.registers.at(field->object.value);
    if (reference == 0) throw Ends{};
    const litmus::ObjectId object{static_cast<std::uint32_t>(reference - 1)};
    if (!field->element) return places_.of(object, field->field);
    const auto length = program_.objects.at(object.value).length;
    if (index < 0 || static_cast<std::uint32_t>(index) >= length) throw Ends{};
    return places_.of(object, static_cast<std::uint32_t>(index));
  }

  template <class Node> // an Expression or an Access
  std::int32_t access(const Node& node) {
    const auto& info = litmus::info(node.method);
    std::vector<std::int32_t> given;
    for (const auto& argument : node.arguments) given.push_back(value(argument));
    const bool indexed = node.field && node.field->element;
    const auto where = place(node.location, node.field, indexed ? given.front() : 0);
    if (indexed) given.erase(given.begin());
    std::int32_t old = 0;
    if (litmus::reads(info.action)) {
      const auto& values = domain_[where.value];
      old = *std::next(values.begin(), static_cast<std::ptrdiff_t>(choose(values.size())));
      access(Deed::read, where.value, old, info.read, info.action != litmus::Action::get);
    }
    if (!litmus::writes(info.action)) return old;
    const bool update = litmus::reads(info.action);
    bool success = true;
    if (info.arguments == 2) {
      success = old == given[0];
      if (success && info.action == litmus::Action::weak_compare_and_set) success = choose(2) == 0;
    }
    if (success)
      access(Deed::write, where.value, written(info.action, old, given), info.write, update);
    const bool answers = info.arguments == 2 && info.action != litmus::Action::compare_and_exchange;
    return answers ? (success ? 1 : 0) : old;
  }

  static std::int32_t written(litmus::Action action, std::int32_t old,
                              const std::vector<std::int32_t>& given) {
    using enum litmus::Action;
    const auto a = static_cast<std::uint32_t>(old);
    const auto b = static_cast<std::uint32_t>(given.at(0));
    switch (action) {
    case get_and_add: return static_cast<std::int32_t>(a + b);
    case get_and_or: return static_cast<std::int32_t>(a | b);
    case get_and_and: return static_cast<std::int32_t>(a & b);
    case get_and_xor: return static_cast<std::int32_t>(a ^ b);
    case compare_and_set:
    case compare_and_exchange:
    case weak_compare_and_set: return given.at(1);
    case get:
    case set:
    case get_and_set: break;
    }
    return given.at(0);
  }

  void run(const litmus::Block& block) {
    for (const auto& statement : block) run(statement);
  }

  void run(const litmus::Statement& statement) {
    if (const auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
      const auto result = value(assign->value);
      trace_.registers.at(assign->target.value) = result;
    } else if (const auto* a = std::get_if<litmus::Access>(&statement.node)) {
      const auto result = access(*a);
      if (a->target) trace_.registers.at(a->target->value) = result;
    } else if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
      run(value(branch->condition) != 0 ? branch->then_block : branch->else_block);
    } else if (const auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      for (std::size_t round = 0; value(loop->condition) != 0; ++round) {
        if (round == limits_.rounds) throw Ends{};
        run(loop->body);
      }
    } else if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node)) {
      auto& depth = held_[monitor->monitor.value];
      if (!monitor->enter && depth == 0) throw Ends{};
      depth += monitor->enter ? 1 : -1;
      add(monitor->enter ? Deed::lock : Deed::unlock, monitor->monitor.value);
    } else if (const auto* other = std::get_if<litmus::ThreadStatement>(&statement.node)) {
      const bool start = other->kind == litmus::ThreadStatement::Kind::start;
      if (other->thread.value == thread_) throw Ends{};
      if (start && !started_.insert(other->thread.value).second) throw Ends{};
      add(start ? Deed::start : Deed::join, other->thread.value);
    } else if (const auto* print = std::get_if<litmus::ExternalStatement>(&statement.node)) {
      value(print->value);
      add(Deed::print, 0);
    } else if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
      trace_.registers.at(made->target.value) = static_cast<std::int32_t>(made->object.value) + 1;
      run(made->body);
    } else {
      const auto* fence = std::get_if<litmus::FenceStatement>(&statement.node);
      THINAIR_CHECK(fence != nullptr, "a statement that the twin lacks");
      if (!limits_.fences) return; // JLS 17.4 has none
      add(Deed::fence, 0);
      trace_.actions.back().fence = fence->fence;
    }
  }

  const litmus::Program& program_;
  const litmus::FieldLocations places_;
  std::size_t thread_;
  const Domain& domain_;
  const Limits& limits_;
  std::vector<Choice>& choices_;
  std::size_t at_ = 0;
  Trace trace_;
  std::map<std::uint32_t, int> held_;
  std::set<std::uint32_t> started_;
};

bool next(std::vector<Choice>& choices) {
  while (!choices.empty() && choices.back().taken + 1 == choices.back().count) choices.pop_back();
  if (choices.empty()) return false;
  ++choices.back().taken;
  return true;
}

} // namespace

std::set<Trace> traces(const litmus::Program& program, std::size_t thread, const Domain& domain,
                       const Limits& limits) {
  std::set<Trace> all;
  std::vector<Choice> choices;
  do {
    const auto trace = Run(program, thread, domain, limits, choices).run();
    if (trace.whole) all.insert(trace);
    Trace part;
    for (std::size_t i = 0; i <= trace.actions.size(); ++i) {
      all.insert(part);
      if (i < trace.actions.size()) part.actions.push_back(trace.actions[i]);
    }
  } while (next(choices));
  return all;
}

std::optional<Domain> domain_of(const litmus::Program& program, const Limits& limits) {
  Domain domain;
  for (const auto& location : program.locations)
    domain.push_back({static_cast<std::int32_t>(location.initial)});
  domain.resize(litmus::FieldLocations(program).count(), {0}); // JLS 17.4.4: default values
  for (bool more = true; more;) {
    more = false;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      for (const auto& trace : traces(program, t, domain, limits))
        for (const auto& action : trace.actions)
          if (action.deed == Deed::write)
            more = domain[action.object].insert(action.value).second || more;
    if (std::ranges::any_of(domain, [](const auto& values) { return values.size() > 5; }))
      return std::nullopt;
  }
  return domain;
}

} // namespace thinair::causality::letter
