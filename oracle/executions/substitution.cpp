// Counts down the unknown variables of each term, and evaluates it when none is left.
#include "oracle/executions/substitution.h"

#include <algorithm>

namespace thinair::executions {

void Substitution::add_watch(Watch::Kind kind, TermId term, EventId write) {
  Watch watch;
  watch.kind = kind;
  watch.term = term;
  watch.write = write;
  watch.variables =
      static_cast<std::uint32_t>(skeleton_->program().terms.variables_of(term).size());
  watch.missing = watch.variables;
  watches_.push_back(watch);
}

void Substitution::index_watches() {
  const auto& terms = skeleton_->program().terms;
  first_.assign(values_.size() + 2, 0);
  for (const auto& watch : watches_)
    for (const auto v : terms.variables_of(watch.term)) ++first_[v.value + 2];
  for (std::size_t v = 2; v < first_.size(); ++v) first_[v] += first_[v - 1];
  users_.resize(first_.back());
  for (std::uint32_t w = 0; w < watches_.size(); ++w)
    for (const auto v : terms.variables_of(watches_[w].term)) users_[first_[v.value + 1]++] = w;
}

bool Substitution::load(const Skeleton& skeleton, std::span<const TermId> asked) {
  skeleton_ = &skeleton;
  const auto& program = skeleton.program();
  values_.assign(program.terms.variable_count(), 0);
  known_.assign(program.terms.variable_count(), 0);
  source_.assign(skeleton.size(), no_event);
  write_watch_.assign(skeleton.size(), 0);
  watches_.clear();
  trail_.clear();
  pending_.clear();
  trail_.reserve(2 * skeleton.size());
  pending_.reserve(skeleton.size());
  unknown_ = skeleton.reads().size();
  for (std::size_t t = 0; t < skeleton.threads(); ++t) {
    for (const auto c : skeleton.path(t).constraints) add_watch(Watch::Kind::constraint, c);
    for (const auto d : skeleton.path(t).must_divide) add_watch(Watch::Kind::division, d);
  }
  const auto events = skeleton.events();
  for (EventId e = 0; e < events.size(); ++e) {
    if (!events[e].writes()) continue;
    write_watch_[e] = static_cast<std::uint32_t>(watches_.size());
    if (events[e].thread == no_thread) {
      Watch initial;
      initial.kind = Watch::Kind::write;
      initial.write = e;
      initial.value = program.initial[events[e].location.value];
      watches_.push_back(initial);
    } else {
      add_watch(Watch::Kind::write, events[e].written, e);
    }
  }
  asked_watch_ = watches_.size();
  for (const auto term : asked) add_watch(Watch::Kind::asked, term);
  index_watches();
  for (auto& watch : watches_) {
    const bool initial = watch.write != no_event && events[watch.write].thread == no_thread;
    if (watch.missing == 0 && !initial && !settle(watch)) return false;
  }
  pending_.clear();
  return true;
}

/// Evaluates a term whose variables are all known. Writes are left in pending_.
bool Substitution::settle(Watch& watch) {
  const auto value = skeleton_->program().terms.evaluate(watch.term, values_);
  watch.value = value.value_or(0);
  switch (watch.kind) {
  case Watch::Kind::constraint: return value.has_value() && *value != 0;
  case Watch::Kind::division: return value.has_value();
  case Watch::Kind::write: pending_.push_back(watch.write); return value.has_value();
  case Watch::Kind::asked: return true; // a division by zero is ruled out elsewhere
  }
  return true;
}

bool Substitution::assign(EventId read, Value value) {
  const auto v = variable_of(read);
  values_[v] = value;
  known_[v] = 1;
  --unknown_;
  trail_.push_back({read, true});
  bool consistent = true;
  for (auto i = first_[v]; i < first_[v + 1]; ++i) {
    auto& watch = watches_[users_[i]];
    if (--watch.missing == 0 && consistent) consistent = settle(watch);
  }
  return consistent;
}

bool Substitution::read_from(EventId read, EventId write) {
  source_[read] = write;
  trail_.push_back({read, false});
  if (!known(write)) return true;
  pending_.clear();
  bool consistent = assign(read, written(write));
  while (consistent && !pending_.empty()) {
    const auto w = pending_.back();
    pending_.pop_back();
    for (const auto r : skeleton_->reads())
      if (consistent && source_[r] == w && !known_read(r)) consistent = assign(r, written(w));
  }
  return consistent;
}

void Substitution::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const auto [read, value_too] = trail_.back();
    trail_.pop_back();
    if (!value_too) {
      source_[read] = no_event;
      continue;
    }
    const auto v = variable_of(read);
    known_[v] = 0;
    ++unknown_;
    for (auto i = first_[v]; i < first_[v + 1]; ++i) ++watches_[users_[i]].missing;
  }
}

bool Substitution::may_return(EventId read, Value value) {
  const auto v = variable_of(read);
  const auto& terms = skeleton_->program().terms;
  const auto before = values_[v];
  values_[v] = value;
  bool possible = true;
  for (auto i = first_[v]; i < first_[v + 1] && possible; ++i) {
    const auto& watch = watches_[users_[i]];
    if (watch.variables != 1 || watch.kind > Watch::Kind::division) continue;
    const auto result = terms.evaluate(watch.term, values_);
    possible = result.has_value() && (watch.kind == Watch::Kind::division || *result != 0);
  }
  values_[v] = before;
  return possible;
}

} // namespace thinair::executions
