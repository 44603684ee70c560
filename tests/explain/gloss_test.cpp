// What explanations say of a model's definitions: the comment above each.
#include "oracle/cat/model.h"
#include "oracle/explain/parts.h"

#include <gtest/gtest.h>

namespace thinair::explain {
namespace {

TEST(Gloss, EveryDefinitionThatAnExplanationMayNameSaysWhatItMeans) {
  for (const auto* name : {"java", "jam21", "jam19", "sc", "tso", "jls04", "coherence"}) {
    const auto model = cat::load_model(name, cat::Architecture::java);
    int said = 0;
    for (const auto& definition : model.names) {
      const bool relation = model.nodes[definition.node].type == graph::Type::relation;
      said += definition.gloss.empty() ? 0 : 1;
      if (relation && can_be_emptied(model, definition.node)) {
        EXPECT_NE(definition.gloss, "") << name << ": " << definition.name;
      }
    }
    EXPECT_GT(said, 0) << name;
  }
}

TEST(Gloss, IsTheCommentAboveTheInnermostDefinition) {
  const auto glosses = [](const std::string& text) {
    std::string out;
    const auto model =
        cat::load_model(text::Source{"m.cat", "\"m\"\n" + text}, cat::Architecture::java);
    for (const auto& each : model.names) out += each.name + "=" + each.gloss + ";";
    return out;
  };
  EXPECT_EQ(glosses("(* one *)\nlet a = po | rf\nacyclic a\n"), "a=one;");
  EXPECT_EQ(glosses("(* one *)\nlet a = po | rf\n(* two *)\nlet a = a | po; rf\nacyclic a\n"),
            "a=two;");
  EXPECT_EQ(glosses("(* one *)\nlet a = po | rf\nlet a = a | po; rf\nacyclic a\n"), "a=;");
  EXPECT_EQ(glosses("(* far *)\n\nlet a = po | rf\nacyclic a\n"), "a=;");
  EXPECT_EQ(glosses("(* causality: none *)\nlet a = po | rf\nacyclic a\n"), "a=;");
}

} // namespace
} // namespace thinair::explain
