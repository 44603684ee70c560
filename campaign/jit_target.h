// jit:[MACHINE:]JDK:COMPILER: the code that a JVM's compilers emit, judged by what its machine may
// do with it.
#pragma once

#include "campaign/target.h"

namespace thinair::campaign {

extern const TargetKind jit_kind;

} // namespace thinair::campaign
