// Before the search of a combination of paths: which writes each read may take at all, and which
// decisions final states depend on.
#include "oracle/executions/search.h"

#include <algorithm>

namespace thinair::executions {

template <std::size_t W>
bool Search<W>::explore(const Skeleton& skeleton) {
  skeleton_ = &skeleton;
  n_ = skeleton.size();
  cycle_ = false;
  if (!prepare()) return true;
  return descend(false, nullptr) != Outcome::stop;
}

template <std::size_t W>
bool Search<W>::prepare() {
  collect_asked();
  if (!values_.load(*skeleton_, asked_)) return false;
  reads_ = skeleton_->reads().size();
  number_finals();
  domains_.assign(variables_, {});
  chosen_.assign(variables_, no_event);
  trail_.clear();
  saved_used_ = 0;
  state_.assign(setup_.observed.size(), 0);
  known_.assign(setup_.observed.size(), 0);
  if (!prepare_reads()) return false;
  prepare_finals();
  find_twins();
  if (one_each()) find_relevant();
  bool settled = false;
  if (!interesting(settled)) return false; // by what the paths alone decide
  Set finals;
  for (auto v = reads_; v < variables_; ++v) finals |= domains_[v];
  if (!setup_.decide_finals)
    for (const auto& cell : skeleton_->cells())
      for (const auto w : cell.writes) finals.insert(w);
  if (!circuit_.load(*skeleton_, sources_.data(), finals)) return false;
  const auto& orders = circuit_.orders();
  find_telling_pairs();
  ranks_.resize(orders.size());
  for (auto& rank : ranks_) {
    rank.resize(n_);
    for (EventId e = 0; e < n_; ++e) rank[e] = e;
  }
  good_finals_.assign(variables_ - reads_, no_event);
  return true;
}

/// Pairs of orders that tell executions apart; none where all do.
template <std::size_t W>
void Search<W>::find_telling_pairs() {
  telling_.clear();
  const auto& orders = circuit_.orders();
  const bool early = std::ranges::all_of(orders, &OrderState<W>::ready);
  if (setup_.distinct.shown.empty() || !early) return;
  circuit_.trace_shown(setup_.distinct.shown, telling_);
  if (setup_.distinct.locations.empty()) return;
  Set named;
  for (EventId e = 0; e < n_; ++e) {
    const auto& event = skeleton_->events()[e];
    if (event.accesses() && setup_.distinct.locations[event.location.value]) named.insert(e);
  }
  for (std::size_t c = 0; c < orders.size(); ++c)
    named.for_each([&](std::size_t e) { telling_[c * n_ + e] |= named; });
}

/// A read takes a write to its location, not its own, with a value that its path allows.
template <std::size_t W>
bool Search<W>::prepare_reads() {
  const auto events = skeleton_->events();
  sources_.assign(n_, {});
  variable_of_read_.assign(n_, no_event);
  for (std::uint32_t v = 0; v < reads_; ++v) {
    const auto read = skeleton_->reads()[v];
    variable_of_read_[read] = v;
    for (const auto w : skeleton_->writes_of(events[read].location)) {
      if (w == read) continue;
      if (values_.known(w) && !values_.may_return(read, values_.written(w))) continue;
      domains_[v].insert(w);
      sources_[w].insert(read);
    }
    if (domains_[v].empty()) return false;
  }
  return true;
}

template <std::size_t W>
void Search<W>::number_finals() {
  const auto cells = skeleton_->cells().size();
  variable_of_cell_.assign(cells, no_event);
  variables_ = reads_;
  if (!setup_.decide_finals) return;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const bool observed = std::ranges::any_of(setup_.observed, [&](const Observed& o) {
      return !o.thread && skeleton_->cell_of(LocationId(o.index)) == cell;
    });
    if (observed || setup_.every_final)
      variable_of_cell_[cell] = static_cast<std::uint32_t>(variables_++);
  }
}

template <std::size_t W>
void Search<W>::prepare_finals() {
  for (std::size_t cell = 0; cell < skeleton_->cells().size(); ++cell)
    if (const auto v = variable_of_cell_[cell]; v != no_event)
      for (const auto w : skeleton_->cells()[cell].writes) domains_[v].insert(w);
}

template <std::size_t W>
void Search<W>::collect_asked() {
  asked_.clear();
  asked_of_.clear();
  for (const auto& o : setup_.observed) {
    asked_of_.push_back(o.thread ? static_cast<std::uint32_t>(asked_.size()) : no_event);
    if (o.thread) asked_.push_back(skeleton_->path(*o.thread).final_registers[o.index]);
  }
}

/// Reads that a final state may depend on: through registers that are observed, values of writes
/// that may be last where the location is, and writes that such reads may take.
template <std::size_t W>
void Search<W>::find_relevant() {
  const auto& terms = skeleton_->program().terms;
  const auto events = skeleton_->events();
  relevant_.assign(variables_, 0);
  std::vector<char> wanted(terms.variable_count(), 0);
  const auto want = [&](TermId term) {
    for (const auto v : terms.variables_of(term)) wanted[v.value] = 1;
  };
  const auto want_writes = [&](const Set& writes) {
    writes.for_each([&](std::size_t w) {
      if (events[w].thread != no_thread) want(events[w].written);
    });
  };
  for (const auto term : asked_) want(term);
  for (const auto& o : setup_.observed) {
    if (o.thread || !setup_.decide_finals) continue;
    const auto cell = skeleton_->cell_of(LocationId(o.index));
    if (cell == no_event) continue;
    relevant_[variable_of_cell_[cell]] = 1;
    want_writes(domains_[variable_of_cell_[cell]]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t v = 0; v < reads_; ++v) {
      if (relevant_[v] || !wanted[events[skeleton_->reads()[v]].read.value]) continue;
      relevant_[v] = 1;
      changed = true;
      want_writes(domains_[v]);
    }
  }
}

/// Of the threads that may change places, those that go the same way here.
template <std::size_t W>
void Search<W>::find_twins() {
  twin_.clear();
  if (setup_.twins.empty()) return;
  const auto threads = static_cast<std::uint32_t>(skeleton_->threads());
  touched_.assign(threads, 0);
  const auto way = [&](std::uint32_t t) {
    return &skeleton_->path(t) - skeleton_->program().threads[t].paths.data();
  };
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::uint32_t first = 0;
    while (setup_.twins[first] != setup_.twins[t] || way(first) != way(t)) ++first;
    twin_.push_back(first);
  }
}

template class Search<1>;
template class Search<4>;

} // namespace thinair::executions
