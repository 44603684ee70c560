// AArch64's line of the table of machines.
#include "machine/aarch64/format.h"
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/out_of_order.h"
#include "machine/table.h"

#include <array>

namespace thinair::aarch64 {

constexpr std::array<const litmus::Language*, 1> languages{&language};

constexpr machine::Machine row{
    .name = "aarch64",
    .languages = languages,
    .front_end = &front_end,
    .model = "armv8",
    .out_of_order = out_of_order,
};

} // namespace thinair::aarch64
