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
    for (std::uint32_t i = 0; i < paths_[t]->events.size(); ++i) {
      const auto& from = paths_[t]->events[i];
      const auto id = static_cast<EventId>(events_.size());
      events_.push_back({from.kinds, t, i, from.location, from.read, from.written, from.instruction,
                         from.source, from.object, from.partner});
      if (events_.back().reads() && (from.kinds & graph::k_open) == 0) reads_.push_back(id);
      if (events_.back().writes()) cells_[cell_of(from.location)].writes.push_back(id);
    }
  }
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

/// A relation by a test on each pair.
template <std::size_t W, class Test>
void fill_relation(const Skeleton& skeleton, EventSet<W>* out, Test&& test) {
  const auto events = skeleton.events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    out[i] = {};
    for (std::size_t j = 0; j < events.size(); ++j)
      if (test(events[i], events[j])) out[i].insert(j);
  }
}

/// Events of one instruction are not in program order; `iico` orders them.
bool in_program_order(const Event& a, const Event& b) {
  return a.thread == b.thread && a.thread != no_thread && a.index < b.index &&
         a.instruction != b.instruction;
}

bool of_one_instruction(const Event& a, const Event& b) {
  return a.thread == b.thread && a.thread != no_thread && a.index < b.index &&
         a.instruction == b.instruction && a.reads() && b.writes();
}

/// What the path says of an event of a thread.
const graph::PathEvent& of_path(const Skeleton& skeleton, const Event& e) {
  return skeleton.path(e.thread).events[e.index];
}

bool of_one_update(const Event& a, const Event& b) {
  return a.thread == b.thread && a.thread != no_thread && a.reads() && b.writes() &&
         b.partner == a.index;
}

/// The reads' variables of a set, or of a term that says it as well.
std::span<const graph::Variable> variables(const Skeleton& skeleton, graph::SetId set,
                                           graph::TermId term) {
  const auto& program = skeleton.program();
  return set == graph::by_term ? program.terms.variables_of(term) : program.sets[set];
}

/// The write of an update may depend on its read: of one that adds, not of one that swaps.
bool before_or_update(const Event& a, const Event& b) {
  return in_program_order(a, b) || (of_one_update(a, b) && a.instruction == b.instruction);
}

template <std::size_t W>
void data_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    return before_or_update(a, b) && a.gives() && b.writes() &&
           std::ranges::binary_search(variables(skeleton, of_path(skeleton, b).data, b.written),
                                      a.read);
  });
}

template <std::size_t W>
void address_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    return in_program_order(a, b) && a.gives() && b.accesses() &&
           std::ranges::binary_search(skeleton.program().sets[of_path(skeleton, b).address],
                                      a.read);
  });
}

template <std::size_t W>
void control_dependencies(const Skeleton& skeleton, EventSet<W>* out) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    if (!in_program_order(a, b) || !a.gives()) return false;
    return std::ranges::any_of(skeleton.path(a.thread).branches, [&](const graph::Branch& branch) {
      return branch.position <= b.index &&
             std::ranges::binary_search(variables(skeleton, branch.from, branch.condition), a.read);
    });
  });
}

/// Pairs of a read and a later event, where the set of what the event comes from has the read.
template <std::size_t W, class SetOf>
void picks(const Skeleton& skeleton, EventSet<W>* out, SetOf&& set_of) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    return before_or_update(a, b) && a.reads() &&
           std::ranges::binary_search(skeleton.program().sets[set_of(of_path(skeleton, b))],
                                      a.read);
  });
}

template <std::size_t W>
void picked_branches(const Skeleton& skeleton, EventSet<W>* out) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    if (!in_program_order(a, b) || !a.reads()) return false;
    return std::ranges::any_of(skeleton.path(a.thread).branches, [&](const graph::Branch& branch) {
      return branch.position <= b.index &&
             std::ranges::binary_search(skeleton.program().sets[branch.picked], a.read);
    });
  });
}

/// JLS 17.4.4: starting a thread synchronizes with its first action, its last action with whoever
/// detects that it has ended.
bool begins_or_ends(const Event& a, const Event& b) {
  const auto both = [&](Kinds first, Kinds second) {
    return (a.kinds & first) != 0 && (b.kinds & second) != 0 && a.object == b.object;
  };
  return both(graph::k_start, graph::k_begin) || both(graph::k_end, graph::k_join);
}

template <std::size_t W>
void address_comes_from(const Skeleton& skeleton, EventSet<W>* out,
                        std::uint32_t graph::PathEvent::* from) {
  fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
    return a.thread == b.thread && a.thread != no_thread && of_path(skeleton, b).*from == a.index;
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

} // namespace

template <std::size_t W>
void base(const Skeleton& skeleton, Input input, EventSet<W>* out) {
  if (graph::is_tag(input))
    return of_tags(skeleton, skeleton.program().architecture->sets[graph::row_of(input)].tags, out);
  if (graph::type_of(input) == graph::Type::set) return base_set(skeleton, input, out);
  const auto n = skeleton.size();
  if (input == Input::id) {
    graph::rows::identity_on(out, EventSet<W>::first(n), n);
  } else if (input == Input::loc) {
    fill_relation(skeleton, out, [](const Event& a, const Event& b) { return a.meets(b); });
  } else if (input == Input::internal) {
    fill_relation(skeleton, out,
                  [](const Event& a, const Event& b) { return a.thread == b.thread; });
  } else if (input == Input::external) {
    fill_relation(skeleton, out,
                  [](const Event& a, const Event& b) { return a.thread != b.thread; });
  } else if (input == Input::po) {
    fill_relation(skeleton, out, in_program_order);
  } else if (input == Input::rmw) {
    fill_relation(skeleton, out, of_one_update);
  } else if (input == Input::amo) {
    fill_relation(skeleton, out, [](const Event& a, const Event& b) {
      return of_one_update(a, b) && a.instruction == b.instruction;
    });
  } else if (input == Input::lxsx) {
    fill_relation(skeleton, out, [](const Event& a, const Event& b) {
      return of_one_update(a, b) && a.instruction != b.instruction;
    });
  } else if (input == Input::iico) {
    fill_relation(skeleton, out, of_one_instruction);
  } else if (input == Input::data) {
    data_dependencies(skeleton, out);
  } else if (input == Input::ctrl) {
    control_dependencies(skeleton, out);
  } else if (input == Input::pick_addr) {
    picks(skeleton, out, [](const graph::PathEvent& e) { return e.picked_address; });
  } else if (input == Input::pick_data) {
    picks(skeleton, out, [](const graph::PathEvent& e) { return e.picked_data; });
  } else if (input == Input::pick_ctrl) {
    picked_branches(skeleton, out);
  } else if (input == Input::critical) {
    fill_relation(skeleton, out, [](const Event& a, const Event& b) {
      return a.thread == b.thread && (a.kinds & graph::k_lock) != 0 && a.partner == b.index;
    });
  } else if (input == Input::frozen) {
    fill_relation(skeleton, out, [&](const Event& a, const Event& b) {
      return (a.kinds & graph::k_freeze) != 0 && (b.kinds & graph::k_final) != 0 &&
             of_path(skeleton, a).base == of_path(skeleton, b).base;
    });
  } else if (input == Input::dereferences) {
    address_comes_from(skeleton, out, &graph::PathEvent::base_from);
  } else if (input == Input::passes) {
    address_comes_from(skeleton, out, &graph::PathEvent::given_from);
  } else if (input == Input::lifetime) {
    fill_relation(skeleton, out, begins_or_ends);
  } else if (input == Input::granted) {
    graph::rows::clear(out, n);
    for (const auto& [a, b] : skeleton.granted()) out[a].insert(b);
  } else if (input == Input::addr) {
    address_dependencies(skeleton, out);
  } else {
    throw Bug("not a relation that the paths decide");
  }
}

template void base<1>(const Skeleton&, Input, EventSet<1>*);
template void base<4>(const Skeleton&, Input, EventSet<4>*);

} // namespace thinair::executions
