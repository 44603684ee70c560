// Half fences and failed updates have sets of their own, beside those that they share with others.
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::executions {
namespace {

/// Whether the set is empty in an execution of a thread with this statement.
bool is_empty(const std::string& set, const std::string& statement) {
  const auto test = litmus::parse(
      {"t",
       fmt::format("Java T\n{{ x = 0; X=x; }}\nThread0 {{ {} }}\nexists (true)\n", statement)});
  const auto text = fmt::format("\"M\"\n(* meaning: everything *)\nempty {} as none\n", set);
  const auto model = cat::load_model(thinair::text::Source{"m.cat", text}, cat::Architecture::java);
  return !behaviours(test, model).behaviours.empty();
}

TEST(Tags, HalfFencesAreToldFromWholeOnes) {
  for (const auto* set : {"LOADLOAD", "F & ACQ"}) EXPECT_FALSE(is_empty(set, "loadLoadFence();"));
  for (const auto* set : {"STORESTORE", "F & REL"})
    EXPECT_FALSE(is_empty(set, "storeStoreFence();"));
  EXPECT_FALSE(is_empty("F & ACQ", "acquireFence();"));
  EXPECT_FALSE(is_empty("F & REL", "releaseFence();"));
  for (const auto* fence : {"acquireFence();", "releaseFence();", "fullFence();"}) {
    EXPECT_TRUE(is_empty("LOADLOAD", fence));
    EXPECT_TRUE(is_empty("STORESTORE", fence));
  }
}

TEST(Tags, FailedUpdatesAreToldFromReads) {
  EXPECT_FALSE(is_empty("FAILED", "X.compareAndExchangeRelease(1, 2);"));
  EXPECT_FALSE(is_empty("R & PLAIN & FAILED", "X.compareAndExchangeRelease(1, 2);"));
  EXPECT_FALSE(is_empty("FAILED & ACQ", "X.compareAndExchangeAcquire(1, 2);"));
  EXPECT_TRUE(is_empty("FAILED", "X.compareAndExchange(0, 2);"));
  EXPECT_TRUE(is_empty("FAILED", "X.getAcquire();"));
  EXPECT_TRUE(is_empty("FAILED & RMW", "X.compareAndExchangeRelease(1, 2);"));
}

} // namespace
} // namespace thinair::executions
