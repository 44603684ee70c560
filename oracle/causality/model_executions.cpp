// From the engine's witnesses to graph views.
#include "oracle/causality/model_executions.h"

#include "oracle/causality/well_behaved.h"
#include "oracle/causality/wellformed.h"
#include "oracle/executions/enumerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace thinair::causality {
namespace {

constexpr std::array relations = {"so", "sw", "hb"};
constexpr std::size_t synchronization_order = 0, synchronizes_with = 1, happens_before = 2;
using Shown = std::array<std::size_t, relations.size()>;

Shown find_relations(const cat::Plan& model) {
  Shown found{};
  std::string missing;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const auto at = std::ranges::find(model.shows, relations[i], &cat::Shown::name);
    found[i] = static_cast<std::size_t>(at - model.shows.begin());
    if (at == model.shows.end())
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", relations[i]);
  }
  if (!missing.empty())
    throw UnfitModel(model.name, fmt::format("it does not show {} (causality needs `show so, sw, "
                                             "hb`)",
                                             missing));
  return found;
}

/// Copies witnesses into the numbering of GraphView: initial writes of all locations come first,
/// where the engine has those of locations that the paths touch.
class Translation {
 public:
  Translation(const ProgramPaths& program, const cat::Plan& model)
      : program_(program), shown_(find_relations(model)), model_(model.name) {}

  GraphView operator()(const executions::Witness& witness) {
    const auto events = witness.skeleton().events();
    const std::size_t n = number_all(events);
    choose_paths(witness.skeleton());
    stride_ = (n + 63) / 64;
    reads_from_.assign(n, no_event);
    for (const auto read : witness.skeleton().reads())
      reads_from_[number_[read]] = last_[witness.source(read)];
    for (std::size_t i = 0; i < relations.size(); ++i) copy_relation(witness, i, events.size(), n);
    order_within_updates(events);
    complete_initial(n);
    find_last(witness);
    return {paths_, reads_from_, view(0), view(1), view(2), true, last_writes_, model_};
  }

  /// Of the engine's event in the last view; of an update that of its read.
  EventIndex number(executions::EventId event) const { return number_[event]; }

 private:
  RowsView view(std::size_t i) const { return {words_[i].data(), stride_}; }

  /// How many events the view has.
  std::size_t number_all(std::span<const executions::Event> events) {
    number_.clear();
    last_.clear();
    touched_ = 0;
    std::size_t n = program_.initial.size();
    for (const auto& event : events) {
      const bool initial = event.thread == executions::no_thread;
      const auto first = initial ? event.location.value : n;
      if (initial)
        ++touched_;
      else
        n += parts_of(event.kinds).size();
      number_.push_back(static_cast<EventIndex>(first));
      last_.push_back(static_cast<EventIndex>(initial ? first : n - 1));
    }
    same_numbers_ = n == events.size() && std::ranges::is_sorted(number_);
    return n;
  }

  void choose_paths(const executions::Skeleton& skeleton) {
    paths_.clear();
    for (std::size_t t = 0; t < skeleton.threads(); ++t)
      paths_.push_back(
          static_cast<std::uint32_t>(&skeleton.path(t) - program_.threads[t].paths.data()));
  }

  void copy_relation(const executions::Witness& witness, std::size_t i, std::size_t events,
                     std::size_t n) {
    auto& words = words_[i];
    words.assign(n * stride_, 0);
    for (executions::EventId a = 0; a < events; ++a) {
      const auto row = witness.shown(shown_[i], a);
      if (same_numbers_) {
        std::copy_n(row.words.begin(), stride_, words.data() + number_[a] * stride_);
      } else {
        row.for_each([&](std::size_t b) { copy_pair(i, a, b); });
      }
    }
  }

  void add(std::size_t i, std::size_t a, std::size_t b) {
    words_[i][a * stride_ + b / 64] |= std::uint64_t{1} << (b % 64);
  }

  /// What an update is ordered with, both of its halves are. Its write synchronizes with what comes
  /// later, and what came before with its read (JLS 17.4.4).
  void copy_pair(std::size_t i, std::size_t a, std::size_t b) {
    if (i == synchronizes_with) return add(i, last_[a], number_[b]);
    for (std::size_t x = number_[a]; x <= last_[a]; ++x)
      for (std::size_t y = number_[b]; y <= last_[b]; ++y)
        if (a != b || x == y) add(i, x, y);
  }

  void order_within_updates(std::span<const executions::Event> events) {
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (number_[e] == last_[e]) continue;
      add(happens_before, number_[e], last_[e]);
      if ((events[e].kinds & graph::k_volatile) != 0)
        add(synchronization_order, number_[e], last_[e]);
    }
  }

  /// What is last in each location, where the model and the question say; an initial write in those
  /// that nothing touches.
  void find_last(const executions::Witness& witness) {
    last_writes_.resize(program_.initial.size());
    for (std::uint32_t l = 0; l < program_.initial.size(); ++l) {
      last_writes_[l] = static_cast<EventIndex>(l);
      const auto cell = witness.skeleton().cell_of(litmus::LocationId{l});
      if (cell == executions::no_event) continue;
      const auto write = witness.final_write(cell);
      last_writes_[l] = write == executions::no_event ? no_event : last_[write];
    }
  }

  /// An initial write that nothing touches happens before everything in the threads, as all do.
  void complete_initial(std::size_t n) {
    if (touched_ == program_.initial.size()) return;
    for (std::size_t location = 0; location < program_.initial.size(); ++location) {
      if (std::ranges::find(number_, location) != number_.end()) continue;
      auto* hb = words_[happens_before].data() + location * stride_;
      for (std::size_t b = program_.initial.size(); b < n; ++b)
        hb[b / 64] |= std::uint64_t{1} << (b % 64);
    }
  }

  const ProgramPaths& program_;
  const Shown shown_;
  const std::string model_;
  std::vector<EventIndex> number_; // by the engine's event: its number, or its first part's
  std::vector<EventIndex> last_;   // its number, or its last part's
  std::vector<std::uint32_t> paths_;
  std::vector<EventIndex> reads_from_, last_writes_;
  std::array<std::vector<std::uint64_t>, relations.size()> words_;
  std::size_t touched_ = 0, stride_ = 1;
  bool same_numbers_ = false;
};

/// By location: whether it is accessed in volatile mode and in another.
std::vector<char> mixed_locations(const ProgramPaths& program) {
  std::vector<char> is_volatile(program.initial.size(), 0), is_other(program.initial.size(), 0);
  for (const auto& thread : program.threads)
    for (const auto& path : thread.paths)
      for (const auto& event : path.events) {
        if ((event.kinds & (graph::k_read | graph::k_write)) == 0) continue;
        auto& here = (event.kinds & graph::k_volatile) != 0 ? is_volatile : is_other;
        here[event.location.value] = 1;
      }
  for (std::size_t l = 0; l < is_other.size(); ++l) is_other[l] = is_other[l] && is_volatile[l];
  return is_other;
}

/// Whether the synchronization order relates other accesses that may have to be committed before
/// the end than volatile ones of `mixed` locations: volatile reads that race elsewhere, or accesses
/// that are not volatile.
bool order_tells_more(const GraphView& view, const executions::Skeleton& skeleton,
                      const Translation& translation, const std::vector<char>& mixed) {
  const auto events = skeleton.events();
  for (executions::EventId a = 0; a < events.size(); ++a) {
    if (!events[a].accesses()) continue; // locks and the like are committed with the target
    const auto here = translation.number(a);
    if ((events[a].kinds & graph::k_volatile) != 0) {
      const auto source = view.reads_from[here];
      const bool races = source != no_event && !view.hb.has(source, here);
      if (races && !mixed[events[a].location.value]) return true;
      continue;
    }
    for (std::size_t b = 0; b < view.reads_from.size(); ++b)
      if (view.so.has(here, b) || view.so.has(b, here)) return true;
  }
  return false;
}

/// Races by name, as pairs of events.
class Granting {
 public:
  Granting(const Switches& switches, const std::set<Race>& races)
      : switches_(switches), races_(races) {}

  std::vector<std::pair<executions::EventId, executions::EventId>>
  operator()(const executions::Skeleton& skeleton) const {
    const auto names = names_of(skeleton.events());
    std::vector<std::pair<executions::EventId, executions::EventId>> pairs;
    for (const auto read : skeleton.reads())
      for (const auto write : skeleton.writes_of(skeleton.events()[read].location))
        if (races_.contains({names[read].front(), names[write].back()}))
          pairs.emplace_back(write, read);
    return pairs;
  }

 private:
  /// Of the parts of each event, as GraphSet::races_of has them.
  std::vector<std::vector<Action>> names_of(std::span<const executions::Event> events) const {
    std::map<Action, std::uint32_t> met;
    std::vector<std::vector<Action>> names(events.size());
    for (std::size_t e = 0; e < events.size(); ++e) {
      const auto& event = events[e];
      const bool initial = event.thread == executions::no_thread;
      const auto thread = initial ? initial_thread : static_cast<std::int32_t>(event.thread);
      const auto object = event.accesses() ? event.location.value : event.object;
      for (const auto kinds : parts_of(event.kinds)) {
        auto name = class_of(thread, kinds, object, switches_);
        const auto occurrence = met[name]++;
        if (switches_.identity == Identity::index) name.occurrence = occurrence;
        names[e].push_back(name);
      }
    }
    return names;
  }

  Switches switches_;
  const std::set<Race>& races_;
};

} // namespace

Producer executions_of(const litmus::Test& test, ProgramPaths& program, const cat::Plan& model,
                       const executions::Limits& limits, const Switches& switches,
                       const Sought& sought, values::Statistics* values) {
  const auto shown = find_relations(model);
  return [&test, &program, &model, limits, shown, switches, sought, values](const Request& request,
                                                                            const Visit& visit) {
    executions::Selection selection{&test, request.shows, {}, sought.finals};
    if (request.races != nullptr) selection.grant = Granting(switches, *request.races);
    std::optional<cat::Plan> granting;
    if (request.races != nullptr) granting = well_behaved_but_granted(model);
    const cat::Plan& plan = granting ? *granting : model;
    Translation translate(program, model);
    const auto run = [&](const executions::Distinct& distinct, auto&& each) {
      const auto result = executions::enumerate(program, plan, each, limits, distinct, selection);
      if (values) *values += result.values;
      return result.reason;
    };
    if (sought.orders == Orders::telling) {
      const executions::Distinct distinct{{shown[1], shown[2]}, mixed_locations(program)};
      bool more = false;
      const auto reason = run(distinct, [&](const executions::Witness& witness) {
        const auto view = translate(witness);
        more = order_tells_more(view, witness.skeleton(), translate, distinct.locations);
        return !more && !visit(view);
      });
      if (!more) return reason;
    }
    return run({}, [&](const executions::Witness& witness) { return !visit(translate(witness)); });
  };
}

executions::Membership justified_members(const litmus::Test& test, ProgramPaths& program,
                                         const cat::Plan& model,
                                         const std::vector<litmus::Observable>& observables,
                                         const std::vector<Behaviour>& behaviours,
                                         const executions::Limits& limits,
                                         const Switches& switches) {
  Translation translate(program, model);
  Switches by_index = switches; // what is matched with what plays no role here
  by_index.identity = Identity::index;
  GraphSet found(program, {}, by_index); // refuses what is no happens-before
  executions::Options options;
  options.limits = limits;
  return executions::members(
      test, program, model, observables, behaviours, options,
      [&](const executions::Witness& witness) { found.add(translate(witness)); });
}

} // namespace thinair::causality
