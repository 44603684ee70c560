// Final states in the order in which they are shown.
#pragma once

#include "litmus/condition.h"
#include "litmus/text/error.h"
#include "litmus/text/watch.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace thinair::oracle {

/// States that are still shown once a limit has been reached: few enough to be sorted and written
/// in no time.
inline constexpr std::size_t most_when_late = 5'000;

/// Behaviours sorted by `text(behaviour)`, each once. Where the watch has stopped, or stops
/// meanwhile, only the first `most_when_late` of those found: whoever calls looks at the watch.
template <class Found, class Text>
std::vector<litmus::Behaviour> in_text_order(const Found& found, Text&& text, Watch& watch) {
  std::vector<std::pair<std::string, const litmus::Behaviour*>> by_text;
  const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  for (const auto& behaviour : found) {
    if (!watch.step(4) && by_text.size() >= most_when_late) break;
    by_text.emplace_back(text(behaviour), &behaviour);
  }
  try {
    if (!watch.stopped())
      std::ranges::sort(by_text, [&](const auto& a, const auto& b) {
        watch.demand();
        return less(a, b);
      });
  } catch (const LimitReached&) { // known from the watch
  }
  if (watch.stopped()) {
    by_text.resize(std::min(by_text.size(), most_when_late));
    std::ranges::sort(by_text, less);
  }
  std::vector<litmus::Behaviour> sorted;
  for (std::size_t i = 0; i < by_text.size(); ++i)
    if (i == 0 || by_text[i].first != by_text[i - 1].first) sorted.push_back(*by_text[i].second);
  return sorted;
}

} // namespace thinair::oracle
