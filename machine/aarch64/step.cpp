// Instructions on numbers.
#include "machine/aarch64/step.h"

#include "machine/aarch64/semantics.h"

namespace thinair::aarch64 {

using machine::ConcreteCore;

bool step(const Instruction& in, Registers& registers, ConcreteCore& core) {
  State<ConcreteCore> state(core);
  for (std::size_t i = 0; i < register_count; ++i)
    state.registers[i].value = static_cast<Value>(registers.x[i]);
  for (unsigned i = 0; i < 4; ++i) state.flags.nzcv[i] = registers.nzcv >> (3 - i) & 1;
  const bool jumps = execute(in, state, core);
  Execution<ConcreteCore> after(in, state, core);
  for (std::size_t i = 0; i < register_count; ++i)
    registers.x[i] = static_cast<std::uint64_t>(after.read(static_cast<Register>(i), Width::q));
  registers.nzcv = 0;
  for (const auto flag : {Condition::mi, Condition::eq, Condition::cs, Condition::vs})
    registers.nzcv = static_cast<std::uint8_t>(registers.nzcv << 1 | after.holds(flag));
  return jumps;
}

} // namespace thinair::aarch64
