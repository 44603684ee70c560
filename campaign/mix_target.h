// mix:A,B: code in which each access may be compiled by any of several schemes.
#pragma once

#include "campaign/target.h"

namespace thinair::campaign {

extern const TargetKind mix_kind;

} // namespace thinair::campaign
