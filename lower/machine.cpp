// Finds machines by name.
#include "lower/machine.h"

#include <algorithm>

namespace thinair::lower {

Machine::Machine() : row_(&*machines().front()) {}

Machine machine_of(std::string_view target) {
  const auto prefix = target.substr(0, target.find(':'));
  const auto all = machines();
  const auto found =
      std::ranges::find_if(all, [&](Machine machine) { return machine->prefix == prefix; });
  return found == all.end() ? Machine() : *found;
}

} // namespace thinair::lower
