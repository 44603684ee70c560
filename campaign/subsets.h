// The sets of a few of many that searches for least changes try.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace thinair::campaign {

/// All sets of `size` of these, each in their order, those with earlier ones first.
template <class T>
std::vector<std::vector<T>> subsets(const std::vector<T>& of, std::size_t size) {
  std::vector<std::vector<T>> out;
  if (size > of.size()) return out;
  std::vector<bool> chosen(of.size(), false);
  std::fill_n(chosen.begin(), size, true);
  do {
    auto& set = out.emplace_back();
    for (std::size_t i = 0; i < of.size(); ++i)
      if (chosen[i]) set.push_back(of[i]);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return out;
}

} // namespace thinair::campaign
