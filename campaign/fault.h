// What a target itself can tell of who is to blame for a find.
#pragma once

#include <string>
#include <vector>

namespace thinair::campaign {

/// Of the target's; without parts, it is not known whose.
struct Fault {
  std::vector<std::string>
      parts;                    // "fullFence": finds with the same parts and kind are of one cause
  std::string kind;             // "left out", "taken from an earlier read"
  std::string sentence, change; // as a Cause has them, in words
  bool is_known() const { return !parts.empty(); }
};

std::string to_json(const Fault& fault);

} // namespace thinair::campaign
