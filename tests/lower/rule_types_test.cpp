// Rules for one type of location: as text, which code they make, and locations in two halves.
#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "lower/prepare.h"
#include "lower/scheme.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace thinair::lower {
namespace {

using litmus::Method;
using litmus::TypeKind;

Target scheme(const std::string& rules, const std::string& like = "x86:table2") {
  const auto machine = like.substr(0, like.find(':'));
  return Target::of_scheme(
      {"my.scheme", fmt::format("scheme {}:mine like {}\n{}\n", machine, like, rules)});
}

std::string error_of(const std::string& rules) {
  try {
    scheme(rules);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RuleTypes, AreReadAndPrintedAgain) {
  const auto mine = scheme("setVolatile reference,\nsetVolatile long { mov [x], arg }\n"
                           "get float { unsupported }\n");
  const auto& text = mine.scheme();
  EXPECT_EQ(text.code({Method::setVolatile, TypeKind::reference}), "  mov [x], arg\n");
  EXPECT_EQ(text.code({Method::setVolatile, TypeKind::byte}), text.code(Method::setVolatile));
  EXPECT_EQ(text.line({Method::setVolatile, TypeKind::long_}), 2U);
  EXPECT_EQ(text.file({Method::setVolatile, TypeKind::long_}), "my.scheme");
  EXPECT_EQ(text.rule_for(Method::setVolatile, TypeKind::long_),
            (RuleName{Method::setVolatile, TypeKind::long_}));
  EXPECT_EQ(text.rule_for(Method::setVolatile, TypeKind::int_), RuleName(Method::setVolatile));
  const auto again = Target::of_scheme({"printed", print(text)});
  EXPECT_EQ(print(again.scheme()), print(text));
  EXPECT_EQ(again.content(), mine.content());
  EXPECT_NE(mine.content(), scheme("").content());
}

TEST(RuleTypes, OfOtherMachinesAreReadToo) {
  for (const auto& [like, rule] : {std::pair<std::string, std::string>{
                                       "aarch64:cxx", "setVolatile reference { str arg, [x] }"},
                                   {"riscv:cxx", "setVolatile reference { sw arg, [x] }"}}) {
    const auto mine = scheme(rule, like);
    const auto again = Target::of_scheme({"printed", print(mine.scheme())});
    EXPECT_EQ(print(again.scheme()), print(mine.scheme()));
    EXPECT_EQ(again.content(), mine.content());
    EXPECT_NE(mine.content(), scheme("", like).content());
  }
}

/// A file's rule for every type takes the place of what the other scheme has for single types; its
/// own rules for single types stay, wherever they stand.
TEST(RuleTypes, OfTheSchemeThatItIsLikeGoWithTheirOperation) {
  const std::string base = print(scheme("set long { mov [x], arg; nop }\n"
                                        "set byte { mov [x], arg; mfence }")
                                     .scheme());
  const auto read = [&](const std::string& rules) {
    const text::Source below{"base", base}, source{"own", "scheme x86:own\n" + rules};
    const auto under = parse_scheme(below);
    return Scheme{under.machine,
                  under.machine->read_rules({"own", "scheme x86:own like x86:base\n" + rules},
                                            under.rules.get())};
  };
  const auto kept = read("get { mov dst, [x] }");
  EXPECT_EQ(kept.text().code({Method::set, TypeKind::long_}), "  mov [x], arg\n  nop\n");
  const auto gone = read("set byte { mov [x], arg }\nset { mov [x], arg; lfence }");
  EXPECT_EQ(gone.text().code({Method::set, TypeKind::long_}), "  mov [x], arg\n  lfence\n");
  EXPECT_EQ(gone.text().code({Method::set, TypeKind::byte}), "  mov [x], arg\n");
}

TEST(RuleTypes, ThatAreWrongAreErrorsWithAPlace) {
  EXPECT_EQ(error_of("set lng { mov [x], arg }"),
            "my.scheme:2:5: error: no type is called \"lng\"\n  set lng { mov [x], arg }\n"
            "      ^^^\n  hint: did you mean long?");
  EXPECT_EQ(error_of("getAndAdd reference { mov dst, [x] }"),
            "my.scheme:2:11: error: VarHandle has no getAndAdd of a reference\n"
            "  getAndAdd reference { mov dst, [x] }\n            ^^^^^^^^^");
  EXPECT_EQ(error_of("fullFence int { mfence }"),
            "my.scheme:2:11: error: fullFence is no access: it has no type\n"
            "  fullFence int { mfence }\n            ^^^");
  EXPECT_EQ(error_of("set long { mov [x], arg }\nset long { mov [x], arg }"),
            "my.scheme:3:1: error: a second rule for set long\n  set long { mov [x], arg }\n"
            "  ^^^^^^^^");
  EXPECT_EQ(error_of("set { mov [x.low], arg; mov [x.high], arg }"),
            "my.scheme:2:7: error: [x.low] and [x.high] are halves of a long or a double\n"
            "  set { mov [x.low], arg; mov [x.high], arg }\n        ^^^^^^^^^^^^^^^^\n"
            "  hint: say of which: set long { … }");
  EXPECT_EQ(error_of("set long { mov [x.low], arg; mov [x], arg }"),
            "my.scheme:2:30: error: a rule accesses [x] or its halves, not both\n"
            "  set long { mov [x.low], arg; mov [x], arg }\n                               "
            "^^^^^^^^^^^^");
  EXPECT_EQ(error_of("set long { mov [x.low], arg.q; mov [x.high], arg }"),
            "my.scheme:2:12: error: [x.low] and [x.high] have 32 bits\n"
            "  set long { mov [x.low], arg.q; mov [x.high], arg }\n             "
            "^^^^^^^^^^^^^^^^^^");
}

std::string code_of(Target& target, const std::string& test) {
  const auto lowered = target.lower(litmus::parse({"t", test}).java());
  std::string out;
  for (std::size_t t = 0; t < lowered.program.threads(); ++t)
    for (std::size_t i = 0; i < lowered.program.sizes()[t]; ++i)
      out += lowered.language->assembly(lowered.program, t, i, "") + "\n";
  return out;
}

TEST(RuleTypes, MakeTheCodeOfTheirTypeAlone) {
  auto mine = scheme("setVolatile long { mov [x], arg }");
  const auto test = [](const std::string& type) {
    return fmt::format("Java T\n{{ {} x; X=x; }}\nThread0 {{ X.setVolatile(1); }}\n"
                       "exists (true)\n",
                       type);
  };
  EXPECT_EQ(code_of(mine, test("long")).find("mfence"), std::string::npos);
  EXPECT_NE(code_of(mine, test("int")).find("mfence"), std::string::npos);
  auto none = scheme("get long { unsupported }");
  try {
    code_of(none, "Java T\n{ long x; X=x; }\nThread0 { long r = X.get(); }\nexists (true)\n");
    ADD_FAILURE();
  } catch (const Unsupported& unsupported) {
    EXPECT_STREQ(unsupported.what(), "unsupported: get long, for which the scheme has no code");
  }
}

constexpr const char* in_halves =
    "get long, getOpaque long, getAcquire long, getVolatile long {\n"
    "  mov dst, [x.high]\n  shl dst, 32\n  mov tmp, [x.low]\n  or dst, tmp\n}\n"
    "set long, setOpaque long, setRelease long, setVolatile long {\n"
    "  mov tmp, arg\n  shr tmp, 32\n  mov [x.low], arg\n  mov [x.high], tmp\n  mfence\n}\n";

TEST(Halves, OfALongHoldWhatItsSourceDoes) {
  auto mine = scheme(in_halves);
  for (std::uint64_t seed = 0; seed < test::draws(300); ++seed) {
    litmus::Random random(seed);
    const auto program = prepared(
        test::RandomTypes(random, {.threads = 1, .divides = false, .updates = false}).make(), 4);
    try {
      const auto lowered = mine.lower(program, 4);
      const auto difference = sequential_difference(program, lowered, seed);
      ASSERT_FALSE(difference) << *difference << "\n" << litmus::java::print(program);
    } catch (const Unsupported& unsupported) { // more registers than there are
      ASSERT_EQ(std::string(unsupported.what()).find("halves"), std::string::npos);
    }
  }
}

TEST(Halves, AreFoundAgain) {
  auto mine = scheme(in_halves);
  const auto test =
      litmus::parse({"t", "Java T\n{ long x = 4294967298L; X=x; }\nThread0 { long r = X.get(); }\n"
                          "exists (x=4294967298L)\n"});
  const auto lowered = mine.lower(test.java());
  EXPECT_EQ(to_string(lowered.restoration), "0:r <- 0:rax; [x] <- [x] and [x_high]");
  const auto code = lowered_test(test, lowered, "mine");
  EXPECT_EQ(litmus::to_string(code.clauses.at(0).proposition), "[x]=2 /\\ [x_high]=1");
}

TEST(Halves, OfALocationThatIsTakenWholeAreUnsupported) {
  auto mine = scheme("set long {\n  mov tmp, arg\n  shr tmp, 32\n  mov [x.low], arg\n"
                     "  mov [x.high], tmp\n}\n");
  try {
    code_of(mine, "Java T\n{ long x; X=x; }\nThread0 { X.set(1L); long r = X.get(); }\n"
                  "exists (true)\n");
    ADD_FAILURE();
  } catch (const Unsupported& unsupported) {
    EXPECT_STREQ(unsupported.what(),
                 "unsupported: accesses that overlap: one takes x in halves and another takes it "
                 "whole, in lowered code");
  }
}

} // namespace
} // namespace thinair::lower
