// What comments of a model declare for causality, and the sets that tell half fences and failed
// updates apart.
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::cat {
namespace {

Plan loaded(const std::string& text, const LoadOptions& options = {}) {
  return load_model(text::Source{"m.cat", text}, Architecture::java, options);
}

TEST(Declared, IdentityOfActions) {
  EXPECT_EQ(loaded("\"M\"\n(* identity: free *)\nacyclic po as order\n").identity, "free");
  EXPECT_EQ(loaded("\"M\"\nacyclic po as order\n").identity, "");
  const auto plan = loaded("\"M\"\n(* identity: free *)\nacyclic po as order\n");
  EXPECT_EQ(plan.axioms.at(0).source, "") << "a declaration is no source";
}

TEST(Declared, AxiomsThatStagesNeedNotObey) {
  const std::string text = "\"M\"\n(* not of stages: second,\n   third *)\nacyclic po as first\n"
                           "acyclic po | rf as second\nempty 0 as third\n";
  const auto of_stages = [](const Plan& plan, const char* name) {
    return std::ranges::find(plan.axioms, name, &Axiom::name)->of_stages;
  };
  const auto plan = loaded(text);
  EXPECT_TRUE(of_stages(plan, "first"));
  EXPECT_FALSE(of_stages(plan, "second"));
  EXPECT_FALSE(of_stages(plan, "third"));
  EXPECT_EQ(loaded(text, {.dropped_axioms = {"second"}}).axioms.size(), 2U)
      << "an axiom that is dropped may be named";
}

TEST(Declared, AnAxiomThatIsNotThereIsAnError) {
  try {
    loaded("\"M\"\n(* not of stages: secund *)\nacyclic po as second\n");
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "m.cat:2:19: error: the model has no axiom 'secund'\n"
                           "  (* not of stages: secund *)\n"
                           "                    ^^^^^^\n"
                           "  hint: did you mean 'second'?");
  }
}

} // namespace
} // namespace thinair::cat
