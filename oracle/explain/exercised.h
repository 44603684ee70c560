// Which parts of a model a program exercises.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/explain/parts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

class ModelParts {
 public:
  explicit ModelParts(const cat::Plan& model);

  /// In the model's order: definitions, then axioms.
  std::vector<ModelPart> all() const;

  /// A definition that is not empty in some allowed execution with a final state of its own; an
  /// axiom without which there would be more final states. None where a limit of `work` candidate
  /// executions is reached, or the engine lacks something.
  std::vector<ModelPart> exercised(const litmus::Program& program) const;

  static constexpr std::uint64_t work = 2'000;

 private:
  std::vector<ModelPart> definitions(const litmus::Test& test,
                                     std::optional<std::size_t>& states) const;

  cat::Plan model_;                  // shows its definitions
  std::vector<cat::Plan> without_;   // each required axiom
  std::vector<std::string> dropped_; // their names
};

} // namespace thinair::explain
