// Final states as text: each is read back as what it was.
#include "litmus/condition.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace thinair::litmus {
namespace {

State random_state(std::mt19937_64& bits) {
  const std::vector<std::string> names{"r1", "a", "x", "long_name", "r$2", "t[0]", "t[12]"};
  const std::vector<Value> values{
      0, 1, -1, 42, std::numeric_limits<Value>::max(), std::numeric_limits<Value>::min()};
  State state;
  for (auto left = bits() % 5; left > 0; --left) {
    Observable observable;
    observable.name = names[bits() % names.size()];
    const bool cell = observable.name.ends_with(']');
    if (!cell && bits() % 2 == 0)
      observable.thread = ThreadId(static_cast<std::uint32_t>(bits() % 12));
    state.values.emplace_back(observable, values[bits() % values.size()]);
  }
  return state;
}

TEST(State, IsReadAsItIsWritten) {
  std::mt19937_64 bits(1);
  for (std::uint64_t i = 0; i < test::draws(2000); ++i) {
    const auto state = random_state(bits);
    EXPECT_EQ(state_in(to_string(state)), state) << to_string(state);
  }
}

TEST(State, OtherTextsAreNone) {
  for (const auto* text :
       {"0:r1", "0:r1=", "0:r1=one", ":r1=1", "99999999999:r1=1", "[=1", "[]=1", "r1=1", "=",
        "; 0:r1=1", "0:r1=99999999999999999999", "0:r1=1;0:r2=1", "0:=1"})
    EXPECT_EQ(state_in(text), std::nullopt) << text;
}

} // namespace
} // namespace thinair::litmus
