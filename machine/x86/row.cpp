// x86's line of the table of machines.
#include "machine/table.h"
#include "machine/x86/format.h"
#include "machine/x86/front_end.h"

#include <array>

namespace thinair::x86 {

constexpr std::array<const litmus::Language*, 2> languages{&att, &intel};

constexpr machine::Machine row{
    .name = "x86",
    .languages = languages,
    .front_end = &front_end,
    .model = "x86-tso",
    .herd_has_it = true,
};

} // namespace thinair::x86
