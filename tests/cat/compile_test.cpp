// Plans of small models: what expressions become, in the notation of print.h.
#include "machine/x86/front_end.h"
#include "tests/cat/support.h"

#include <gtest/gtest.h>

namespace thinair::cat {
namespace {

std::string content_of(std::string_view text) {
  return load_model(text::Source{"m.cat", std::string(text)}, Architecture::java).content;
}

TEST(Compile, ThePlanKnowsWhatItWasReadFrom) {
  const auto content = content_of("acyclic po\n");
  EXPECT_EQ(content.size(), 32U);
  EXPECT_EQ(content, content_of("acyclic po\n"));
  EXPECT_NE(content, content_of("acyclic rf\n"));
  EXPECT_NE(content, content_of("include \"cos.cat\"\nacyclic po\n"));
}

struct Case {
  std::string_view source, compiled;
};

void expect_all(std::initializer_list<Case> cases) {
  for (const auto& [source, expected] : cases) EXPECT_EQ(compiled(source), expected) << source;
}

TEST(Compile, Operators) {
  expect_all({
      {"rf | po", "(po | rf)"},
      {"rf & loc", "(loc & rf)"},
      {"rf \\ po", "(rf \\ po)"},
      {"rf; po", "(rf;po)"},
      {"R * W", "(R * W)"},
      {"[R]", "[R]"},
      {"~rf", "~rf"},
      {"rf^-1", "rf^-1"},
      {"rf ^ -1", "rf^-1"},
      {"rf+", "rf+"},
      {"rf*", "rf*"},
      {"rf?", "rf?"},
      {"domain rf", "domain(rf)"},
      {"range (rf)", "range(rf)"},
      {"R & W", "(R & W)"},
      {"_", "_"},
      {"0", "0"},
      {"{}", "0"},
  });
}

// Loosest to tightest: | ; \ & * ~ and postfix.
TEST(Compile, Precedence) {
  expect_all({
      {"po | rf; loc", "(po | (rf;loc))"},
      {"rf; po \\ loc", "(rf;(po \\ loc))"},
      {"rf \\ po \\ loc", "((rf \\ po) \\ loc)"},
      {"rf & po \\ id", "((po & rf) \\ id)"},
      {"po & R * W", "(([R];po);[W])"},
      {"R * W & po", "(([R];po);[W])"},
      {"rf; po+", "(rf;po)"},
      {"~rf+", "~rf+"},
      {"rf^-1; po", "(rf^-1;po)"},
      {"rf* ; po", "(rf*;po)"},
      {"po; rf*", "(po;rf*)"},
      {"rf^-1+", "rf^-1+"},
      {"[R]; po; [W]", "(([R];po);[W])"},
  });
}

TEST(Compile, LawsOfSetsAndRelations) {
  expect_all({
      {"rf | 0", "rf"},
      {"rf & 0", "0"},
      {"rf; 0", "0"},
      {"rf | rf", "rf"},
      {"(rf | po) | rf", "(po | rf)"},
      {"rf | (loc | po)", "((loc | po) | rf)"},
      {"rf & _ * _", "rf"},
      {"rf; id", "rf"},
      {"[_]; rf", "rf"},
      {"rf \\ rf", "0"},
      {"rf \\ (rf & int)", "(rf \\ int)"},
      {"rf & ~int", "(rf \\ int)"},
      {"~(~rf)", "rf"},
      {"rf^-1^-1", "rf"},
      {"loc^-1", "loc"},
      {"(R * W)^-1", "(W * R)"},
      {"(rf+)+", "rf+"},
      {"(rf+)?", "rf*"},
      {"(rf?)+", "rf*"},
      {"(rf*)*", "rf*"},
      {"po+", "po"},
      {"[R]; [W]", "[(R & W)]"},
      {"[R & V]; [W]", "[((R & V) & W)]"},
      {"domain [R]", "R"},
      {"domain (rf^-1)", "range(rf)"},
      {"M & R", "R"},
      {"W & FW & M", "FW"},
      {"[R]; (po & (_ * W))", "(([R];po);[W])"},
  });
}

// One final write a location: the pairs of any write and the final one only grow with FW.
TEST(Compile, WritesBeforeTheFinalOneGrowWithFinalWrites) {
  EXPECT_EQ(compiled("loc & (W \\ FW) * FW"), "((([W];loc);[FW]) \\ id)");
  const Plan plan = load("\nacyclic loc & (W \\ FW) * FW as a");
  EXPECT_EQ(plan.nodes[plan.axioms[0].node].in_final, Polarity::increasing);
  EXPECT_TRUE(plan.axioms[0].prunes);
  EXPECT_TRUE(plan.orders_memory);
}

TEST(Compile, FunctionsAreInlined) {
  EXPECT_EQ(listing(load("let f r = r; po\n"
                         "let g (a, b) = f a | b\n"
                         "let twice f = fun x -> f (f x)\n"
                         "let compose = fun r -> fun s -> r; s\n"
                         "acyclic g (rf, loc) as a\n"
                         "acyclic (let h = compose rf in h loc) as b\n"
                         "acyclic twice f rf as c\n")),
            "acyclic (loc | (rf;po)) as a (prunes)\n"
            "acyclic (rf;loc) as b (prunes)\n"
            "acyclic ((rf;po);po) as c (prunes)\n");
}

TEST(Compile, DefinitionsShadow) {
  EXPECT_EQ(listing(load("let a = po\nlet b = a\nlet a = rf\nlet rf = loc\nacyclic a | b as x\n")),
            "acyclic (po | rf) as x (prunes)\n");
}

TEST(Compile, TuplesAreTakenApart) {
  EXPECT_EQ(listing(load("let (a, b) = (po, rf)\nlet c, d = (loc, id)\nacyclic a; b; c \\ d as x")),
            "acyclic ((po;rf);(loc \\ id)) as x (prunes)\n");
}

TEST(Compile, VariantsChoose) {
  const std::string_view model = "let a = if \"strong\" && not \"weak\" then po else 0\n"
                                 "acyclic rf | a as x\n"
                                 "if \"weak\" || \"weaker\" show rf else show po end\n";
  EXPECT_EQ(listing(load(model)), "acyclic rf as x (prunes)\nshow po as po\n");
  LoadOptions options;
  options.variants = {"strong"};
  EXPECT_EQ(listing(load(model, Architecture::java, options)),
            "acyclic (po | rf) as x (prunes)\nshow po as po\n");
  options.variants = {"strong", "weak"};
  EXPECT_EQ(listing(load(model, Architecture::java, options)),
            "acyclic rf as x (prunes)\nshow rf as rf\n");
}

TEST(Compile, TryFallsBack) {
  EXPECT_EQ(compiled("(try nowhere with rf)"), "rf");
  EXPECT_EQ(compiled("(try po with rf)"), "po");
  EXPECT_EQ(compiled("(try W; po with rf)"), "rf");
  EXPECT_EQ(compiled("(try MFENCE with emptyset)", Architecture::java), "{}");
  EXPECT_EQ(compiled("(try MFENCE with emptyset)", x86::architecture), "MFENCE");
}

TEST(Compile, WhatNothingUsesMayBeWrong) {
  EXPECT_EQ(error("let a = nowhere\nlet b = W; po\nlet rec c = nowhere | c\nacyclic po"), "");
}

TEST(Compile, ProceduresAreCalled) {
  EXPECT_EQ(listing(load("procedure ordered (r, s) =\n  let both = r | s\n  acyclic both\nend\n"
                         "call ordered (po, rf) as first\ncall ordered (po, loc) as second\n")),
            "acyclic (po | rf) as first (prunes)\nacyclic (po | loc) as second (prunes)\n");
}

TEST(Compile, TagsAndEnumerations) {
  EXPECT_EQ(listing(load("enum colour = 'red || 'green\n"
                         "let of c = match c with || 'red -> po || _ -> rf end\n"
                         "acyclic of 'red; of 'green as x\n"
                         "forall c in colour do empty of c as each end\n"
                         "match 'green with || 'red -> show po || 'green -> show rf end")),
            "acyclic (po;rf) as x (prunes)\nempty po as each (prunes)\n"
            "empty rf as each (prunes)\nshow rf as rf\n");
}

TEST(Compile, SetsOfRelationsAreKnownNow) {
  EXPECT_EQ(
      listing(load("let rec union s = match s with || {} -> 0 || e ++ rest -> e | union rest end\n"
                   "acyclic union {po, rf, po} as a\n"
                   "acyclic union (loc ++ {po}) as b\n"
                   "acyclic union (map (fun r -> r; r) {rf, loc}) as c\n")),
      "acyclic (po | rf) as a (prunes)\n"
      "acyclic (po | loc) as b (prunes)\n"
      "acyclic ((loc;loc) | (rf;rf)) as c (prunes)\n");
}

TEST(Compile, EffectsAndNegation) {
  EXPECT_EQ(listing(load("flag ~empty rf \\ po as race\nundefined_unless irreflexive rf as u\n"
                         "~acyclic rf as n\n")),
            "flag ~empty (rf \\ po) as race\nundefined_unless irreflexive rf as u\n"
            "~acyclic rf as n\n");
}

TEST(Compile, AxiomsWithoutNamesAreCalledByTheirLine) {
  const Plan plan = load("\n\nacyclic po\nirreflexive rf\n");
  EXPECT_EQ(plan.axioms[0].name, "acyclic@3");
  EXPECT_EQ(plan.axioms[1].name, "irreflexive@4");
}

TEST(Compile, TheCommentAboveAnAxiomIsItsSource) {
  const Plan plan = load("(* not this one *)\nlet a = po\n(* JLS 17.4.5,\n   second sentence *)\n"
                         "acyclic a\n// line\nacyclic rf\n\n(* too far *)\n\nacyclic loc\n");
  EXPECT_EQ(plan.axioms[0].source, "JLS 17.4.5, second sentence");
  EXPECT_EQ(plan.axioms[1].source, "line");
  EXPECT_EQ(plan.axioms[2].source, "");
}

TEST(Compile, DroppedAxiomsAreGone) {
  const std::string_view model = "acyclic po as first\nacyclic rf as second\n";
  LoadOptions options;
  options.dropped_axioms = {"first"};
  EXPECT_EQ(listing(load(model, Architecture::java, options)), "acyclic rf as second (prunes)\n");
  options.dropped_axioms = {"secnd"};
  EXPECT_EQ(error(model, Architecture::java, options),
            "m.cat: error: no axiom 'secnd' to drop\n  hint: did you mean 'second'?");
}

TEST(Compile, TitleAndCausality) {
  EXPECT_EQ(load("\"A model\"\n(* causality: revised *)\nlet so = 0 let sw = 0 let hb = po+\n"
                 "acyclic po")
                .causality,
            "revised");
  EXPECT_EQ(load("acyclic po").causality, "none");
  EXPECT_EQ(load("\"A model\" acyclic po").name, "A model");
  EXPECT_EQ(load("X86 TSO\nacyclic po").name, "X86 TSO");
  EXPECT_EQ(load("SC\nacyclic po").name, "SC");
}

TEST(Compile, ChoicesAreKeptWhetherUsedOrNot) {
  EXPECT_EQ(listing(load("with order from linearisations(V, po)\nacyclic po as a\n")),
            "with order from linearisations(V, po)\nacyclic po as a (prunes)\n");
}

TEST(Compile, StagesAndPolarities) {
  const Plan plan =
      load("with so from linearisations(V, po)\nwith to from linearisations(W, so | rf)\n"
           "empty po as a\nempty po; rf as b\nempty so; rf as c\nempty to \\ rf as d\n"
           "empty ~to as e\nempty rf \\ rf^-1 as f\nempty FW as g\n");
  const auto node = [&](std::size_t axiom) { return plan.nodes[plan.axioms[axiom].node]; };
  EXPECT_EQ(node(0).stage, Stage::path);
  EXPECT_EQ(node(1).stage, Stage::rf);
  EXPECT_EQ(node(1).in_rf, Polarity::increasing);
  EXPECT_EQ(node(2).stage, Stage::choice);
  EXPECT_EQ(node(2).last_choice, 1U);
  EXPECT_EQ(node(2).in_choices, Polarity::increasing);
  EXPECT_EQ(node(3).last_choice, 2U);
  EXPECT_EQ(node(3).in_rf, Polarity::mixed);
  EXPECT_EQ(node(3).in_choices, Polarity::increasing);
  EXPECT_EQ(node(4).in_choices, Polarity::decreasing);
  EXPECT_EQ(node(5).in_rf, Polarity::mixed);
  EXPECT_EQ(node(6).stage, Stage::final);
  EXPECT_EQ(node(6).in_final, Polarity::increasing);
  const std::vector<bool> prunes{true, true, true, false, false, false, true};
  for (std::size_t i = 0; i < prunes.size(); ++i) EXPECT_EQ(plan.axioms[i].prunes, prunes[i]) << i;
}

TEST(Compile, OperandsComeBeforeUsers) {
  for (const char* model : {"jam21", "jam19", "jls04", "sc", "tso"}) {
    const Plan plan = load_model(model, Architecture::java);
    for (NodeId id = 0; id < plan.nodes.size(); ++id) {
      const Node& node = plan.nodes[id];
      const bool unary =
          node.op >= Op::complement && node.op <= Op::optional_ && node.op != Op::compose;
      if (unary) {
        EXPECT_LT(node.a, id) << model;
      }
    }
    EXPECT_LE(plan.judged, plan.nodes.size());
    for (const auto& axiom : plan.axioms) EXPECT_LT(axiom.node, plan.judged) << model;
  }
}

} // namespace
} // namespace thinair::cat
