// Turns what causality tells of a justification into drawings.
#include "oracle/explain/stages.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::explain {
namespace {

std::string brief_of(const EvidenceEvent& event) {
  if (!event.read && !event.written) return event.label;
  std::string out = kind_text(event.kinds) + " " + event.location + " ";
  if (event.read) out += event.read_as;
  if (event.read && event.written) out += "→";
  return out + event.written_as;
}

/// As other drawings label it: "R x reads 1 plain".
std::string label_of(const EvidenceEvent& event) {
  if (!event.read && !event.written) return event.label;
  std::string out = kind_text(event.kinds) + " " + event.location;
  if (event.read) out += " reads " + event.read_as;
  if (event.written) out += "=" + event.written_as;
  return out + mode_text(event.kinds);
}

Drawing::Node node_of(const EvidenceEvent& event) {
  const auto mode = mode_text(event.kinds);
  Drawing::Node node{event.name,      label_of(event),
                     brief_of(event), mode.empty() ? mode : mode.substr(1),
                     event.thread,    Drawing::Mark::none};
  if (event.committed && event.thread >= 0) node.mark = Drawing::Mark::committed;
  return node;
}

void add_program_order(const EvidenceStage& stage, Drawing& drawing) {
  for (std::size_t i = 0; i + 1 < stage.events.size(); ++i)
    if (stage.events[i].thread >= 0 && stage.events[i].thread == stage.events[i + 1].thread)
      drawing.edges.push_back({i, i + 1, "po"});
}

std::string title_of(const EvidenceStage& stage, std::size_t number) {
  std::string fresh;
  for (const auto& event : stage.events)
    if (event.fresh && event.thread >= 0) fresh += (fresh.empty() ? "" : ", ") + event.name;
  const bool whole =
      std::ranges::all_of(stage.events, [](const EvidenceEvent& e) { return e.committed; });
  const auto what = !fresh.empty() ? "commits " + fresh
                    : whole        ? "all is committed"
                                   : "commits the initial writes";
  return fmt::format("G{}{}: {}", number, stage.target ? ", the outcome" : "", what);
}

} // namespace

Drawing draw(const EvidenceStage& stage, std::string title) {
  Drawing drawing;
  drawing.title = std::move(title);
  for (const auto& event : stage.events) drawing.nodes.push_back(node_of(event));
  add_program_order(stage, drawing);
  for (std::size_t i = 0; i < stage.events.size(); ++i) {
    const auto& event = stage.events[i];
    if (event.read) drawing.edges.push_back({event.reads_from, i, event.racy ? "rf racy" : "rf"});
  }
  for (const auto& edge : stage.sw)
    if (stage.events[edge.from].thread >= 0) drawing.edges.push_back({edge.from, edge.to, "sw"});
  return drawing;
}

std::vector<Drawing> draw(const Evidence& evidence) {
  std::vector<Drawing> drawings;
  for (const auto& stage : evidence.stages)
    drawings.push_back(draw(stage, title_of(stage, drawings.size() + 1)));
  return drawings;
}

} // namespace thinair::explain
