// model:NAME: everything that another model allows.
#pragma once

#include "campaign/target.h"

namespace thinair::campaign {

extern const TargetKind model_kind;

} // namespace thinair::campaign
