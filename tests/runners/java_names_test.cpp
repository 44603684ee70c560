// Java that is made of tests with nasty names compiles: one call of javac for all of them.
#include "litmus/java/names.h"
#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "runners/jcstress/emit.h"
#include "runners/jcstress/helpers.h"
#include "runners/jcstress/javac.h"
#include "runners/jcstress/jvm.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/support/random_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <set>

namespace thinair::runners::jcstress {
namespace {

/// How many tests: 0 stands for so many that every name is a test, a location and a register.
std::size_t wanted(std::size_t unless_said) {
  const char* given = std::getenv("THINAIR_JAVA_NAMES");
  return given == nullptr ? unless_said : std::strtoul(given, nullptr, 10);
}

/// Words that mean something to Java, to jcstress, or to the code that we write.
constexpr std::string_view nasty_words =
    // keywords, literals, and words that are keywords in places (JLS 3.9)
    "abstract assert boolean break byte case catch char class const continue default double "
    "else enum extends false finally float for goto implements import instanceof interface long "
    "native new null package private protected public return short static strictfp super switch "
    "synchronized this throw throws transient try void volatile _ __ exports module non open "
    "opens permits provides record requires sealed to transitive uses var when with yield value "
    // java.lang, and what else the emitted source or that of jcstress's processor speaks of
    "Appendable AssertionError Boolean Byte Character CharSequence Class ClassLoader Cloneable "
    "Comparable Deprecated Double Enum Error Exception ExceptionInInitializerError Float "
    "FunctionalInterface IllegalStateException Integer InterruptedException Iterable Long Math "
    "MatchException Module Number Object Override Package Process Record "
    "ReflectiveOperationException Runnable Runtime RuntimeException SafeVarargs ScopedValue Short "
    "StrictMath String StringBuffer StringBuilder StringTemplate SuppressWarnings System Thread "
    "ThreadGroup ThreadLocal Throwable Void AtomicInteger Map TreeMap Arrays ArrayList List "
    "Collection MethodHandles Lookup VarHandle_ java javax org jdk lang litmus thinair openjdk "
    // jcstress
    "JCStressTest JCStressMeta Actor Arbiter Outcome Outcomes Expect State Result Description Ref "
    "Signal Mode Copyable Counter Runner WorkerSync Control I_Result II_Result IIII_Result "
    "J_Result ACCEPTABLE FORBIDDEN jcstress_trap jcstress SB_jcstress jcstress_SB "
    // names that meet under some rule of naming
    "x X x1 X1 x_ X_ x__ X__ a_b a__b A_B t0_r t1_r t0_r0 t0_r1 t1_r1 T1_R t0_x r0 r1 r2 R1 R9 R10 "
    "T00000 T00001 SB SB_t SBt _n _nSB n2W class_ class__ this_ int_ Integer_ Flag Flag_ flag "
    "thread0 thread1 asked0 counts abc Abc ABC aBC xxxxxxxxxx i l O0";

/// Names that our own language has a meaning for.
bool is_word_of_the_language(const std::string& word) {
  static const std::set<std::string> words = {
      "boolean", "byte",  "short", "char",      "long",  "float",  "double", "int",       "if",
      "else",    "while", "do",    "VarHandle", "final", "exists", "forall", "locations", "filter",
      "monitor", "true",  "false", "class",     "new",   "null",   "Float",  "Double"};
  if (words.contains(word) || word.starts_with("Thread")) return word != "Thread";
  return std::ranges::any_of(litmus::fences(), [&](const auto& row) { return row.name == word; });
}

void add_words(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    const bool digit = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (!word.empty() && !digit && !is_word_of_the_language(word) &&
        std::ranges::find(words, word) == words.end())
      words.push_back(word);
    word.clear();
  }
}

litmus::Test ordinary() {
  return litmus::parse({"test", "Java P+q\n{ x = 0; y = 0; monitor m; 0:X=x; 1:X=x; 0:Y=y; }\n"
                                "Thread0 { X.set(1); int a = Y.compareAndSet(0, 1); lock(m); "
                                "unlock(m); fullFence(); }\nThread1 { int b = X.get(); do { b = 1; "
                                "} while (b == 2); }\nfilter (0:a=1)\nexists (1:b=1 /\\ x=1)\n"});
}

/// The words above, every word of the code that we write around a test, and very long ones.
std::vector<std::string> nasty_names() {
  std::vector<std::string> words;
  add_words(nasty_words, words);
  const Grade grade{"", false, "reason"};
  add_words(source_of(prepare(ordinary()), std::span(&grade, 1)), words);
  add_words(litmus::java::plain_source(ordinary()), words);
  add_words(*result_source(9), words);
  for (const Helper& helper : helpers()) add_words(helper.text, words);
  const std::size_t longest = litmus::Limits{}.name_length;
  words.push_back(std::string(longest, 'a'));
  words.push_back(std::string(longest - 1, 'a') + "A");
  words.push_back(std::string(longest, '_'));
  return words;
}

/// Names in turn, so that each of them comes to be used.
class Turn {
 public:
  Turn(const std::vector<std::string>& words, std::size_t start) : words_(words), at_(start) {}

  /// None that is in `used`.
  std::string next(std::set<std::string>& used) {
    while (!used.insert(words_[at_ % words_.size()]).second) ++at_;
    return words_[at_++ % words_.size()];
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t at_;
};

struct Naming {
  Turn locations, registers, monitors;
};

/// A random program under these names; it reads back, so its names are ones that a test may have.
litmus::Test nasty_test(const std::string& name, Naming& naming, litmus::Random& random) {
  litmus::RandomShape shape;
  shape.threads = 2;
  shape.registers = static_cast<std::uint32_t>(2 + random.below(4)); // up to 10 results
  shape.statements = 3;
  shape.actions = false;
  litmus::Test test = litmus::random_test(random, shape);
  test.name = name;
  auto& program = std::get<litmus::Program>(test.program);
  std::set<std::string> shared;
  for (auto& location : program.locations) location.name = naming.locations.next(shared);
  program.monitors = {naming.monitors.next(shared)};
  for (auto& thread : program.threads) {
    std::set<std::string> own = shared; // the language lets no register be called as a location
    for (auto& reg : thread.registers) reg.name = naming.registers.next(own);
    for (std::size_t i = 0; i < thread.handles.size(); ++i)
      thread.handles[i].name = fmt::format("H{}", i);
    litmus::Block body;
    body.push_back({litmus::MonitorStatement{true, litmus::MonitorId{0}}, {}});
    body.insert(body.end(), thread.body.begin(), thread.body.end());
    body.push_back({litmus::MonitorStatement{false, litmus::MonitorId{0}}, {}});
    thread.body = std::move(body);
  }
  litmus::Clause clause;
  clause.proposition.kind = litmus::Proposition::Kind::equal;
  clause.proposition.left = {std::nullopt, program.locations[0].name};
  clause.because = "\\u000a \\ \"";
  test.clauses = {clause};
  return test;
}

std::vector<litmus::Test> nasty_tests(std::size_t many) {
  const auto names = nasty_names();
  litmus::Random random(14);
  Naming naming{Turn(names, 0), Turn(names, names.size() / 3), Turn(names, names.size() / 2)};
  std::vector<litmus::Test> tests;
  const std::size_t step = many == 0 ? 1 : std::max<std::size_t>(names.size() / many, 1);
  for (std::size_t i = 0; i < names.size(); i += step)
    tests.push_back(nasty_test(names[i], naming, random));
  return tests;
}

std::optional<Jvm> newest_javac() {
  std::optional<Jvm> found;
  for (const Jvm& jvm : installed_jvms())
    if (jvm.javac && jvm.feature >= 11 && (!found || jvm.feature > found->feature)) found = jvm;
  return found;
}

/// jcstress's annotations and results, as far as our sources use them.
void write_stand_ins(const TemporaryDirectory& directory, std::vector<std::string>& files) {
  const auto add = [&](const std::string& package_name, const std::string& name,
                       const std::string& text) {
    const std::string folder = "org/openjdk/jcstress/" + package_name;
    std::string dotted = folder;
    std::ranges::replace(dotted, '/', '.');
    files.push_back(directory.write(fmt::format("{}/{}.java", folder, name),
                                    fmt::format("package {};\npublic {}\n", dotted, text)));
  };
  for (const char* name : {"JCStressTest", "State", "Actor", "Arbiter", "Result"})
    add("annotations", name, fmt::format("@interface {} {{}}", name));
  add("annotations", "Description", "@interface Description { String value(); }");
  add("annotations", "Expect", "enum Expect { ACCEPTABLE, FORBIDDEN }");
  add("annotations", "Outcome",
      "@interface Outcome { String[] id() default {}; Expect expect(); String desc(); }");
  add("infra", "Copyable", "interface Copyable { Object copy(); }");
  std::string fields;
  for (std::size_t n = 1; n <= 8; ++n) {
    fields += fmt::format("public int r{}; ", n);
    add("infra/results", result_class(n), fmt::format("class {} {{ {}}}", result_class(n), fields));
  }
}

Outcome run_javac(const Jvm& jvm, const TemporaryDirectory& directory,
                  const std::vector<std::string>& files) {
  std::string list;
  for (const auto& file : files) list += '"' + file + "\"\n";
  return runners::run(
      {.argv = {jvm.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                "-proc:none", "-nowarn", "-Xmaxerrs", "20", "--release", "11", "-d", "classes",
                "@" + directory.write("sources", list)},
       .directory = directory.path(),
       .seconds = 600});
}

TEST(NastyNames, AreOnesThatATestMayHave) {
  const auto tests = nasty_tests(0);
  EXPECT_GT(tests.size(), 300U);
  std::set<std::string> classes;
  for (const auto& test : tests) {
    EXPECT_EQ(litmus::print(litmus::parse({test.name, litmus::print(test)})), litmus::print(test));
    const auto name = litmus::java::class_name(test.name);
    EXPECT_TRUE(classes.insert(name).second) << name;
    EXPECT_NE(name.find('_'), std::string::npos) << "what the JDK may call a class";
    EXPECT_FALSE(std::regex_match(name, std::regex("[A-Za-z0-9]*_(Result|jcstress)"))) << name;
  }
}

TEST(NastyNames, MakeJavaThatCompiles) {
  const auto jvm = newest_javac();
  if (!jvm) GTEST_SKIP() << "no javac";
  const TemporaryDirectory directory;
  std::vector<std::string> files;
  write_stand_ins(directory, files);
  std::set<std::size_t> results;
  const Grade grade{"0", false, "\\u000a"};
  for (const auto& test : nasty_tests(wanted(60))) {
    const auto prepared = prepare(test);
    const std::string name = prepared.class_name + ".java";
    if (name.size() > 240) continue; // no file is called so
    files.push_back(directory.write("litmus/" + name, source_of(prepared, std::span(&grade, 1))));
    files.push_back(directory.write("plain/" + name, litmus::java::plain_source(test, "a\\u000a")));
    results.insert(prepared.slots.size());
  }
  for (const auto slots : results)
    if (const auto source = result_source(slots))
      files.push_back(directory.write("litmus/" + result_class(slots) + ".java", *source));
  const Outcome done = run_javac(*jvm, directory, files);
  EXPECT_EQ(describe(done), "exit status 0") << done.error << done.out;
}

TEST(NastyNames, AreNoTroubleForTheProcessorOfJcstress) {
  const auto jvm = newest_javac();
  if (!jvm) GTEST_SKIP() << "no javac";
  Jars jars;
  try {
    jars = find_jcstress();
  } catch (const InputError&) {
    GTEST_SKIP() << "no jcstress";
  }
  const TemporaryDirectory directory;
  Compilation compilation{directory.path(), {}, {}};
  std::set<std::size_t> results;
  for (const auto& test : nasty_tests(wanted(6))) {
    const auto prepared = prepare(test);
    if (prepared.class_name.size() > 200) continue;
    const std::string name = fmt::format("src/{}/{}.java", package, prepared.class_name);
    compilation.sources.push_back(directory.write(name, source_of(prepared, {})));
    compilation.tests.push_back(prepared.class_name);
    results.insert(prepared.slots.size());
  }
  for (const auto slots : results)
    if (const auto source = result_source(slots))
      compilation.sources.push_back(
          directory.write(fmt::format("src/{}/{}.java", package, result_class(slots)), *source));
  const Compiled done = compile(compilation, *jvm, jars);
  EXPECT_TRUE(done.complete);
  for (const auto& [name, what] : done.errors) ADD_FAILURE() << name << ": " << what;
}

TEST(PlainJava, SaysWhatRunsAndWhatWasAskedAbout) {
  const auto jvm = newest_javac();
  if (!jvm) GTEST_SKIP() << "no javac";
  const auto test = litmus::parse(
      {"test", "Java T\n{ x = 0; 0:X=x; }\nThread0 { X.set(1); int a = X.get(); }\n"
               "filter (x=1)\nrequired \"one\" (0:a=1)\nforbidden (0:a=2 \\/ x=0)\n"});
  const TemporaryDirectory directory;
  const auto file =
      directory.write(litmus::java::source_file_name(test), litmus::java::plain_source(test));
  const Outcome done = runners::run({.argv = {jvm->java(), file, "2"}, .seconds = 60});
  ASSERT_EQ(describe(done), "exit status 0") << done.error;
  EXPECT_TRUE(done.out.starts_with(jvm->vm)) << done.out;
  EXPECT_NE(done.out.find(jvm->version), std::string::npos) << done.out;
  EXPECT_EQ(done.out.substr(done.out.find('\n') + 1),
            "20000  0:a=1; [x]=1  <-- required \"one\" (0:a=1)\n"
            "20000 of 20000: required \"one\" (0:a=1)\n"
            "0 of 20000: forbidden (0:a=2 \\/ [x]=0)\n");
}

} // namespace
} // namespace thinair::runners::jcstress
