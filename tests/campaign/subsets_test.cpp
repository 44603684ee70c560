// Subsets are all there are of a size, each once, in order.
#include "campaign/subsets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

std::size_t choose(std::size_t n, std::size_t k) {
  return k == 0 ? 1 : k > n ? 0 : choose(n - 1, k - 1) + choose(n - 1, k);
}

TEST(Subsets, AreAllOfASizeInOrder) {
  std::vector<int> of;
  for (int n = 0; n <= 8; ++n) {
    for (std::size_t size = 0; size <= of.size() + 1; ++size) {
      const auto all = subsets(of, size);
      EXPECT_EQ(all.size(), choose(of.size(), size)) << n << " " << size;
      EXPECT_TRUE(std::ranges::is_sorted(all));
      EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
      for (const auto& set : all) {
        EXPECT_EQ(set.size(), size);
        EXPECT_TRUE(std::ranges::includes(of, set));
      }
    }
    of.push_back(n);
  }
}

} // namespace
} // namespace thinair::campaign
