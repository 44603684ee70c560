// Bounds, steps and passes, one after the other.
#include "oracle/executions/circuit.h"

namespace thinair::executions {

namespace rows = graph::rows;

template <std::size_t W>
bool Circuit<W>::load(const Skeleton& skeleton, const Set* sources, const Set& finals) {
  dirty_ = 0; // registers hold what is certain with nothing decided
  return bounds_.load(skeleton, sources, finals) && steps_.wire_up(bounds_, want_shown_);
}

template <std::size_t W>
bool Circuit<W>::forward() {
  const auto changed = dirty_;
  dirty_ = 0;
  return forward_.run(changed);
}

template <std::size_t W>
void Circuit<W>::raised(std::vector<std::uint32_t>& out) const {
  for (const auto i : steps_.open_axioms()) {
    const auto& axiom = bounds_.plan().axioms[i];
    if (axiom.effect == cat::Axiom::Effect::required) continue;
    const auto* at = value(axiom.node);
    bool good = false;
    switch (axiom.kind) {
    case cat::Axiom::Kind::acyclic: good = rows::acyclic(at, size()); break;
    case cat::Axiom::Kind::irreflexive: good = rows::irreflexive(at, size()); break;
    case cat::Axiom::Kind::empty: good = rows::empty(at, bounds_.rows_of(axiom.node)); break;
    }
    // `flag P` speaks up where P holds, `undefined_unless P` where it does not.
    const bool flags = axiom.effect == cat::Axiom::Effect::flag;
    if ((good != axiom.negated) == flags) out.push_back(i);
  }
}

template <std::size_t W>
void Circuit<W>::run_decided(Deps decided) {
  forward_.run_decided(decided);
  dirty_ = d_all;
}

template <std::size_t W>
bool Circuit<W>::settle_order(std::size_t index, Deps decided) {
  run_decided(decided);
  const auto& choice = bounds_.plan().choices[index];
  return bounds_.start_order(orders()[index], *value(choice.set), value(choice.order));
}

template <std::size_t W>
std::vector<std::vector<graph::EventSet<W>>> Circuit<W>::alternatives(std::size_t index,
                                                                      Deps decided) {
  run_decided(decided);
  return bounds_.alternatives(index);
}

template class Circuit<1>;
template class Circuit<4>;

} // namespace thinair::executions
