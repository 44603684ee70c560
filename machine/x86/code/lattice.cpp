// Which of x86's instructions order more than which, and what they cost.
#include "machine/x86/code/lattice.h"

#include <array>

namespace thinair::lower::x86_code {
namespace {

// Intel SDM, volume 3, 10.2.5: a fence and a locked instruction drain the store buffer. What a
// locked instruction does to memory itself is no ordering, and stays.
constexpr auto edges = std::to_array<Edge>({
    {"mfence", ""},
    {"lock add [stack], 0", ""},
});
constexpr auto fences = std::to_array<std::string_view>({"mfence"});
constexpr auto prices =
    std::to_array<Price>({{"mfence", 8}, {"lock add [stack], 0", 7}, {"lock *", 6}});

} // namespace

constexpr Lattice lattice{edges, fences, prices};

} // namespace thinair::lower::x86_code
