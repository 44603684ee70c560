// What is drawn agrees with the test and with the final state claimed: in every format, for every
// kind of drawing, over the corpus and random programs.
#include "litmus/floating.h"
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/refusal.h"
#include "oracle/explain/stages.h"
#include "tests/explain/agreement.h"
#include "tests/explain/support.h"
#include "tests/support/draws.h"
#include "tests/support/random_program.h"
#include "tests/support/random_x86.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

namespace thinair::explain {
namespace {

using test::draws;

oracle::Limits limits() {
  oracle::Limits limits;
  limits.candidates = 3000;
  return limits;
}

void expect_agreement(const litmus::Test& test, const Drawing& drawing, const std::string& state) {
  const auto text = as_text(drawing);
  EXPECT_EQ(disagreement(test, drawing, state), "") << litmus::print(test) << state << "\n" << text;
  EXPECT_EQ(disagreement_of_formats(drawing), "") << text << as_dot(drawing) << as_svg(drawing);
}

/// Of each final state an execution, all registers claimed.
std::size_t check_states(const litmus::Test& test, const cat::Plan& model) {
  std::size_t drawn = 0;
  const auto plan = also_showing(model, {"co", "fr"});
  executions::Options with{.limits = limits(), .all_registers = true};
  std::vector<std::pair<litmus::Behaviour, Drawing>> all;
  const auto result = executions::witnesses(
      test, plan, with, [&](std::span<const litmus::Value> values, const executions::Witness& w) {
        all.emplace_back(litmus::Behaviour(values.begin(), values.end()), draw(test, w, plan, ""));
      });
  for (const auto& [behaviour, drawing] : all) {
    expect_agreement(test, drawing, litmus::to_string(test, result.observables, behaviour));
    if (++drawn == 12) break;
  }
  return drawn;
}

/// Runs a check of a test, unless something about the test is not supported.
std::size_t unless_unsupported(const std::function<std::size_t()>& check) {
  try {
    return check();
  } catch (const Unsupported&) {
  } catch (const LimitReached&) {
  } catch (const InputError&) { // final memory in a model without
  }
  return 0;
}

TEST(Drawing, AgreesWithItsStateOnTheCorpus) {
  std::size_t drawn = 0;
  for (const auto* name : {"sc", "jam21", "jls04"}) {
    const auto plan = model_named(name);
    for (const auto& test : whole_corpus()) {
      SCOPED_TRACE(test.name + " under " + name);
      drawn += unless_unsupported([&] { return check_states(test, plan); });
    }
  }
  EXPECT_GT(drawn, 2000U);
}

TEST(Drawing, AgreesWithItsStateOnRandomPrograms) {
  const auto plans = {model_named("sc"), model_named("jam21"), model_named("jls04")};
  std::size_t drawn = 0;
  litmus::Random random(14);
  for (std::uint64_t i = 0; i < draws(150); ++i) {
    const auto test = litmus::random_test(
        random,
        {.threads = 2, .locations = 2, .registers = 2, .statements = 3, .loops = i % 8 == 0});
    for (const auto& plan : plans)
      drawn += unless_unsupported([&] { return check_states(test, plan); });
  }
  EXPECT_GT(drawn, draws(150));
}

TEST(Drawing, AgreesWithItsStateOnRandomX86) {
  const auto plan = cat::load_model("x86-tso", x86::architecture);
  std::size_t drawn = 0;
  for (std::uint64_t seed = 0; seed < draws(150); ++seed) {
    const auto test = test_of(test::random_x86(seed));
    drawn += unless_unsupported([&] { return check_states(test, plan); });
  }
  EXPECT_GT(drawn, draws(150));
}

TEST(Drawing, ShowsValuesAsTheirTypesDo) {
  const auto test = test_of("X86_64 t\n{ uint64_t x=-1; uint8_t y=255; int8_t z=-1; }\n P0 ;\n"
                            " movq (x),%rax ;\n movb (y),%bl ;\n movb (z),%cl ;\n movq $-2,(x) ;\n"
                            "exists ([x]=18446744073709551614)\n");
  const auto drawing =
      example(test, cat::load_model("x86-tso", x86::architecture), test.clauses[0].proposition);
  ASSERT_TRUE(drawing);
  const auto text = as_text(*drawing);
  for (const auto* part : {"W x=18446744073709551615 initial", "W y=255 initial", "W z=-1 initial",
                           "R x reads 18446744073709551615\n", "W x=18446744073709551614\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// What is written to x in some execution, as drawings have it.
std::set<std::string> written_to_x(const litmus::Test& test, const cat::Plan& model) {
  std::set<std::string> out;
  const auto plan = also_showing(model, {"co", "fr"});
  executions::Options with{.limits = limits(), .all_registers = true};
  executions::witnesses(test, plan, with,
                        [&](std::span<const litmus::Value>, const executions::Witness& w) {
                          for (const auto& node : draw(test, w, plan, "").nodes)
                            if (node.location.starts_with('x') && !node.written.empty())
                              out.insert(node.written);
                        });
  return out;
}

/// JLS 17.7: half of a double that tears is no double, and is shown as the number that its 32 bits
/// are; a whole one as Java has it.
TEST(Drawing, ShowsHalvesOfDoublesAsNumbers) {
  const auto whole = model_named("sc");
  const auto torn = cat::load_model(
      {"torn.cat",
       std::string(
           "\"torn\"\n(* causality: none *)\n(* tearing: long, double *)\ninclude \"sc.cat\"\n")},
      cat::Architecture::java);
  litmus::Random random(15);
  for (std::uint64_t i = 0; i < draws(40); ++i) {
    const auto bits = static_cast<litmus::Value>(random.next());
    const auto text = litmus::floating::to_string(64, bits);
    const auto test = test_of("Java t\n{ double x; X=x; }\nThread0 { X.set(" + text +
                              "); }\nThread1 { double r = X.get(); }\nexists (true)\n");
    const auto half = [](litmus::Value value) {
      return std::to_string(litmus::narrowed(litmus::TypeKind::int_, value));
    };
    EXPECT_EQ(written_to_x(test, whole), (std::set<std::string>{"0.0", text}));
    EXPECT_EQ(written_to_x(test, torn), (std::set<std::string>{"0", half(bits), half(bits >> 32)}))
        << text;
  }
}

/// Values that depend on themselves have many solutions: drawn is the one that is claimed.
TEST(Drawing, ShowsTheValuesThatAreClaimedOfACycle) {
  const auto test = test_of(load_buffering);
  for (const int value : {0, 1, 7, -3}) {
    auto asked = test.clauses[0].proposition;
    for (auto& part : asked.parts) part.constant = value;
    oracle::Limits some;
    const auto drawing = example(test, model_named("jls04"), asked, some);
    ASSERT_TRUE(drawing) << value;
    expect_agreement(test, *drawing, "0:r1=" + std::to_string(value));
  }
}

/// "0:r=1" of each atom, where the proposition is atoms that all hold.
std::string conjunction(const litmus::Proposition& p) {
  using Kind = litmus::Proposition::Kind;
  if (p.kind == Kind::equal && !p.right && p.left.thread) return litmus::to_string(p);
  std::string out;
  if (p.kind == Kind::all)
    for (const auto& part : p.parts) {
      const auto text = conjunction(part);
      if (!text.empty()) out += (out.empty() ? "" : "; ") + text;
    }
  return out;
}

TEST(Drawing, OfARefusalShowsWhatIsAskedFor) {
  std::size_t drawn = 0;
  for (const auto* name : {"sc", "jls04", "jam19"}) {
    const auto plan = model_named(name);
    for (const auto* folder : {"jmt", "jam21", "jls", "manson"})
      for (const auto& test : corpus(folder))
        for (const auto& clause : test.clauses)
          drawn += unless_unsupported([&] {
            oracle::Options options;
            options.limits = limits();
            const auto refusal = why_not(test, plan, clause.proposition, options);
            if (!refusal.drawing) return 0U;
            SCOPED_TRACE(test.name + " under " + name);
            expect_agreement(test, *refusal.drawing, conjunction(clause.proposition));
            return 1U;
          });
  }
  EXPECT_GT(drawn, 60U);
}

TEST(Drawing, OfAJustificationShowsExecutionsOfTheTest) {
  std::size_t drawn = 0;
  const auto plan = model_named("jls04");
  for (const auto* folder : {"ctc", "jmt", "jls", "manson"})
    for (const auto& test : corpus(folder))
      for (const auto& clause : test.clauses)
        drawn += unless_unsupported([&] {
          oracle::Options options;
          options.limits = limits();
          oracle::Oracle oracle(test, plan, options);
          if (oracle.allows(clause.proposition) != oracle::Answer::allowed) return 0U;
          SCOPED_TRACE(test.name);
          const auto evidence = explain::describe(test, oracle);
          const auto drawings = draw(evidence);
          for (std::size_t i = 0; i < drawings.size(); ++i)
            expect_agreement(test, drawings[i],
                             evidence.stages[i].target ? conjunction(clause.proposition) : "");
          return static_cast<unsigned>(drawings.size());
        });
  EXPECT_GT(drawn, 60U);
}

} // namespace
} // namespace thinair::explain
