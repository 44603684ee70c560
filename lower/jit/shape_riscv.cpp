#include "lower/jit/shape.h"
#include "lower/decode.h"
namespace thinair::lower::jit {
Shape riscv_shape(const MachineInstruction& in) { unsupported(in); }
}
