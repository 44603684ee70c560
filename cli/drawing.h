// An execution as a drawing: events, and the edges between them; as text or for Graphviz.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/executions/enumerate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace thinair::cli {

struct Drawing {
  struct Node {
    std::string name;         // "a", "b", …
    std::string label;        // "W x=1 release"
    std::int64_t thread = -1; // -1: an initial write
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    std::string relation;
  };
  std::string title;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Program order between neighbours, reads-from, and what the model shows; of a relation that is
/// transitive only the steps that do not follow from others.
Drawing draw(const executions::Witness& witness, const cat::Plan& plan, std::string title);

std::string as_text(const Drawing& drawing);
std::string as_dot(const Drawing& drawing);

} // namespace thinair::cli
