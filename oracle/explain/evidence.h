// Justifications as evidence (jMT Fig. 3): a sequence of executions with what each commits, ready
// to be printed or drawn.
#pragma once

#include "oracle/answer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thinair::explain {

using causality::Identity;
using causality::Kinds;
using causality::Value;

/// An event of one execution of the sequence.
struct EvidenceEvent {
  std::string name; // "a", "b", …: the same action has the same name in all executions
  std::int32_t thread = causality::initial_thread;
  Kinds kinds = 0;
  std::string label;         // "R x=0 volatile", "lock m"
  std::string location;      // or monitor, or thread started or joined; empty: it has none
  std::uint32_t source = 0;  // byte offset in the test; of nothing where the write is initial
  std::optional<Value> read; // the value read
  std::optional<Value> written;
  std::string read_as, written_as;              // the same for people: "3", "null", "A.1"
  std::size_t reads_from = causality::no_event; // index in the same execution, of what reads
  bool committed = false;                       // in C_i
  bool fresh = false;                           // in C_i and not in C_{i-1}
  bool racy = false;                            // reads a write that does not happen before it
};

/// G_i with C_i. Events are in the order of GraphView: initial writes, then thread by thread in
/// program order.
struct EvidenceStage {
  std::vector<EvidenceEvent> events;
  std::vector<causality::Edge> so, sw; // of so the steps that do not follow from others; sw in full
  std::vector<causality::Edge>
      hb;              // steps that do not follow, beyond program order between neighbours
  bool target = false; // the execution that shows the behaviour
};

struct Evidence {
  std::string rules; // the rule set's name
  Identity identity = Identity::index;
  std::vector<litmus::Observable> observables;
  litmus::Behaviour behaviour;
  std::string shown;                 // the behaviour for people: "1:r=A.1"
  std::vector<EvidenceStage> stages; // the last is the target with everything committed
};

/// After an answer of yes under a rule set that justifies. What it returns has passed the
/// independent check (check.h); a justification that does not is a Bug.
Evidence describe(const litmus::Test& test, const oracle::Oracle& oracle);

/// Stages of a justification, or of the beginning of one. The target's actions have the first
/// names.
std::vector<EvidenceStage> tell(const litmus::Test& test, const causality::GraphSet& set,
                                const causality::Justification& stages);

/// A paragraph a stage: what it commits, then its events; `+` marks those committed now, `*` those
/// committed before.
std::string as_text(const Evidence& evidence);

/// One object on one line; docs/causality.md has its fields.
std::string as_json(const Evidence& evidence);

} // namespace thinair::explain
