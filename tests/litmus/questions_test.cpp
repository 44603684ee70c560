// Propositions and clauses: reading, printing, truth.
#include "litmus/questions.h"

#include <gtest/gtest.h>

#include <functional>

namespace thinair::litmus {
namespace {

const QuestionRules any_name{[](Observable written, text::Span) { return written; }, java_int};

Proposition proposition(const std::string& text, const Limits& limits = {}) {
  const text::Source source{"test", text};
  Lexer lexer(source, limits);
  return read_proposition(lexer, any_name);
}

Test questions(const std::string& text) {
  const text::Source source{"test", text};
  const Limits limits;
  Lexer lexer(source, limits);
  Test test;
  read_questions(lexer, any_name, test);
  return test;
}

std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool truth(const std::string& text) {
  const std::vector<Observable> observables{{ThreadId{0}, "r1"}, {ThreadId{1}, "r1"}, {{}, "x"}};
  return holds(proposition(text), observables, {1, 2, 1});
}

TEST(Propositions, TruthTable) {
  EXPECT_TRUE(truth("0:r1=1 /\\ 1:r1=2 /\\ x=1"));
  EXPECT_FALSE(truth("0:r1=1 /\\ 1:r1=1"));
  EXPECT_TRUE(truth("0:r1=0 \\/ [x]==1"));
  EXPECT_TRUE(truth("0:r1=[x]"));
  EXPECT_TRUE(truth("0:r1!=1:r1"));
  EXPECT_TRUE(truth("P0:r1 <> -1"));
  EXPECT_TRUE(truth("~(x=2) /\\ not false"));
  EXPECT_TRUE(truth("x=2 => false"));
  EXPECT_FALSE(truth("true => false"));
}

TEST(Propositions, PrecedencesAreHerds) {
  EXPECT_EQ(to_string(proposition("x=1 \\/ x=2 /\\ x=3 => x=4")),
            "[x]=1 \\/ ([x]=2 /\\ ([x]=3 => [x]=4))");
  EXPECT_EQ(to_string(proposition("not x=1 /\\ x=2 => x=3 => x=4")),
            "(not ([x]=1)) /\\ ([x]=2 => ([x]=3 => [x]=4))");
}

TEST(Propositions, PrintingThenReadingIsTheIdentity) {
  for (const char* text :
       {"x=1", "true", "false", "not x=0x10", "(x=1 /\\ y=2) /\\ 0:r1=-3", "x=1 => y=2 => z=3",
        "(x=1 => y=2) => z=3", "not not ~x=1", "[x]=[y] \\/ 3:r9!=[z] \\/ (true /\\ false)"}) {
    const Proposition p = proposition(text);
    EXPECT_EQ(proposition(to_string(p)), p) << text;
  }
}

TEST(Propositions, MentionedIsSortedRegistersFirst) {
  const auto all = mentioned(proposition("x=1 /\\ 1:b=0 /\\ a=0 /\\ 1:a=0 /\\ 0:z=[x]"));
  std::string names;
  for (const Observable& observable : all) names += to_string(observable) + " ";
  EXPECT_EQ(names, "0:z 1:a 1:b [a] [x] ");
}

TEST(Propositions, DepthLimitIsExact) {
  Limits limits;
  limits.depth = 3;
  EXPECT_NO_THROW(proposition("not not x=1", limits));
  EXPECT_THROW(proposition("not not not x=1", limits), InputError);
  EXPECT_NO_THROW(proposition("(((x=1)))", limits));
  EXPECT_THROW(proposition("((((x=1))))", limits), InputError);
  EXPECT_NO_THROW(proposition("x=1 \\/ x=2 /\\ x=3", limits));
  EXPECT_THROW(proposition("x=1 \\/ x=2 /\\ x=3 => x=4", limits), InputError);
}

TEST(Clauses, AllFieldsAreReadAndPrinted) {
  const std::string text = "locations [x; 0:r1;]\n"
                           "filter (0:r1=1)\n"
                           "exists ([x]=1 /\\ 0:r1=2)\n"
                           "required \"a \\\"b\\\"\" (true)\n"
                           "  because \"C:\\d is \\/ literal\\\\\"\n"
                           "  verdicts jls04=allowed x86-tso=forbidden jam.19=contested\n"
                           "  confidence likely\n"
                           "forbidden (false)\n"
                           "contested \"c\" ([x]=3)\n";
  const litmus::Test test = questions(text);
  EXPECT_EQ(print_questions(test), text);
  EXPECT_EQ(test.clauses[1].label, "a \"b\"");
  EXPECT_EQ(test.clauses[1].because, "C:\\d is \\/ literal\\");
  EXPECT_EQ(test.clauses[1].verdicts[1].model, "x86-tso");
  EXPECT_EQ(test.clauses[1].verdicts[1].verdict, Verdict::forbidden);
}

TEST(Clauses, HerdsFormsOfTheQuantifier) {
  const auto quantifier = [](const char* text) { return questions(text).clauses[0].quantifier; };
  EXPECT_EQ(quantifier("exists x=1;"), Quantifier::exists);
  EXPECT_EQ(quantifier("final x=1"), Quantifier::exists);
  EXPECT_EQ(quantifier("(x=1)"), Quantifier::exists);
  EXPECT_EQ(quantifier("~ exists x=1"), Quantifier::not_exists);
  EXPECT_EQ(quantifier("not exists x=1"), Quantifier::not_exists);
  EXPECT_EQ(quantifier("forall x=1"), Quantifier::forall);
  EXPECT_TRUE(questions("locations [x int; 0:r1 int*; [y]]").clauses.empty());
}

TEST(Clauses, AnErrorSaysWhereAndWhatWasMeant) {
  EXPECT_EQ(error_of([] { questions("require (x=1)"); }),
            "test:1:1: error: expected a clause, as `exists (...)`, or the end of the file, found "
            "`require`\n  require (x=1)\n  ^^^^^^^\n  hint: did you mean `required`?");
  EXPECT_EQ(error_of([] { questions("exists x=2147483648"); }),
            "test:1:10: error: expected a value of type int (-2147483648 to 2147483647), found "
            "`2147483648`\n  exists x=2147483648\n           ^^^^^^^^^^");
}

} // namespace
} // namespace thinair::litmus
