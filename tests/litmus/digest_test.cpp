// Digests: pinned, and different where the parts are.
#include "litmus/text/digest.h"

#include <gtest/gtest.h>

#include <set>

namespace thinair::text {
namespace {

std::string digest_of(std::initializer_list<std::string_view> parts) {
  Digest digest;
  for (const auto part : parts) digest.add(part);
  return digest.hex();
}

/// Stores keep them: they must be the same everywhere, and stay so.
TEST(Digest, IsTheSameEverywhere) {
  EXPECT_EQ(digest_of({}), "243f6a8885a308d313198a2e03707344");
  EXPECT_EQ(digest_of({"acyclic po | rf"}), "5552c3b4e23ec95670ff0d37e71f8eb1");
}

TEST(Digest, TellsPartsApart) {
  const std::set<std::string> distinct{digest_of({}),
                                       digest_of({""}),
                                       digest_of({"", ""}),
                                       digest_of({"abc"}),
                                       digest_of({"ab", "c"}),
                                       digest_of({"a", "bc"}),
                                       digest_of({"abcdefgh"}),
                                       digest_of({"abcdefgh", ""}),
                                       digest_of({std::string_view("\0", 1)}),
                                       digest_of({"abcdefghi"}),
                                       digest_of({"bacdefghi"})};
  EXPECT_EQ(distinct.size(), 11U);
}

} // namespace
} // namespace thinair::text
