// What a target itself can tell of who is to blame for a find.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace thinair::campaign {

/// So many fences are put into a program's code, at most, to see whether they mend it.
constexpr std::size_t most_fences = 3;

/// Of the target's; without parts, it is not known whose.
struct Fault {
  std::vector<std::string>
      parts;                    // "fullFence": finds with the same parts and kind are of one cause
  std::string kind;             // "left out", "taken from an earlier read"
  std::string sentence, change; // as a Cause has them, in words
  std::vector<Fault> otherwise = {}; // the same, seen from another side: finds are grouped by the
                                     // side that most of them share
  bool is_known() const { return !parts.empty(); }
};

std::string to_json(const Fault& fault);

} // namespace thinair::campaign
