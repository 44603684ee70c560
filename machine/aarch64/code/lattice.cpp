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

} // namespace

constexpr Lattice lattice{edges, fences, prices};

} // namespace thinair::lower::aarch64_code
