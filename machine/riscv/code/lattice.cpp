// Which of RISC-V's instructions order more than which, and what they cost.
#include "machine/riscv/code/lattice.h"

#include <array>

namespace thinair::lower::riscv_code {
namespace {

// RISC-V Unprivileged ISA: FENCE (2.7), the aq and rl bits of A (chapter "A").
constexpr auto edges = std::to_array<Edge>({
    {"fence rw, rw", "fence r, rw"},
    {"fence rw, rw", "fence w, rw"},
    {"fence rw, rw", "fence rw, r"},
    {"fence rw, rw", "fence rw, w"},
    {"fence r, rw", "fence r, r"},
    {"fence r, rw", "fence r, w"},
    {"fence w, rw", "fence w, r"},
    {"fence w, rw", "fence w, w"},
    {"fence rw, r", "fence r, r"},
    {"fence rw, r", "fence w, r"},
    {"fence rw, w", "fence r, w"},
    {"fence rw, w", "fence w, w"},
    {"fence r, r", ""},
    {"fence r, w", ""},
    {"fence w, r", ""},
    {"fence w, w", ""},
    {"lr.w.aqrl *", "lr.w.aq *"},
    {"lr.w.aq *", "lr.w *"},
    {"sc.w.rl *", "sc.w *"},
    {"amoswap.w.aqrl *", "amoswap.w.aq *"},
    {"amoswap.w.aqrl *", "amoswap.w.rl *"},
    {"amoswap.w.aq *", "amoswap.w *"},
    {"amoswap.w.rl *", "amoswap.w *"},
    {"amoadd.w.aqrl *", "amoadd.w.aq *"},
    {"amoadd.w.aqrl *", "amoadd.w.rl *"},
    {"amoadd.w.aq *", "amoadd.w *"},
    {"amoadd.w.rl *", "amoadd.w *"},
    {"amoor.w.aqrl *", "amoor.w.aq *"},
    {"amoor.w.aqrl *", "amoor.w.rl *"},
    {"amoor.w.aq *", "amoor.w *"},
    {"amoor.w.rl *", "amoor.w *"},
    {"amoand.w.aqrl *", "amoand.w.aq *"},
    {"amoand.w.aqrl *", "amoand.w.rl *"},
    {"amoand.w.aq *", "amoand.w *"},
    {"amoand.w.rl *", "amoand.w *"},
    {"amoxor.w.aqrl *", "amoxor.w.aq *"},
    {"amoxor.w.aqrl *", "amoxor.w.rl *"},
    {"amoxor.w.aq *", "amoxor.w *"},
    {"amoxor.w.rl *", "amoxor.w *"},
});
constexpr auto fences =
    std::to_array<std::string_view>({"fence r, rw", "fence rw, w", "fence w, r", "fence rw, rw"});
constexpr auto prices = std::to_array<Price>({
    {"fence rw, rw", 8},   {"fence w, rw", 7},     {"fence rw, r", 7},      {"fence w, r", 6},
    {"fence r, rw", 4},    {"fence rw, w", 4},     {"fence r, r", 3},       {"fence r, w", 3},
    {"fence w, w", 3},     {"lr.w.aqrl *", 4},     {"lr.w.aq *", 3},        {"lr.w *", 2},
    {"sc.w.rl *", 3},      {"sc.w *", 2},          {"amoswap.w.aqrl *", 5}, {"amoswap.w.aq *", 4},
    {"amoswap.w.rl *", 4}, {"amoadd.w.aqrl *", 5}, {"amoadd.w.aq *", 4},    {"amoadd.w.rl *", 4},
    {"amoor.w.aqrl *", 5}, {"amoor.w.aq *", 4},    {"amoor.w.rl *", 4},     {"amoand.w.aqrl *", 5},
    {"amoand.w.aq *", 4},  {"amoand.w.rl *", 4},   {"amoxor.w.aqrl *", 5},  {"amoxor.w.aq *", 4},
    {"amoxor.w.rl *", 4},
});

} // namespace

// Of fences no measurement by instruction is known to us that could be cited: reviews of OpenJDK
// have whole benchmarks on FPGAs (openjdk/jdk#31955, #32309).
constexpr Lattice lattice{edges, fences, prices};

} // namespace thinair::lower::riscv_code
