// Parts of a model that can be left out, to see what each of them forbids.
#pragma once

#include "oracle/cat/plan.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace thinair::explain {

/// A part of a model, by its name.
struct ModelPart {
  enum class Kind : std::uint8_t {
    definition,
    axiom,
    rules, // of causality, which it is asked under
  } kind = Kind::definition;
  std::string name;
  friend auto operator<=>(const ModelPart&, const ModelPart&) = default;
};

/// "definition", "axiom", "rules of causality".
std::string_view name(ModelPart::Kind kind);

/// Whether a definition can be emptied: a relation that is no other name of a basic one, and no
/// part of a recursive definition, which is computed as a whole.
bool can_be_emptied(const cat::Plan& plan, cat::NodeId node);

/// The model with an empty relation in the place of a definition.
cat::Plan without_definition(const cat::Plan& plan, cat::NodeId node);
/// The model without an axiom, by its place.
cat::Plan without_axiom(const cat::Plan& plan, std::size_t axiom);

/// The same by name; of `rules` nothing is left out: those are not in the plan. A name that the
/// model lacks leaves it as it is.
cat::Plan without(const cat::Plan& plan, const ModelPart& part);

} // namespace thinair::explain
