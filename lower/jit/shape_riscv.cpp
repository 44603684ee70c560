#include "lower/decode.h"
#include "lower/jit/shape.h"
namespace thinair::lower::jit {
Shape riscv_shape(const MachineInstruction& in) { unsupported(in); }
} // namespace thinair::lower::jit
