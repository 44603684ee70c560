// Looks at each loop of a test.
#include "runners/retries.h"

#include "litmus/language.h"
#include "lower/machine.h"

namespace thinair::runners {

bool only_retries(const litmus::Test& test) {
  const auto is_retry = lower::machine_of(test.language->machine)->only_retries;
  const auto& code = test.code();
  const auto sizes = code.sizes();
  for (std::size_t t = 0; t < sizes.size(); ++t)
    for (std::size_t i = 0; i < sizes[t]; ++i) {
      if (code.target(t, i).empty()) continue;
      const std::size_t to = code.place_of(t, code.target(t, i));
      if (to <= i && (is_retry == nullptr || !is_retry(test, t, to, i))) return false;
    }
  return true;
}

} // namespace thinair::runners
