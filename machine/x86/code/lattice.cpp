// Which of x86's instructions order more than which, and what they cost.
#include "machine/x86/code/lattice.h"

#include <array>

namespace thinair::lower::x86_code {
namespace {

// Intel SDM, volume 3, 10.2.5: a fence and a locked instruction drain the store buffer; LFENCE and
// SFENCE order nothing of what is asked here. What a locked instruction does to memory itself is no
// ordering, and stays.
constexpr auto edges = std::to_array<Edge>({
    {"mfence", "lfence"},
    {"mfence", "sfence"},
    {"lfence", ""},
    {"sfence", ""},
    {"lock add [stack], 0", ""},
});
constexpr auto fences = std::to_array<std::string_view>({"mfence"});
constexpr auto prices = std::to_array<Price>({{"mfence", 8},
                                              {"lock add [stack], 0", 7},
                                              {"lock *", 6},
                                              {"xchg [x], *", 6},
                                              {"lfence", 2},
                                              {"sfence", 2}});

// A full fence of C2 (`lock add` to the stack) costs 4.694 ns where nothing costs 0.407 ns, and the
// others cost nothing (JDK-8276054, openjdk/jdk#6138). A locked instruction to memory of its own
// is the same instruction. Of MFENCE Dice (2009) measured about the latency of a locked one on
// Nehalem, and that it overlaps less with other code: one step dearer here.
constexpr auto nanoseconds = std::to_array<Price>({{"mfence", 440},
                                                   {"lock *", 430},
                                                   {"xchg [x], *", 430},
                                                   {"lfence", 0},
                                                   {"sfence", 0},
                                                   {"nop", 0},
                                                   {"*", 40}});
constexpr Measured measured{
    "hundredths of a nanosecond",
    "JDK-8276054 (openjdk/jdk#6138, October 2021, one x86-64) for the full fence and plain "
    "accesses; MFENCE against a locked instruction: David Dice, 2009",
    nanoseconds};

} // namespace

constexpr Lattice lattice{edges, fences, prices, &measured};

} // namespace thinair::lower::x86_code
