// fuzz, reduce, distinguish, report, merge: what they write, exit codes, wrong use.
#include "cli/status.h"
#include "litmus/test.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::cli {
namespace {

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

const std::string rfis = R"(Java SB+rfis
{ X=x; Y=y; Z=z; }
Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); Z.set(3); }
Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }
Thread2 { int e = Z.get(); }
exists (0:a=1)
)";

TEST(Reduce, TakesAwayWhatTheMismatchDoesNotNeed) {
  const Folder folder;
  const auto file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"reduce", file, "--model", "jam21"});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("SB+rfis: unsound for jam21 on x86:table2: 6 accesses after "))
      << ran.err;
  EXPECT_TRUE(ran.err.ends_with(" is forbidden (coherence: coinit, po-loc, volint)\n")) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("Java SB+rfis-minimal\n")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "Thread2")) << ran.out;
}

TEST(Reduce, ItsResultIsMinimalAlreadyAndShowsTheMismatch) {
  const Folder folder;
  const auto file = folder.write("SB+rfis.litmus", rfis);
  const Ran first = tool({"reduce", file, "--model", "jam21"});
  const auto minimal = folder.write("min.litmus", first.out);
  const Ran second = tool({"reduce", minimal, "--model", "jam21"});
  EXPECT_EQ(second.exit, 1);
  EXPECT_TRUE(contains(second.err, ": 6 accesses after 0 edits, ")) << second.err;
  EXPECT_EQ(tool({"sound", minimal, "--model", "jam21"}).exit, 1);
  const Ran json = tool({"reduce", "--json", minimal, "--model", "jam21"});
  for (const char* field : {"\"test\":\"SB+rfis-minimal\"", "\"status\":\"ok\"",
                            "\"verdict\":\"unsound\"", "\"accesses\":6", "\"edits\":0",
                            "\"complete\":true", "\"reason\":\"coherence: coinit, po-loc, volint\"",
                            "\"id\":\"", "\"program\":\"Java SB+rfis-minimal-minimal\\n"})
    EXPECT_TRUE(contains(json.out, field)) << field << json.out;
}

TEST(Reduce, ASoundTestHasNothingToReduce) {
  const Folder folder;
  const auto file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"reduce", file, "--model", "jls04"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "SB+rfis: sound for jls04 on x86:table2: nothing to reduce\n");
}

TEST(Reduce, WithoutTimeItSaysThatItMayNotBeMinimal) {
  const Folder folder;
  const auto file = folder.write("SB+rfis.litmus", rfis);
  const Ran ran = tool({"reduce", file, "--model", "jam21", "--time", "0"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_TRUE(contains(ran.err, "stopped early, it may not be minimal")) << ran.err;
}

/// Whatever is asked, what stands on standard output is nothing or one test in canonical layout.
TEST(Reduce, WritesTestsThatReadBack) {
  const Folder folder;
  std::string longest = rfis;
  longest.replace(longest.find("SB+rfis"), 7, std::string(litmus::Limits{}.name_length, 'n'));
  std::vector<std::string> files = {folder.write("longest.litmus", longest)};
  for (const char* name : {"JMT-SB+rfis", "JMT-Fig5", "JMT-MP"})
    files.push_back(std::string(THINAIR_SOURCE_DIR) + "/corpus/jmt/" + name + ".litmus");
  std::size_t written = 0;
  for (const auto& file : files)
    for (const char* model : {"jam21", "sc"}) {
      const Ran ran = tool({"reduce", file, "--model", model, "--max-tries", "300"});
      ASSERT_EQ(ran.out.empty(), ran.exit != 1) << file << ran.err;
      if (ran.out.empty()) continue;
      ++written;
      EXPECT_EQ(litmus::print(litmus::parse({file, ran.out})), ran.out);
      EXPECT_EQ(tool({"sound", folder.write("min.litmus", ran.out), "--model", model}).exit, 1);
    }
  EXPECT_GE(written, 4U);
}

const std::vector<std::string> small_space = {"fuzz",    "--exhaustive", "--max-accesses",
                                              "3",       "--modes",      "plain,volatile",
                                              "--quiet", "--model",      "jam21"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Fuzz, ExhaustivelyTheResultIsAStatement) {
  const Folder folder;
  const auto words = with(small_space, {"--target", "x86:table2", "--campaign", folder.path("c")});
  const Ran ran = tool(words);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "\nall 568 programs with at most 3 accesses in at most 2 threads "
                                "over at most 2 locations, of get, set, getVolatile, setVolatile: "
                                "no mismatch between x86:table2 and jam21\n"))
      << ran.out;
  const Ran json = tool(with(words, {"--json"})); // continues at the end
  EXPECT_EQ(json.exit, 0);
  EXPECT_TRUE(contains(json.out, "\"complete\":true")) << json.out;
  EXPECT_TRUE(contains(json.out, "\n{\"statement\":\"all ")) << json.out;
}

TEST(Fuzz, ShardsOfASpaceAreStatedAndUnited) {
  const Folder folder;
  for (const char* shard : {"0/2", "1/2"}) {
    const Ran ran =
        tool(with(small_space, {"--target", "x86:table2", "--shard", shard, "--campaign",
                                folder.path(std::string("part") + shard[0])}));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, " programs of part " + std::string(shard) + " with ")) << ran.out;
  }
  EXPECT_EQ(
      tool({"merge", "--output", folder.path("all"), folder.path("part0"), folder.path("part1")})
          .exit,
      0);
  const Ran ran =
      tool(with(small_space, {"--target", "x86:table2", "--campaign", folder.path("all")}));
  EXPECT_TRUE(contains(ran.out, "\nall ")) << ran.out;
}

/// Sequential consistency against models and machines that are weaker: many mismatches, quickly.
TEST(Fuzz, AModelCanBeTheTarget) {
  const Folder folder;
  const Ran ran = tool({"fuzz", "--exhaustive", "--max-accesses", "4", "--modes", "plain",
                        "--quiet", "--model", "sc", "--all", "--target", "model:tso", "--target",
                        "model:sc", "--target", "x86:table2", "--campaign", folder.path("c")});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(contains(ran.out, " on model:tso: 4 accesses, ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " on x86:table2: 4 accesses, ")) << ran.out;
  EXPECT_FALSE(contains(ran.out, " on model:sc: ")) << ran.out;
  const Ran report = tool({"report", "--json", folder.path("c")});
  EXPECT_EQ(report.exit, 1);
  EXPECT_TRUE(contains(report.out, "\"target\":\"model:tso\"")) << report.out;
}

TEST(Fuzz, WhatIsKnownIsNoNews) {
  const Folder folder;
  const std::vector<std::string> words = {
      "fuzz",       "--exhaustive", "--max-accesses", "4",  "--modes",
      "plain",      "--quiet",      "--model",        "sc", "--target",
      "x86:table2", "--campaign",   folder.path("c")};
  const Ran before = tool(words);
  EXPECT_EQ(before.exit, 1) << before.err;
  const Ran ids = tool({"report", "--ids", folder.path("c")});
  EXPECT_EQ(ids.exit, 1);
  EXPECT_TRUE(contains(ids.out, " # x86:table2: 0:r0=0; 1:r0=0; [x0]=1; [x1]=1 (sc: cobase, fr)\n"))
      << ids.out;
  const auto known = folder.write("known", ids.out);
  auto again = words;
  again.back() = folder.path("d");
  const Ran after = tool(with(again, {"--known", known}));
  EXPECT_EQ(after.exit, 0) << after.err;
  EXPECT_FALSE(contains(after.out, "is forbidden")) << after.out;
  EXPECT_TRUE(contains(after.out, " distinct minimal (")) << after.out;
  const Ran report = tool({"report", "--json", "--known", known, folder.path("d")});
  EXPECT_EQ(report.exit, 0);
  EXPECT_TRUE(contains(report.out, "\"mismatches\":[]")) << report.out;
}

TEST(Fuzz, AWrongLineOfKnownOnesIsShown) {
  const Folder folder;
  const auto known = folder.write("known", "# fine\n\n  12345678 # short\n");
  const Ran ran = tool(with(
      small_space, {"--target", "x86:table2", "--known", known, "--campaign", folder.path("c")}));
  EXPECT_EQ(ran.exit, 2);
  EXPECT_TRUE(contains(ran.err, "known:3:3: error: expected the id of a minimal program: 32 "
                                "hexadecimal digits"))
      << ran.err;
  EXPECT_TRUE(contains(ran.err, "  12345678 # short\n")) << ran.err;
}

TEST(Fuzz, TheCorpusIsPartOfWhatACampaignIsAbout) {
  const Folder folder;
  const auto file = folder.write("tests/SB+rfis.litmus", rfis);
  std::vector<std::string> words = {"fuzz",       "--model",           "jls04",     "--target",
                                    "x86:table2", "--programs",        "64",        "--quiet",
                                    "--campaign", folder.path("c"),    "--profile", "java5",
                                    "--corpus",   folder.path("tests")};
  EXPECT_EQ(tool(words).exit, 0);
  EXPECT_EQ(tool(words).exit, 0);
  words.resize(words.size() - 2);
  const Ran other = tool(words);
  EXPECT_EQ(other.exit, 2);
  EXPECT_TRUE(contains(other.err, "another profile")) << other.err;
}

/// A model with what it includes, and a scheme: by what is in them, not by what they are called.
TEST(Fuzz, WhatIsInTheFilesIsPartOfWhatACampaignIsAbout) {
  const Folder folder;
  const std::string model = "\"mine\"\n(* meaning: plain, volatile *)\ninclude \"rules.cat\"\n";
  const auto file = folder.write("mine.cat", model);
  const std::string weak = "acyclic po | rf as weak\n";
  folder.write("rules.cat", weak);
  const auto scheme = tool({"scheme", "show", "x86:table2"}).out;
  const auto target = folder.write("mine.scheme", scheme);
  const std::vector<std::string> words = {"fuzz",       "--model",        file,        "--target",
                                          target,       "--programs",     "64",        "--quiet",
                                          "--campaign", folder.path("c"), "--profile", "java5"};
  const auto changed = [&](const std::string& what) {
    return folder.path("c") + ": error: " + what + " has changed since ";
  };
  ASSERT_EQ(tool(words).exit, 0);
  folder.write("mine.scheme", scheme + "# and no more\n");
  EXPECT_EQ(tool(words).exit, 0) << "comments of a scheme do not count";
  const auto before = tool({"report", "--json", folder.path("c")}).out;
  folder.write("rules.cat", "acyclic po | rf as strong\n");
  const Ran other = tool(words);
  EXPECT_EQ(other.exit, 2);
  EXPECT_TRUE(other.err.starts_with(changed("model " + file))) << other.err;
  const Ran report = tool({"report", folder.path("c")});
  EXPECT_EQ(report.exit, 2);
  EXPECT_TRUE(report.err.starts_with(changed("model " + file))) << report.err;
  EXPECT_EQ(tool({"report", "--json", folder.path("c")}).out, before);
  folder.write("rules.cat", weak);
  const auto rule = scheme.find("mfence");
  ASSERT_NE(rule, std::string::npos);
  folder.write("mine.scheme", std::string(scheme).replace(rule, 6, "lfence"));
  const Ran weaker = tool(words);
  EXPECT_EQ(weaker.exit, 2);
  EXPECT_TRUE(weaker.err.starts_with(changed("target " + target))) << weaker.err;
}

TEST(Fuzz, TheEngineIsPartOfWhatACampaignIs) {
  const Folder folder;
  const auto fuzz = [&](const std::string& directory, const std::vector<std::string>& more) {
    std::vector<std::string> words{"fuzz",   "--model",    "jam21",  "--target", "x86:table2",
                                   "-n",     "150",        "--seed", "3",        "--quiet",
                                   "--json", "--campaign", directory};
    words.insert(words.end(), more.begin(), more.end());
    return tool(words);
  };
  const auto machine = folder.path("machine"), axioms = folder.path("axioms");
  const Ran usual = fuzz(machine, {}), other = fuzz(axioms, {"--engine", "builtin"});
  EXPECT_EQ(usual.exit, 1) << usual.err;
  EXPECT_EQ(other.exit, usual.exit) << other.err;
  const Ran mixed = fuzz(axioms, {"--engine", "operational"});
  EXPECT_EQ(mixed.exit, 2);
  EXPECT_TRUE(contains(mixed.err, "a campaign with another engine (builtin)")) << mixed.err;
  EXPECT_EQ(fuzz(axioms, {}).exit, 2);
  for (const auto& directory : {axioms, machine}) {
    EXPECT_EQ(tool({"report", directory}).exit, 1); // there are finds
    const auto page = litmus::read_file(directory + "/report.html").text;
    EXPECT_EQ(contains(page, " --engine builtin"), directory == axioms);
  }
}

TEST(Reduce, TakesAnyEngineThatSoundTakes) {
  const Folder folder;
  const auto file = folder.write("SB+rfis.litmus", rfis);
  for (const char* engine : {"operational", "builtin"}) {
    const Ran ran = tool({"reduce", file, "--model", "jam21", "--engine", engine});
    EXPECT_EQ(ran.exit, 1) << ran.err;
    EXPECT_TRUE(ran.err.starts_with("SB+rfis: unsound for jam21 on x86:table2: 6 accesses after "))
        << ran.err;
  }
  const Ran wrong = tool({"reduce", file, "--model", "jam21", "-t", "model:sc", "-e", "builtin"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_TRUE(contains(wrong.err, "engine builtin has no meaning for model:sc")) << wrong.err;
}

TEST(Fuzz, WrongUseIsAnError) {
  const Folder folder;
  const std::vector<std::string> base = {"fuzz",       "--model",    "jam21",         "--target",
                                         "x86:table2", "--campaign", folder.path("c")};
  const auto error_of = [&](const std::vector<std::string>& more) {
    const Ran ran = tool(with(base, more));
    EXPECT_EQ(ran.exit, 2);
    return ran.err;
  };
  EXPECT_EQ(error_of({"--threads", "3"}),
            "thinair fuzz: error: --threads goes with --exhaustive\n");
  EXPECT_EQ(error_of({"--exhaustive", "--seed", "3"}),
            "thinair fuzz: error: --seed has no meaning with --exhaustive\n");
  EXPECT_EQ(error_of({"--exhaustive", "--max-accesses", "0"}),
            "thinair fuzz: error: --max-accesses takes 1 to 12, not 0\n");
  EXPECT_TRUE(contains(error_of({"--exhaustive", "--modes", "volatil"}), "'volatile'"));
  EXPECT_TRUE(contains(error_of({"--shard", "4/4"}), "--shard takes I/N"));
  EXPECT_TRUE(contains(error_of({"--target", "model:jam12"}), "jam12"));
  EXPECT_TRUE(contains(error_of({"--target", "x86:table3"}), "x86:table2"));
}

TEST(Distinguish, FindsTheSmallestProgramInEachDirection) {
  const std::vector<std::string> words = {"distinguish", "tso",        "sc", "--modes",
                                          "plain",       "--programs", "0"};
  const Ran ran = tool(words);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_TRUE(contains(ran.out, "tso allows what sc forbids: 4 accesses, as few as there can be\n"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "(no program with at most 3 accesses in at most 2 threads"))
      << ran.out;
}

TEST(Distinguish, ModelsThatAgreeAreClean) {
  const Ran ran = tool({"distinguish", "sc", "sc", "--modes", "plain", "--max-accesses", "3",
                        "--programs", "10", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "{\"directions\":[{\"allows\":\"sc\",\"forbids\":\"sc\","
                                "\"found\":false,\"agreed_accesses\":3,\"undecided\":0},"))
      << ran.out;
  EXPECT_EQ(tool({"distinguish", "sc"}).exit, 2);
  EXPECT_EQ(tool({"distinguish", "sc", "jam12"}).exit, 2);
}

TEST(Status, SaysHowFarItIs) {
  campaign::Progress progress;
  progress.elapsed_s = 30;
  progress.programs = 2500;
  progress.programs_per_s = 100;
  EXPECT_TRUE(contains(status_line(progress), " 2,500 programs (100/s), 0 mismatches"));
  progress.total = 10000;
  progress.drawn = 2500;
  progress.drawn_per_s = 100;
  EXPECT_TRUE(contains(status_line(progress),
                       "[#####...............]  25%, 1:15 left  2,500 programs (100/s)"))
      << status_line(progress);
}

TEST(Status, FitsTheTerminalAndTellsWhatMattersMost) {
  campaign::Progress progress;
  progress.elapsed_s = 12345.6;
  progress.programs = 123'456'789;
  progress.programs_per_s = 10000;
  progress.mismatches = progress.distinct = progress.unknown = progress.unsupported = 98'765;
  progress.coverage = progress.model_parts = 4321;
  for (const bool ends : {false, true}) {
    if (ends) {
      progress.total = 400'000'000;
      progress.drawn = 123'456'789;
      progress.drawn_per_s = 10000;
    }
    const std::string whole = status_line(progress);
    EXPECT_EQ(status_line(progress, whole.size()), whole);
    std::size_t last = 0;
    for (std::size_t columns = 1; columns <= whole.size(); ++columns) {
      const std::string line = status_line(progress, columns);
      EXPECT_LE(line.size(), columns) << line;
      EXPECT_GE(line.size(), last) << "more room, less text";
      last = line.size();
      EXPECT_TRUE(columns < 9 || line.starts_with("12345.6 s")) << line;
      EXPECT_TRUE(columns < 31 || contains(line, "123,456,789 programs")) << line;
      EXPECT_TRUE(columns < 50 || contains(line, "98,765 mismatches")) << line;
      EXPECT_TRUE(columns < 60 || !ends || contains(line, " 30%")) << line;
    }
  }
}

/// A sink that says it is a terminal, which is resized.
class Terminal : public StringSink {
 public:
  bool is_terminal() const override { return true; }
  std::size_t columns() const override { return width; }
  std::size_t width = 0;
};

TEST(Status, FollowsTheWidthOfTheTerminal) {
  campaign::Progress progress;
  StringSink out;
  Terminal terminal;
  Console console{out, terminal};
  Status status(console, false);
  std::size_t before = 0;
  for (const std::size_t width : {0, 200, 80, 40, 80, 17, 1}) {
    terminal.width = width;
    status.show(progress);
    const std::string drawn = terminal.text().substr(before);
    before = terminal.text().size();
    EXPECT_TRUE(drawn.starts_with("\r\033[J")) << drawn;
    EXPECT_LT(drawn.size() - 4, width == 0 ? 80 : width) << drawn;
    EXPECT_EQ(drawn.find('\n'), std::string::npos);
  }
}

TEST(Status, IsOneLineOnATerminalAndLinesInALog) {
  campaign::Progress progress;
  StringSink out, log;
  Terminal terminal;
  {
    Console console{out, terminal};
    Status status(console, false);
    status.show(progress);
    status.show(progress);
    status.result("found\n");
  }
  EXPECT_EQ(std::ranges::count(terminal.text(), '\n'), 0);
  // drawn twice, wiped for the result, drawn again, wiped at the end
  EXPECT_EQ(std::ranges::count(terminal.text(), '\r'), 5);
  EXPECT_EQ(out.text(), "found\n");
  Console console{out, log};
  Status status(console, false);
  for (progress.elapsed_s = 0; progress.elapsed_s < 12; progress.elapsed_s += 0.5)
    status.show(progress);
  EXPECT_EQ(std::ranges::count(log.text(), '\n'), 2);
  Status quiet(console, true);
  progress.elapsed_s = 100;
  quiet.show(progress);
  EXPECT_EQ(std::ranges::count(log.text(), '\n'), 2);
}

/// Every command that judges implementations takes the model `java` where none is given.
TEST(DefaultModel, IsJavaWhereverImplementationsAreJudged) {
  const Folder folder;
  const auto test = std::string(THINAIR_SOURCE_DIR) + "/corpus/jmt/JMT-Fig5.litmus";
  const auto without_times = [](std::string text) {
    for (auto at = text.find("\"seconds\""); at != std::string::npos;
         at = text.find("\"seconds\"", at))
      text.erase(at, text.find_first_of(",}", at) - at);
    return text;
  };
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"sound", test}, {"reduce", test}, {"check", test, "--json"}}) {
    auto named = words;
    named.insert(named.end(), {"--model", "java"});
    const Ran silent = tool(words), said = tool(named);
    EXPECT_EQ(without_times(silent.out), without_times(said.out)) << words[0];
    EXPECT_EQ(silent.err, said.err);
    EXPECT_EQ(silent.exit, said.exit);
  }
  const Ran fuzzed =
      tool({"fuzz", "-t", "model:tso", "-n", "5", "-c", folder.path("c"), "--quiet"});
  EXPECT_NE(fuzzed.exit, 2) << fuzzed.err;
  EXPECT_NE(tool({"report", folder.path("c"), "--json"}).out.find("\"model\":\"java\""),
            std::string::npos);
}

/// What is shown is made of the modes that were asked for, reduced and drawn at random alike.
TEST(Modes, WhatIsShownStaysWithinThem) {
  const Folder folder;
  const auto plain_or_volatile = [](const std::string& out) {
    for (const char* other : {"Opaque", "Acquire", "Release", "getAnd", "compareAnd", "Fence"})
      EXPECT_EQ(out.find(std::string(".get") + other), std::string::npos) << out;
    EXPECT_EQ(out.find("getAcquire("), std::string::npos) << out;
    EXPECT_EQ(out.find("setRelease("), std::string::npos) << out;
  };
  const Ran told = tool({"distinguish", "jls04", "sc", "--modes", "plain,volatile",
                         "--max-accesses", "3", "--programs", "300", "--jobs", "1"});
  EXPECT_EQ(told.exit, 1) << told.err;
  plain_or_volatile(told.out);
  const Ran all = tool({"fuzz", "-m", "sc", "-t", "model:tso", "--exhaustive", "--modes",
                        "plain,volatile", "-c", folder.path("c"), "--quiet"});
  EXPECT_EQ(all.exit, 1) << all.err;
  plain_or_volatile(all.out);
  const auto test = folder.write("sb.litmus", "Java SB\n{ x=0; y=0; X=x; Y=y; }\n"
                                              "Thread0 { X.setOpaque(1); int a = Y.getOpaque(); }\n"
                                              "Thread1 { Y.setOpaque(1); int b = X.getOpaque(); }\n"
                                              "exists (0:a=0)\n");
  const Ran free = tool({"reduce", test, "-m", "sc", "-t", "model:tso"});
  EXPECT_EQ(free.out.find("Opaque"), std::string::npos) << free.out;
  const Ran kept = tool({"reduce", test, "-m", "sc", "-t", "model:tso", "--modes", "opaque"});
  EXPECT_EQ(kept.exit, 1);
  EXPECT_NE(kept.out.find(".setOpaque("), std::string::npos) << kept.out;
  EXPECT_EQ(kept.out.find(".set("), std::string::npos) << kept.out;
}

} // namespace
} // namespace thinair::cli
