// Labels that differ over all threads of a program, as herd7 wants them.
#pragma once

#include <map>
#include <set>
#include <string>

namespace thinair::litmus {

/// Renames labels that stand twice, and the targets of jumps with them: `L`, `L_1`, `L_2`. A thread
/// has `code`, whose elements have `labels` and a `target` (empty: no jump), and `end_labels`.
template <class Threads>
void separate_labels(Threads& threads) {
  std::set<std::string> taken;
  for (auto& thread : threads) {
    std::map<std::string, std::string> fresh;
    const auto settle = [&](std::string& label) {
      std::string unique = label;
      for (int i = 1; !taken.insert(unique).second; ++i) unique = label + "_" + std::to_string(i);
      fresh[label] = unique;
      label = unique;
    };
    for (auto& line : thread.code)
      for (std::string& label : line.labels) settle(label);
    for (std::string& label : thread.end_labels) settle(label);
    for (auto& line : thread.code)
      if (const auto found = fresh.find(line.target); found != fresh.end())
        line.target = found->second;
  }
}

} // namespace thinair::litmus
