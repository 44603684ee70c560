// What the files that a campaign names hold: a model or scheme that was changed is another
// campaign.
#pragma once

#include "campaign/store.h"
#include "oracle/cat/model.h"

namespace thinair::campaign {

/// Digests of the model with all that it includes, and of each target that is a scheme or a model;
/// the version of LLVM for those that it compiles. JVMs, and compilers outside of this process, go
/// by their names alone. Throws InputError where a target cannot be read.
Contents contents_of(const Identity& identity, const cat::Plan& model,
                     const cat::LoadOptions& load = {});

/// Throws InputError where what the store's campaign was about has changed since: its finds cannot
/// be explained then.
void require_unchanged(const Store& store, const Contents& now, const std::string& directory);

} // namespace thinair::campaign
