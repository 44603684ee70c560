// jcstress sources: exact text, sentinels, result classes, projects, grades from a model.
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "runners/jcstress/emit.h"
#include "runners/jcstress/expect.h"
#include "runners/jcstress/membership.h"
#include "runners/jcstress/project.h"
#include "runners/jcstress/sentinel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::runners::jcstress {
namespace {

litmus::Test read(const std::string& text) { return litmus::parse({"test", text}); }

const char* const message_passing = R"(Java MP+rel+acq
"a \"flag\""
{ x = 0; flag = 2; 0:X=x; 0:F=flag; 1:X=x; 1:F=flag; }
Thread0 { X.set(1); F.setRelease(1); }
Thread1 { int r1 = F.getAcquire(); int r2 = 0; if (r1 == 1) { int a = X.get(); } }
exists (1:r1=1 /\ x=1)
)";

TEST(JcstressEmit, WritesOneClass) {
  const auto test = prepare(read(message_passing));
  const Grade grades[] = {{"1, 1, 0", false, "because \\ of \"that\""}, {"", true, "all others"}};
  EXPECT_EQ(source_of(test, grades), R"(package litmus;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import org.openjdk.jcstress.annotations.*;
import org.openjdk.jcstress.infra.results.*;

@JCStressTest
@Description("MP+rel+acq: a \"flag\". Results: 1:a (-99999: not written) 1:r1 1:r2 [x]")
@Outcome(id = "1, 1, 0", expect = Expect.FORBIDDEN, desc = "because \\ of \"that\"")
@Outcome(expect = Expect.ACCEPTABLE, desc = "all others")
@State
public class MP_prel_pacq {
  static final VarHandle X, FLAG;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      X = lookup.findVarHandle(MP_prel_pacq.class, "x", int.class);
      FLAG = lookup.findVarHandle(MP_prel_pacq.class, "flag", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  int x;
  int flag = 2;

  @Actor
  public void thread0() {
    X.set(this, 1);
    FLAG.setRelease(this, 1);
  }

  @Actor
  public void thread1(IIII_Result r) {
    int a = -99999;
    int r1 = (int) FLAG.getAcquire(this);
    int r2 = 0;
    if (r1 == 1) {
      a = (int) X.get(this);
    }
    r.r1 = a;
    r.r2 = r1;
    r.r3 = r2;
  }

  @Arbiter
  public void arbiter(IIII_Result r) {
    r.r4 = x;
  }
}
)");
}

TEST(JcstressEmit, RefusesWhatAJvmCannotShow) {
  EXPECT_THROW(prepare(read("X86_64 T\n{ x = 0; }\nP0 | P1 ;\nmovl $1,(x) | movl (x),%eax ;\n"
                            "exists (1:rax=0)\n")),
               Unsupported);
  EXPECT_THROW(prepare(read("Java T\n{ x = 0; 0:X=x; }\nThread0 { X.set(1); }\n"),
                       std::vector<litmus::Observable>{}),
               Unsupported);
  const auto unbalanced = prepare(
      read("Java T\n{ 0:a=0; }\nThread0 { lock(m); if (a) { unlock(m); } }\nexists (0:a=0)\n"));
  EXPECT_THROW(source_of(unbalanced, {}), Unsupported);
}

/// Actors see to the ends of threads that they start, or that run their code, and take over what
/// these end with.
TEST(JcstressEmit, ThreadsOfTheirOwn) {
  const auto test =
      prepare(read("Java T\n{ x = 0; X=x; }\n"
                   "Thread0 { start(Thread1); int a = X.get(); print(a); }\n"
                   "Thread1 { int r = 0; if (r == 0) { r = 1; } else { int s = 2; } }\n"
                   "Thread2 { join(Thread3); }\n"
                   "Thread3 { int t = X.get(); }\n"));
  const std::string text = source_of(test, {});
  for (const char* part :
       {"  int printed0; // what thread 0 prints\n  int t1_r1 = 0;\n  int t1_s = -99999;\n"
        "  int t3_t = 0;\n",
        "  @Actor\n  public void thread0(IIII_Result r) {\n    thread1 = started(this::body1);\n"
        "    int a = (int) X.get(this);\n    printed0 = a;\n"
        "    if (thread1 != null) ended(() -> thread1);\n",
        "    r.r2 = t1_r1;\n", "    r.r3 = t1_s;\n", "    r.r1 = a;\n",
        "  @Actor\n  public void thread2() {\n    ended(() -> thread3);\n  }\n",
        "  @Actor\n  public void thread3(IIII_Result r) {\n    thread3 = started(this::body3);\n"
        "    if (thread3 != null) ended(() -> thread3);\n    r.r4 = t3_t;\n  }\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  EXPECT_EQ(text.find("@Actor\n  public void thread1"), std::string::npos);
}

/// Which registers of the only thread get a sentinel.
std::string marked(const std::string& body) {
  const auto test = read("Java T\n{ x = 0; 0:X=x; 0:a=0; 0:b=0; 0:c=0; }\nThread0 { " + body +
                         " }\nexists (0:a=0)\n");
  const auto found = with_sentinels(test.java());
  std::string names;
  for (std::size_t r = 0; r < 3; ++r) {
    const auto& reg = found.program.threads[0].registers[r];
    EXPECT_EQ(reg.initial, found.marked[0][r] ? found.value : 0);
    if (found.marked[0][r]) names += reg.name;
  }
  return names;
}

TEST(JcstressSentinel, IsForRegistersThatAPathLeavesOut) {
  EXPECT_EQ(marked("a = 1; b = 2; c = a;"), "");
  EXPECT_EQ(marked("a = X.get(); if (a == 1) { b = 1; } else { b = 2; c = 3; }"), "c");
  EXPECT_EQ(marked("if (a == 1) { b = 1; } c = b;"), "") << "what is read early is read as 0";
  EXPECT_EQ(marked("a = X.get(); while (a == 1) { a = X.get(); b = 1; }"), "bc");
  EXPECT_EQ(marked("do { a = X.get(); b = 1; } while (a == 0);"), "c");
}

TEST(JcstressSentinel, IsNoConstantOfTheProgram) {
  const auto test = read("Java T\n{ x = -99999; 0:X=x; 0:a=0; }\nThread0 { X.set(-100000); }\n"
                         "exists (0:a=0)\n");
  EXPECT_EQ(with_sentinels(test.java()).value, -100001);
}

TEST(JcstressOutcome, IsReadBack) {
  const auto test = prepare(read(message_passing));
  EXPECT_EQ(behaviour_of(test, "-99999, 0, 0, 1"), (litmus::Behaviour{0, 0, 0, 1}));
  EXPECT_EQ(behaviour_of(test, "7, -2147483648, 0, 1"),
            (litmus::Behaviour{7, -2147483648LL, 0, 1}));
  EXPECT_EQ(outcome_of(test, {7, -1}), "7, -1");
  for (const char* wrong : {"", "1", "1, 2, 3", "1, 2, 3, 4, 5", "1,2,3,4", "1, 2, 3, x",
                            "1, 2, 3, 4 ", "1, 2, 3, 99999999999"})
    EXPECT_FALSE(behaviour_of(test, wrong)) << wrong;
}

TEST(JcstressResult, IsOursAboveEightSlots) {
  EXPECT_EQ(result_class(1), "I_Result");
  EXPECT_EQ(result_class(8), "IIIIIIII_Result");
  EXPECT_EQ(result_class(9), "R9");
  EXPECT_FALSE(result_source(8));
  const std::string source = result_source(9).value();
  EXPECT_NE(source.find("public class R9 implements Copyable"), std::string::npos);
  EXPECT_NE(source.find("public int r1, r2, r3, r4, r5, r6, r7, r8, r9;"), std::string::npos);
  EXPECT_NE(source.find("copy.r9 = r9;"), std::string::npos);
  EXPECT_NE(source.find("public int jcstress_trap;"), std::string::npos);
}

TEST(JcstressProject, HoldsAllThatItNeeds) {
  std::vector<Graded> tests;
  tests.push_back({prepare(read(message_passing)), {{"", true, "any"}}, "LITMUS"});
  const auto files = project(tests, "thinair | x");
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"pom.xml", "src/main/java/litmus/MP_prel_pacq.java",
                                      "tests/MP_prel_pacq.litmus", "check.xml", "README.md"}));
  EXPECT_NE(files[0].text.find("<ant antfile=\"check.xml\" dir=\"${project.basedir}\""),
            std::string::npos);
  EXPECT_NE(files[0].text.find("<jcstress.version>0.16</jcstress.version>"), std::string::npos);
  EXPECT_NE(files[0].text.find("${jcstress.version}"), std::string::npos);
  EXPECT_EQ(files[2].text, "LITMUS");
  EXPECT_NE(files[3].text.find("jcstress's processor left out litmus.MP_prel_pacq\""),
            std::string::npos);
  EXPECT_NE(files[3].text.find("string=\"${list}\" substring=\"JCTEST19Slitmus.MP_prel_pacq\""),
            std::string::npos)
      << files[3].text;
  EXPECT_NE(files[4].text.find("Written by `thinair \\| x`."), std::string::npos);
  EXPECT_NE(files[4].text.find("| MP+rel+acq | `litmus.MP_prel_pacq` |"), std::string::npos);
}

TEST(JcstressProject, HasAClassForEachTest) {
  Members members;
  auto test = prepare(read(message_passing));
  members.add(test, "a.litmus");
  try {
    members.add(test, "b.litmus");
    FAIL() << "two classes of one name";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "b.litmus: error: the test of a.litmus is called MP+rel+acq, too\n"
                           "  hint: give one of them another name");
  }
  test.class_name = std::string(201, 'a');
  EXPECT_THROW(members.add(test, "c.litmus"), Unsupported);
  test.class_name = std::string(200, 'a');
  members.add(test, "c.litmus");
  test.class_name = std::string(200, 'A');
  EXPECT_THROW(members.add(test, "d.litmus"), InputError)
      << "one file where file names do not tell capitals apart";
}

/// Tags that are opened and not closed, or the other way round; nothing where all is well.
std::string unbalanced(std::string_view xml) {
  std::vector<std::string> open;
  for (auto at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const auto end = xml.find('>', at);
    if (end == std::string_view::npos) return "no end of a tag";
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with("?") || tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.emplace_back(tag.substr(0, tag.find_first_of(" \n")));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return std::string(tag);
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(JcstressProject, IsWellFormed) {
  EXPECT_EQ(unbalanced("<a><b/></a>"), "");
  EXPECT_EQ(unbalanced("<a><b></a>"), "/a");
  const std::vector<Graded> tests = {{prepare(read(message_passing)), {{"", true, "any"}}, ""}};
  for (const auto& file : project(tests, "thinair")) {
    if (!file.path.ends_with(".xml")) continue;
    EXPECT_EQ(unbalanced(file.text), "") << file.path;
  }
}

const char* const store_buffering = R"(Java SB
{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }
Thread1 { Y.setVolatile(1); int b = X.getVolatile(); }
exists (0:a=0 /\ 1:b=0)
)";

TEST(JcstressExpect, GradesTheStateSpace) {
  const auto model = cat::load_model("jam21", cat::Architecture::java);
  const auto test = prepare(read(store_buffering));
  const auto expected = expect(test, model, "jam21");
  EXPECT_EQ(expected.acceptable, 3U);
  std::vector<std::string> lines;
  for (const Grade& g : expected.grades)
    lines.push_back(fmt::format("{}|{}|{}", g.outcome, g.acceptable ? "yes" : "no", g.reason));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_TRUE(lines[0].starts_with("0, 0|no|0:a=0; 1:b=0: forbidden by jam21: ")) << lines[0];
  EXPECT_EQ(lines[1], "0, 1|yes|0:a=0; 1:b=1: sequentially consistent");
  EXPECT_EQ(lines[4], "|no|forbidden by jam21");
}

TEST(JcstressExpect, TellsSequentialOutcomesFromOthers) {
  std::string plain = store_buffering;
  for (const char* word : {"setVolatile", "getVolatile"})
    for (auto at = plain.find(word); at != std::string::npos; at = plain.find(word))
      plain.replace(at, 11, word[0] == 's' ? "setOpaque" : "getOpaque");
  const auto model = cat::load_model("jam21", cat::Architecture::java);
  const auto grades = expect(prepare(read(plain)), model, "jam21").grades;
  EXPECT_EQ(grades.at(0).reason, "0:a=0; 1:b=0: not sequentially consistent, allowed by jam21");
}

TEST(JcstressMembership, SpeaksOfTheTestAsItWas) {
  const auto model = cat::load_model("jam21", cat::Architecture::java);
  const auto test = prepare(read(message_passing));
  Membership membership(test, model);
  EXPECT_EQ(membership.allows({0, 2, 0, 1}), oracle::Answer::allowed) << "a is 0 where not written";
  EXPECT_EQ(membership.allows({0, 1, 0, 1}), oracle::Answer::forbidden);
  EXPECT_EQ(membership.why_forbidden({0, 1, 0, 1}).kind, explain::Core::Kind::model);
  EXPECT_EQ(membership.why_forbidden({5, 2, 0, 1}).kind, explain::Core::Kind::values);
}

} // namespace
} // namespace thinair::runners::jcstress
