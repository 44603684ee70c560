// What MemSAT's Table 2 has forbidden, with the seconds that it took there.
#pragma once

#include <array>

namespace thinair::explain {

struct MemsatRow {
  const char* name;
  const char* file;    // in corpus/
  double original = 0; // seconds under the rules of 2004; 0: allowed
  double revised = 0;  // under their revision
};

inline constexpr auto memsat_rows = std::to_array<MemsatRow>({
    {"4", "ctc/CTC4", 2, 2},
    {"5", "ctc/CTC5", 3, 2},
    {"10", "ctc/CTC10", 2, 2},
    {"12", "ctc/CTC12", 4, 3},
    {"13", "ctc/CTC13", 2, 2},
    {"14", "ctc/CTC14", 35, 13},
    {"15", "ctc/CTC15", 96, 56},
    {"19", "ctc/CTC19", 2, 0},
    {"20", "ctc/CTC20", 2, 0},
    {"T1", "sevcik-aspinall/SA-T1", 189, 22},
    {"T2", "sevcik-aspinall/SA-T2", 3, 2},
    {"T3", "sevcik-aspinall/SA-T3", 26, 12},
    {"T4", "sevcik-aspinall/SA-T4", 3, 3},
    {"T5", "sevcik-aspinall/SA-T5", 2, 0},
});

} // namespace thinair::explain
