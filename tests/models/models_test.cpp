// Every shipped model: it loads for its programs, says where each rule comes from, and every axiom
// has a name.
#include "litmus/text/error.h"
#include "models/library.h"
#include "oracle/cat/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace thinair::cat {
namespace {

struct Model {
  const char* name;
  std::string_view fits; // the programs that it is for
  const char* causality;
  bool orders_memory;
};

constexpr std::string_view all = "Java x86 AArch64 RISC-V";

constexpr auto shipped = std::to_array<Model>({
    {"armv8", "AArch64", "none", true},
    {"causal", all, "none", false},
    {"coherence", all, "none", true},
    {"jam19", "Java", "none", true},
    {"jam21", "Java", "none", true},
    {"java", "Java", "java", true},
    {"jls04", "Java", "jls04", false},
    {"pc", all, "none", true},
    {"pram", all, "none", false},
    {"riscv-tso", "RISC-V", "none", true},
    {"riscv", "RISC-V", "none", true},
    {"sc", all, "none", true},
    {"tso", "Java x86", "none", true},
    {"x86-tso", "x86", "none", true},
});

/// Word by word: x86 is no part of another.
bool fits(const Model& model, Architecture architecture) {
  return fmt::format(" {} ", model.fits).find(fmt::format(" {} ", architecture->name)) !=
         std::string::npos;
}

Architecture first_that_fits(const Model& model) {
  for (const auto* each : graph::front_ends())
    if (fits(model, Architecture(*each))) return Architecture(*each);
  throw Bug("a model for no programs");
}

/// File names of models, without the library's.
std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& file : models::files())
    if (!file.name.starts_with("library/"))
      result.emplace_back(file.name.substr(0, file.name.size() - 4));
  return result;
}

TEST(Models, TheTableIsComplete) {
  std::vector<std::string> expected;
  for (const auto& model : shipped) expected.emplace_back(model.name);
  EXPECT_EQ(names(), expected);
}

class Shipped : public testing::TestWithParam<Model> {};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

TEST_P(Shipped, LoadsForItsPrograms) {
  const Model& model = GetParam();
  for (const auto* each : graph::front_ends()) {
    const Architecture architecture(*each);
    if (!fits(model, architecture)) {
      EXPECT_THROW(load_model(model.name, architecture), InputError);
      continue;
    }
    const Plan plan = load_model(model.name, architecture);
    EXPECT_EQ(plan.causality, model.causality);
    EXPECT_EQ(plan.orders_memory, model.orders_memory);
    EXPECT_EQ(plan.architecture, architecture);
    EXPECT_FALSE(plan.axioms.empty());
    EXPECT_NE(plan.name, "None");
  }
}

TEST_P(Shipped, EveryAxiomHasANameAndASource) {
  const Model& model = GetParam();
  const Plan plan = load_model(model.name, first_that_fits(model));
  std::vector<std::string> seen;
  for (const auto& axiom : plan.axioms) {
    EXPECT_EQ(axiom.name.find('@'), std::string::npos) << axiom.name;
    EXPECT_FALSE(axiom.source.empty()) << axiom.name;
    EXPECT_TRUE(std::ranges::any_of(axiom.source, [](char c) { return c >= '0' && c <= '9'; }))
        << axiom.name << ": a year, section or page in \"" << axiom.source << '"';
    EXPECT_EQ(std::ranges::count(seen, axiom.name), 0) << axiom.name;
    seen.push_back(axiom.name);
  }
}

TEST_P(Shipped, EveryAxiomCanBeDropped) {
  const Model& model = GetParam();
  const auto architecture = first_that_fits(model);
  const Plan plan = load_model(model.name, architecture);
  for (const auto& axiom : plan.axioms) {
    LoadOptions options;
    options.dropped_axioms = {axiom.name};
    EXPECT_EQ(load_model(model.name, architecture, options).axioms.size(), plan.axioms.size() - 1);
  }
}

TEST_P(Shipped, OpensWithItsSource) {
  const auto file = models::find_model(GetParam().name);
  ASSERT_TRUE(file);
  const std::string text{file->text};
  EXPECT_EQ(text.front(), '"');
  EXPECT_EQ(text.find("(*"), text.find('\n') + 1)
      << "the comment below the title says where it comes from";
}

/// Said in the file itself, by a comment that names a rule set there is.
TEST_P(Shipped, SaysWhichCausalityRulesItIsFor) {
  const auto file = models::find_model(GetParam().name);
  ASSERT_TRUE(file);
  const std::string text{file->text}, key = "(* causality: ";
  const auto at = text.find(key);
  ASSERT_NE(at, std::string::npos);
  const auto rules = text.substr(at + key.size(), text.find(" *)", at) - at - key.size());
  EXPECT_TRUE(rules == "none" || rules == "jls04" || rules == "revised" || rules == "java")
      << rules;
  EXPECT_EQ(rules, GetParam().causality);
}

INSTANTIATE_TEST_SUITE_P(All, Shipped, testing::ValuesIn(shipped));

TEST(Models, TheLibraryChecksByItself) {
  for (const auto& file : models::files())
    EXPECT_NO_THROW(check_model({std::string(file.name), std::string(file.text)})) << file.name;
}

} // namespace
} // namespace thinair::cat
