// The orders of `with` choices, pair by pair: a guess first, then branching where it matters.
#include "oracle/executions/search.h"

#include <algorithm>

namespace thinair::executions {

namespace rows = graph::rows;

/// Pairs that the model's order has come to demand. False: they contradict what is certain.
template <std::size_t W>
bool Search<W>::absorb_demands(bool& changed) {
  auto& orders = circuit_.orders();
  for (std::size_t c = 0; c < orders.size(); ++c) {
    auto& order = orders[c];
    if (!order.ready || !order.demanded) continue;
    bool possible = true;
    order.domain.for_each([&](std::size_t a) {
      const auto fresh =
          (order.demanded[a] & circuit_.class_of(order, static_cast<EventId>(a))) - order.rows[a];
      fresh.for_each([&](std::size_t b) {
        if (b == a || order.rows[b].contains(a)) possible = false;
        if (!possible) return;
        rows::add_closed(order.rows, a, b, n_);
        circuit_.touch(d_choice(c));
        changed = true;
      });
    });
    if (!possible) return false;
  }
  return true;
}

/// A pair that must not be added is there the other way round.
template <std::size_t W>
bool Search<W>::prune_orders(bool& changed) {
  auto& orders = circuit_.orders();
  for (std::size_t c = 0; c < orders.size(); ++c) {
    auto& order = orders[c];
    if (!order.ready || !order.forbidden) continue;
    bool possible = true;
    order.domain.for_each([&](std::size_t a) {
      auto against =
          (order.forbidden[a] & circuit_.class_of(order, static_cast<EventId>(a))) - order.rows[a];
      against.erase(a);
      against.for_each([&](std::size_t b) {
        if (!possible || order.rows[b].contains(a)) return;
        if (order.rows[a].contains(b)) { // by what was added just now
          possible = false;
          return;
        }
        rows::add_closed(order.rows, b, a, n_);
        circuit_.touch(d_choice(c));
        changed = true;
      });
    });
    if (!possible) return false;
  }
  return true;
}

/// The first pair that no order decides yet; `among` those (n rows a choice), either way round.
template <std::size_t W>
bool Search<W>::open_pair(std::size_t& choice, EventId& a, EventId& b, const Set* among) const {
  auto& orders = const_cast<Circuit<W>&>(circuit_).orders();
  for (std::size_t c = 0; c < orders.size(); ++c) {
    const auto& order = orders[c];
    if (!order.ready) continue;
    for (auto left = order.domain; !left.empty();) {
      const auto x = left.least();
      left.erase(x);
      auto open = (circuit_.class_of(order, static_cast<EventId>(x)) & left) - order.rows[x];
      while (!open.empty()) {
        const auto y = open.least();
        open.erase(y);
        if (order.rows[y].contains(x)) continue;
        const auto* telling = among ? among + c * n_ : nullptr;
        if (telling && !telling[x].contains(y) && !telling[y].contains(x)) continue;
        choice = c;
        a = static_cast<EventId>(x);
        b = static_cast<EventId>(y);
        return true;
      }
    }
  }
  return false;
}

/// Makes an order total, along the last good one where it is free.
template <std::size_t W>
void Search<W>::extend(std::size_t choice) {
  auto& order = circuit_.orders()[choice];
  const auto& rank = ranks_[choice];
  Set after; // placed from the back
  for (auto left = order.domain; !left.empty();) {
    EventId last = no_event;
    left.for_each([&](std::size_t e) {
      if (order.rows[e].intersects(left)) return;
      if (last == no_event || rank[e] > rank[last]) last = static_cast<EventId>(e);
    });
    order.rows[last] |= after & circuit_.class_of(order, last);
    left.erase(last);
    after.insert(last);
  }
  circuit_.touch(d_choice(choice));
}

template <std::size_t W>
void Search<W>::remember() {
  if (!one_order()) return;
  const auto& orders = circuit_.orders();
  for (std::size_t c = 0; c < orders.size(); ++c) {
    const auto all = static_cast<EventId>(n_);
    orders[c].domain.for_each([&](std::size_t e) {
      ranks_[c][e] = all - static_cast<EventId>(orders[c].rows[e].size());
    });
  }
  if (!one_each()) return;
  for (auto v = reads_; v < variables_; ++v) good_finals_[v - reads_] = chosen_[v];
}

/// Only final writes that nobody asks for are open: tries the last good ones.
template <std::size_t W>
auto Search<W>::guess_finals() -> Outcome {
  if (values_.unknown() > 0) return Outcome::nothing;
  for (std::size_t v = 0; v < reads_; ++v)
    if (!decided(v)) return Outcome::nothing;
  const auto frame = save();
  for (auto v = reads_; v < variables_; ++v) {
    if (decided(v)) continue;
    const auto good = good_finals_[v - reads_];
    auto last = domains_[v].least();
    domains_[v].for_each([&](std::size_t e) { last = e; });
    const bool use = good != no_event && domains_[v].contains(good);
    assign(v, use ? good : static_cast<EventId>(last));
  }
  auto outcome = Outcome::nothing;
  bool changed = false;
  if (circuit_.forward() && absorb_demands(changed)) outcome = guess_orders();
  restore(frame);
  return outcome;
}

template <std::size_t W>
auto Search<W>::guess_orders() -> Outcome {
  const auto frame = save();
  const auto outcome = try_orders();
  restore(frame);
  return outcome;
}

/// Makes every order total as in the last good execution. What it leaves behind is for the caller
/// to undo.
template <std::size_t W>
auto Search<W>::try_orders() -> Outcome {
  const auto& orders = circuit_.orders();
  if (!std::ranges::all_of(orders, &OrderState<W>::ready)) return Outcome::nothing;
  for (std::size_t c = 0; c < orders.size(); ++c) extend(c);
  bool changed = false;
  const bool good = circuit_.forward() && absorb_demands(changed) && !changed && circuit_.holds();
  return good ? found() : Outcome::nothing;
}

template <std::size_t W>
auto Search<W>::settle_orders() -> Outcome {
  if (!telling_.empty() && !any_order_) return settle_distinct();
  auto& orders = circuit_.orders();
  std::size_t choice = 0;
  EventId a = 0, b = 0;
  if (!open_pair(choice, a, b)) {
    for (std::size_t c = 0; c < orders.size(); ++c)
      if (!orders[c].ready) return settle_late(c);
    return circuit_.holds() ? found() : Outcome::nothing;
  }
  if (one_order()) {
    if (const auto outcome = guess_orders(); outcome != Outcome::nothing) return outcome;
    if (ranks_[choice][b] < ranks_[choice][a]) std::swap(a, b);
  }
  const auto first = try_pair(choice, a, b);
  if (first != Outcome::nothing) return first;
  return try_pair(choice, b, a);
}

/// Branches on the pairs that tell executions apart; then one witness is enough.
template <std::size_t W>
auto Search<W>::settle_distinct() -> Outcome {
  std::size_t choice = 0;
  EventId a = 0, b = 0;
  if (open_pair(choice, a, b, telling_.data())) {
    const auto first = try_pair(choice, a, b);
    return first != Outcome::nothing ? first : try_pair(choice, b, a);
  }
  any_order_ = true;
  const auto outcome = settle_orders();
  any_order_ = false;
  return outcome == Outcome::stop ? outcome : Outcome::nothing;
}

template <std::size_t W>
auto Search<W>::try_pair(std::size_t choice, EventId a, EventId b) -> Outcome {
  if (!budget_.spend(n_)) return Outcome::stop;
  const auto frame = save();
  rows::add_closed(circuit_.orders()[choice].rows, a, b, n_);
  circuit_.touch(d_choice(choice));
  const auto outcome = propagate() ? settle_orders() : Outcome::nothing;
  restore(frame);
  return outcome;
}

/// A choice whose set or order depends on what was decided before it.
template <std::size_t W>
auto Search<W>::settle_late(std::size_t choice) -> Outcome {
  const Deps decided = d_choice(choice) - 1;
  auto& order = circuit_.orders()[choice];
  auto outcome = Outcome::nothing;
  const auto attempt = [&] {
    circuit_.touch(d_choice(choice));
    outcome = propagate() ? settle_orders() : Outcome::nothing;
  };
  const auto frame = save();
  if (analysis_.plan.choices[choice].kind == cat::Choice::Kind::interpreted) {
    order.ready = true; // with nothing to order
    order.domain = {};
    for (const auto& relation : circuit_.alternatives(choice, decided)) {
      if (!budget_.spend(n_)) outcome = Outcome::stop;
      if (outcome != Outcome::nothing) break;
      const auto before = save(); // registers hold what follows from one of them only
      std::copy(relation.begin(), relation.end(), order.rows);
      attempt();
      restore(before);
    }
  } else if (circuit_.settle_order(choice, decided)) {
    attempt();
  }
  restore(frame);
  order.ready = false;
  order.domain = {};
  return outcome;
}

template class Search<1>;
template class Search<4>;

} // namespace thinair::executions
