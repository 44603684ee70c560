// What a machine may do with a piece of its code: all final states, by one of three engines.
#pragma once

#include "lower/machine.h"
#include "oracle/cat/plan.h"
#include "oracle/question/question.h"
#include "runners/herd7.h"
#include "runners/operational.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners {

/// All final states of a machine's test under its model.
using Hardware = std::function<oracle::Result(const litmus::Test&)>;

struct HardwareLimits {
  oracle::Limits executions; // of the axioms' engine, its watch counts for all
  MachineOptions operational;
  HerdOptions herd7;
};

/// One machine, and the engine that says what its code does.
class Processor {
 public:
  /// `engine`: "operational", the abstract machine, for those that have one; "builtin", the axioms
  /// of the machine's model; "herd7"; empty: the first that there is. Throws Unsupported for an
  /// engine that the machine lacks.
  explicit Processor(lower::Machine machine, std::string_view engine = {});

  /// The machine's model (machine/table.cpp).
  const cat::Plan& model() const { return *model_; }
  /// Throws Unsupported where the engine is herd7 and there is none.
  void ready(const HerdOptions& options) const;
  oracle::Result run(const litmus::Test& code, const HardwareLimits& limits) const;
  /// How the abstract machine gets to a state in which `goal` holds; none where there is no such
  /// state, or the machine has none.
  std::vector<TraceStep> trace(const litmus::Test& code, const litmus::Proposition& goal,
                               const MachineOptions& options) const;

 private:
  enum class Engine : std::uint8_t { operational, builtin, herd7 };

  lower::Machine machine_;
  Engine engine_;
  std::unique_ptr<const cat::Plan> model_;
};

} // namespace thinair::runners
