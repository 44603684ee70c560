// The library as programs outside see it: what it says agrees with the corpus and with itself,
// and what is wrong comes back as a value with its place.
#include "include/thinair/thinair.h"
#include "litmus/test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace thinair {
namespace {

const std::string root = THINAIR_SOURCE_DIR;

std::vector<std::string> files(const std::string& below) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root + below))
    if (entry.path().extension() == ".litmus") out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

std::string message_of(const auto& result) { return result ? "" : result.error().message; }

const std::string store_buffering = R"(Java SB
{ X=x; Y=y; }
Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }
Thread1 { Y.setVolatile(1); int b = X.getVolatile(); }
exists (0:a=0 /\ 1:b=0)
)";
const std::string both_zero = "0:a=0; 1:b=0";

Program program_of(const std::string& text) { return Program::parse(text).value(); }
Model model_of(const std::string& name) { return Model::load(name).value(); }

TEST(Library, AnswersTheCorpusAsItsVerdictsSay) {
  const auto model = model_of("jls04");
  std::size_t asked = 0;
  for (const auto& file : files("/corpus/ctc")) {
    const auto program = Program::read(file).value();
    const auto clauses = litmus::parse(litmus::read_file(file)).clauses;
    const auto outcomes = program.questions();
    ASSERT_EQ(outcomes.size(), clauses.size());
    for (std::size_t i = 0; i < clauses.size(); ++i)
      for (const auto& verdict : clauses[i].verdicts) {
        if (verdict.model != "jls04" || verdict.verdict == litmus::Verdict::contested) continue;
        const auto found = allowed(program, outcomes[i], model);
        ASSERT_TRUE(found) << file << ": " << message_of(found);
        EXPECT_EQ(to_string(found->answer),
                  verdict.verdict == litmus::Verdict::allowed ? "allowed" : "forbidden")
            << file << ": " << outcomes[i];
        ++asked;
      }
  }
  EXPECT_GT(asked, 15U);
}

/// Every state that is listed is allowed, and a reason says the same as the answer.
TEST(Library, ListsAnswersAndReasonsAgree) {
  int complete = 0;
  for (const char* name : {"sc", "jls04", "jam21"}) {
    const auto model = model_of(name);
    for (const auto& file :
         {"/corpus/ctc/CTC1.litmus", "/corpus/ctc/CTC4.litmus", "/corpus/jmt/JMT-SB+rfis.litmus"}) {
      const auto program = Program::read(root + file).value();
      const auto all = behaviours(program, model);
      ASSERT_TRUE(all) << message_of(all);
      EXPECT_EQ(all->complete, all->reason.empty()) << all->reason;
      complete += all->complete ? 1 : 0;
      EXPECT_FALSE(all->states.empty()) << file;
      EXPECT_TRUE(std::ranges::is_sorted(all->states, {}, &State::text));
      for (const auto& state : all->states) {
        EXPECT_EQ(state.values.size(), all->names.size());
        const auto found = allowed(program, state.text, model);
        ASSERT_TRUE(found) << message_of(found);
        EXPECT_EQ(found->answer, Answer::allowed) << file << " " << name << " " << state.text;
      }
      for (const auto& outcome : program.questions()) {
        const auto reason = why(program, outcome, model);
        ASSERT_TRUE(reason) << message_of(reason);
        EXPECT_EQ(reason->verdict.answer, allowed(program, outcome, model)->answer);
        EXPECT_FALSE(reason->text.empty());
        EXPECT_EQ(reason->svg.rfind("<svg", 0), reason->svg.empty() ? std::string::npos : 0U);
      }
    }
  }
  EXPECT_GE(complete, 7);
}

TEST(Library, OptionsOfAModelDecide) {
  const auto program = Program::read(root + "/corpus/ctc/CTC4.litmus").value();
  const auto outcome = program.questions().at(0);
  EXPECT_EQ(allowed(program, outcome, model_of("jls04"))->answer, Answer::forbidden);
  const auto plain = Model::load("jls04", {.causality = "none"}).value();
  EXPECT_EQ(allowed(program, outcome, plain)->answer, Answer::allowed);
  const auto wrong = Model::load("jls04", {.causality = "jls05"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, Error::Kind::input);
  EXPECT_EQ(wrong.error().message, "unknown causality rules `jls05`: expected one of "
                                   "`jls04`, `revised`, `java`, `none`");
  // test case 17 is allowed where actions are matched freely
  const auto seventeen = Program::read(root + "/corpus/ctc/CTC17.litmus").value();
  const auto asked = seventeen.questions().at(0);
  EXPECT_EQ(allowed(seventeen, asked, model_of("jls04"))->answer, Answer::forbidden);
  const auto free = Model::load("jls04", {.identity = Identity::free}).value();
  EXPECT_EQ(allowed(seventeen, asked, free)->answer, Answer::allowed);
}

TEST(Library, AVacuousModelForbidsNothing) {
  const auto nothing =
      Model::parse("\"nothing\"\n(* meaning: everything *)\nempty W as none\n", "nothing.cat");
  ASSERT_TRUE(nothing) << message_of(nothing);
  const auto found = allowed(program_of(store_buffering), both_zero, *nothing);
  ASSERT_TRUE(found) << message_of(found);
  EXPECT_EQ(found->answer, Answer::vacuous);
  EXPECT_FALSE(found->reason.empty());
  const auto reason = why(program_of(store_buffering), both_zero, *nothing);
  ASSERT_TRUE(reason) << message_of(reason);
  EXPECT_EQ(reason->verdict.answer, Answer::vacuous);
  const auto all = behaviours(program_of(store_buffering), *nothing);
  ASSERT_TRUE(all) << message_of(all);
  EXPECT_TRUE(all->states.empty());
  EXPECT_FALSE(all->reason.empty());
}

/// A character that is in no test, at the beginning of every line behind the header.
TEST(LibraryErrors, OfProgramsHaveTheirPlace) {
  const std::vector<std::string> lines{"Java P",        "{ X=x; }",           "Thread0 {",
                                       "  X.set(1);",   "  int a = X.get();", "}",
                                       "exists (0:a=1)"};
  for (std::size_t wrong = 3; wrong < lines.size(); ++wrong) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == wrong ? "#" : "") + lines[i] + "\n";
    const auto program = Program::parse(text, "wrong.litmus");
    ASSERT_FALSE(program) << text;
    const Error& error = program.error();
    EXPECT_EQ(error.kind, Error::Kind::input);
    EXPECT_EQ(error.file, "wrong.litmus");
    EXPECT_EQ(error.line, wrong + 1) << text;
    EXPECT_EQ(error.column, 1U) << text;
    EXPECT_EQ(error.message.find("wrong.litmus:" + std::to_string(wrong + 1) + ":1: error: "), 0U)
        << error.message;
  }
}

TEST(LibraryErrors, OfModelsHaveTheirPlace) {
  const auto model = Model::parse("\"m\"\n\nacyclic po | nosuch as a\n", "mine.cat");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind, Error::Kind::input);
  EXPECT_EQ(model.error().file, "mine.cat");
  EXPECT_EQ(model.error().line, 3U);
  EXPECT_EQ(model.error().column, 14U);
  EXPECT_FALSE(Model::load("nosuch"));
}

TEST(LibraryErrors, AreValues) {
  const auto absent = Program::read(root + "/no/such.litmus");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, Error::Kind::input);
  EXPECT_EQ(absent.error().file, root + "/no/such.litmus");
  EXPECT_EQ(absent.error().line, 0U);
  EXPECT_THROW((void)absent.value(), std::runtime_error);

  const auto program = program_of(store_buffering);
  const auto sc = model_of("sc");
  for (const char* outcome : {"", "0:nosuch=1", "0:a=", "0:a=1)", "7:a=1"}) {
    const auto found = allowed(program, outcome, sc);
    ASSERT_FALSE(found) << outcome;
    EXPECT_EQ(found.error().kind, Error::Kind::input) << outcome;
  }
  const auto x86 = program_of("X86_64 T\n{ }\n P0 ;\n mfence ;\nexists (true)\n");
  const auto code = lower_to("x86:table2", x86);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, Error::Kind::unsupported);
  const auto target = sound(program, sc, "x86:table3");
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().kind, Error::Kind::input);
  EXPECT_NE(target.error().message.find("x86:table2"), std::string::npos);
}

TEST(LibraryLimits, CutAnswersShortAndSaySo) {
  const auto program = Program::read(root + "/corpus/ctc/CTC1.litmus").value();
  const auto model = model_of("jls04");
  Limits few;
  few.candidates = 1;
  const auto found = allowed(program, program.questions().at(0), model, few);
  ASSERT_TRUE(found) << message_of(found);
  EXPECT_EQ(found->answer, Answer::unknown);
  EXPECT_FALSE(found->reason.empty());
  const auto all = behaviours(program, model, few);
  ASSERT_TRUE(all) << message_of(all);
  EXPECT_FALSE(all->complete);
  EXPECT_FALSE(all->reason.empty());
  const auto judged = sound(program, model, "x86:table2", few);
  ASSERT_TRUE(judged) << message_of(judged);
  EXPECT_EQ(judged->answer, Soundness::Answer::unknown);
  Limits one_state;
  one_state.states = 1;
  EXPECT_EQ(sound(program, model_of("jam21"), "x86:table2", one_state)->answer,
            Soundness::Answer::unknown);
}

TEST(LibrarySound, TellsSoundFromUnsound) {
  const auto program = program_of(store_buffering);
  const auto sc = model_of("sc");
  const auto good = sound(program, sc, "x86:table2");
  ASSERT_TRUE(good) << message_of(good);
  EXPECT_EQ(good->answer, Soundness::Answer::sound);
  EXPECT_TRUE(good->forbidden.empty());
  EXPECT_EQ(good->behaviours.size(), 3U);

  // the same scheme without its fence
  std::ifstream in(root + "/lower/schemes/x86-table2.scheme");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string fence = "setVolatile {\n  mov [x], arg\n  mfence\n}";
  ASSERT_NE(text.find(fence), std::string::npos);
  text.replace(text.find(fence), fence.size(), "setVolatile { mov [x], arg }");
  const auto path = std::filesystem::temp_directory_path() /
                    ("thinair-library-" + std::to_string(std::random_device{}()) + ".scheme");
  std::ofstream(path) << text;
  const auto bad = sound(program, sc, path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(bad) << message_of(bad);
  EXPECT_EQ(bad->answer, Soundness::Answer::mismatches);
  ASSERT_EQ(bad->forbidden.size(), 1U);
  EXPECT_EQ(bad->forbidden[0].text.find("0:a=0; 1:b=0"), 0U) << bad->forbidden[0].text;
  EXPECT_EQ(allowed(program, bad->forbidden[0].text, sc)->answer, Answer::forbidden);
}

/// SC is within every model; what is sound for one is for the other only where it is within.
TEST(LibrarySound, ComparesModels) {
  const auto program = Program::read(root + "/corpus/jmt/JMT-SB+rfis.litmus").value();
  const auto sc = model_of("sc"), jls04 = model_of("jls04"), jam21 = model_of("jam21");
  for (const Model* model : {&sc, &jls04, &jam21})
    EXPECT_EQ(sound(program, *model, sc)->answer, Soundness::Answer::sound) << model->name();
  const auto more = sound(program, sc, jls04);
  ASSERT_TRUE(more) << message_of(more);
  EXPECT_EQ(more->answer, Soundness::Answer::mismatches);
  for (const auto& state : more->forbidden) {
    EXPECT_EQ(allowed(program, state.text, sc)->answer, Answer::forbidden) << state.text;
    EXPECT_EQ(allowed(program, state.text, jls04)->answer, Answer::allowed) << state.text;
  }
  // the implementation's own rules of causality
  const auto copies = Program::read(root + "/corpus/ctc/CTC4.litmus").value();
  const auto loose = Model::load("jls04", {.causality = "none"}).value();
  EXPECT_EQ(sound(copies, jls04, loose)->answer, Soundness::Answer::mismatches);
  EXPECT_EQ(sound(copies, jls04, jls04)->answer, Soundness::Answer::sound);
  EXPECT_FALSE(sound(copies, jls04, Model::load("jls04", {.identity = Identity::free}).value()));
}

TEST(LibraryLower, GivesTheCode) {
  const auto program = program_of(store_buffering);
  const auto code = lower_to("x86:table2", program);
  ASSERT_TRUE(code) << message_of(code);
  EXPECT_EQ(code->target, "x86:table2");
  EXPECT_NE(code->assembly.find("mfence"), std::string::npos) << code->assembly;
  EXPECT_NE(code->side_by_side.find("X.setVolatile(1);"), std::string::npos);
  EXPECT_NE(code->restoration.find("0:a <- "), std::string::npos);
  const auto names = targets();
  EXPECT_NE(std::ranges::find(names, "x86:table2"), names.end());
}

TEST(LibraryValues, AreCopiedMovedAndShared) {
  Program program = program_of(store_buffering);
  const Program copy = program;
  EXPECT_EQ(program_of(program.text()).text(), copy.text());
  const Program moved = std::move(program);
  program = copy;
  EXPECT_EQ(moved.text(), program.text());
  Model model = model_of("sc");
  const Model other = model;
  model = model_of("jls04");
  EXPECT_EQ(other.name(), "sc");
  EXPECT_EQ(model.name(), "jls04");

  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (allowed(moved, both_zero, other)->answer != Answer::forbidden) ++wrong;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LibraryValues, EveryShippedModelLoads) {
  const auto names = Model::shipped();
  EXPECT_NE(std::ranges::find(names, "jam21"), names.end());
  for (const auto& name : names) EXPECT_TRUE(Model::load(name)) << name;
}

} // namespace
} // namespace thinair
