// The names of base sets and relations: each found where it belongs, and only there.
#include "machine/x86/front_end.h"
#include "oracle/graph/vocabulary.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

namespace thinair::graph {
namespace {

TEST(VocabularyTest, EveryNameIsFoundOnItsArchitecturesOnly) {
  for (const auto& row : vocabulary()) {
    EXPECT_EQ(input_named(row.name, Architecture::java).has_value(), row.java) << row.name;
    EXPECT_EQ(input_named(row.name, x86::architecture).has_value(), row.machines) << row.name;
  }
  EXPECT_FALSE(input_named("co", x86::architecture)); // models define it
  EXPECT_EQ(input_named("X", x86::architecture), tag_input(0));
  EXPECT_EQ(input_named("X", Architecture::java), std::nullopt);
}

TEST(VocabularyTest, NamesAreUniqueAndEveryInputHasOne) {
  std::set<std::string_view> names;
  std::set<Input> inputs;
  for (const auto& row : vocabulary()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    inputs.insert(row.input);
  }
  EXPECT_EQ(inputs.size(), static_cast<std::size_t>(Input::lifetime) + 1);
  for (const auto* front_end : front_ends()) {
    std::set<std::string_view> own = names;
    for (const auto& row : front_end->sets) {
      EXPECT_TRUE(own.insert(row.name).second) << front_end->name << ": " << row.name;
      EXPECT_NE(row.tags, 0U) << row.name;
    }
  }
}

} // namespace
} // namespace thinair::graph
