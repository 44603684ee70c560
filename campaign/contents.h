// What the files that a campaign names hold: a model or scheme that was changed is another
// campaign.
#pragma once

#include "campaign/store.h"
#include "campaign/target.h"

namespace thinair::campaign {

/// Digests of the model with all that it includes, and of each target (Target::content).
Contents contents_of(const cat::Plan& model, const Targets& targets);

/// Throws InputError where what the store's campaign was about has changed since: its finds cannot
/// be explained then.
void require_unchanged(const Store& store, const Contents& now, const std::string& directory);

} // namespace thinair::campaign
