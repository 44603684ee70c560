// An execution as a drawing: events, and the edges between them; as text, for Graphviz, or as SVG.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/executions/enumerate.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace thinair::explain {

struct Drawing {
  /// What an event is picked out for.
  enum class Mark : std::uint8_t { none, reason, committed };
  struct Node {
    std::string name;         // "a", "b", …
    std::string label;        // "RW x reads 0=1 release"
    std::string brief;        // the same for a small box: "RW x 0→1"
    std::string mode;         // "release"
    std::int64_t thread = -1; // -1: an initial write
    Mark mark = Mark::none;
    std::string deed = {};                   // "`X.set(1)` of Thread0"; may be empty (deed.h)
    std::string location = {}, written = {}; // of accesses, of writes
  };
  /// What an edge is there for.
  enum class Role : std::uint8_t {
    fact,    // of the execution
    support, // from which a step of the reason follows
    reason,  // a step of the reason: of the cycle that an axiom forbids
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    std::string relation;
    Role role = Role::fact;
  };
  std::string title;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// "a", …, "z", "a1", …
std::string event_name(std::size_t event);

/// "R", "W", "RW", "F", "lock", and the modes after it, as labels have them: " volatile".
std::string kind_text(graph::Kinds kinds);
std::string mode_text(graph::Kinds kinds, graph::Tags tags = 0,
                      graph::Architecture architecture = graph::Architecture::java);

/// The events, with the values that they have in the execution as the test's types show them,
/// program order between neighbours, and reads-from.
Drawing draw_base(const litmus::Test& test, const executions::Witness& witness, std::string title);

/// And what the model shows; of a relation that is transitive only the steps that do not follow
/// from others.
Drawing draw(const litmus::Test& test, const executions::Witness& witness, const cat::Plan& plan,
             std::string title);

/// The model with these of its definitions shown too, where it has them.
cat::Plan also_showing(cat::Plan plan, const std::vector<std::string>& names);

std::string as_text(const Drawing& drawing);
std::string as_dot(const Drawing& drawing);

/// Threads as columns, events in program order from top to bottom. Of initial writes only those
/// that something reads are drawn, and of their edges only reads-from: they come first in every
/// order. A whole file, or without its style for a page that has `svg_style`.
enum class Svg : std::uint8_t { file, part };
std::string as_svg(const Drawing& drawing, Svg kind = Svg::file);
std::string as_svg(std::span<const Drawing> drawings, Svg kind = Svg::file); // one below the other
std::string svg_style();

} // namespace thinair::explain
