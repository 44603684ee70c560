// Enumeration without any pruning, evaluation without any bits.
#include "tests/executions/naive.h"

#include "machine/x86/front_end.h"
#include "oracle/graph/path.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace thinair::executions::naive {
namespace {

using cat::NodeId;
using cat::Op;
using graph::Input;
using litmus::Value;
using Id = std::size_t;
using Pairs = std::set<std::pair<Id, Id>>;
using Members = std::set<Id>;

struct Event {
  graph::PathEvent what;
  int thread = -1; // initial writes
  Id place = 0;
};

/// One candidate: events, rf (write by read), final write by location, and the orders chosen.
struct Candidate {
  const graph::ProgramPaths* program = nullptr;
  std::vector<const graph::Path*> paths;
  std::vector<Event> events;
  std::map<Id, Id> source;
  std::map<std::uint32_t, Id> last;
  std::vector<Pairs> chosen; // by choice
};

bool is(const Event& e, graph::Kinds kinds) { return (e.what.kinds & kinds) != 0; }
bool accesses(const Event& e) { return is(e, graph::k_read | graph::k_write); }
bool reads(const Event& e) { return is(e, graph::k_read); }
bool writes(const Event& e) { return is(e, graph::k_write); }

struct Value2 { // a set or a relation
  Members set;
  Pairs relation;
};

class Judge {
 public:
  Judge(const cat::Plan& plan, const Candidate& c) : plan_(plan), c_(c) {
    values_.resize(plan.nodes.size());
  }

  /// Nodes up to `end`, with the choices made so far.
  void run(std::size_t end) {
    for (NodeId w = 0; w < end; ++w) {
      const auto* group = group_starting(w);
      if (!group) {
        if (plan_.nodes[w].op != Op::variable) values_[w] = value(w);
        continue;
      }
      for (bool changed = true; changed;) {
        for (NodeId i = group->first; i < group->last; ++i)
          if (plan_.nodes[i].op != Op::variable) values_[i] = value(i);
        changed = false;
        for (Id i = 0; i < group->variables.size(); ++i) {
          auto& variable = values_[group->variables[i]].relation;
          if (variable == values_[group->bodies[i]].relation) continue;
          variable = values_[group->bodies[i]].relation;
          changed = true;
        }
      }
      w = group->last - 1;
    }
  }

  const Value2& operator[](NodeId w) const { return values_[w]; }

  bool axioms_hold() const {
    return std::ranges::all_of(plan_.axioms, [&](const cat::Axiom& a) {
      const auto& v = values_[a.node];
      bool good = false;
      if (a.kind == cat::Axiom::Kind::empty) good = v.set.empty() && v.relation.empty();
      if (a.kind == cat::Axiom::Kind::irreflexive) good = irreflexive(v.relation);
      if (a.kind == cat::Axiom::Kind::acyclic) good = irreflexive(closure(v.relation));
      return good != a.negated;
    });
  }

  static bool irreflexive(const Pairs& r) {
    return std::ranges::none_of(r, [](const auto& p) { return p.first == p.second; });
  }
  static Pairs compose(const Pairs& a, const Pairs& b) {
    Pairs out;
    for (const auto& [x, y] : a)
      for (auto i = b.lower_bound({y, 0}); i != b.end() && i->first == y; ++i)
        out.insert({x, i->second});
    return out;
  }
  static Pairs closure(Pairs r) {
    for (Id before = 0; before != r.size();) {
      before = r.size();
      r.merge(compose(r, r));
    }
    return r;
  }

 private:
  const cat::Fixpoint* group_starting(NodeId w) const {
    for (const auto& group : plan_.fixpoints)
      if (group.first == w) return &group;
    return nullptr;
  }
  Value2 value(NodeId w) const;
  std::optional<Value2> base_set(Input input) const; // none: no set
  Value2 input(Input input) const;
  Pairs identity() const {
    Pairs out;
    for (Id e = 0; e < c_.events.size(); ++e) out.insert({e, e});
    return out;
  }

  template <class Test>
  Value2 pairs(Test&& test) const {
    Value2 out;
    for (Id a = 0; a < c_.events.size(); ++a)
      for (Id b = 0; b < c_.events.size(); ++b)
        if (test(c_.events[a], c_.events[b])) out.relation.insert({a, b});
    return out;
  }
  Value2 members(graph::Kinds kinds) const {
    Value2 out;
    for (Id e = 0; e < c_.events.size(); ++e)
      if (is(c_.events[e], kinds)) out.set.insert(e);
    return out;
  }

  const cat::Plan& plan_;
  const Candidate& c_;
  std::vector<Value2> values_;
};

bool begins_or_ends(const Event& a, const Event& b) {
  const bool starts = is(a, graph::k_start) && is(b, graph::k_begin);
  const bool ends = is(a, graph::k_end) && is(b, graph::k_join);
  return (starts || ends) && a.what.object == b.what.object;
}

// Of all inputs, `base_set` knows the sets, and `input` the relations.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

std::optional<Value2> Judge::base_set(Input input) const {
  using namespace graph;
  Value2 out;
  if (is_tag(input)) {
    const auto tags = x86::architecture->sets[row_of(input)].tags;
    for (Id i = 0; i < c_.events.size(); ++i)
      if ((c_.events[i].what.tags & tags) != 0) out.set.insert(i);
    return out;
  }
  switch (input) {
  case Input::universe: return members(~Kinds{0}); // each event is of some kind
  case Input::reads: return members(k_read);
  case Input::writes: return members(k_write);
  case Input::memory: return members(k_read | k_write);
  case Input::initial_writes: return members(k_initial);
  case Input::final_writes:
    for (const auto& [location, w] : c_.last) out.set.insert(w);
    return out;
  case Input::fences: return members(k_fence);
  case Input::rmw_events: return members(k_rmw);
  case Input::failed: return members(k_failed);
  case Input::plain_: return members(k_plain);
  case Input::opaque: return members(k_opaque);
  case Input::acquire: return members(k_acquire);
  case Input::release: return members(k_release);
  case Input::release_acquire: return members(k_release | k_acquire);
  case Input::load_load: return members(k_load_load);
  case Input::store_store: return members(k_store_store);
  case Input::volatile_: return members(k_volatile);
  case Input::branches: return out;
  case Input::lock: return members(k_lock);
  case Input::unlock: return members(k_unlock);
  case Input::thread_start: return members(k_start);
  case Input::thread_begin: return members(k_begin);
  case Input::thread_end: return members(k_end);
  case Input::join_: return members(k_join);
  case Input::external_action: return members(k_external);
  case Input::freeze: return members(k_freeze);
  case Input::final_: return members(k_final);
  default: return std::nullopt;
  }
}

Value2 Judge::input(Input input) const {
  using namespace graph;
  const auto ordered = [](const Event& a, const Event& b) {
    return a.thread >= 0 && a.thread == b.thread && a.place < b.place;
  };
  const auto one = [](const Event& a, const Event& b) {
    return a.what.instruction == b.what.instruction;
  };
  const auto update = [&](const Event& a, const Event& b) {
    return ordered(a, b) && one(a, b) && reads(a) && writes(b);
  };
  if (auto set = base_set(input)) return *set;
  Value2 out;
  switch (input) {
  case Input::id: out.relation = identity(); return out;
  case Input::loc:
    return pairs([](const Event& a, const Event& b) {
      const bool monitors = is(a, k_lock | k_unlock) && is(b, k_lock | k_unlock);
      return (monitors && a.what.object == b.what.object) ||
             (accesses(a) && accesses(b) && a.what.location == b.what.location);
    });
  case Input::internal:
    return pairs([](const Event& a, const Event& b) { return a.thread == b.thread; });
  case Input::external:
    return pairs([](const Event& a, const Event& b) { return a.thread != b.thread; });
  case Input::po:
    return pairs([&](const Event& a, const Event& b) { return ordered(a, b) && !one(a, b); });
  case Input::rf:
    for (const auto& [r, w] : c_.source) out.relation.insert({w, r});
    return out;
  case Input::rmw:
  case Input::amo: // of x86, the one machine here
    return pairs([&](const Event& a, const Event& b) {
      return update(a, b) && (a.what.tags & x86::t_atomic) != 0;
    });
  case Input::iico: return pairs(update);
  case Input::lxsx:
  case Input::addr:
  case Input::pick_addr:
  case Input::pick_data:
  case Input::pick_ctrl: return out;
  case Input::critical:
    return pairs([](const Event& a, const Event& b) {
      return a.thread == b.thread && is(a, k_lock) && a.what.partner == b.place;
    });
  case Input::frozen:
    return pairs([](const Event& a, const Event& b) {
      return is(a, k_freeze) && is(b, k_final) && a.what.base == b.what.base;
    });
  case Input::dereferences:
    return pairs([](const Event& a, const Event& b) {
      return a.thread == b.thread && b.what.base_from == a.place;
    });
  case Input::passes:
    return pairs([](const Event& a, const Event& b) {
      return a.thread == b.thread && b.what.given_from == a.place;
    });
  case Input::lifetime:
    return pairs([](const Event& a, const Event& b) { return begins_or_ends(a, b); });
  case Input::data:
  case Input::ctrl:
  case Input::granted:
  default: break;
  }
  throw std::logic_error("an input that the twin does not have");
}

#pragma GCC diagnostic pop

Value2 Judge::value(NodeId w) const {
  const auto& node = plan_.nodes[w];
  const auto& a = node.op == Op::input || node.op == Op::choice ? Value2{} : values_[node.a];
  const auto& b = values_[node.b];
  const bool sets = node.type == graph::Type::set;
  Value2 out;
  const auto merge = [](const auto& x, const auto& y, auto how) {
    std::remove_cvref_t<decltype(x)> result;
    how(x, y, std::inserter(result, result.end()));
    return result;
  };
  const auto both = [&](auto how) {
    if (sets)
      out.set = merge(a.set, b.set, how);
    else
      out.relation = merge(a.relation, b.relation, how);
  };
  switch (node.op) {
  case Op::input: return input(node.input);
  case Op::empty: return out;
  case Op::unite:
    both([](auto& x, auto& y, auto to) { std::ranges::set_union(x, y, to); });
    return out;
  case Op::intersect:
    both([](auto& x, auto& y, auto to) { std::ranges::set_intersection(x, y, to); });
    return out;
  case Op::subtract:
    both([](auto& x, auto& y, auto to) { std::ranges::set_difference(x, y, to); });
    return out;
  case Op::complement:
    for (Id x = 0; x < c_.events.size(); ++x) {
      if (sets && !a.set.contains(x)) out.set.insert(x);
      for (Id y = 0; !sets && y < c_.events.size(); ++y)
        if (!a.relation.contains({x, y})) out.relation.insert({x, y});
    }
    return out;
  case Op::compose: out.relation = compose(a.relation, b.relation); return out;
  case Op::inverse:
    for (const auto& [x, y] : a.relation) out.relation.insert({y, x});
    return out;
  case Op::plus: out.relation = closure(a.relation); return out;
  case Op::star:
    out.relation = closure(a.relation);
    out.relation.merge(identity());
    return out;
  case Op::optional_:
    out.relation = a.relation;
    out.relation.merge(identity());
    return out;
  case Op::product:
    for (const auto x : a.set)
      for (const auto y : b.set) out.relation.insert({x, y});
    return out;
  case Op::identity_on:
    for (const auto x : a.set) out.relation.insert({x, x});
    return out;
  case Op::restrict_domain:
    for (const auto& p : a.relation)
      if (b.set.contains(p.first)) out.relation.insert(p);
    return out;
  case Op::restrict_range:
    for (const auto& p : a.relation)
      if (b.set.contains(p.second)) out.relation.insert(p);
    return out;
  case Op::domain:
    for (const auto& p : a.relation) out.set.insert(p.first);
    return out;
  case Op::range:
    for (const auto& p : a.relation) out.set.insert(p.second);
    return out;
  case Op::choice:
    if (node.a < c_.chosen.size()) out.relation = c_.chosen[node.a];
    return out;
  case Op::variable:
  case Op::interpreted: break;
  }
  throw std::logic_error("an operator that the twin does not have");
}

/// All total orders of `items` that contain `order`; by class: for each class, united.
std::vector<Pairs> orders(const std::vector<Members>& classes, const Pairs& order) {
  std::vector<Pairs> all{{}};
  for (const auto& members : classes) {
    std::vector<Pairs> next;
    std::vector<Id> items(members.begin(), members.end());
    do {
      Pairs total;
      for (Id i = 0; i < items.size(); ++i)
        for (Id j = i + 1; j < items.size(); ++j) total.insert({items[i], items[j]});
      const bool fits = std::ranges::all_of(order, [&](const auto& p) {
        return !members.contains(p.first) || !members.contains(p.second) || total.contains(p);
      });
      if (!fits) continue;
      for (const auto& before : all) {
        next.push_back(before);
        next.back().insert(total.begin(), total.end());
      }
    } while (std::ranges::next_permutation(items).found);
    all = std::move(next);
  }
  return all;
}

class Enumerate {
 public:
  Enumerate(const litmus::Test& test, const cat::Plan& plan)
      : test_(test), plan_(plan), program_(graph::paths_of(test)),
        observables_(litmus::observables(test)) {
    if (!plan.orders_memory) std::erase_if(observables_, [](const auto& o) { return !o.thread; });
  }

  Answer run() {
    choose_path(0);
    return answer_;
  }

 private:
  void choose_path(std::size_t thread);
  void lay_out();
  void choose_source(std::size_t at);
  void values_then_finals();
  void choose_final(std::size_t at);
  void choose_order(std::size_t choice);
  bool holds(const litmus::Behaviour& state) const {
    return !test_.filter || litmus::holds(*test_.filter, observables_, state);
  }
  std::uint32_t location(const litmus::Observable& o) const {
    return static_cast<std::uint32_t>(std::ranges::find(program_.location_names, o.name) -
                                      program_.location_names.begin());
  }
  Value written(Id w) const { // its variables are known
    const auto& e = c_.events[w];
    return e.thread < 0 ? program_.initial[e.what.location.value]
                        : *program_.terms.evaluate(e.what.written, assignment_);
  }
  litmus::Behaviour state() const;

  const litmus::Test& test_;
  const cat::Plan& plan_;
  graph::ProgramPaths program_;
  std::vector<litmus::Observable> observables_;
  Candidate c_;
  std::vector<std::uint32_t> ways_; // by thread, of those chosen: index of the path
  std::vector<Id> reads_;
  std::vector<std::uint32_t> finals_; // locations that are observed and touched
  std::vector<Value> assignment_;
  Answer answer_;
};

void Enumerate::choose_path(std::size_t thread) {
  if (thread == program_.threads.size()) {
    if (graph::compatible(program_, ways_)) lay_out();
    return;
  }
  const auto& paths = program_.threads[thread].paths;
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    c_.paths.push_back(&paths[i]);
    ways_.push_back(i);
    choose_path(thread + 1);
    ways_.pop_back();
    c_.paths.pop_back();
  }
}

void Enumerate::lay_out() {
  c_.program = &program_;
  c_.events.clear();
  c_.last.clear();
  c_.chosen.clear();
  c_.source.clear();
  reads_.clear();
  finals_.clear();
  Members touched;
  for (const auto* path : c_.paths)
    for (const auto& e : path->events)
      if ((e.kinds & (graph::k_read | graph::k_write)) != 0) touched.insert(e.location.value);
  for (const auto location : touched) {
    Event e;
    e.what.kinds = graph::k_write | graph::k_initial;
    e.what.location = litmus::LocationId(static_cast<std::uint32_t>(location));
    c_.events.push_back(e);
  }
  for (Id t = 0; t < c_.paths.size(); ++t)
    for (Id i = 0; i < c_.paths[t]->events.size(); ++i)
      c_.events.push_back({c_.paths[t]->events[i], static_cast<int>(t), i});
  for (Id e = 0; e < c_.events.size(); ++e)
    if (reads(c_.events[e])) reads_.push_back(e);
  for (const auto& o : observables_)
    if (!o.thread && touched.contains(location(o))) finals_.push_back(location(o));
  choose_source(0);
}

void Enumerate::choose_source(std::size_t at) {
  if (at == reads_.size()) return values_then_finals();
  const auto read = reads_[at];
  for (Id w = 0; w < c_.events.size(); ++w) {
    if (w == read || !writes(c_.events[w])) continue;
    if (c_.events[w].what.location != c_.events[read].what.location) continue;
    c_.source[read] = w;
    choose_source(at + 1);
  }
  c_.source.erase(read);
}

void Enumerate::values_then_finals() {
  assignment_.assign(program_.terms.variable_count(), 0);
  std::set<std::uint32_t> known;
  for (Id round = 0; round <= reads_.size(); ++round)
    for (const auto read : reads_) {
      const auto w = c_.source[read];
      bool ready = true;
      if (c_.events[w].thread >= 0)
        for (const auto v : program_.terms.variables_of(c_.events[w].what.written))
          ready = ready && known.contains(v.value);
      if (!ready) continue;
      if (c_.events[w].thread >= 0 &&
          !program_.terms.evaluate(c_.events[w].what.written, assignment_))
        return;
      assignment_[c_.events[read].what.read.value] = written(w);
      known.insert(c_.events[read].what.read.value);
    }
  if (known.size() < reads_.size()) {
    answer_.cyclic = true;
    return;
  }
  for (const auto* path : c_.paths) {
    for (const auto c : path->constraints)
      if (program_.terms.evaluate(c, assignment_).value_or(0) == 0) return;
    for (const auto d : path->must_divide)
      if (!program_.terms.evaluate(d, assignment_)) return;
  }
  choose_final(0);
}

void Enumerate::choose_final(std::size_t at) {
  if (at == finals_.size()) {
    if (holds(state())) choose_order(0);
    return;
  }
  for (Id w = 0; w < c_.events.size(); ++w) {
    if (!writes(c_.events[w]) || c_.events[w].what.location.value != finals_[at]) continue;
    c_.last[finals_[at]] = w;
    choose_final(at + 1);
  }
  c_.last.erase(finals_[at]);
}

litmus::Behaviour Enumerate::state() const {
  litmus::Behaviour out;
  for (const auto& o : observables_) {
    if (!o.thread) {
      const auto last = c_.last.find(location(o));
      const auto v = last == c_.last.end() ? program_.initial[location(o)] : written(last->second);
      out.push_back(v);
      continue;
    }
    std::size_t index = 0;
    if (const auto* java = std::get_if<litmus::Program>(&test_.program)) {
      const auto& registers = java->threads[o.thread->value].registers;
      index = static_cast<std::size_t>(
          std::ranges::find(registers, o.name, &litmus::Register::name) - registers.begin());
    } else {
      index = *test_.code().register_of(o);
    }
    out.push_back(
        *program_.terms.evaluate(c_.paths[o.thread->value]->final_registers[index], assignment_));
  }
  if (!test_.is_java())
    for (Id i = 0; i < out.size(); ++i)
      out[i] = litmus::as_declared(out[i], test_.code().type_of(observables_[i]));
  return out;
}

void Enumerate::choose_order(std::size_t choice) {
  Judge judge(plan_, c_);
  judge.run(plan_.nodes.size());
  if (choice == plan_.choices.size()) {
    if (!judge.axioms_hold()) return;
    ++answer_.executions;
    answer_.states.insert(state());
    return;
  }
  const auto& c = plan_.choices[choice];
  const auto& domain = judge[c.set].set;
  std::vector<Members> classes;
  if (c.kind == cat::Choice::Kind::linearisations) {
    classes.push_back(domain);
  } else {
    std::map<std::uint32_t, Members> by_location;
    for (const auto e : domain) by_location[c_.events[e].what.location.value].insert(e);
    for (const auto& [location, members] : by_location) classes.push_back(members);
  }
  const auto must = Judge::closure(judge[c.order].relation);
  for (const auto& order : orders(classes, must)) {
    c_.chosen.push_back(order);
    choose_order(choice + 1);
    c_.chosen.pop_back();
  }
}

} // namespace

Answer behaviours(const litmus::Test& test, const cat::Plan& model) {
  return Enumerate(test, model).run();
}

} // namespace thinair::executions::naive
