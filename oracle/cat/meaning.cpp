// Reads declarations, and looks at the uses of sets in a plan.
#include "oracle/cat/meaning.h"

#include "litmus/text/error.h"
#include "oracle/cat/node_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace thinair::cat {
namespace {

using litmus::Construct;
using litmus::Constructs;

constexpr Constructs all_fences = Constructs(Construct::full_fence) | Construct::acquire_fence |
                                  Construct::release_fence | Construct::load_load_fence |
                                  Construct::store_store_fence | Construct::fence_instruction;

/// What a set of one mode says of accesses and of fences. As in herd, fences of loads acquire, and
/// fences of stores release.
struct ModeSet {
  Input input;
  Constructs accesses, fences;
};

constexpr auto mode_sets = std::to_array<ModeSet>({
    {Input::opaque, Construct::opaque, {}},
    {Input::acquire, Construct::acquire,
     Constructs(Construct::acquire_fence) | Construct::load_load_fence},
    {Input::release, Construct::release,
     Constructs(Construct::release_fence) | Construct::store_store_fence},
    {Input::release_acquire, Constructs(Construct::acquire) | Construct::release,
     Constructs(Construct::acquire_fence) | Construct::load_load_fence | Construct::release_fence |
         Construct::store_store_fence},
    {Input::volatile_, Construct::volatile_, Construct::full_fence},
});

/// Updates are spoken of in the modes that single accesses have.
constexpr auto updates_in = std::to_array<std::pair<Construct, Construct>>({
    {Construct::plain, Construct::plain_update},
    {Construct::acquire, Construct::acquire_update},
    {Construct::release, Construct::release_update},
    {Construct::volatile_, Construct::volatile_update},
});

class Uses {
 public:
  explicit Uses(const Plan& plan) : plan_(plan), users_(plan.judged), escapes_(plan.judged, 0) {
    for (NodeId id = 0; id < plan.judged; ++id) note_operands(id);
    for (const auto& axiom : plan.axioms) escapes_[axiom.node] = 1;
    for (const auto& choice : plan.choices)
      if (choice.kind != Choice::Kind::interpreted)
        escapes_[choice.set] = escapes_[choice.order] = 1;
    for (const auto& group : plan.fixpoints)
      for (const auto body : group.bodies)
        if (body < plan.judged) escapes_[body] = 1; // others are only shown
  }

  Constructs spoken_of() const {
    Constructs found = Construct::plain;
    for (NodeId id = 0; id < plan_.judged; ++id) {
      const Node& node = plan_.nodes[id];
      if (node.op != Op::input) continue;
      if (const auto* row = mode_set(id); row != nullptr && !picks_fences(id))
        found |= row->accesses;
      if (node.input == Input::fences) found |= fences_by(id);
      if (node.input == Input::load_load) found |= Construct::load_load_fence;
      if (node.input == Input::store_store) found |= Construct::store_store_fence;
      if (graph::is_tag(node.input)) found |= construct_of(node.input);
      if (is_update(node.input)) found |= Construct::atomic_instruction;
      if (node.input == Input::critical) found |= Construct::monitors;
      if (node.input == Input::frozen) found |= Construct::final_fields;
      if (node.input == Input::lifetime) found |= Construct::threads;
    }
    if (speaks_of(Input::rmw_events) || speaks_of(Input::failed))
      for (const auto& [access, update] : updates_in)
        if (found.has(access)) found |= update;
    return found;
  }

 private:
  static bool is_update(Input input) {
    return input == Input::rmw || input == Input::amo || input == Input::lxsx;
  }

  Construct construct_of(Input tag) const {
    const auto sets = plan_.architecture->sets;
    return graph::row_of(tag) < sets.size() ? sets[graph::row_of(tag)].construct : Construct::plain;
  }

  void note_operands(NodeId id) {
    const Node& node = plan_.nodes[id];
    for (const NodeId operand : operands_of(node)) users_[operand].push_back(id);
    if (node.op == Op::interpreted)
      for (const NodeId operand : plan_.interpreted[node.a].operands) escapes_[operand] = 1;
    if (node.op == Op::choice && plan_.choices[node.a].kind == Choice::Kind::interpreted)
      for (const NodeId operand : plan_.interpreted[plan_.choices[node.a].interpreted].operands)
        escapes_[operand] = 1;
  }

  bool is(NodeId id, Input input) const {
    return plan_.nodes[id].op == Op::input && plan_.nodes[id].input == input;
  }

  bool speaks_of(Input input) const {
    for (NodeId id = 0; id < plan_.judged; ++id)
      if (is(id, input)) return true;
    return false;
  }

  const ModeSet* mode_set(NodeId id) const {
    if (plan_.nodes[id].op != Op::input) return nullptr;
    const auto found = std::ranges::find(mode_sets, plan_.nodes[id].input, &ModeSet::input);
    return found == mode_sets.end() ? nullptr : &*found;
  }

  /// Operands of a tree of intersections.
  std::vector<NodeId> parts_of(NodeId id) const {
    if (plan_.nodes[id].op != Op::intersect) return {id};
    auto parts = parts_of(plan_.nodes[id].a);
    for (const NodeId part : parts_of(plan_.nodes[id].b)) parts.push_back(part);
    return parts;
  }

  /// The set meets F wherever it is used.
  bool picks_fences(NodeId id) const {
    if (escapes_[id] != 0) return false;
    return std::ranges::all_of(users_[id], [&](NodeId user) {
      const auto op = plan_.nodes[user].op;
      if (op != Op::intersect && op != Op::unite) return false;
      const auto parts = parts_of(user);
      const bool meets = std::ranges::any_of(parts, [&](NodeId p) { return is(p, Input::fences); });
      return (op == Op::intersect && meets) || picks_fences(user);
    });
  }

  /// The fences of a union of sets of modes; none where it is something else.
  Constructs fences_of(NodeId id) const {
    if (const auto* row = mode_set(id)) return row->fences;
    const Node& node = plan_.nodes[id];
    if (node.op != Op::unite) return {};
    const auto left = fences_of(node.a), right = fences_of(node.b);
    return left.empty() || right.empty() ? Constructs() : left | right;
  }

  /// The fences that a use of F, or of what it meets, speaks of.
  Constructs fences_by(NodeId id) const {
    for (const NodeId part : parts_of(id))
      if (const auto fences = fences_of(part); !fences.empty()) return fences;
    if (escapes_[id] != 0) return all_fences;
    Constructs found;
    for (const NodeId user : users_[id])
      found |= plan_.nodes[user].op == Op::intersect ? fences_by(user) : all_fences;
    return found;
  }

  const Plan& plan_;
  std::vector<std::vector<NodeId>> users_;
  std::vector<char> escapes_; // used by more than nodes
};

} // namespace

Declaration::Declaration(const std::vector<ast::Word>& words, const text::Source& source)
    : constructs_(Construct::plain), source_(source) {
  if (!words.empty()) span_ = {words.front().span.begin, words.back().span.end};
  for (const auto& word : words) {
    const auto found = litmus::constructs_named(word.text);
    if (found) {
      constructs_ |= *found;
      continue;
    }
    const auto known = litmus::construct_words();
    const auto near = nearest(word.text, known);
    throw InputError::at(
        source, word.span,
        fmt::format("'{}' is nothing that a model can give a meaning to", word.text),
        near ? fmt::format("did you mean '{}'?", *near)
             : fmt::format("there are {}", fmt::join(known, ", ")));
  }
}

void Declaration::check(Constructs spoken_of) const {
  const auto more = spoken_of - constructs_;
  if (more.empty()) return;
  throw InputError::at(source_, span_, fmt::format("the model also speaks of {}", to_string(more)),
                       fmt::format("add: {}", declaration_of(more)));
}

Constructs spoken_of(const Plan& plan) {
  constexpr Constructs instructions = Constructs(Construct::fence_instruction) |
                                      Construct::ordered_instruction |
                                      Construct::atomic_instruction;
  const auto found = Uses(plan).spoken_of();
  return plan.architecture.is_java() ? found - instructions : found & instructions;
}

graph::Tags unnamed(const Plan& plan) {
  if (plan.architecture.is_java()) return 0;
  graph::Tags named = 0, all = 0;
  bool every_fence = false;
  for (NodeId id = 0; id < plan.judged; ++id) {
    const Node& node = plan.nodes[id];
    if (node.op == Op::input && graph::is_tag(node.input))
      named |= plan.architecture->sets[graph::row_of(node.input)].tags;
    every_fence = every_fence || (node.op == Op::input && node.input == Input::fences);
  }
  for (const auto& row : plan.architecture->sets) {
    const bool by_all = row.fences && every_fence;
    // that an access is part of an update, the relation rmw says as well
    const bool needed =
        row.construct != Construct::plain && row.construct != Construct::atomic_instruction;
    if (needed && !by_all) all |= row.tags;
  }
  return all & ~named;
}

Constructs known_to(const Plan& plan, const std::optional<Declaration>& declared) {
  const auto found = spoken_of(plan);
  if (!declared) return found;
  declared->check(found);
  return declared->constructs();
}

} // namespace thinair::cat
