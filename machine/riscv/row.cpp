// RISC-V's line of the table of machines.
#include "machine/riscv/format.h"
#include "machine/riscv/front_end.h"
#include "machine/table.h"

#include <array>

namespace thinair::riscv {

constexpr std::array<const litmus::Language*, 1> languages{&language};

constexpr machine::Machine row{
    .name = "riscv",
    .languages = languages,
    .front_end = &front_end,
    .model = "riscv",
};

} // namespace thinair::riscv
