// The value of every node of a model in one execution, and why a pair is in a relation.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/executions/enumerate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

using executions::EventId;

/// One step of a way through an execution. `reversed`: the relation leads from `to` to `from`.
struct Step {
  EventId from = 0, to = 0;
  std::string relation;
  bool reversed = false;
  friend bool operator==(const Step&, const Step&) = default;
};

/// A model that shows all its nodes, so that a witness has their values.
cat::Plan showing_everything(cat::Plan plan);

/// The model up to its choice number `choice`: without that one, what depends on it, and all
/// axioms.
cat::Plan before_choice(const cat::Plan& plan, std::size_t choice);

/// Reads values off a witness of showing_everything(plan); both outlive it.
class Values {
 public:
  Values(const cat::Plan& shown, const executions::Witness& witness);

  bool has(cat::NodeId relation, EventId from, EventId to) const;
  bool contains(cat::NodeId set, EventId event) const;
  std::size_t events() const { return events_; }

  /// A shortest cycle of a relation, as its events; absent: there is none. With a set: through one
  /// of its events.
  std::optional<std::vector<EventId>> cycle(cat::NodeId relation,
                                            std::optional<cat::NodeId> through = {}) const;

  /// How a pair comes into a relation: the parts of unions and of compositions, down to what the
  /// model or cat has a name for; closures are followed step by step.
  std::vector<Step> steps(cat::NodeId relation, EventId from, EventId to) const;
  /// The same for the definition behind a name, one level down; empty where there is nothing to
  /// say.
  std::vector<Step> behind(const Step& step) const;

  /// The name of a node; else its expression.
  std::string name(cat::NodeId node) const;

 private:
  const graph::EventSet<4>& row(cat::NodeId node, EventId event) const {
    return rows_[node][event];
  }
  std::optional<std::vector<EventId>> way(cat::NodeId relation, EventId from, EventId to) const;
  bool open(cat::NodeId node, EventId from, EventId to, std::vector<Step>& out) const;
  void follow(cat::NodeId node, EventId from, EventId to, std::vector<Step>& out) const;
  bool through(cat::NodeId first, cat::NodeId second, EventId from, EventId to,
               std::vector<Step>& out) const;
  void find_makers();
  cat::NodeId body_of(cat::NodeId variable) const;

  const cat::Plan& plan_;
  std::size_t events_ = 0;
  std::vector<std::vector<graph::EventSet<4>>> rows_; // by node; empty: not known
  std::vector<std::string> names_;                    // by node
  std::vector<char> makes_pairs_;                     // by node
};

} // namespace thinair::explain
