// Which of AArch64's instructions order more than which, and what they cost.
#include "machine/aarch64/code/lattice.h"

#include <array>

namespace thinair::lower::aarch64_code {
namespace {

// Arm ARM, B2.3: barriers, load-acquire (RCsc and RCpc) and store-release; LSE atomics with an
// acquire or release bit.
constexpr auto edges = std::to_array<Edge>({
    {"dmb ish", "dmb ishld"},  {"dmb ish", "dmb ishst"},  {"dmb ishld", ""},
    {"dmb ishst", ""},         {"ldar *", "ldapr *"},     {"ldapr *", "ldr *"},
    {"stlr *", "str *"},       {"ldaxr *", "ldxr *"},     {"stlxr *", "stxr *"},
    {"casal *", "casa *"},     {"casal *", "casl *"},     {"casa *", "cas *"},
    {"casl *", "cas *"},       {"swpal *", "swpa *"},     {"swpal *", "swpl *"},
    {"swpa *", "swp *"},       {"swpl *", "swp *"},       {"ldaddal *", "ldadda *"},
    {"ldaddal *", "ldaddl *"}, {"ldadda *", "ldadd *"},   {"ldaddl *", "ldadd *"},
    {"ldsetal *", "ldseta *"}, {"ldsetal *", "ldsetl *"}, {"ldseta *", "ldset *"},
    {"ldsetl *", "ldset *"},   {"ldclral *", "ldclra *"}, {"ldclral *", "ldclrl *"},
    {"ldclra *", "ldclr *"},   {"ldclrl *", "ldclr *"},   {"ldeoral *", "ldeora *"},
    {"ldeoral *", "ldeorl *"}, {"ldeora *", "ldeor *"},   {"ldeorl *", "ldeor *"},
});
constexpr auto fences = std::to_array<std::string_view>({"dmb ishld", "dmb ishst", "dmb ish"});
constexpr auto prices = std::to_array<Price>({
    {"dmb ish", 8},   {"dmb ishld", 4}, {"dmb ishst", 4}, {"ldar *", 3},    {"ldapr *", 2},
    {"stlr *", 3},    {"ldaxr *", 3},   {"stlxr *", 3},   {"casal *", 5},   {"casa *", 4},
    {"casl *", 4},    {"cas *", 3},     {"swpal *", 5},   {"swpa *", 4},    {"swpl *", 4},
    {"swp *", 3},     {"ldaddal *", 5}, {"ldadda *", 4},  {"ldaddl *", 4},  {"ldadd *", 3},
    {"ldsetal *", 5}, {"ldseta *", 4},  {"ldsetl *", 4},  {"ldset *", 3},   {"ldclral *", 5},
    {"ldclra *", 4},  {"ldclrl *", 4},  {"ldclr *", 3},   {"ldeoral *", 5}, {"ldeora *", 4},
    {"ldeorl *", 4},  {"ldeor *", 3},
});

// How often each can be done again, one after the other in one thread with nothing else to wait
// for: that is the least that it costs. Read from the table of the high-performance cores of
// Apple's M1 (Dougall Johnson, "Apple Microarchitecture Research", firestorm-int): any DMB 3
// cycles, CAS and SWP without release 3, with release 7, LDADD and its like as STADD and its like,
// STLR (of bytes) 1, STR 0.5, LDR 0.333, STXR and STLXR that fail 38. LDAR and LDAPR are not in the
// table: as LDR.
constexpr auto cycles = std::to_array<Price>({
    {"dmb *", 30},     {"ldar *", 3},     {"ldapr *", 3},    {"ldr *", 3},      {"ldaxr *", 3},
    {"ldxr *", 3},     {"stlr *", 10},    {"str *", 5},      {"stlxr *", 380},  {"stxr *", 380},
    {"casal *", 70},   {"casl *", 70},    {"casa *", 30},    {"cas *", 30},     {"swpal *", 70},
    {"swpl *", 70},    {"swpa *", 30},    {"swp *", 30},     {"ldaddal *", 70}, {"ldaddl *", 70},
    {"ldadda *", 30},  {"ldadd *", 30},   {"ldsetal *", 70}, {"ldsetl *", 70},  {"ldseta *", 30},
    {"ldset *", 30},   {"ldclral *", 70}, {"ldclrl *", 70},  {"ldclra *", 30},  {"ldclr *", 30},
    {"ldeoral *", 70}, {"ldeorl *", 70},  {"ldeora *", 30},  {"ldeor *", 30},   {"*", 2},
});
constexpr Measured measured{
    "tenths of a cycle",
    "Apple's M1, one thread, nothing to wait for (Dougall Johnson, Apple Microarchitecture "
    "Research, firestorm-int; LDAR, which it lacks, as LDR)",
    cycles};

} // namespace

constexpr Lattice lattice{edges, fences, prices, &measured};

} // namespace thinair::lower::aarch64_code
