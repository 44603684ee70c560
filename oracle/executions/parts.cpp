// Two abstract runs of a plan: one follows what becomes of each node when events are left out, the
// other what is certain of two events in whatever surroundings.
#include "oracle/executions/parts.h"

#include <algorithm>

namespace thinair::executions {
namespace {

using cat::NodeId;
using cat::Op;
using graph::Input;

/// What becomes of a node's value when only a part of the execution is left.
struct Fate {
  bool shrinks = false; // what is in it there was in it before
  bool keeps = false;   // what was in it, and lies within the part, is in it there
  bool nothing = false; // it is empty there
};

constexpr Fate lost{};
constexpr Fate same_fate{.shrinks = true, .keeps = true};

class Parts {
 public:
  Parts(const cat::Plan& plan, graph::Kinds kinds) : plan_(plan), kinds_(kinds) {
    fates_.assign(plan.nodes.size(), same_fate); // of a recursion: until it is refuted
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId w = 0; w < plan.nodes.size(); ++w) changed |= follow(w);
    }
  }

  bool choices_restrict() const {
    return std::ranges::all_of(plan_.choices, [&](const cat::Choice& c) { return restricts(c); });
  }

  bool holds(const cat::Axiom& axiom) const {
    if (axiom.effect != cat::Axiom::Effect::required) return true;
    return !axiom.negated && fates_[axiom.node].shrinks;
  }

 private:
  /// A total order of the part's events, cut out of one of the whole.
  bool restricts(const cat::Choice& choice) const {
    if (choice.kind == cat::Choice::Kind::interpreted) return false;
    const auto& set = fates_[choice.set];
    return set.shrinks && set.keeps && fates_[choice.order].shrinks;
  }

  Fate of_input(Input input) const;
  Fate of_kinds(graph::Kinds kinds) const {
    return {.shrinks = true, .keeps = true, .nothing = (kinds_ & kinds) == 0};
  }
  Fate fate(const cat::Node& node) const;

  bool follow(NodeId w) {
    auto now = fate(plan_.nodes[w]);
    if (now.nothing) now.shrinks = true;
    auto& before = fates_[w];
    const bool changed =
        now.shrinks != before.shrinks || now.keeps != before.keeps || now.nothing != before.nothing;
    before = now;
    return changed;
  }

  const cat::Plan& plan_;
  graph::Kinds kinds_;
  std::vector<Fate> fates_; // by node
};

Fate Parts::of_input(Input input) const {
  switch (input) {
  case Input::rf: return {.shrinks = true};
  case Input::final_writes: // another write may be the last of the part
  case Input::granted: return lost;
  case Input::lock: return of_kinds(graph::k_lock);
  case Input::unlock: return of_kinds(graph::k_unlock);
  case Input::critical: return of_kinds(graph::k_lock);
  case Input::external_action: return of_kinds(graph::k_external);
  case Input::freeze: return of_kinds(graph::k_freeze);
  case Input::frozen: return of_kinds(graph::k_freeze);
  case Input::fences: return of_kinds(graph::k_fence);
  case Input::load_load: return of_kinds(graph::k_load_load);
  case Input::store_store: return of_kinds(graph::k_store_store);
  case Input::universe:
  case Input::reads:
  case Input::writes:
  case Input::memory:
  case Input::initial_writes:
  case Input::branches:
  case Input::rmw_events:
  case Input::failed:
  case Input::plain_:
  case Input::opaque:
  case Input::acquire:
  case Input::release:
  case Input::release_acquire:
  case Input::volatile_:
  case Input::id:
  case Input::loc:
  case Input::internal:
  case Input::external:
  case Input::po:
  case Input::rmw:
  case Input::amo:
  case Input::lxsx:
  case Input::iico:
  case Input::addr:
  case Input::data:
  case Input::ctrl:
  case Input::pick_addr:
  case Input::pick_data:
  case Input::pick_ctrl:
  case Input::thread_start:
  case Input::thread_begin:
  case Input::thread_end:
  case Input::join_:
  case Input::first_tag:
  case Input::final_:
  case Input::dereferences:
  case Input::passes:
  case Input::lifetime: break;
  }
  return same_fate;
}

Fate Parts::fate(const cat::Node& node) const {
  const auto a = [&] { return fates_[node.a]; };
  const auto b = [&] { return fates_[node.b]; };
  const auto is_po = [&](NodeId w) {
    return plan_.nodes[w].op == Op::input && plan_.nodes[w].input == Input::po;
  };
  switch (node.op) {
  case Op::input: return of_input(node.input);
  case Op::empty: return {.shrinks = true, .keeps = true, .nothing = true};
  case Op::unite:
    return {a().shrinks && b().shrinks, a().keeps && b().keeps, a().nothing && b().nothing};
  case Op::intersect:
  case Op::product:
  case Op::restrict_domain:
  case Op::restrict_range:
    return {a().shrinks && b().shrinks, a().keeps && b().keeps, a().nothing || b().nothing};
  case Op::subtract: return {a().shrinks && b().keeps, a().keeps && b().shrinks, a().nothing};
  case Op::complement: return {a().keeps, a().shrinks, false};
  case Op::compose: // what lies between may be left out
    return {a().shrinks && b().shrinks, false, a().nothing || b().nothing};
  case Op::inverse:
  case Op::identity_on:
  case Op::optional_: {
    const bool empty = a().nothing && node.op != Op::optional_;
    return {a().shrinks, a().keeps, empty};
  }
  case Op::plus:
  case Op::domain: return {a().shrinks, false, a().nothing};
  case Op::star: return {a().shrinks, false, false};
  case Op::range: return {a().shrinks, is_po(node.a), a().nothing}; // who comes before is there
  case Op::choice: return restricts(plan_.choices[node.a]) ? same_fate : lost;
  case Op::variable: {
    const auto& group = plan_.fixpoints[node.a];
    return {.shrinks = fates_[group.bodies[node.b]].shrinks};
  }
  case Op::interpreted: break;
  }
  return lost;
}

/// Of two events, 0 and 1: members of a set as two bits; pairs (x, y) as the bits 2x + y.
using Bits = unsigned;
constexpr Bits both_events = 3, all_pairs = 15, reflexive = 9;
constexpr Bits pair(unsigned x, unsigned y) { return 1U << (2 * x + y); }

Bits inverse(Bits r) {
  return (r & reflexive) | ((r & pair(0, 1)) != 0 ? pair(1, 0) : 0) |
         ((r & pair(1, 0)) != 0 ? pair(0, 1) : 0);
}

Bits compose(Bits a, Bits b) {
  Bits out = 0;
  for (unsigned x = 0; x < 2; ++x)
    for (unsigned y = 0; y < 2; ++y)
      for (unsigned z = 0; z < 2; ++z)
        if ((a & pair(x, y)) != 0 && (b & pair(y, z)) != 0) out |= pair(x, z);
  return out;
}

Bits closure(Bits r) { return r | compose(r, r); }
Bits rows_of(Bits set) { return ((set & 1U) != 0 ? 3U : 0U) | ((set & 2U) != 0 ? 12U : 0U); }
Bits columns(Bits set) { return ((set & 1U) != 0 ? 5U : 0U) | ((set & 2U) != 0 ? 10U : 0U); }
Bits domain(Bits r) { return ((r & 3U) != 0 ? 1U : 0U) | ((r & 12U) != 0 ? 2U : 0U); }
Bits range(Bits r) { return ((r & 5U) != 0 ? 1U : 0U) | ((r & 10U) != 0 ? 2U : 0U); }

/// What is known of two volatile accesses.
struct Facts {
  bool program_order = false; // 0 comes before 1 in their thread
  bool reads_from = false;    // they are of one location, and 1 sees 0
  std::uint32_t order = ~0U;  // a choice of the model that has 1 before 0
};

/// Bounds of each node's value on two events of any execution with these facts.
class Pair {
 public:
  Pair(const cat::Plan& plan, const Facts& facts) : plan_(plan), facts_(facts) {
    bounds_.resize(plan.nodes.size());
    for (NodeId w = 0; w < plan.nodes.size(); ++w) bounds_[w] = bound(plan.nodes[w]);
  }

  Bits certain(NodeId w) const { return bounds_[w].low; }

  bool fails(const cat::Axiom& axiom) const {
    if (axiom.effect != cat::Axiom::Effect::required || axiom.negated) return false;
    const auto low = bounds_[axiom.node].low;
    switch (axiom.kind) {
    case cat::Axiom::Kind::acyclic: return (closure(low) & reflexive) != 0;
    case cat::Axiom::Kind::irreflexive: return (low & reflexive) != 0;
    case cat::Axiom::Kind::empty: return low != 0;
    }
    return false;
  }

 private:
  struct Bounds {
    Bits low = 0, high = 0;
  };

  static Bits everything(const cat::Node& node) {
    return node.type == graph::Type::relation ? all_pairs : both_events;
  }
  Bounds input(const cat::Node& node) const;
  Bounds bound(const cat::Node& node) const;

  const cat::Plan& plan_;
  Facts facts_;
  std::vector<Bounds> bounds_; // by node
};

auto Pair::input(const cat::Node& node) const -> Bounds {
  const Bits all = everything(node);
  if (node.input == Input::universe || node.input == Input::memory ||
      node.input == Input::volatile_)
    return {all, all};
  if (node.input == Input::id) return {reflexive, reflexive};
  if (node.input == Input::initial_writes) return {0, 0};
  if (node.input == Input::po && facts_.program_order) return {pair(0, 1), pair(0, 1)};
  if (!facts_.reads_from) return {0, all};
  if (node.input == Input::writes) return {1, all};
  if (node.input == Input::reads) return {2, all};
  if (node.input == Input::loc) return {all, all};
  if (node.input == Input::rf) return {pair(0, 1), all};
  return {0, all};
}

auto Pair::bound(const cat::Node& node) const -> Bounds {
  const Bits all = everything(node);
  const auto a = [&] { return bounds_[node.a]; };
  const auto b = [&] { return bounds_[node.b]; };
  switch (node.op) {
  case Op::input: return input(node);
  case Op::empty: return {0, 0};
  case Op::unite: return {a().low | b().low, a().high | b().high};
  case Op::intersect: return {a().low & b().low, a().high & b().high};
  case Op::subtract: return {a().low & ~b().high, a().high & ~b().low};
  case Op::complement: return {all & ~a().high, all & ~a().low};
  case Op::compose: return {compose(a().low, b().low), all};
  case Op::inverse: return {inverse(a().low), inverse(a().high)};
  case Op::plus: return {closure(a().low), all};
  case Op::star: return {closure(a().low) | reflexive, all};
  case Op::optional_: return {a().low | reflexive, a().high | reflexive};
  case Op::product:
    return {rows_of(a().low) & columns(b().low), rows_of(a().high) & columns(b().high)};
  case Op::identity_on: {
    const auto on = [](Bits set) { return rows_of(set) & columns(set) & reflexive; };
    return {on(a().low), on(a().high)};
  }
  case Op::restrict_domain: return {a().low & rows_of(b().low), a().high & rows_of(b().high)};
  case Op::restrict_range: return {a().low & columns(b().low), a().high & columns(b().high)};
  case Op::domain: return {domain(a().low), all};
  case Op::range: return {range(a().low), all};
  case Op::choice:
    if (node.a == facts_.order) return {pair(1, 0), pair(1, 0)};
    return {0, all};
  case Op::variable:
  case Op::interpreted: break;
  }
  return {0, all};
}

} // namespace

bool holds_of_parts(const cat::Plan& plan, graph::Kinds kinds) {
  const Parts parts(plan, kinds);
  return parts.choices_restrict() &&
         std::ranges::all_of(plan.axioms, [&](const cat::Axiom& a) { return parts.holds(a); });
}

bool orders_volatile(const cat::Plan& plan) {
  const Pair in_thread(plan, {.program_order = true});
  for (std::uint32_t c = 0; c < plan.choices.size(); ++c) {
    const auto& choice = plan.choices[c];
    if (choice.kind != cat::Choice::Kind::linearisations) continue;
    if (in_thread.certain(choice.set) != both_events) continue;
    if ((in_thread.certain(choice.order) & pair(0, 1)) == 0) continue;
    const Pair backwards(plan, {.reads_from = true, .order = c});
    if (std::ranges::any_of(plan.axioms, [&](const auto& a) { return backwards.fails(a); }))
      return true;
  }
  return false;
}

} // namespace thinair::executions
