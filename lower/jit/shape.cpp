// What each machine says of an instruction and of registers.
#include "lower/jit/shape.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"

#include <fmt/format.h>

namespace thinair::lower::jit {

const CompiledCode& compiled_code(Machine machine) {
  if (machine->compiled == nullptr)
    throw Unsupported(fmt::format("a JIT's code for {}", machine->title));
  return *machine->compiled;
}

Shape shape_of(const MachineInstruction& instruction, Machine machine) {
  const auto shape = compiled_code(machine).shape;
  if (shape == nullptr) throw Unsupported(fmt::format("a JIT's code for {}", machine->title));
  return shape(instruction);
}

std::string whole_register(Machine machine, std::string_view name) {
  return compiled_code(machine).whole_register(name);
}

std::string listed_register(Machine machine, std::string_view name) {
  return compiled_code(machine).listed_register(name.substr(0, name.find(':')));
}

std::string listed_argument(std::string_view name, int first) {
  constexpr std::string_view argument = "c_rarg";
  if (!name.starts_with(argument) || name.size() != argument.size() + 1) return "";
  return fmt::format("X{}", first + name.back() - '0');
}

Fixed fixed_registers(Machine machine) { return compiled_code(machine).fixed; }

} // namespace thinair::lower::jit
