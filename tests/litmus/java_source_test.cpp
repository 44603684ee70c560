// Real Java made of tests: names there and back, typed expressions, the whole of a plain class.
#include "litmus/java/code.h"
#include "litmus/java/source.h"
#include "litmus/random.h"
#include "litmus/text/error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::litmus::java {
namespace {

litmus::Test read(const std::string& text) { return parse({"test", text}); }

/// The code of thread 0 of a test with locations x and y and registers a and b.
std::string code(const std::string& body, const CodeStyle& style = {.level = 0}) {
  const litmus::Test test =
      read("Java T\n{ x = 0; y = 0; monitor m; 0:X=x; 0:Y=y; 0:a=0; 0:b=0; }\n"
           "Thread0 {\n" +
           body + "\n}\nexists (0:a=0)\n");
  return thread_code(test.java(), 0, names_of(test.java()), style);
}

TEST(JavaNames, ClassNamesAreEscapes) {
  EXPECT_EQ(class_name("SB"), "SB_t");
  EXPECT_EQ(class_name("SB+rfis"), "SB_prfis");
  EXPECT_EQ(class_name("2+2W"), "_n2_p2W");
  EXPECT_EQ(class_name("class"), "class_t");
  EXPECT_EQ(class_name("a_b"), "a__b");
  EXPECT_EQ(class_name("a/b.c-d[0]"), "a_sb_dc_md_l0_r");
  EXPECT_EQ(class_name("\xC3\xA9*"), "_xc3_xa9_x2a");
}

TEST(JavaNames, AreReversible) {
  Random random(1);
  const std::string alphabet = "abzAZ019__++-./[]{}$ \xC3";
  std::set<std::string> classes, words;
  for (int i = 0; i < 20'000; ++i) {
    std::string name;
    for (auto n = random.below(8); n > 0; --n) name += alphabet[random.below(alphabet.size())];
    const auto made = class_name(name);
    ASSERT_EQ(test_name(made), name) << made;
    ASSERT_FALSE(is_keyword(made)) << name;
    ASSERT_EQ(made.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789_"),
              std::string::npos);
    ASSERT_FALSE(made.front() >= '0' && made.front() <= '9') << made;
  }
  for (const std::string& word : std::initializer_list<std::string>{
           "r1", "class", "class_", "class__", "_", "__", "x_", "int", "new", "newer", "this_",
           "Integer", "Integer_", "integer", "INTEGER", "X", "X_", "Xy", "Xy_"}) {
    EXPECT_EQ(word_of(identifier(word)), word);
    EXPECT_FALSE(is_keyword(identifier(word))) << word;
    EXPECT_TRUE(words.insert(identifier(word)).second) << word;
  }
}

TEST(JavaNames, NotEveryClassIsATest) {
  for (const char* wrong : {"a_", "_", "_q", "a$b", "_x4", "_xZZ", "1a", "_nSB", "_x61"})
    EXPECT_FALSE(test_name(wrong)) << wrong;
}

TEST(JavaNames, DoNotMeet) {
  const litmus::Test test =
      read("Java T\n{ X = 0; x = 0; r = 0; 0:A=x; 0:B=X; 0:C=r; 0:X=0; }\n"
           "Thread0 { int R = A.get(); B.set(1); C.set(1); }\nexists (0:R=0)\n");
  const auto names = names_of(test.java(), {"r"});
  EXPECT_EQ(names.fields, (std::vector<std::string>{"X", "x", "r1"}));
  std::set<std::string> all(names.fields.begin(), names.fields.end());
  for (const auto& handle : names.handles) EXPECT_TRUE(all.insert(handle).second) << handle;
  for (const auto& reg : names.registers[0])
    EXPECT_EQ(std::ranges::find(names.handles, reg), names.handles.end()) << reg;
}

TEST(JavaCode, EveryMethodHasItsTypes) {
  for (const MethodInfo& method : methods()) {
    std::string arguments;
    for (int i = 0; i < method.arguments; ++i) arguments += fmt::format("{}{}", i ? ", " : "", i);
    std::string java =
        fmt::format("X.{}(this{}{})", method.name, arguments.empty() ? "" : ", ", arguments);
    std::string litmus = fmt::format("X.{}({});", method.name, arguments);
    EXPECT_NE(code(litmus).find(java + ";\n"), std::string::npos);
    if (!reads(method.action)) continue;
    const bool truth =
        method.action == Action::compare_and_set || method.action == Action::weak_compare_and_set;
    EXPECT_NE(code("a = " + litmus).find("a = " + (truth ? java + " ? 1 : 0" : "(int) " + java)),
              std::string::npos);
  }
}

TEST(JavaCode, TellsBooleansFromInts) {
  const auto value = [](const std::string& e) {
    const std::string text = code("a = X.get(); b = Y.get(); a = " + e + ";");
    const auto at = text.rfind("a = ");
    return text.substr(at + 4, text.rfind(';') - at - 4);
  };
  EXPECT_EQ(value("a == b"), "a == b ? 1 : 0");
  EXPECT_EQ(value("(a == b) + 1"), "(a == b ? 1 : 0) + 1");
  EXPECT_EQ(value("!a"), "a == 0 ? 1 : 0");
  EXPECT_EQ(value("!(a < b)"), "!(a < b) ? 1 : 0");
  EXPECT_EQ(value("a && b"), "a & b") << "2 && 1 is 0";
  EXPECT_EQ(value("a == 1 || b == 2"), "a == 1 | b == 2 ? 1 : 0") << "both sides are evaluated";
  EXPECT_EQ(value("a == 1 && b"), "(a == 1 ? 1 : 0) & b");
  EXPECT_EQ(value("-(-1)"), "-(-1)");
  EXPECT_EQ(value("a - (b - 1)"), "a - (b - 1)");
  EXPECT_EQ(value("(a + b) * 2 >>> 1"), "(a + b) * 2 >>> 1");
  EXPECT_EQ(value("X.compareAndSet(0, Y.get() == 1)"),
            "X.compareAndSet(this, 0, (int) Y.get(this) == 1 ? 1 : 0) ? 1 : 0");
}

TEST(JavaCode, ConditionsAreBooleans) {
  EXPECT_EQ(code("a = X.get(); if (a) { b = 1; }"),
            "int b = 0;\nint a = (int) X.get(this);\nif (a != 0) {\n  b = 1;\n}\n");
  EXPECT_EQ(code("do { a = X.getOpaque(); } while (a != 1 && X.compareAndSet(0, 1));"),
            "int a = 0;\nint b = 0;\ndo {\n  a = (int) X.getOpaque(this);\n} while (a != 1 & "
            "X.compareAndSet(this, 0, 1));\n");
}

TEST(JavaCode, MonitorsAreBlocks) {
  EXPECT_EQ(
      code("lock(m); a = X.get(); lock(m); unlock(m); unlock(m);", {.object = "s", .level = 0}),
      "int a = 0;\nint b = 0;\nsynchronized (s.m) {\n  a = (int) X.get(s);\n"
      "  synchronized (s.m) {\n  }\n}\n");
  EXPECT_THROW(code("lock(m); if (a) { unlock(m); }"), Unsupported);
}

TEST(JavaCode, SaysWhatItHasNoFormFor) {
  EXPECT_THROW(code("start(Thread0);"), Unsupported);
  EXPECT_NE(code("print(a);", {.prints = true}).find("System.out.println(a);"), std::string::npos);
  EXPECT_NE(code("print(a);", {.object = "s"}).find("s.printed0 = a;"), std::string::npos);
  const litmus::Test test =
      read("Java T\n{ final x = 1; 0:X=x; }\nThread0 { X.set(2); }\nexists (x=2)\n");
  EXPECT_THROW(thread_code(test.java(), 0, names_of(test.java())), Unsupported);
}

TEST(JavaSource, IsAWholeClass) {
  const litmus::Test test = read(R"(Java MP+rel+acq
"a flag hands \u000a over"
{ x = 0; flag = 2; 0:X=x; 0:F=flag; 1:X=x; 1:F=flag; }
Thread0 { X.set(1); F.setRelease(1); }
Thread1 { int r1 = F.getAcquire(); int r2 = 0; if (r1 == 1) { r2 = X.get(); } }
exists (1:r1=1 /\ 1:r2=0)
)");
  const std::string text = plain_source(test, "folder/a\nb.litmus");
  EXPECT_EQ(text.substr(0, text.find("import")),
            "// MP+rel+acq: a flag hands /u000a over\n"
            "// Made of folder/a\\x0ab.litmus by thinair litmus-to-java.\n"
            "// exists (1:r1=1 /\\ 1:r2=0)\n"
            "// Save it as MP_prel_pacq.java, and run it: java MP_prel_pacq.java [ROUNDS]\n");
  const auto begin = text.find("public class"), end = text.find("\n  static void run");
  EXPECT_EQ(text.substr(begin, end - begin), R"(public class MP_prel_pacq {
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
  int t1_r1, t1_r2; // what thread 1 ends with

  void thread0() {
    X.set(this, 1);
    FLAG.setRelease(this, 1);
  }

  void thread1() {
    int r1 = (int) FLAG.getAcquire(this);
    int r2 = 0;
    if (r1 == 1) {
      r2 = (int) X.get(this);
    }
    t1_r1 = r1;
    t1_r2 = r2;
  }

  String outcome() {
    return "1:r1=" + t1_r1
        + "; 1:r2=" + t1_r2
        + "; [flag]=" + flag
        + "; [x]=" + x;
  }

  /** What the test asks about: exists. */
  boolean asked0() {
    return t1_r1 == 1 && t1_r2 == 0;
  }
)");
}

/// Who is started, or waited for, runs in a thread that is made for it.
TEST(JavaSource, StartsThreadsAndWaitsForThem) {
  const litmus::Test test = read(R"(Java T
{ x = 0; X=x; 2:r=5; }
Thread0 { X.set(1); start(Thread2); int a = X.get(); }
Thread1 { X.set(2); print(3); }
Thread2 { join(Thread1); int r = X.get(); }
exists (2:r=2)
)");
  const std::string text = plain_source(test);
  const auto begin = text.find("  int x;"), helpers = text.find("\n  /** A thread that");
  EXPECT_EQ(text.substr(begin, helpers - begin), R"(  int x;
  int t0_a; // what thread 0 ends with
  int t2_r = 5; // what thread 2 ends with
  volatile Thread thread1 = null; // thread 1, once it has been started
  volatile Thread thread2 = null; // thread 2, once it has been started
)");
  const auto code = text.find("\n  void thread0()"), end = text.find("\n  String outcome()");
  EXPECT_EQ(text.substr(code, end - code), R"(
  void thread0() {
    X.set(this, 1);
    thread2 = started(this::body2);
    int a = (int) X.get(this);
    t0_a = a;
    if (thread2 != null) ended(() -> thread2);
  }

  void body1() {
    X.set(this, 2);
    System.out.println(3);
  }

  void thread1() {
    thread1 = started(this::body1);
    if (thread1 != null) ended(() -> thread1);
  }

  void body2() {
    ended(() -> thread1);
    int r = (int) X.get(this);
    t2_r = r;
  }
)");
  EXPECT_NE(text.find("case 1: state.thread1(); break;\n      }"), std::string::npos)
      << "thread 2 is no one's from the beginning";
}

TEST(JavaSource, ThreadsThatNobodyCanStartAreUnsupported) {
  const auto text_of = [](const std::string& threads) {
    return plain_source(read("Java T\n{ x = 0; X=x; }\n" + threads + "\nexists (x=0)\n"));
  };
  EXPECT_THROW(text_of("Thread0 { start(Thread2); }\nThread1 { start(Thread2); }\n"
                       "Thread2 { X.set(1); }"),
               Unsupported);
  EXPECT_THROW(text_of("Thread0 { start(Thread1); }\nThread1 { start(Thread0); }"), Unsupported);
}

} // namespace
} // namespace thinair::litmus::java
