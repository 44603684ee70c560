// Lays out the events of chosen paths, and computes the base sets and relations over them.
#include "oracle/executions/skeleton.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::executions {

using graph::EventSet;
using graph::Input;

void Skeleton::add_cell(LocationId location) {
  if (cell_of_[location.value] != no_event) return;
  cell_of_[location.value] = static_cast<std::uint32_t>(cell_count_);
  if (cell_count_ == cells_.size()) cells_.emplace_back();
  auto& cell = cells_[cell_count_++];
  cell.location = location;
  cell.writes.clear();
}

void Skeleton::assign(graph::ProgramPaths& program, std::span<const std::uint32_t> chosen) {
  program_ = &program;
  paths_.clear();
  events_.clear();
  begins_.clear();
  givers_.assign(program.terms.variable_count(), no_event);
  reads_.clear();
  granted_.clear();
  cell_count_ = 0;
  cell_of_.assign(program.initial.size(), no_event);
  for (std::size_t t = 0; t < chosen.size(); ++t)
    paths_.push_back(&program.threads[t].paths[chosen[t]]);
  for (const auto* path : paths_)
    for (const auto& e : path->events)
      if ((e.kinds & (graph::k_read | graph::k_write)) != 0) add_cell(e.location);
  for (std::size_t c = 0; c < cell_count_; ++c) {
    Event e;
    e.kinds = graph::k_write | graph::k_initial;
    e.location = cells_[c].location;
    cells_[c].writes.push_back(static_cast<EventId>(events_.size()));
    events_.push_back(e);
  }
  for (std::uint32_t t = 0; t < paths_.size(); ++t) {
    begins_.push_back(static_cast<EventId>(events_.size()));
    for (std::uint32_t i = 0; i < paths_[t]->events.size(); ++i) {
      const auto& from = paths_[t]->events[i];
      const auto id = static_cast<EventId>(events_.size());
      events_.push_back({from.kinds, t, i, from.location, from.read, from.written, from.instruction,
                         from.source, from.object, from.partner});
      if (events_.back().reads() && (from.kinds & graph::k_open) == 0) reads_.push_back(id);
      if (events_.back().writes()) cells_[cell_of(from.location)].writes.push_back(id);
      if (!events_.back().gives()) continue;
      if (from.read.value >= givers_.size()) givers_.resize(from.read.value + 1, no_event);
      givers_[from.read.value] = id;
    }
  }
  begins_.push_back(static_cast<EventId>(events_.size()));
}

namespace {

/// A set of events by a test on each.
template <std::size_t W, class Test>
void fill_set(const Skeleton& skeleton, EventSet<W>* out, Test&& test) {
  *out = {};
  const auto events = skeleton.events();
  for (std::size_t i = 0; i < events.size(); ++i)
    if (test(events[i])) out->insert(i);
}

template <std::size_t W>
void of_kind(const Skeleton& skeleton, EventSet<W>* out, Kinds kinds) {
  fill_set(skeleton, out, [&](const Event& e) { return (e.kinds & kinds) != 0; });
}

/// What the path says of an event of a thread.
const graph::PathEvent& of_path(const Skeleton& skeleton, const Event& e) {
  return skeleton.path(e.thread).events[e.index];
}

/// Calls `visit(e, event)` for each event that is no initial write.
template <class Visit>
void for_each_of_threads(const Skeleton& skeleton, Visit&& visit) {
  const auto events = skeleton.events();
  for (EventId e = skeleton.begin_of(0); e < events.size(); ++e) visit(e, events[e]);
}

/// Those of the thread that come later in program order: events of one instruction, which stand
/// beside one another, are not in it; `iico` orders them.
template <std::size_t W>
EventSet<W> later(const Skeleton& skeleton, EventId e) {
  const auto events = skeleton.events();
  const auto end = skeleton.begin_of(events[e].thread + 1);
  EventId next = e + 1;
  while (next < end && events[next].instruction == events[e].instruction) ++next;
  return EventSet<W>::first(end) - EventSet<W>::first(next);
}

template <std::size_t W>
void program_order(const Skeleton& skeleton, EventSet<W>* out) {
  for_each_of_threads(skeleton, [&](EventId e, const Event&) { out[e] = later<W>(skeleton, e); });
}

/// Events of one thread; the initial writes are of none, all together.
template <std::size_t W>
void internal(const Skeleton& skeleton, EventSet<W>* out) {
  EventId begin = 0;
  for (std::size_t t = 0; t <= skeleton.threads(); ++t) {
    const auto end = skeleton.begin_of(t);
    for (EventId e = begin; e < end; ++e)
      out[e] = EventSet<W>::first(end) - EventSet<W>::first(begin);
    begin = end;
  }
}

template <std::size_t W>
void same_place(const Skeleton& skeleton, EventSet<W>* out) {
  const auto events = skeleton.events();
  for (std::size_t c = 0; c < skeleton.cells().size(); ++c) {
    EventSet<W> here;
    for (EventId e = 0; e < events.size(); ++e)
      if (events[e].accesses() && skeleton.cell_of(events[e].location) == c) here.insert(e);
    here.for_each([&](std::size_t e) { out[e] = here; });
  }
  for (EventId a = 0; a < events.size(); ++a) // monitors
    for (EventId b = 0; events[a].enters_or_leaves() && b < events.size(); ++b)
      if (events[a].meets(events[b])) out[a].insert(b);
}

/// The reads and writes of atomic updates, of one instruction or of two.
template <std::size_t W>
void updates(const Skeleton& skeleton, EventSet<W>* out, bool of_one, bool of_two) {
  const auto events = skeleton.events();
  for_each_of_threads(skeleton, [&](EventId e, const Event& write) {
    if (!write.writes() || write.partner == graph::PathEvent::no_partner) return;
    const auto read = skeleton.begin_of(write.thread) + write.partner;
    if (!events[read].reads()) return;
    if (events[read].instruction == write.instruction ? of_one : of_two) out[read].insert(e);
  });
}

template <std::size_t W>
void order_within_instructions(const Skeleton& skeleton, EventSet<W>* out) {
  const auto events = skeleton.events();
  for_each_of_threads(skeleton, [&](EventId e, const Event& read) {
    const auto end = skeleton.begin_of(read.thread + 1);
    for (EventId next = e + 1;
         read.reads() && next < end && events[next].instruction == read.instruction; ++next)
      if (events[next].writes()) out[e].insert(next);
  });
}

/// The reads' variables of a set, or of a term that says it as well.
std::span<const graph::Variable> variables(const Skeleton& skeleton, graph::SetId set,
                                           graph::TermId term) {
  const auto& program = skeleton.program();
  return set == graph::by_term ? program.terms.variables_of(term) : program.sets[set];
}

bool in_program_order(const Event& a, const Event& b) {
  return a.thread == b.thread && a.index < b.index && a.instruction != b.instruction;
}

/// The write of an update may depend on its read: of one that adds, not of one that swaps.
bool before_or_update(const Event& a, const Event& b) {
  if (in_program_order(a, b)) return true;
  return a.thread == b.thread && a.reads() && b.writes() && b.partner == a.index &&
         a.instruction == b.instruction;
}

/// Pairs of what gives one of these variables and the event, where `related` holds of them.
template <std::size_t W, class Related>
void depends(const Skeleton& skeleton, EventSet<W>* out, std::span<const graph::Variable> on,
             EventId e, Related&& related) {
  const auto events = skeleton.events();
  for (const auto variable : on)
    if (const auto giver = skeleton.giver_of(variable); giver != no_event)
      if (related(events[giver], events[e])) out[giver].insert(e);
}

template <std::size_t W>
void data_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  for_each_of_threads(skeleton, [&](EventId e, const Event& write) {
    if (write.writes())
      depends(skeleton, out, variables(skeleton, of_path(skeleton, write).data, write.written), e,
              before_or_update);
  });
}

template <std::size_t W>
void address_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  for_each_of_threads(skeleton, [&](EventId e, const Event& access) {
    if (access.accesses())
      depends(skeleton, out, skeleton.program().sets[of_path(skeleton, access).address], e,
              in_program_order);
  });
}

/// Pairs of a read and an event that comes from it, by the set that `set_of` says.
template <std::size_t W, class SetOf>
void picks(const Skeleton& skeleton, EventSet<W>* out, SetOf&& set_of) {
  for_each_of_threads(skeleton, [&](EventId e, const Event& event) {
    depends(skeleton, out, skeleton.program().sets[set_of(of_path(skeleton, event))], e,
            [](const Event& a, const Event& b) { return a.reads() && before_or_update(a, b); });
  });
}

/// Pairs of what a branch comes from, by the variables that `from` says, and all that follows it.
template <std::size_t W, class From>
void behind_branches(const Skeleton& skeleton, EventSet<W>* out, bool reads_alone, From&& from) {
  const auto events = skeleton.events();
  for (std::size_t t = 0; t < skeleton.threads(); ++t)
    for (const auto& branch : skeleton.path(t).branches) {
      const auto before = EventSet<W>::first(skeleton.begin_of(t) + branch.position);
      for (const auto variable : from(branch)) {
        const auto giver = skeleton.giver_of(variable);
        if (giver == no_event || events[giver].thread != t) continue;
        if (!reads_alone || events[giver].reads()) out[giver] |= later<W>(skeleton, giver) - before;
      }
    }
}

template <std::size_t W>
void control_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  behind_branches(skeleton, out, false, [&](const graph::Branch& branch) {
    return variables(skeleton, branch.from, branch.condition);
  });
}

template <std::size_t W>
void picked_branches(const Skeleton& skeleton, EventSet<W>* out) {
  behind_branches(skeleton, out, true, [&](const graph::Branch& branch) {
    return std::span(skeleton.program().sets[branch.picked]);
  });
}

template <std::size_t W>
void critical_sections(const Skeleton& skeleton, EventSet<W>* out) {
  for_each_of_threads(skeleton, [&](EventId e, const Event& lock) {
    if ((lock.kinds & graph::k_lock) != 0 && lock.partner != graph::PathEvent::no_partner)
      out[e].insert(skeleton.begin_of(lock.thread) + lock.partner);
  });
}

/// A relation of events of some kinds, by a test on each pair.
template <std::size_t W, class Test>
void fill_relation(const Skeleton& skeleton, EventSet<W>* out, Kinds of_first, Test&& test) {
  const auto events = skeleton.events();
  for (std::size_t a = 0; a < events.size(); ++a)
    for (std::size_t b = 0; (events[a].kinds & of_first) != 0 && b < events.size(); ++b)
      if (test(events[a], events[b])) out[a].insert(b);
}

/// JLS 17.4.4: starting a thread synchronizes with its first action, its last action with whoever
/// detects that it has ended.
template <std::size_t W>
void lifetimes(const Skeleton& skeleton, EventSet<W>* out) {
  using namespace graph;
  fill_relation(skeleton, out, k_start | k_end, [](const Event& a, const Event& b) {
    const Kinds second = (a.kinds & k_start) != 0 ? k_begin : k_join;
    return (b.kinds & second) != 0 && a.object == b.object;
  });
}

template <std::size_t W>
void frozen(const Skeleton& skeleton, EventSet<W>* out) {
  fill_relation(skeleton, out, graph::k_freeze, [&](const Event& a, const Event& b) {
    return (b.kinds & graph::k_final) != 0 &&
           of_path(skeleton, a).base == of_path(skeleton, b).base;
  });
}

template <std::size_t W>
void address_comes_from(const Skeleton& skeleton, EventSet<W>* out,
                        std::uint32_t graph::PathEvent::* from) {
  for_each_of_threads(skeleton, [&](EventId e, const Event& event) {
    const auto place = of_path(skeleton, event).*from;
    if (place != graph::PathEvent::no_partner)
      out[skeleton.begin_of(event.thread) + place].insert(e);
  });
}

template <std::size_t W>
void base_set(const Skeleton& skeleton, Input input, EventSet<W>* out) {
  using namespace graph;
  const auto of = [&](Kinds kinds) { of_kind(skeleton, out, kinds); };
  switch (input) {
  case Input::universe: *out = EventSet<W>::first(skeleton.size()); return;
  case Input::reads: return of(k_read);
  case Input::writes: return of(k_write);
  case Input::memory: return of(k_read | k_write);
  case Input::initial_writes: return of(k_initial);
  case Input::fences: return of(k_fence);
  case Input::rmw_events: return of(k_rmw);
  case Input::failed: return of(k_failed);
  case Input::plain_: return of(k_plain);
  case Input::opaque: return of(k_opaque);
  case Input::acquire: return of(k_acquire);
  case Input::release: return of(k_release);
  case Input::release_acquire: return of(k_release | k_acquire);
  case Input::load_load: return of(k_load_load);
  case Input::store_store: return of(k_store_store);
  case Input::volatile_: return of(k_volatile);
  case Input::lock: return of(k_lock);
  case Input::unlock: return of(k_unlock);
  case Input::thread_start: return of(k_start);
  case Input::thread_begin: return of(k_begin);
  case Input::thread_end: return of(k_end);
  case Input::join_: return of(k_join);
  case Input::external_action: return of(k_external);
  case Input::freeze: return of(k_freeze);
  case Input::final_: return of(k_final);
  case Input::branches: return of(0);
  case Input::final_writes:
  case Input::id:
  case Input::loc:
  case Input::internal:
  case Input::external:
  case Input::po:
  case Input::rf:
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
  case Input::frozen:
  case Input::dereferences:
  case Input::passes:
  case Input::critical:
  case Input::lifetime:
  case Input::first_tag:
  case Input::granted: break;
  }
  throw Bug("not a set that the paths decide");
}

template <std::size_t W>
void of_tags(const Skeleton& skeleton, graph::Tags tags, EventSet<W>* out) {
  fill_set(skeleton, out, [&](const Event& e) {
    return e.thread != no_thread && (of_path(skeleton, e).tags & tags) != 0;
  });
}

template <std::size_t W>
void base_relation(const Skeleton& skeleton, Input input, EventSet<W>* out) {
  using graph::PathEvent;
  const auto n = skeleton.size();
  const auto everything = EventSet<W>::first(n);
  switch (input) {
  case Input::id: return graph::rows::identity_on(out, everything, n);
  case Input::loc: return same_place(skeleton, out);
  case Input::internal: return internal(skeleton, out);
  case Input::external:
    internal(skeleton, out);
    for (std::size_t e = 0; e < n; ++e) out[e] = everything - out[e];
    return;
  case Input::po: return program_order(skeleton, out);
  case Input::rmw: return updates(skeleton, out, true, true);
  case Input::amo: return updates(skeleton, out, true, false);
  case Input::lxsx: return updates(skeleton, out, false, true);
  case Input::iico: return order_within_instructions(skeleton, out);
  case Input::addr: return address_dependencies(skeleton, out);
  case Input::data: return data_dependencies(skeleton, out);
  case Input::ctrl: return control_dependencies(skeleton, out);
  case Input::pick_addr:
    return picks(skeleton, out, [](const PathEvent& e) { return e.picked_address; });
  case Input::pick_data:
    return picks(skeleton, out, [](const PathEvent& e) { return e.picked_data; });
  case Input::pick_ctrl: return picked_branches(skeleton, out);
  case Input::critical: return critical_sections(skeleton, out);
  case Input::frozen: return frozen(skeleton, out);
  case Input::dereferences: return address_comes_from(skeleton, out, &PathEvent::base_from);
  case Input::passes: return address_comes_from(skeleton, out, &PathEvent::given_from);
  case Input::lifetime: return lifetimes(skeleton, out);
  case Input::granted:
    for (const auto& [a, b] : skeleton.granted()) out[a].insert(b);
    return;
  case Input::universe:
  case Input::reads:
  case Input::writes:
  case Input::memory:
  case Input::initial_writes:
  case Input::final_writes:
  case Input::fences:
  case Input::branches:
  case Input::rmw_events:
  case Input::failed:
  case Input::plain_:
  case Input::opaque:
  case Input::acquire:
  case Input::release:
  case Input::release_acquire:
  case Input::load_load:
  case Input::store_store:
  case Input::volatile_:
  case Input::rf:
  case Input::lock:
  case Input::unlock:
  case Input::thread_start:
  case Input::thread_begin:
  case Input::thread_end:
  case Input::join_:
  case Input::external_action:
  case Input::freeze:
  case Input::final_:
  case Input::first_tag: break;
  }
  throw Bug("not a relation that the paths decide");
}

} // namespace

template <std::size_t W>
void base(const Skeleton& skeleton, Input input, EventSet<W>* out) {
  if (graph::is_tag(input))
    return of_tags(skeleton, skeleton.program().architecture->sets[graph::row_of(input)].tags, out);
  if (graph::type_of(input) == graph::Type::set) return base_set(skeleton, input, out);
  graph::rows::clear(out, skeleton.size());
  base_relation(skeleton, input, out);
}

template void base<1>(const Skeleton&, Input, EventSet<1>*);
template void base<4>(const Skeleton&, Input, EventSet<4>*);

} // namespace thinair::executions
