// Branch and propagate over reads and final writes.
#include "oracle/executions/search.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::executions {

bool Budget::spend(std::size_t events) {
  if (!go_on(events)) return false;
  if (++spent_ > most_) reason_ = Reason::reached(Limit::candidates);
  return reason_.empty();
}

bool Budget::go_on(std::size_t steps) {
  if (!reason_.empty()) return false;
  if (!watch_.step(1 + steps)) reason_ = watch_.reason();
  return reason_.empty();
}

template <std::size_t W>
auto Search<W>::save() -> Frame {
  const auto size = variables_ + circuit_.rows();
  if (saved_.size() < saved_used_ + size) saved_.resize(2 * (saved_used_ + size));
  auto* to = saved_.data() + saved_used_;
  std::copy_n(domains_.data(), variables_, to);
  const Frame frame{saved_used_, trail_.size(), values_.mark(), circuit_.save(to + variables_)};
  saved_used_ += size;
  return frame;
}

/// Back to the frame, which is dropped.
template <std::size_t W>
void Search<W>::restore(const Frame& frame) {
  rewind(frame);
  saved_used_ = frame.sets;
}

template <std::size_t W>
void Search<W>::rewind(const Frame& frame) {
  values_.undo(frame.values);
  const auto* from = saved_.data() + frame.sets;
  std::copy_n(from, variables_, domains_.data());
  circuit_.restore(from + variables_, frame.dirty);
  for (; trail_.size() > frame.trail; trail_.pop_back()) chosen_[trail_.back()] = no_event;
}

/// False: the values contradict each other.
template <std::size_t W>
bool Search<W>::assign(std::size_t variable, EventId event) {
  chosen_[variable] = event;
  domains_[variable] = Set::of(event);
  trail_.push_back(static_cast<std::uint32_t>(variable));
  if (!is_read(variable)) {
    circuit_.final_writes().insert(event);
    circuit_.touch(d_final);
    return true;
  }
  const auto read = skeleton_->reads()[variable];
  circuit_.rf()[event].insert(read);
  circuit_.touch(d_rf);
  return values_.read_from(read, event);
}

/// Bounds, then what they rule out, until nothing new follows. False: nothing can complete this.
template <std::size_t W>
bool Search<W>::propagate() {
  for (;;) {
    if (!budget_.go_on(n_)) return false; // the answer is unknown, whatever follows
    if (!circuit_.forward()) return false;
    bool changed = false;
    if (!absorb_demands(changed)) return false;
    if (changed) continue;
    std::size_t choice = 0;
    EventId a = 0, b = 0;
    if (trail_.size() == variables_ && !open_pair(choice, a, b)) return true;
    circuit_.backward();
    if (!prune(changed) || !prune_orders(changed)) return false;
    if (!changed) return true;
  }
}

/// Takes `forbidden` out of a domain; what has one value left is decided.
template <std::size_t W>
bool Search<W>::narrow(std::size_t variable, const Set& forbidden, bool& changed) {
  auto& domain = domains_[variable];
  domain -= forbidden;
  if (domain.empty()) return false;
  if (domain.size() > 1) return true;
  changed = true;
  return assign(variable, static_cast<EventId>(domain.least()));
}

template <std::size_t W>
bool Search<W>::prune(bool& changed) {
  const auto* rf = circuit_.forbidden_rf();
  for (std::size_t v = 0; v < variables_; ++v) {
    if (decided(v)) continue;
    Set forbidden;
    if (!is_read(v)) {
      if (circuit_.final_forbidden()) forbidden = *circuit_.final_forbidden();
    } else if (rf) {
      const auto read = skeleton_->reads()[v];
      domains_[v].for_each([&](std::size_t w) {
        if (rf[w].contains(read)) forbidden.insert(w);
      });
    }
    if (!narrow(v, forbidden, changed)) return false;
  }
  return true;
}

/// Values that a branch on the variable would try.
template <std::size_t W>
std::size_t Search<W>::choices_of(std::size_t variable) const {
  auto size = domains_[variable].size();
  if (twin_.empty()) return size;
  domains_[variable].for_each([&](std::size_t e) {
    if (repeats(variable, static_cast<EventId>(e))) --size;
  });
  return size;
}

/// The undecided variable with the fewest values, among those that matter; variables_ where none
/// does.
template <std::size_t W>
std::size_t Search<W>::pick(bool settled) const {
  std::size_t best = variables_, fewest = Set::capacity + 1;
  bool best_matters = false;
  for (std::size_t v = 0; v < variables_; ++v) {
    if (decided(v)) continue;
    const bool matters = settled || !one_each() || relevant_[v];
    const auto size = choices_of(v);
    if (matters < best_matters || (matters == best_matters && size >= fewest)) continue;
    best = v;
    fewest = size;
    best_matters = matters;
  }
  return best;
}

/// Fills in what is known of the final state; true when that is all of it.
template <std::size_t W>
bool Search<W>::observe() {
  bool all = true;
  for (std::size_t i = 0; i < setup_.observed.size(); ++i) {
    const auto& o = setup_.observed[i];
    known_[i] = 0;
    if (o.thread) {
      known_[i] = values_.asked_known(asked_of_[i]);
      if (known_[i]) state_[i] = o.shown(values_.asked(asked_of_[i]));
    } else if (const auto cell = skeleton_->cell_of(LocationId(o.index)); cell == no_event) {
      known_[i] = 1;
      state_[i] = o.shown(skeleton_->program().initial[o.index]);
    } else if (const auto last = final_write(cell); last != no_event && values_.known(last)) {
      known_[i] = 1;
      state_[i] = o.shown(values_.written(last));
    }
    all = all && known_[i];
  }
  return all;
}

template <std::size_t W>
bool Search<W>::excluded() const {
  return std::ranges::any_of(
      setup_.required, [&](const Predicate& p) { return p.evaluate(state_, known_) == Truth::no; });
}

/// Looks at what is known of the final state. False: no execution here is of interest.
template <std::size_t W>
bool Search<W>::interesting(bool& settled) {
  if (settled || (!one_each() && setup_.required.empty())) return true;
  const bool all = observe();
  if (excluded() || !goal_.may_want(state_, known_)) return false;
  if (!all || !one_each()) return true;
  settled = true;
  return goal_.wants(state_);
}

template <std::size_t W>
auto Search<W>::descend(const bool settled_before, const Decision* last) -> Outcome {
  if (!budget_.spend(n_)) return Outcome::stop;
  bool settled = settled_before;
  if (!interesting(settled)) return Outcome::nothing;
  auto outcome = Outcome::nothing;
  // With nothing left but orders, the last good ones often do: a look before any reasoning, on the
  // frame of the last decision, which is taken anew if they do not.
  if (settled && last && trail_.size() == variables_ && values_.unknown() == 0) {
    outcome = try_orders();
    if (outcome == Outcome::nothing) {
      rewind(last->frame);
      assign(last->variable, last->event);
    }
  }
  if (outcome == Outcome::nothing) {
    if (!propagate() || !interesting(settled)) return Outcome::nothing;
    outcome = branch(settled);
  }
  const bool settles = settled && !settled_before;
  return settles && outcome == Outcome::found ? Outcome::nothing : outcome;
}

/// Whether a smaller event stands for this one: the same of another thread that may change places
/// with its own, neither spoken of by any decision so far nor by `variable`. What follows from one
/// decision is then, up to that change, what follows from the other.
template <std::size_t W>
bool Search<W>::repeats(std::size_t variable, EventId event) const {
  if (twin_.empty()) return false;
  const auto events = skeleton_->events();
  const auto own = is_read(variable) ? events[skeleton_->reads()[variable]].thread : no_thread;
  const auto fresh = [&](EventId e) {
    const auto thread = events[e].thread;
    return thread != no_thread && thread != own && touched_[thread] == 0;
  };
  if (!fresh(event)) return false;
  bool found = false;
  domains_[variable].for_each([&](std::size_t i) {
    const auto e = static_cast<EventId>(i);
    found = found || (e < event && fresh(e) && events[e].index == events[event].index &&
                      twin_[events[e].thread] == twin_[events[event].thread]);
  });
  return found;
}

/// Counts the decision for the threads that it speaks of.
template <std::size_t W>
void Search<W>::touch(std::size_t variable, EventId event, int by) {
  if (twin_.empty()) return;
  const auto count = [&](EventId e) {
    if (const auto thread = skeleton_->events()[e].thread; thread != no_thread)
      touched_[thread] += by;
  };
  count(event);
  if (is_read(variable)) count(skeleton_->reads()[variable]);
}

template <std::size_t W>
auto Search<W>::branch(bool settled) -> Outcome {
  const auto variable = pick(settled);
  if (variable == variables_) return complete(settled);
  if (settled && !is_read(variable) && one_each()) {
    if (const auto outcome = guess_finals(); outcome != Outcome::nothing) return outcome;
  }
  for (auto left = domains_[variable]; !left.empty();) {
    const auto event = static_cast<EventId>(left.least());
    left.erase(event);
    if (repeats(variable, event)) continue;
    const Decision decision{save(), variable, event};
    touch(variable, event, 1);
    const auto outcome = assign(variable, event) ? descend(settled, &decision) : Outcome::nothing;
    touch(variable, event, -1);
    restore(decision.frame);
    if (outcome == Outcome::stop || (outcome == Outcome::found && settled)) return outcome;
  }
  return Outcome::nothing;
}

template <std::size_t W>
auto Search<W>::complete(bool settled) -> Outcome {
  if (values_.unknown() > 0) return complete_cycle();
  if (!settled) {
    observe();
    if (excluded() || (one_each() && !goal_.wants(state_))) return Outcome::nothing;
  }
  const auto outcome = settle_orders();
  return outcome == Outcome::found && !settled ? Outcome::nothing : outcome;
}

/// Some values depend on themselves. The axioms are asked first: they cost less than values do.
template <std::size_t W>
auto Search<W>::complete_cycle() -> Outcome {
  ++remarks_.value_cycles;
  cycle_ = true;
  cycle_solved_ = false;
  const auto outcome = settle_orders();
  cycle_ = false;
  return outcome == Outcome::stop ? outcome : Outcome::nothing;
}

template <std::size_t W>
auto Search<W>::found() -> Outcome {
  remember();
  bool stop = false;
  if (cycle_) {
    if (!cycle_solved_) solve_cycle();
    if (cycle_states_.empty()) return Outcome::found; // under other orders neither
    for (std::size_t i = 0; i < cycle_states_.size() && !stop; ++i)
      if (!setup_.want_shown || assign_values(i)) stop = goal_.found(cycle_states_[i].shown, *this);
  } else {
    if (!one_each()) observe();
    stop = goal_.found(state_, *this);
  }
  if (stop) return Outcome::stop;
  return one_order() ? Outcome::found : Outcome::nothing;
}

template <std::size_t W>
graph::EventSet<4> Search<W>::shown(std::size_t index, EventId row) const {
  graph::EventSet<4> out;
  const auto& from = circuit_.shown(index)[row];
  for (std::size_t w = 0; w < W; ++w) out.words[w] = from.words[w];
  return out;
}

template class Search<1>;
template class Search<4>;

} // namespace thinair::executions
