// The JSON dump of a test, to the byte.
#include "litmus/json.h"

#include <gtest/gtest.h>

namespace thinair::litmus {
namespace {

TEST(JsonDump, AWholeTest) {
  const litmus::Test test =
      parse({"test", "Java t\n\"a \\\"title\\\"\"\nKey=a\\b\n{ x = 1; X=x; }\n"
                     "Thread0 {\n  int r = X.get();\n}\n"
                     "locations [x;]\nrequired \"one\" (0:r=1 /\\ not [x]=[x])\n"
                     "  verdicts jls04=allowed\n"});
  const std::string expected =
      R"({"name":"t","dialect":"Java","title":"a \"title\"","metadata":{"Key":"a\\b"},)"
      R"("program":{"locations":[{"name":"x","initial":1,"final":false}],"monitors":[],)"
      R"("threads":[{"name":"Thread0","registers":[{"name":"r","initial":0}],)"
      R"("handles":[{"name":"X","location":"x"}],"body":[{"kind":"access","target":"r",)"
      R"("declares":true,"method":"get","location":"x","arguments":[],"bytes":[57,73]}]}]},)"
      R"("locations":[{"location":"x"}],"filter":null,"clauses":[{"quantifier":"required",)"
      R"("label":"one","proposition":{"kind":"and","parts":[{"kind":"equal",)"
      R"("left":{"thread":0,"register":"r"},"right":1},{"kind":"not","parts":[{"kind":"equal",)"
      R"("left":{"location":"x"},"right":{"location":"x"}}]}]},)"
      R"~("text":"0:r=1 /\\ (not ([x]=[x]))","because":"","verdicts":{"jls04":"allowed"},)~"
      R"("confidence":"certain"}]})";
  EXPECT_EQ(to_json(test), expected);
}

TEST(JsonDump, EveryStatement) {
  const litmus::Test test =
      parse({"test",
             "Java t { X=x; } Thread0 { int r = -1 + X.get(); fullFence(); if (r) X.set(1); "
             "while [2] (r) { } lock(m); unlock(m); join(Thread0); start(Thread0); print(~r); }"});
  const std::string text = to_json(test);
  for (const char* part :
       {R"({"kind":"assign","target":"r","declares":true,"value":{"op":"+","arguments":[)"
        R"({"op":"constant","value":-1},{"op":"access","method":"get","location":"x",)"
        R"("arguments":[]}]})",
        R"({"kind":"fence","fence":"fullFence",)",
        R"({"kind":"if","condition":{"op":"register","name":"r"},"then":[{"kind":"access",)",
        R"({"kind":"while","condition":{"op":"register","name":"r"},"body":[],"bound":2,)",
        R"({"kind":"lock","monitor":"m",)", R"({"kind":"unlock","monitor":"m",)",
        R"({"kind":"join","thread":0,)", R"({"kind":"start","thread":0,)",
        R"({"kind":"print","value":{"op":"~","arguments":[{"op":"register","name":"r"}]},)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
} // namespace thinair::litmus
