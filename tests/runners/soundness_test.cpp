// Soundness of targets: jMT's results, the corpus, mutated schemes, and engines against each other.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/soundness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace thinair::runners {
namespace {

using oracle::Result;

litmus::Test corpus_test(const std::string& path) {
  return litmus::parse(
      litmus::read_file((std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus" / path).string()));
}

Result on_machine(const litmus::Test& test) { return x86_machine(test); }

/// The built-in engine under the axioms of x86-TSO.
Hardware axioms() {
  return [model = cat::load_model("x86-tso", x86::architecture)](const litmus::Test& test) {
    return executions::behaviours(test, model);
  };
}

const cat::Plan& jam21() {
  static const cat::Plan model = cat::load_model("jam21", cat::Architecture::java);
  return model;
}

const cat::Plan& jls04() {
  static const cat::Plan model = cat::load_model("jls04", cat::Architecture::java);
  return model;
}

SoundnessResult check(const litmus::Test& test, const cat::Plan& model, std::string_view target,
                      const Hardware& hardware = on_machine) {
  lower::Target on = lower::Target::named(target);
  return check_soundness(test, model, on, hardware);
}

std::vector<std::string> texts(const SoundnessResult& result) {
  std::vector<std::string> out;
  for (const auto& b : result.forbidden) out.push_back(litmus::to_string(result.observables, b));
  return out;
}

/// Whether some forbidden behaviour has these registers.
bool forbids(const SoundnessResult& result, const std::string& registers) {
  return std::ranges::any_of(texts(result), [&](const std::string& text) {
    return text == registers || text.starts_with(registers + "; ");
  });
}

/// Code that shows nothing is right only where the source, in turns, ends in no state, either.
TEST(Soundness, NothingIsVacuousUnlessNobodyEnds) {
  const Hardware nothing = [](const litmus::Test& test) {
    return Result{.observables = litmus::observables(test)};
  };
  const auto stuck = litmus::parse({"stuck", "Java stuck\n{ monitor m; X=x; }\n"
                                             "Thread0 { X.set(1); lock(m); }\n"
                                             "Thread1 { lock(m); }\nexists (x=1)\n"});
  const auto throws_in_turns =
      litmus::parse({"weak", "Java weak\n{ class A { int x; } X=x; Y=y; }\n"
                             "Thread0 { A none = null; X.set(1); int r = Y.get();\n"
                             "  if (r == 1) { none.x = 1; } }\n"
                             "Thread1 { A none = null; Y.set(1); int r = X.get();\n"
                             "  if (r == 1) { none.x = 1; } }\n"});
  const auto ends = corpus_test("jmt/JMT-SB+rfis.litmus");
  EXPECT_EQ(check(stuck, jls04(), "x86:table2", nothing).verdict, Soundness::sound);
  EXPECT_EQ(check(throws_in_turns, jls04(), "x86:table2", nothing).verdict, Soundness::sound);
  EXPECT_EQ(check(throws_in_turns, jls04(), "x86:table2").behaviours.size(), 1U);
  const auto silent = check(ends, jls04(), "x86:table2", nothing);
  EXPECT_EQ(silent.verdict, Soundness::vacuous);
  EXPECT_EQ(silent.reason.text, "vacuous: the target shows nothing: no execution of its code ends");
}

TEST(Soundness, Figure5OfJmtIsUnsoundForJam21WithThePapersWitness) {
  const auto test = corpus_test("jmt/JMT-Fig5.litmus");
  for (const char* target : {"x86:table2", "x86:jam21", "x86:llvm-O2"}) {
    for (const Hardware& hardware : {Hardware(on_machine), axioms()}) {
      const auto result = check(test, jam21(), target, hardware);
      EXPECT_EQ(result.verdict, Soundness::unsound) << target;
      EXPECT_TRUE(forbids(result, "0:a=2; 0:b=0; 0:c=0; 2:d=1; 2:e=2")) << target;
      const auto again = hardware(result.code); // the code's own clause is its witness
      EXPECT_TRUE(std::ranges::any_of(again.behaviours, [&](const auto& b) {
        return litmus::holds(result.code.clauses.at(0).proposition, again.observables, b);
      }));
    }
  }
}

TEST(Soundness, StoreBufferingWithForwardedReadsIsUnsoundForJam21) {
  const auto result = check(corpus_test("jmt/JMT-SB+rfis.litmus"), jam21(), "x86:table2");
  EXPECT_EQ(result.verdict, Soundness::unsound);
  EXPECT_TRUE(forbids(result, "0:a=1; 0:b=0; 1:c=1; 1:d=0")) << texts(result).size();
}

TEST(Soundness, AFenceThatIsMissingIsNoticed) {
  const auto test = litmus::parse({"SB", "Java SB\n{ X=x; Y=y; }\n"
                                         "Thread0 { X.setVolatile(1); int r = Y.getVolatile(); }\n"
                                         "Thread1 { Y.setVolatile(1); int r = X.getVolatile(); }\n"
                                         "exists (0:r=0 /\\ 1:r=0)\n"});
  std::string text(lower::shipped_file("x86:table2")->text);
  EXPECT_EQ(check(test, jls04(), "x86:table2").verdict, Soundness::sound);
  const std::string fence = "  mov [x], arg\n  mfence\n";
  text.replace(text.find(fence), fence.size(), "  mov [x], arg\n");
  lower::Target weak(lower::parse_scheme({"weak", text}));
  for (const cat::Plan* model : {&jls04(), &jam21()}) {
    const auto result = check_soundness(test, *model, weak, on_machine);
    EXPECT_EQ(result.verdict, Soundness::unsound);
    EXPECT_TRUE(forbids(result, "0:r=0; 1:r=0"));
  }
}

TEST(Soundness, LimitsAreNeverSound) {
  const auto test = corpus_test("jmt/JMT-SB-volatile-reads.litmus");
  const auto few_states = [](const litmus::Test& code) {
    MachineOptions options;
    options.states = 3;
    return x86_machine(code, options);
  };
  const auto result = check(test, jls04(), "x86:table2", few_states);
  EXPECT_EQ(result.verdict, Soundness::unknown);
  EXPECT_EQ(result.reason.limit, Limit::states) << result.reason.text;
  const auto loop = litmus::parse({"L", "Java L\n{ X=x; }\n"
                                        "Thread0 { int r = 0; while (r < 9) { r = r + 1; } }\n"
                                        "exists (0:r=0)\n"});
  EXPECT_EQ(check(loop, jls04(), "x86:table2").verdict, Soundness::unknown);
}

/// Tests of plain and volatile accesses, as Java 5 knew them.
bool is_java_5(const litmus::Block& block) {
  return std::ranges::all_of(block, [](const litmus::Statement& statement) {
    if (const auto* access = std::get_if<litmus::Access>(&statement.node))
      return access->method == litmus::Method::get || access->method == litmus::Method::set ||
             access->method == litmus::Method::getVolatile ||
             access->method == litmus::Method::setVolatile;
    if (const auto* branch = std::get_if<litmus::If>(&statement.node))
      return is_java_5(branch->then_block) && is_java_5(branch->else_block);
    if (const auto* loop = std::get_if<litmus::Loop>(&statement.node)) return is_java_5(loop->body);
    return !std::holds_alternative<litmus::FenceStatement>(statement.node);
  });
}

TEST(Soundness, TheJava5CorpusIsSoundForJls04) {
  const std::filesystem::path corpus = std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::ranges::sort(files);
  lower::Target table2 = lower::Target::named("x86:table2");
  std::size_t sound = 0, unsupported = 0;
  SoundnessOptions options;
  options.oracle.limits.loop_bound = 1; // a loop without a bound comes out unknown anyway
  for (const auto& file : files) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    if (!test.is_java()) continue;
    if (!std::ranges::all_of(test.java().threads,
                             [](const auto& thread) { return is_java_5(thread.body); }))
      continue;
    try {
      const auto result = check_soundness(test, jls04(), table2, on_machine, options);
      EXPECT_NE(result.verdict, Soundness::unsound)
          << file << ": " << (result.forbidden.empty() ? "" : texts(result).front());
      sound += result.verdict == Soundness::sound;
      EXPECT_TRUE(result.verdict != Soundness::unknown || litmus::features(test.java()).loops)
          << file << ": " << result.reason.text;
    } catch (const Unsupported&) {
      ++unsupported;
    }
  }
  EXPECT_GT(sound, 100U);
  EXPECT_LE(unsupported, 35U);
  RecordProperty("sound", static_cast<int>(sound));
  RecordProperty("unsupported", static_cast<int>(unsupported));
}

} // namespace
} // namespace thinair::runners
