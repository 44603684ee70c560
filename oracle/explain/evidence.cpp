// Tells a justification: names for actions, values of events, thinned relations; as text and JSON.
#include "oracle/explain/evidence.h"

#include "litmus/text/error.h"
#include "litmus/text/json.h"
#include "oracle/causality/check.h"
#include "oracle/explain/halves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace thinair::explain {
namespace {

using namespace causality;

struct KindName {
  Kinds kind;
  std::string_view name;
};

/// What an event does, the first that fits, or the name of its action; then its modes.
constexpr auto deeds = std::to_array<KindName>({
    {graph::k_read | graph::k_write, "RW"},
    {graph::k_read, "R"},
    {graph::k_write, "W"},
    {graph::k_fence, "fence"},
});
constexpr auto modes = std::to_array<KindName>({
    {graph::k_opaque, "opaque"},
    {graph::k_acquire, "acquire"},
    {graph::k_release, "release"},
    {graph::k_volatile, "volatile"},
});

/// a, b, … z, a1, b1, …: actions in the order of the target's events, then as they are met.
class Names {
 public:
  const std::string& of(ActionIndex action) {
    const auto [at, fresh] = names_.try_emplace(action);
    if (!fresh) return at->second;
    const auto n = names_.size() - 1;
    at->second = static_cast<char>('a' + n % 26);
    if (n >= 26) at->second += std::to_string(n / 26);
    return at->second;
  }

 private:
  std::map<ActionIndex, std::string> names_;
};

class StageTeller {
 public:
  StageTeller(const litmus::Test& test, const GraphSet& set, const Justification& justification)
      : test_(test), set_(set), justification_(justification) {
    const auto& target = set.skeleton_of(set.graphs()[justification.target]);
    for (const auto action : target.labellings.front().action_of) names_.of(action);
  }

  std::vector<EvidenceStage> stages() {
    std::vector<EvidenceStage> all;
    std::vector<ActionIndex> before;
    for (const auto& stage : justification_.stages) {
      all.push_back(tell(stage, before));
      before = stage.committed;
    }
    return all;
  }

 private:
  EvidenceStage tell(const Stage& stage, const std::vector<ActionIndex>& before) {
    const Graph& graph = set_.graphs()[stage.graph];
    const auto& events = set_.skeleton_of(graph).events;
    const auto& action_of = set_.skeleton_of(graph).labellings[stage.labelling].action_of;
    EvidenceStage out;
    out.target = stage.graph == justification_.target;
    for (EventIndex e = 0; e < events.size(); ++e) {
      auto told = tell(graph, events[e], e);
      told.name = names_.of(action_of[e]);
      told.committed = std::ranges::binary_search(stage.committed, action_of[e]);
      told.fresh = told.committed && !std::ranges::binary_search(before, action_of[e]);
      told.racy = std::ranges::find(graph.racy, e) != graph.racy.end();
      out.events.push_back(std::move(told));
    }
    out.so = steps(graph.so(), graph.size());
    out.sw = pairs(graph.sw(), graph.size());
    out.hb = steps(graph.hb(), graph.size());
    std::erase_if(out.hb, [&](const Edge& edge) {
      return edge.to == edge.from + 1 && events[edge.from].thread == events[edge.to].thread;
    });
    return out;
  }

  EvidenceEvent tell(const Graph& graph, const Event& event, EventIndex e) const {
    EvidenceEvent out;
    out.thread = event.thread;
    out.kinds = event.kinds;
    if (event.what != nullptr) out.source = event.what->source;
    if (event.reads() || event.writes())
      out.location = set_.paths().location_names[event.location.value];
    else
      out.location = graph::object_name(set_.paths(), event.kinds, event.object());
    if (event.reads()) {
      out.reads_from = graph.reads_from[e];
      out.read = graph.written[graph.reads_from[e]];
      out.read_as = shown_value(test_, set_.paths(), event.location, *out.read);
    }
    if (event.writes()) {
      out.written = graph.written[e];
      out.written_as = shown_value(test_, set_.paths(), event.location, *out.written);
    }
    out.label = label(out);
    return out;
  }

  static std::string label(const EvidenceEvent& event) {
    const auto deed = std::ranges::find_if(
        deeds, [&](const KindName& row) { return (event.kinds & row.kind) == row.kind; });
    std::string out(deed != deeds.end() ? deed->name : graph::action_name(event.kinds));
    if (!event.location.empty()) out += " " + event.location;
    if (event.read) out += "=" + event.read_as;
    if (event.written) out += (event.read ? " to " : "=") + event.written_as;
    for (const auto& [kind, name] : modes)
      if ((event.kinds & kind) != 0) out += fmt::format(" {}", name);
    return out;
  }

  static std::vector<Edge> pairs(const RowsView& relation, std::size_t n) {
    std::vector<Edge> all;
    for (EventIndex a = 0; a < n; ++a)
      for (EventIndex b = 0; b < n; ++b)
        if (a != b && relation.has(a, b)) all.push_back({a, b});
    return all;
  }

  /// The pairs of a transitive relation that no two others make up.
  static std::vector<Edge> steps(const RowsView& relation, std::size_t n) {
    auto all = pairs(relation, n);
    std::erase_if(all, [&](const Edge& edge) {
      for (std::size_t z = 0; z < n; ++z)
        if (z != edge.from && z != edge.to && relation.has(edge.from, z) &&
            relation.has(z, edge.to))
          return true;
      return false;
    });
    return all;
  }

  const litmus::Test& test_;
  const GraphSet& set_;
  const Justification& justification_;
  Names names_;
};

std::vector<std::string> names(const EvidenceStage& stage, bool EvidenceEvent::* which) {
  std::vector<std::string> all;
  for (const auto& event : stage.events)
    if (event.*which) all.push_back(event.name);
  return all;
}

std::string place(const EvidenceEvent& event) {
  return event.thread == initial_thread ? "initial" : fmt::format("Thread{}", event.thread);
}

std::string line(const EvidenceStage& stage, const EvidenceEvent& event) {
  const char* mark = event.fresh ? "+" : event.committed ? "*" : " ";
  std::string out = fmt::format("  {} {}: {:8} {}", mark, event.name, place(event), event.label);
  if (event.reads_from != no_event)
    out += fmt::format(", from {}{}", stage.events[event.reads_from].name,
                       event.racy ? " (a race)" : "");
  return out + "\n";
}

std::string stage_heading(const EvidenceStage& stage, std::size_t index) {
  const auto fresh = names(stage, &EvidenceEvent::fresh);
  const std::string what = index == 0      ? "commits the initial writes"
                           : fresh.empty() ? "has all of its actions committed"
                                           : fmt::format("commits {}", fmt::join(fresh, ", "));
  return fmt::format("{}. {} {}\n", index + 1,
                     stage.target ? "the execution itself" : "an execution", what);
}

std::string synchronization(const EvidenceStage& stage) {
  std::string out;
  for (const auto& [from, to] : stage.sw)
    if (stage.events[from].thread != initial_thread)
      out += fmt::format("    {} synchronizes with {}\n", stage.events[from].name,
                         stage.events[to].name);
  return out;
}

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const auto& t : texts) all.push_back(json::quote(t));
  return json::array(all);
}

std::string json_of(const EvidenceStage& stage, const std::vector<Edge>& edges) {
  std::vector<std::string> all;
  for (const auto& [from, to] : edges)
    all.push_back(quoted({stage.events[from].name, stage.events[to].name}));
  return json::array(all);
}

std::string json_of(const EvidenceStage& stage, const EvidenceEvent& event) {
  json::Object out;
  out.string("name", event.name).string("label", event.label);
  if (event.thread == initial_thread) {
    out.null("thread");
  } else {
    out.integer("thread", event.thread).integer("byte", event.source);
  }
  if (!event.location.empty()) out.string("location", event.location);
  if (event.read) out.integer("read", *event.read);
  if (event.written) out.integer("written", *event.written);
  if (event.reads_from != no_event) {
    out.string("from", stage.events[event.reads_from].name).boolean("racy", event.racy);
  }
  return out.text();
}

std::string json_of(const EvidenceStage& stage) {
  std::vector<std::string> events;
  for (const auto& event : stage.events) events.push_back(json_of(stage, event));
  return json::Object()
      .boolean("target", stage.target)
      .raw("commits", quoted(names(stage, &EvidenceEvent::fresh)))
      .raw("committed", quoted(names(stage, &EvidenceEvent::committed)))
      .raw("events", json::array(events))
      .raw("so", json_of(stage, stage.so))
      .raw("sw", json_of(stage, stage.sw))
      .raw("hb", json_of(stage, stage.hb))
      .text();
}

} // namespace

std::vector<EvidenceStage> tell(const litmus::Test& test, const GraphSet& set,
                                const Justification& stages) {
  return StageTeller(test, set, stages).stages();
}

Evidence describe(const litmus::Test& test, const oracle::Oracle& oracle) {
  const auto justification = oracle.evidence();
  const auto& set = oracle.graphs();
  if (const auto problem =
          causality::violation(set, justification, oracle.rules().rules, oracle.switches()))
    throw Bug("a justification breaks a rule: " + *problem);
  Evidence out;
  out.rules = oracle.rules().name;
  out.identity = oracle.switches().identity;
  out.observables = oracle.observables();
  out.behaviour = set.behaviours()[set.graphs()[justification.target].behaviour];
  out.behaviour.resize(out.observables.size()); // those asked for since come behind
  out.shown = litmus::to_string(test, out.observables, out.behaviour);
  out.stages = tell(test, set, justification);
  return out;
}

std::string as_text(const Evidence& evidence) {
  std::string out = fmt::format("{}: allowed by {}, justified in {} stages\n", evidence.shown,
                                evidence.rules, evidence.stages.size());
  for (std::size_t i = 0; i < evidence.stages.size(); ++i) {
    const auto& stage = evidence.stages[i];
    out += stage_heading(stage, i);
    for (const auto& event : stage.events) out += line(stage, event);
    out += synchronization(stage);
  }
  return out;
}

std::string as_json(const Evidence& evidence) {
  json::Object behaviour;
  for (std::size_t i = 0; i < evidence.observables.size(); ++i)
    behaviour.integer(litmus::to_string(evidence.observables[i]), evidence.behaviour[i]);
  std::vector<std::string> stages;
  for (const auto& stage : evidence.stages) stages.push_back(json_of(stage));
  return json::Object()
      .string("rules", evidence.rules)
      .string("identity", causality::name(evidence.identity))
      .raw("behaviour", behaviour.text())
      .raw("stages", json::array(stages))
      .text();
}

} // namespace thinair::explain
