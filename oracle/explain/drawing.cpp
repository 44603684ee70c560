// Draws an execution: names of events, thinning of relations, text, and DOT with everything quoted.
#include "oracle/explain/drawing.h"

#include "oracle/explain/deed.h"
#include "oracle/explain/halves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::explain {
namespace {

using executions::Event;
using executions::EventId;
using executions::Skeleton;
using executions::Witness;

std::string mode_of(const Skeleton& skeleton, const Event& event) {
  const auto tags = event.thread == executions::no_thread
                        ? graph::Tags{0}
                        : skeleton.path(event.thread).events[event.index].tags;
  return mode_text(event.kinds, tags, skeleton.program().architecture);
}

/// The words for an event.
class Words {
 public:
  Words(const litmus::Test& test, const Witness& witness, const Event& event)
      : event_(event), what_(kind_text(event.kinds)), mode_(mode_of(witness.skeleton(), event)) {
    auto& program = witness.skeleton().program();
    if (!event.accesses()) {
      if (const auto object = graph::object_name(program, event.kinds, event.object);
          !object.empty())
        what_ += " " + object;
      return;
    }
    what_ += " " + program.location_names[event.location.value];
    if (event.reads())
      read_ = shown_value(test, program, event.location, witness.assignment()[event.read.value]);
    if (!event.writes()) return;
    const auto value = event.thread == executions::no_thread // which no term stands for
                           ? program.initial[event.location.value]
                           : program.terms.evaluate(event.written, witness.assignment());
    written_ = value ? shown_value(test, program, event.location, *value) : "?";
  }

  const std::string& written() const { return written_; }

  std::string label() const {
    std::string out = what_;
    if (event_.reads()) out += " reads " + read_;
    if (event_.writes()) out += "=" + written_;
    return out + mode_;
  }

  std::string brief() const {
    if (!event_.accesses()) return what_;
    return what_ + " " + read_ + (event_.reads() && event_.writes() ? "→" : "") + written_;
  }

 private:
  const Event& event_;
  std::string what_, mode_, read_, written_;
};

using Rows = std::vector<graph::EventSet<4>>;

/// The pairs of `rows`, of different events, that do not follow from another of its pairs and one
/// of `then`.
void add_steps(const Rows& rows, const Rows& then, const std::string& relation, Drawing& drawing) {
  const std::size_t n = rows.size();
  for (std::size_t from = 0; from < n; ++from) {
    for (std::size_t to = 0; to < n; ++to) {
      if (from == to || !rows[from].contains(to)) continue; // a reflexive order says nothing by it
      bool follows = false;
      for (std::size_t by = 0; by < n && !follows; ++by)
        follows = by != from && by != to && rows[from].contains(by) && then[by].contains(to);
      if (!follows) drawing.edges.push_back({from, to, relation});
    }
  }
}

void add_program_order(const Skeleton& skeleton, Drawing& drawing) {
  const auto events = skeleton.events();
  for (std::size_t i = 0; i + 1 < events.size(); ++i)
    if (events[i].thread != executions::no_thread && events[i].thread == events[i + 1].thread)
      drawing.edges.push_back({i, i + 1, "po"});
}

/// As DOT quotes: names come from a user's file.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string_view colour(const Drawing::Edge& edge) {
  if (edge.role != Drawing::Role::fact) return "red";
  if (edge.relation == "po") return "black";
  return edge.relation == "rf" ? "darkgreen" : "royalblue";
}

std::string_view word(Drawing::Role role) {
  switch (role) {
  case Drawing::Role::fact: return "";
  case Drawing::Role::support: return " (support)";
  case Drawing::Role::reason: return " (reason)";
  }
  return "";
}

} // namespace

std::string event_name(std::size_t event) {
  const std::string letter(1, static_cast<char>('a' + event % 26));
  return event < 26 ? letter : letter + std::to_string(event / 26);
}

std::string kind_text(graph::Kinds kinds) {
  const bool reads = (kinds & graph::k_read) != 0, writes = (kinds & graph::k_write) != 0;
  if (reads && writes) return "RW";
  if (reads) return "R";
  if (writes) return "W";
  if ((kinds & graph::k_fence) != 0) return "F";
  return std::string(graph::action_name(kinds));
}

std::string mode_text(graph::Kinds kinds, graph::Tags tags, graph::Architecture architecture) {
  constexpr auto named = std::to_array<std::pair<graph::Kinds, std::string_view>>({
      {graph::k_plain, "plain"},
      {graph::k_opaque, "opaque"},
      {graph::k_acquire, "acquire"},
      {graph::k_release, "release"},
      {graph::k_volatile, "volatile"},
  });
  std::string out;
  for (const auto& [bit, name] : named)
    if ((kinds & bit) != 0) out += fmt::format(" {}", name);
  for (const auto& row : architecture->sets)
    if ((tags & row.tags) != 0 && !row.shown.empty()) out += fmt::format(" {}", row.shown);
  return (kinds & graph::k_initial) != 0 ? " initial" : out;
}

Drawing draw_base(const litmus::Test& test, const Witness& witness, std::string title) {
  const Skeleton& skeleton = witness.skeleton();
  const auto events = skeleton.events();
  Drawing drawing{.title = std::move(title), .nodes = {}, .edges = {}};
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool initial = events[i].thread == executions::no_thread;
    const auto mode = mode_of(skeleton, events[i]);
    const Words words(test, witness, events[i]);
    drawing.nodes.push_back({event_name(i), words.label(), words.brief(),
                             mode.empty() ? mode : mode.substr(1),
                             initial ? -1 : std::int64_t{events[i].thread}});
    auto& node = drawing.nodes.back();
    if (!initial) node.deed = deed_of(test, events[i].thread, events[i].source);
    if (!node.deed.empty() && (events[i].kinds & graph::k_freeze) != 0)
      node.deed = "the end of the constructor in " + node.deed;
    if (events[i].accesses())
      node.location = skeleton.program().location_names[events[i].location.value];
    node.written = words.written();
  }
  add_program_order(skeleton, drawing);
  for (const EventId read : skeleton.reads())
    drawing.edges.push_back({witness.source(read), read, "rf"});
  return drawing;
}

Drawing draw(const litmus::Test& test, const Witness& witness, const cat::Plan& plan,
             std::string title) {
  Drawing drawing = draw_base(test, witness, std::move(title));
  const auto rows_of = [&](std::size_t shown) {
    Rows rows(drawing.nodes.size());
    for (EventId event = 0; event < rows.size(); ++event) rows[event] = witness.shown(shown, event);
    return rows;
  };
  const auto order = std::ranges::find(plan.shows, "co", &cat::Shown::name);
  for (std::size_t shown = 0; shown < plan.shows.size(); ++shown) {
    const auto& name = plan.shows[shown].name;
    const auto rows = rows_of(shown);
    if (name == "fr" && order != plan.shows.end())
      add_steps(rows, rows_of(static_cast<std::size_t>(order - plan.shows.begin())), name, drawing);
    else
      add_steps(rows, rows, name, drawing);
  }
  return drawing;
}

cat::Plan also_showing(cat::Plan plan, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const auto defined = std::ranges::find(plan.names, name, &cat::Shown::name);
    const auto shown = std::ranges::find(plan.shows, name, &cat::Shown::name);
    if (defined != plan.names.end() && shown == plan.shows.end()) plan.shows.push_back(*defined);
  }
  return plan;
}

std::string as_text(const Drawing& drawing) {
  std::string out = drawing.title + "\n";
  for (const auto& node : drawing.nodes)
    out += fmt::format("  {}: {}{}\n", node.name,
                       node.thread < 0 ? "" : fmt::format("thread {} ", node.thread), node.label);
  for (const auto& edge : drawing.edges)
    out += fmt::format("  {} {} -> {}{}\n", edge.relation, drawing.nodes[edge.from].name,
                       drawing.nodes[edge.to].name, word(edge.role));
  return out + "\n";
}

std::string as_dot(const Drawing& drawing) {
  std::string out = fmt::format("digraph {} {{\n  label={};\n  node [shape=box];\n",
                                quoted(drawing.title), quoted(drawing.title));
  std::int64_t threads = 0;
  for (const auto& node : drawing.nodes) threads = std::max(threads, node.thread + 1);
  for (std::int64_t thread = -1; thread < threads; ++thread) {
    out += fmt::format("  subgraph cluster_{} {{\n    label={};\n", thread + 1,
                       quoted(thread < 0 ? "initial" : fmt::format("thread {}", thread)));
    for (const auto& node : drawing.nodes)
      if (node.thread == thread)
        out += fmt::format("    {} [label={}];\n", quoted(node.name),
                           quoted(node.name + ": " + node.label));
    out += "  }\n";
  }
  for (const auto& edge : drawing.edges) {
    const std::string colours =
        fmt::format("color={0}, fontcolor={0}{1}", colour(edge),
                    edge.role == Drawing::Role::reason ? ", penwidth=2" : "");
    out += fmt::format("  {} -> {} [label={}, {}];\n", quoted(drawing.nodes[edge.from].name),
                       quoted(drawing.nodes[edge.to].name), quoted(edge.relation), colours);
  }
  return out + "}\n";
}

} // namespace thinair::explain
