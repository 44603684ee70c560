// The happens-before model, by brute force.
#include "tests/causality/happens_before.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace thinair::causality {
namespace {

using Relation = std::vector<std::vector<char>>;

class Enumeration {
 public:
  Enumeration(const ProgramPaths& paths, std::vector<std::uint32_t> chosen,
              const std::function<bool(const GraphView&)>& visit)
      : chosen_(std::move(chosen)), visit_(visit) {
    for (std::uint32_t l = 0; l < paths.initial.size(); ++l)
      events_.push_back(Event{.location = litmus::LocationId{l}});
    for (std::size_t t = 0; t < chosen_.size(); ++t)
      for (const auto& what : paths.threads[t].paths[chosen_[t]].events) add(t, what);
    write_of_.resize(events_.size(), 0);
  }

  bool run() {
    order({});
    return stopped_;
  }

 private:
  /// An update is a read and then a write, with nothing in between (JLS 17.4.2).
  void add(std::size_t thread, const graph::PathEvent& what) {
    const Event whole{static_cast<std::int32_t>(thread), what.kinds, what.location, &what};
    events_.push_back(whole);
    if (!whole.reads() || !whole.writes()) return;
    write_of_.resize(events_.size() + 1, 0);
    write_of_.back() = 1;
    events_.push_back(whole);
    events_.back().kinds &= ~graph::k_read;
    events_[events_.size() - 2].kinds &= ~graph::k_write;
  }

  std::size_t size() const { return events_.size(); }
  bool synchronizes(std::size_t e) const {
    const auto k = events_[e].kinds;
    return ((k & graph::k_volatile) != 0 && (k & (graph::k_read | graph::k_write)) != 0) ||
           (k & (graph::k_lock | graph::k_unlock | graph::k_start | graph::k_begin | graph::k_end |
                 graph::k_join)) != 0;
  }
  bool pair(std::size_t a, std::size_t b, Kinds first, Kinds second) const {
    return (events_[a].kinds & first) != 0 && (events_[b].kinds & second) != 0 &&
           events_[a].object() == events_[b].object();
  }
  bool lives(std::size_t a, std::size_t b) const { // JLS 17.4.4, of threads
    return pair(a, b, graph::k_start, graph::k_begin) || pair(a, b, graph::k_end, graph::k_join);
  }
  /// JLS 17.4.7: before a lock every other thread has left the monitor as often as entered it.
  bool may_enter(const std::vector<std::size_t>& so, std::size_t lock) const {
    std::map<std::int32_t, int> held;
    for (const auto e : so) {
      if (events_[e].thread == events_[lock].thread) continue;
      if (pair(e, lock, graph::k_lock, graph::k_lock)) ++held[events_[e].thread];
      if (pair(e, lock, graph::k_unlock, graph::k_lock)) --held[events_[e].thread];
    }
    return std::ranges::all_of(held, [](const auto& count) { return count.second == 0; });
  }
  bool before_in_thread(std::size_t a, std::size_t b) const {
    return a < b && events_[a].thread == events_[b].thread;
  }

  /// All total orders of synchronization actions that respect program order.
  void order(std::vector<std::size_t> so) {
    bool any = false;
    for (std::size_t e = 0; e < size(); ++e) {
      const auto done = [&so](std::size_t x) { return std::ranges::find(so, x) != so.end(); };
      if (!synchronizes(e) || done(e)) continue;
      any = true;
      bool ready = true;
      for (std::size_t a = 0; a < e; ++a)
        ready = ready && !(synchronizes(a) && before_in_thread(a, e) && !done(a));
      for (std::size_t a = 0; a < size(); ++a) ready = ready && !(lives(a, e) && !done(a));
      if ((events_[e].kinds & graph::k_lock) != 0) ready = ready && may_enter(so, e);
      if (!ready) continue;
      auto longer = so;
      longer.push_back(e);
      if (e + 1 < size() && write_of_[e + 1]) longer.push_back(e + 1);
      order(std::move(longer));
    }
    if (!any && !stopped_) relate(so);
  }

  void relate(const std::vector<std::size_t>& so) {
    const Relation empty(size(), std::vector<char>(size(), 0));
    so_ = sw_ = hb_ = empty;
    for (std::size_t i = 0; i < so.size(); ++i)
      for (std::size_t j = i + 1; j < so.size(); ++j) {
        so_[so[i]][so[j]] = 1;
        const bool seen = events_[so[i]].writes() && events_[so[j]].reads() &&
                          events_[so[i]].location == events_[so[j]].location;
        if (seen || lives(so[i], so[j]) || pair(so[i], so[j], graph::k_unlock, graph::k_lock))
          sw_[so[i]][so[j]] = 1;
      }
    for (std::size_t a = 0; a < size(); ++a)
      for (std::size_t b = 0; b < size(); ++b) {
        const bool initial = events_[a].thread == initial_thread;
        if (initial && events_[b].thread != initial_thread &&
            events_[b - 1].thread != events_[b].thread)
          sw_[a][b] = 1;
        hb_[a][b] = a == b || sw_[a][b] || (!initial && before_in_thread(a, b));
      }
    for (std::size_t k = 0; k < size(); ++k)
      for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = 0; b < size(); ++b)
          if (hb_[a][k] && hb_[k][b]) hb_[a][b] = 1;
    reads_from_.assign(size(), no_event);
    choose(0);
  }

  bool consistent(std::size_t w, std::size_t r) const {
    if (w == r || hb_[r][w] || so_[r][w]) return false;
    for (std::size_t other = 0; other < size(); ++other) {
      if (other == w || other == r || !events_[other].writes() ||
          events_[other].location != events_[r].location)
        continue;
      if (hb_[w][other] && hb_[other][r]) return false;
      if (so_[w][other] && so_[other][r]) return false;
    }
    return true;
  }

  /// No two updates see one write.
  bool atomic() const {
    std::set<EventIndex> seen;
    for (std::size_t w = 1; w < size(); ++w)
      if (write_of_[w] && !seen.insert(reads_from_[w - 1]).second) return false;
    return true;
  }

  void choose(std::size_t r) {
    while (r < size() && !events_[r].reads()) ++r;
    if (r == size()) return atomic() ? report() : void();
    for (std::size_t w = 0; w < size(); ++w) {
      if (!events_[w].writes() || events_[w].location != events_[r].location) continue;
      if (!consistent(w, r)) continue;
      reads_from_[r] = static_cast<EventIndex>(w);
      choose(r + 1);
    }
    reads_from_[r] = no_event;
  }

  void report() {
    if (stopped_) return;
    std::array<std::vector<std::uint64_t>, 3> words;
    const std::size_t stride = (size() + 63) / 64;
    std::size_t i = 0;
    for (const auto* relation : {&so_, &sw_, &hb_}) {
      words[i].assign(size() * stride, 0);
      for (std::size_t a = 0; a < size(); ++a)
        for (std::size_t b = 0; b < size(); ++b)
          if ((*relation)[a][b]) words[i][a * stride + b / 64] |= std::uint64_t{1} << (b % 64);
      ++i;
    }
    stopped_ = visit_({chosen_,
                       reads_from_,
                       {words[0].data(), stride},
                       {words[1].data(), stride},
                       {words[2].data(), stride}});
  }

  std::vector<std::uint32_t> chosen_;
  const std::function<bool(const GraphView&)>& visit_;
  std::vector<Event> events_;
  std::vector<char> write_of_; // whether the event is the write of an update, whose read is before
  Relation so_, sw_, hb_;
  std::vector<EventIndex> reads_from_;
  bool stopped_ = false;
};

} // namespace

void each_happens_before_execution(const ProgramPaths& paths,
                                   const std::function<bool(const GraphView&)>& visit) {
  std::vector<std::uint32_t> chosen(paths.threads.size(), 0);
  for (const auto& thread : paths.threads)
    if (thread.paths.empty()) return;
  for (;;) {
    if (graph::compatible(paths, chosen) && Enumeration(paths, chosen, visit).run()) return;
    std::size_t t = 0;
    while (t < chosen.size() && ++chosen[t] == paths.threads[t].paths.size()) chosen[t++] = 0;
    if (t == chosen.size()) return;
  }
}

Producer happens_before_producer(const ProgramPaths& paths) {
  return [&paths](const Request&, const Visit& visit) {
    each_happens_before_execution(paths, visit);
    return std::string();
  };
}

} // namespace thinair::causality
