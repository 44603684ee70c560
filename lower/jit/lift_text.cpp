#include "lower/jit/machine_lift.h"
#include "litmus/text/error.h"
namespace thinair::lower::jit {
Lowered text_lifted(const Compilation&, const Walked&) { throw Unsupported("text"); }
}
