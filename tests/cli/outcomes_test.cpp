// What `behaviours`, `graph` and `explain` say of one test under one model agrees: a final state
// that is listed is drawn and explained as allowed, one that is not never is.
#include "oracle/executions/behaviours.h"
#include "tests/cli/tool.h"
#include "tests/support/draws.h"
#include "tests/support/random_program.h"
#include "tests/support/random_x86.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace thinair::cli {
namespace {

using States = std::set<std::string>;

/// The values of a field of one kind in lines of JSON, strings as they are quoted.
std::vector<std::string> fields(const std::string& json, const std::string& name) {
  std::vector<std::string> out;
  const std::string key = "\"" + name + "\":\"";
  for (auto at = json.find(key); at != std::string::npos; at = json.find(key, at + 1)) {
    const auto begin = at + key.size();
    out.push_back(json.substr(begin, json.find('"', begin) - begin));
  }
  return out;
}

/// The quoted texts of a list.
States strings(const std::string& list) {
  States out;
  for (auto begin = list.find('"'); begin != std::string::npos;) {
    const auto end = list.find('"', begin + 1);
    out.insert(list.substr(begin + 1, end - begin - 1));
    begin = list.find('"', end + 1);
  }
  return out;
}

/// By file: the states of each, where they are all known.
std::map<std::string, States> listed(const Ran& ran) {
  std::map<std::string, States> out;
  std::istringstream lines(ran.out);
  for (std::string text; std::getline(lines, text);) {
    const std::string key = "\"behaviours\":[";
    const auto begin = text.find(key), end = text.find("],\"condition\"");
    if (fields(text, "status").at(0) != "ok" || begin == std::string::npos) continue;
    out[fields(text, "file").at(0)] =
        strings(text.substr(begin + key.size(), end - begin - key.size()));
  }
  return out;
}

/// The states drawn, by file; of those that `graph` did not finish, nothing.
std::map<std::string, States> drawn(const Ran& ran) {
  std::map<std::string, States> out;
  States open;
  std::istringstream lines(ran.out);
  for (std::string text; std::getline(lines, text);) {
    const auto file = fields(text, "file").at(0);
    if (fields(text, "status").at(0) == "ok")
      out[file].insert(fields(text, "outcome").at(0));
    else
      open.insert(file);
  }
  for (const auto& file : open) out.erase(file);
  return out;
}

void expect_the_same_states(const std::vector<std::string>& files, const std::string& model,
                            std::size_t at_least) {
  std::vector<std::string> ask{"--model", model, "--json", "--max-candidates", "20000"};
  ask.insert(ask.end(), files.begin(), files.end());
  auto ask_for = [&](const char* command) {
    auto words = ask;
    words.insert(words.begin(), command);
    return tool(words);
  };
  const auto of_behaviours = listed(ask_for("behaviours"));
  const auto of_graph = drawn(ask_for("graph"));
  std::size_t compared = 0;
  for (const auto& [file, states] : of_behaviours) {
    const auto pictures = of_graph.find(file);
    if (pictures == of_graph.end() && !states.empty()) continue; // not finished
    ++compared;
    EXPECT_EQ(pictures == of_graph.end() ? States() : pictures->second, states)
        << file << " under " << model;
  }
  EXPECT_GE(compared, at_least) << model;
}

TEST(Outcomes, GraphDrawsWhatBehavioursLists) {
  const std::string corpus = std::string(THINAIR_SOURCE_DIR) + "/corpus";
  expect_the_same_states({corpus}, "sc", 250);
  expect_the_same_states({corpus}, "jam21", 200);
  expect_the_same_states({corpus + "/ctc", corpus + "/jmt", corpus + "/manson"}, "jls04", 30);
}

/// Asks about outcomes of one test.
class Asked {
 public:
  Asked(const Folder& folder, const std::string& text, std::string model)
      : file_(folder.write("t.litmus", text)), test_(litmus::parse({"t", text})),
        model_(std::move(model)) {
    const auto states = listed(run("behaviours", {"--all-registers"}));
    if (states.contains(file_)) states_ = states.at(file_);
    known_ = states.contains(file_);
  }

  /// The states that are there, and others of values nearby.
  void check() {
    if (!known_) return;
    const auto observables = litmus::observables(test_, true);
    if (observables.empty()) return;
    States asked = states_;
    for (const auto& state : states_)
      for (const auto& other : changed(state)) asked.insert(other);
    std::size_t left = 16;
    for (const auto& state : asked)
      if (left-- > 0) check(state);
  }

  std::size_t allowed = 0, refused = 0;

 private:
  Ran run(const std::string& command, std::vector<std::string> more) const {
    std::vector<std::string> words{command, file_, "--model", model_, "--json", "--max-candidates",
                                   "20000"};
    words.insert(words.end(), more.begin(), more.end());
    return tool(words);
  }

  /// With another value of the first, and of the last of what is shown.
  static States changed(const std::string& state) {
    States out;
    for (const auto at : {state.find('='), state.rfind('=')}) {
      const auto end = std::min(state.find(';', at), state.size());
      for (const char* value : {"0", "1", "2"})
        out.insert(state.substr(0, at + 1) + value + state.substr(end));
    }
    return out;
  }

  void check(const std::string& state) {
    SCOPED_TRACE(litmus::print(test_) + state + " under " + model_);
    const bool there = states_.contains(state);
    const auto graph = run("graph", {"--outcome", state});
    const auto pictures = drawn(graph);
    if (graph.exit == 0) {
      EXPECT_EQ(pictures.contains(file_), there) << graph.out << graph.err;
      EXPECT_EQ(graph.err.find("no execution") != std::string::npos, !there);
    } else {
      EXPECT_EQ(graph.exit, 3) << graph.err;
    }
    const auto explained = run("explain", {"--outcome", state});
    const auto verdict = fields(explained.out, "verdict");
    if (explained.exit == 3) return;
    ASSERT_EQ(verdict.size(), 1U) << explained.out << explained.err;
    EXPECT_EQ(verdict.front(), there ? "allowed" : "forbidden");
    EXPECT_EQ(explained.out.find("\"why\":\"allowed") == std::string::npos, true) << explained.out;
    ++(there ? allowed : refused);
  }

  std::string file_;
  litmus::Test test_;
  std::string model_;
  States states_;
  bool known_ = false;
};

TEST(Outcomes, AreExplainedAsTheyAreListed) {
  const Folder folder;
  litmus::Random random(6);
  std::size_t allowed = 0, refused = 0;
  const auto models = {"sc", "jam21", "jls04", "jam19"};
  for (std::uint64_t i = 0; i < test::draws(10); ++i) {
    const auto test = litmus::random_test(random, {.threads = 2,
                                                   .locations = 2,
                                                   .registers = 2,
                                                   .statements = 3,
                                                   .loops = false,
                                                   .actions = false});
    for (const auto* model : models) {
      Asked asked(folder, litmus::print(test), model);
      asked.check();
      allowed += asked.allowed;
      refused += asked.refused;
    }
  }
  EXPECT_GT(allowed, test::draws(10));
  EXPECT_GT(refused, test::draws(10));
}

TEST(Outcomes, OfX86AreExplainedAsTheyAreListed) {
  const Folder folder;
  std::size_t allowed = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < test::draws(10); ++seed) {
    Asked asked(folder, test::random_x86(seed), "x86-tso");
    asked.check();
    allowed += asked.allowed;
    refused += asked.refused;
  }
  EXPECT_GT(allowed, test::draws(10));
  EXPECT_GT(refused, test::draws(10));
}

const std::string mp = "Java MP\n{ x=5; X=x; Y=y; }\nThread0 { X.set(1); Y.set(1); }\n"
                       "Thread1 { int r = Y.get(); int s = X.get(); }\n";

TEST(Outcomes, OfRegistersThatNoClauseNames) {
  const Folder folder;
  const auto file = folder.write("MP.litmus", mp + "exists (1:r=1)\n");
  const Ran ran = tool({"graph", file, "--model", "sc", "--outcome", "1:r=1; 1:s=1"});
  EXPECT_EQ(ran.out.find("MP: 1:r=1; 1:s=1\n  a: W x=5 initial\n"), 0U) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  const Ran none = tool({"graph", file, "--model", "sc", "--outcome", "1:r=1; 1:s=5"});
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, file + ": no execution that the model allows shows that\n");
  const Ran no_such = tool({"graph", file, "--model", "sc", "--outcome", "1:t=5"});
  EXPECT_EQ(no_such.exit, 2);
  EXPECT_NE(no_such.err.find("found `t`"), std::string::npos) << no_such.err;
}

TEST(Outcomes, OfATestThatAsksNothingAreItsRegisters) {
  const Folder folder;
  const auto file = folder.write("MP.litmus", mp);
  EXPECT_EQ(tool({"behaviours", file, "--model", "sc"}).out,
            "MP (sc, builtin)\n1:r=0; 1:s=1\n1:r=0; 1:s=5\n1:r=1; 1:s=1\n3 behaviours\n\n");
  EXPECT_NE(tool({"graph", file, "--model", "sc"}).out.find("MP: 1:r=0; 1:s=5\n"),
            std::string::npos);
  const auto writes = folder.write("W.litmus", "Java W { X=x; } Thread0 { X.set(3); }\n");
  EXPECT_EQ(tool({"behaviours", writes, "--model", "sc"}).out,
            "W (sc, builtin)\n[x]=3\n1 behaviour\n\n");
}

TEST(Outcomes, ThatCausalityForbidsAreNotDrawn) {
  const std::string lb = std::string(THINAIR_SOURCE_DIR) + "/corpus/ctc/CTC4.litmus";
  const Ran forbidden = tool({"graph", lb, "--model", "jls04", "--outcome", "0:r1=1; 1:r2=1"});
  EXPECT_EQ(forbidden.out, "");
  const Ran axioms =
      tool({"graph", lb, "--model", "jls04", "--causality", "none", "--outcome", "0:r1=1; 1:r2=1"});
  EXPECT_EQ(axioms.out.find("CTC4: 0:r1=1; 1:r2=1\n"), 0U) << axioms.out << axioms.err;
}

TEST(Outcomes, ThatALimitCutsShortAreUndecided) {
  const std::string file = std::string(THINAIR_SOURCE_DIR) + "/corpus/jam21/ra-non-global.4.litmus";
  const Ran ran = tool({"graph", file, "--model", "sc", "--max-candidates", "40", "--json"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("\"status\":\"unknown\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("--max-candidates"), std::string::npos) << ran.err;
}

} // namespace
} // namespace thinair::cli
