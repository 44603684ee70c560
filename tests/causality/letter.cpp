// Executions out of traces, and the committing of actions, with masks.
#include "tests/causality/letter.h"

#include "litmus/objects.h"
#include "tests/causality/letter_modes.h"
#include "tests/causality/letter_traces.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace thinair::causality::letter {
namespace {

using Mask = std::uint32_t;
constexpr std::size_t nobody = 99; // the thread of initial writes

Mask bit(std::size_t i) { return Mask{1} << i; }

/// The n-th action of its thread, deed and object.
using Name = std::tuple<std::size_t, Deed, std::uint32_t, std::size_t>;
using Edge = std::pair<Name, Name>;

struct Execution {
  std::vector<Action> actions; // initial writes first
  std::vector<Name> names;
  std::vector<Mask> so, hb, sw; // rows; hb without the diagonal
  std::vector<std::size_t> reads_from;
  std::set<Edge> all_sw, justifying; // justifying: rule 8's
  bool whole = false;                // and it may show its behaviour
  litmus::Behaviour behaviour;

  std::size_t size() const { return actions.size(); }
  bool before(std::size_t a, std::size_t b) const { return (hb[a] & bit(b)) != 0; }
  bool reads(std::size_t a) const { return actions[a].deed == Deed::read; }
  bool races(std::size_t a) const { return reads(a) && !before(reads_from[a], a); }
  std::optional<std::size_t> find(const Name& name) const {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names.begin());
  }
};

/// All executions of one choice of traces.
class Assembly {
 public:
  Assembly(const litmus::Program& program, const std::vector<const Trace*>& traces, bool modes,
           std::vector<Execution>& out)
      : modes_(modes), out_(out) {
    for (std::uint32_t l = 0; l < program.locations.size(); ++l)
      x_.actions.push_back(
          {nobody, Deed::write, l, static_cast<std::int32_t>(program.locations[l].initial)});
    const auto places = static_cast<std::uint32_t>(litmus::FieldLocations(program).count());
    for (auto l = static_cast<std::uint32_t>(program.locations.size()); l < places; ++l)
      x_.actions.push_back({nobody, Deed::write, l, 0}); // defaults of fields
    x_.whole = true;
    for (const auto* trace : traces) {
      x_.actions.insert(x_.actions.end(), trace->actions.begin(), trace->actions.end());
      x_.whole = x_.whole && trace->whole;
      x_.behaviour.insert(x_.behaviour.end(), trace->registers.begin(), trace->registers.end());
    }
    std::map<Name, std::size_t> met;
    for (const auto& a : x_.actions) {
      Name name{a.thread, a.deed, a.object, 0};
      std::get<3>(name) = met[name]++;
      x_.names.push_back(name);
    }
  }

  void run() {
    if (possible()) order({});
  }

 private:
  const Action& at(std::size_t i) const { return x_.actions[i]; }
  bool alike(std::size_t a, std::size_t b, Deed first, Deed second) const {
    return at(a).deed == first && at(b).deed == second && at(a).object == at(b).object;
  }
  bool lives(std::size_t a, std::size_t b) const {
    return alike(a, b, Deed::start, Deed::begin) || alike(a, b, Deed::end, Deed::join);
  }
  bool synchronizes(std::size_t i) const {
    const auto deed = at(i).deed;
    if (deed == Deed::fence) return at(i).fence == litmus::Fence::full;
    return at(i).is_volatile || (deed != Deed::read && deed != Deed::write && deed != Deed::print);
  }

  /// Values that somebody writes; each thread that begins was started, once; each that is joined
  /// has ended; a started one is not said to have never begun.
  bool possible() const {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const auto count = [&](Deed deed) {
        return std::ranges::count_if(x_.actions, [&](const Action& a) {
          return a.deed == deed && a.object == at(i).object;
        });
      };
      if (at(i).deed == Deed::read && std::ranges::none_of(x_.actions, [&](const Action& w) {
            return w.deed == Deed::write && w.object == at(i).object && w.value == at(i).value;
          }))
        return false;
      if (at(i).deed == Deed::begin && count(Deed::start) != 1) return false;
      if (at(i).deed == Deed::start && (count(Deed::start) != 1 || count(Deed::begin) != 1))
        return false;
      if (at(i).deed == Deed::join && count(Deed::end) != 1) return false;
    }
    return true;
  }

  bool may_enter(const std::vector<std::size_t>& so, std::size_t lock) const {
    std::map<std::size_t, int> held;
    for (const auto e : so) {
      if (alike(e, lock, Deed::lock, Deed::lock)) ++held[at(e).thread];
      if (alike(e, lock, Deed::unlock, Deed::lock)) --held[at(e).thread];
    }
    return std::ranges::all_of(
        held, [&](const auto& h) { return h.second == 0 || h.first == at(lock).thread; });
  }

  void order(const std::vector<std::size_t>& so) {
    const auto done = [&](std::size_t i) { return std::ranges::find(so, i) != so.end(); };
    bool any = false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!synchronizes(i) || done(i)) continue;
      any = true;
      bool ready = at(i).deed != Deed::lock || may_enter(so, i);
      for (std::size_t a = 0; a < x_.size(); ++a) {
        const bool earlier = a < i && at(a).thread == at(i).thread && synchronizes(a);
        ready = ready && (done(a) || !(earlier || lives(a, i)));
      }
      if (!ready) continue;
      auto longer = so;
      longer.push_back(i);
      if (i + 1 < x_.size() && at(i + 1).updates && synchronizes(i + 1)) longer.push_back(i + 1);
      order(longer);
    }
    if (any) return;
    if (modes_)
      choose_any(so, 0);
    else
      relate(so);
  }

  /// All modes: what synchronizes depends on what is read, so that is chosen first.
  void choose_any(const std::vector<std::size_t>& so, std::size_t r) {
    x_.reads_from.resize(x_.size(), 0);
    while (r < x_.size() && !x_.reads(r)) ++r;
    if (r == x_.size()) return judge(so);
    for (std::size_t w = 0; w < x_.size(); ++w) {
      const bool later = at(w).thread == at(r).thread && w > r;
      if (later || !alike(w, r, Deed::write, Deed::read) || at(w).value != at(r).value) continue;
      x_.reads_from[r] = w;
      choose_any(so, r + 1);
    }
  }

  void judge(const std::vector<std::size_t>& so) {
    const auto opinion = opinion_on({x_.actions, nobody, x_.reads_from, so});
    if (!opinion.stage) return;
    x_.so = opinion.so;
    x_.sw = opinion.sw;
    x_.hb = opinion.hb;
    name_edges();
    out_.push_back(x_);
    out_.back().whole = x_.whole && opinion.shows;
  }

  void relate(const std::vector<std::size_t>& so) {
    x_.so.assign(x_.size(), 0);
    x_.sw = x_.hb = x_.so;
    for (std::size_t i = 0; i < so.size(); ++i)
      for (std::size_t j = i + 1; j < so.size(); ++j) {
        const auto a = so[i], b = so[j];
        x_.so[a] |= bit(b);
        if (alike(a, b, Deed::write, Deed::read) || alike(a, b, Deed::unlock, Deed::lock) ||
            lives(a, b))
          x_.sw[a] |= bit(b);
      }
    for (std::size_t a = 0; a < x_.size(); ++a)
      for (std::size_t b = 0; b < x_.size(); ++b) {
        const bool initial = at(a).thread == nobody;
        const bool later = initial ? at(b).thread != nobody : a < b && at(a).thread == at(b).thread;
        if (later) x_.hb[a] |= bit(b);
      }
    for (std::size_t a = 0; a < x_.size(); ++a) x_.hb[a] |= x_.sw[a];
    for (std::size_t k = 0; k < x_.size(); ++k)
      for (std::size_t a = 0; a < x_.size(); ++a)
        if (x_.before(a, k)) x_.hb[a] |= x_.hb[k];
    name_edges();
    x_.reads_from.assign(x_.size(), 0);
    choose(0);
  }

  void name_edges() {
    x_.all_sw.clear();
    x_.justifying.clear();
    for (std::size_t a = 0; a < x_.size(); ++a)
      for (std::size_t b = 0; b < x_.size(); ++b) {
        if ((x_.sw[a] & bit(b)) == 0) continue;
        x_.all_sw.emplace(x_.names[a], x_.names[b]);
        bool direct = at(a).thread != at(b).thread;
        for (std::size_t z = 0; z < x_.size(); ++z)
          direct = direct && !(x_.before(a, z) && x_.before(z, b));
        if (direct) x_.justifying.emplace(x_.names[a], x_.names[b]);
      }
  }

  /// JLS 17.4.5, happens-before consistency; 17.4.7, synchronization-order consistency.
  bool may_see(std::size_t r, std::size_t w) const {
    if (!alike(w, r, Deed::write, Deed::read) || at(w).value != at(r).value) return false;
    if (x_.before(r, w) || (x_.so[r] & bit(w)) != 0) return false;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (v == w || !alike(v, r, Deed::write, Deed::read)) continue;
      if (x_.before(w, v) && x_.before(v, r)) return false;
      if ((x_.so[w] & bit(v)) != 0 && (x_.so[v] & bit(r)) != 0) return false;
    }
    return true;
  }

  /// VarHandle's documentation: no two updates see one write.
  bool atomic() const {
    std::set<std::size_t> seen;
    for (std::size_t w = 1; w < x_.size(); ++w)
      if (at(w).updates && !seen.insert(x_.reads_from[w - 1]).second) return false;
    return true;
  }

  void choose(std::size_t r) {
    while (r < x_.size() && !x_.reads(r)) ++r;
    if (r == x_.size()) {
      if (atomic()) out_.push_back(x_);
      return;
    }
    for (std::size_t w = 0; w < x_.size(); ++w) {
      if (!may_see(r, w)) continue;
      x_.reads_from[r] = w;
      choose(r + 1);
    }
  }

  bool modes_;
  std::vector<Execution>& out_;
  Execution x_;
};

std::optional<std::vector<Execution>> executions(const litmus::Program& program,
                                                 const Limits& limits) {
  const auto domain = domain_of(program, limits);
  if (!domain) return std::nullopt;
  std::vector<std::set<Trace>> of;
  std::size_t combinations = 1, actions = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    of.push_back(traces(program, t, *domain, limits));
    combinations *= of.back().size();
    std::size_t longest = 0;
    for (const auto& trace : of.back()) longest = std::max(longest, trace.actions.size());
    actions += longest;
    if (actions > limits.actions || combinations > 40 * limits.executions) return std::nullopt;
  }
  std::vector<Execution> all;
  std::vector<const Trace*> chosen;
  const auto choose = [&](auto&& self, std::size_t thread) -> bool {
    if (thread == of.size()) {
      Assembly(program, chosen, limits.fences, all).run();
      return all.size() <= limits.executions;
    }
    for (const auto& trace : of[thread]) {
      chosen.push_back(&trace);
      const bool go_on = self(self, thread + 1);
      chosen.pop_back();
      if (!go_on) return false;
    }
    return true;
  };
  if (!choose(choose, 0)) return std::nullopt;
  return all;
}

/// One execution as a possible stage of another one's justification, in terms of the target.
struct Stage {
  const Execution* x = nullptr;
  std::vector<std::optional<std::size_t>> here; // by action of the target
};

/// JLS 17.4.8: a state is what is committed, and the edges that have to stay.
class Justification {
 public:
  Justification(const Execution& target, const std::vector<Execution>& all, bool revised)
      : target_(target), revised_(revised) {
    for (const auto& x : all)
      if (has_no_other_races(x)) {
        Stage stage{&x, {}};
        for (const auto& name : target.names) stage.here.push_back(x.find(name));
        stages_.push_back(std::move(stage));
      }
    for (std::size_t a = 0; a < target.size(); ++a)
      if (target.actions[a].thread == nobody) initial_ |= bit(a);
  }

  bool exists() {
    const Mask everything = static_cast<Mask>((std::uint64_t{1} << target_.size()) - 1);
    std::vector<State> open{{initial_, {}}};
    std::set<State> met(open.begin(), open.end());
    while (!open.empty()) {
      const auto state = open.back();
      open.pop_back();
      if (state.first == everything) return true;
      for (const auto& stage : stages_) {
        const Mask rest = everything & ~state.first;
        for (Mask more = rest; more != 0; more = (more - 1) & rest)
          if (auto next = commit(stage, state, state.first | more))
            if (met.insert(*next).second) open.push_back(*next);
      }
    }
    return false;
  }

 private:
  using State = std::pair<Mask, std::set<Edge>>;

  /// Rules 5 and 6: a read that races has been committed, and sees what it sees in the target.
  bool has_no_other_races(const Execution& x) const {
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (!x.races(r)) continue;
      const auto there = target_.find(x.names[r]);
      if (!there || target_.names[target_.reads_from[*there]] != x.names[x.reads_from[r]])
        return false;
    }
    return true;
  }

  std::optional<State> commit(const Stage& stage, const State& state, Mask now) const {
    const Execution& x = *stage.x;
    const Mask before = state.first;
    for (std::size_t a = 0; a < target_.size(); ++a) {
      if ((now & bit(a)) == 0) continue;
      if (!stage.here[a]) return std::nullopt;                      // 1
      if (!values_agree(x, a, *stage.here[a])) return std::nullopt; // 4
      if (!read_agrees(stage, a, before, now)) return std::nullopt; // 5, 7, revised 2
    }
    if (!orders_agree(stage, now) || !well_behaved(x, before)) return std::nullopt; // 2, 3, 6
    if (!externals_agree(stage, now)) return std::nullopt;                          // 9
    State next{now, state.second};
    if (!revised_ && !keep_edges(stage, next)) return std::nullopt; // 8
    return next;
  }

  bool values_agree(const Execution& x, std::size_t there, std::size_t here) const {
    return target_.actions[there].deed != Deed::write ||
           target_.actions[there].value == x.actions[here].value;
  }

  bool read_agrees(const Stage& stage, std::size_t a, Mask before, Mask now) const {
    if (!target_.reads(a)) return true;
    const Execution& x = *stage.x;
    const auto here = *stage.here[a];
    const auto write = target_.reads_from[a];
    const auto seen = target_.find(x.names[x.reads_from[here]]);
    if (revised_) {
      const auto w = stage.here[write];
      if ((w && x.before(*w, here)) != target_.before(write, a)) return false;
      if (w && x.before(here, *w)) return false;
    }
    if ((before & bit(a)) != 0) return seen == write;
    if ((now & bit(a)) == 0) return true;
    if ((before & bit(write)) == 0) return false;
    return revised_ || (seen && (before & bit(*seen)) != 0);
  }

  bool orders_agree(const Stage& stage, Mask now) const {
    if (revised_) return true;
    for (std::size_t a = 0; a < target_.size(); ++a)
      for (std::size_t b = 0; b < target_.size(); ++b) {
        if (a == b || (now & bit(a)) == 0 || (now & bit(b)) == 0) continue;
        const auto x = *stage.here[a], y = *stage.here[b];
        if (stage.x->before(x, y) != target_.before(a, b)) return false;
        if (((stage.x->so[x] & bit(y)) != 0) != ((target_.so[a] & bit(b)) != 0)) return false;
      }
    return true;
  }

  bool committed(const Execution& x, std::size_t here, Mask mask) const {
    const auto there = target_.find(x.names[here]);
    return there && (mask & bit(*there)) != 0;
  }

  bool well_behaved(const Execution& x, Mask before) const {
    for (std::size_t r = 0; r < x.size(); ++r)
      if (x.races(r) && !committed(x, r, before)) return false;
    return true;
  }

  bool externals_agree(const Stage& stage, Mask now) const {
    const Execution& x = *stage.x;
    for (std::size_t e = 0; e < x.size(); ++e) {
      if (x.actions[e].deed != Deed::print) continue;
      for (std::size_t a = 0; a < target_.size(); ++a) {
        if (!revised_ && (now & bit(a)) != 0 && x.before(e, *stage.here[a]) &&
            !committed(x, e, now))
          return false;
        const auto there = target_.find(x.names[e]);
        if (revised_ && there && (now & bit(*there)) != 0 && target_.before(a, *there) &&
            stage.here[a] && (now & bit(a)) == 0)
          return false;
      }
    }
    return true;
  }

  bool keep_edges(const Stage& stage, State& next) const {
    const Execution& x = *stage.x;
    for (const auto& edge : x.justifying) {
      const auto to = *x.find(edge.second);
      bool needed = false;
      for (std::size_t a = 0; a < target_.size(); ++a)
        needed = needed || ((next.first & bit(a)) != 0 &&
                            (*stage.here[a] == to || x.before(to, *stage.here[a])));
      if (needed) next.second.insert(edge);
    }
    return std::ranges::includes(target_.all_sw, next.second) &&
           std::ranges::includes(x.all_sw, next.second);
  }

  const Execution& target_;
  bool revised_;
  std::vector<Stage> stages_;
  Mask initial_ = 0;
};

/// Its actions can be put into one order that agrees with program order, what is read from what,
/// and happens-before.
bool has_an_order(const Execution& x) {
  std::vector<Mask> later = x.hb; // program order among it
  for (std::size_t a = 0; a < x.size(); ++a)
    if (x.reads(a)) later[x.reads_from[a]] |= bit(a);
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t a = 0; a < x.size(); ++a)
      if ((later[a] & bit(k)) != 0) later[a] |= later[k];
  for (std::size_t a = 0; a < x.size(); ++a)
    if ((later[a] & bit(a)) != 0) return false;
  return true;
}

} // namespace

std::optional<std::set<litmus::Behaviour>> behaviours(const litmus::Program& program,
                                                      std::string_view rules, const Limits& given) {
  Limits limits = given;
  limits.fences = rules == "java";
  const auto all = executions(program, limits);
  if (!all) return std::nullopt;
  std::set<litmus::Behaviour> found;
  for (const auto& target : *all)
    if (target.whole && !found.contains(target.behaviour) &&
        ((rules == "java" && has_an_order(target)) ||
         Justification(target, *all, rules == "revised").exists()))
      found.insert(target.behaviour);
  return found;
}

} // namespace thinair::causality::letter
