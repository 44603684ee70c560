// What causality needs of the relations that a model provides (jMT §4).
#pragma once

#include "litmus/text/error.h"
#include "oracle/causality/graphs.h"

#include <optional>
#include <string>

namespace thinair::causality {

/// A model that rules of causality cannot be used with: a relation is missing, or is not what they
/// need in some execution of a program.
class UnfitModel : public InputError {
 public:
  UnfitModel(std::string_view model, std::string_view problem);
};

/// What is wrong with the relations, as in "hb is not transitive"; absent: nothing. Demanded: hb is
/// a partial order (reflexive or not) that contains program order and sw and puts initial writes
/// before all else; so is a strict order, total
/// on synchronization actions (JLS 17.4.2); sw lies within hb.
std::optional<std::string> ill_formed(const GraphView& view, const std::vector<Event>& events);

} // namespace thinair::causality
