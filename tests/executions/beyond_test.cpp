// Loops that no execution takes further than their bound, and those of which that is not known.
#include "litmus/random.h"
#include "oracle/cat/model.h"
#include "oracle/executions/beyond.h"
#include "oracle/executions/parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::executions {
namespace {

constexpr auto java = graph::Architecture::java;

const cat::Plan& jls04() {
  static const auto plan = cat::load_model("jls04", java, {.as_plain = true});
  return plan;
}

/// jls04 with a piece of its text replaced, or something added.
cat::Plan changed(const std::string& from, const std::string& to) {
  auto text = litmus::read_file(THINAIR_SOURCE_DIR "/models/jls04.cat").text;
  const auto at = from.empty() ? text.size() : text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const std::string declared = "monitors, threads";
  text.replace(text.find(declared), declared.size(), declared + ", fences");
  return cat::load_model(text::Source{"changed.cat", text}, java, {.as_plain = true});
}

cat::Plan with(const std::string& more) { return changed("", "\n" + more + "\n"); }

litmus::Test test_of(const std::vector<std::string>& threads) {
  std::string text = "Java T\n{ x=0; y=0; z=0; X=x; Y=y; Z=z; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t)
    text += fmt::format("Thread{} {{ {} }}\n", t, threads[t]);
  return litmus::parse({"test", text + "exists (true)\n"});
}

/// Whether an execution may go on beyond the bound, which some path does.
bool goes(const std::vector<std::string>& threads, std::uint32_t bound,
          const cat::Plan& model = jls04()) {
  graph::PathLimits limits;
  limits.loop_bound = bound;
  const auto paths = graph::paths_of(test_of(threads), limits);
  EXPECT_TRUE(paths.cut);
  return goes_beyond(paths, model, {});
}

const std::string taker = "while (X.getVolatile() == 1) { X.setVolatile(0); }";

TEST(BeyondTest, AWriteIsTakenOnce) {
  EXPECT_FALSE(goes({taker, "X.setVolatile(1);"}, 1));
  EXPECT_TRUE(goes({taker, "X.setVolatile(1); X.setVolatile(1);"}, 1));
  EXPECT_FALSE(goes({taker, "X.setVolatile(1); X.setVolatile(1);"}, 2));
  EXPECT_TRUE(goes({taker, "X.setVolatile(1);", "X.setVolatile(1);"}, 1));
  EXPECT_FALSE(goes({taker, "X.setVolatile(1);", "X.setVolatile(1);"}, 2));
  EXPECT_FALSE(goes({"while (X.compareAndSet(1, 0)) { Y.set(1); }", "X.setVolatile(1);"}, 1));
}

TEST(BeyondTest, OnlyVolatileWritesAreTakenInOrder) {
  EXPECT_TRUE(goes({taker, "X.set(1);"}, 3));
  EXPECT_TRUE(goes({taker, "X.setRelease(1);"}, 3));
  EXPECT_TRUE(goes({taker, "X.setVolatile(1); int r = X.compareAndExchangeAcquire(7, 8);"}, 3));
  EXPECT_TRUE(goes({taker, "Y.setVolatile(X.getAndAddRelease(1));"}, 3)) << "within another access";
}

TEST(BeyondTest, OtherReadsMaySeeAnything) {
  for (const char* mode : {"", "Opaque", "Acquire"})
    EXPECT_TRUE(goes(
        {fmt::format("while (X.get{}() == 1) {{ X.setVolatile(0); }}", mode), "X.setVolatile(1);"},
        3));
  // Nobody writes z, but nobody asks what a plain read may see.
  EXPECT_TRUE(goes({"while (X.getVolatile() == 1) { X.setVolatile(0); "
                    "if (Z.get() == 1) { X.setVolatile(1); } }",
                    "X.setVolatile(1);"},
                   3));
  // What it sees is written once all the same, and has the bits that it has.
  EXPECT_FALSE(goes({taker, "int r = Z.get(); X.setVolatile(r);"}, 1));
  EXPECT_FALSE(goes(
      {"while (X.getVolatile() == 3) { Y.set(1); }", "int r = Z.get(); X.setVolatile(r & 1);"}, 1));
  EXPECT_TRUE(goes(
      {"while (X.getVolatile() == 3) { Y.set(1); }", "int r = Z.get(); X.setVolatile(r & 7);"}, 1));
}

TEST(BeyondTest, LoopsWithoutEnd) {
  EXPECT_TRUE(goes({"while (X.getVolatile() == 0) { Y.setVolatile(1); }", "X.setVolatile(1);"}, 4));
  EXPECT_TRUE(goes({"int n = 0; while (n < 9) { n = n + 1; }"}, 4)) << "no read, but nine rounds";
  EXPECT_TRUE(goes({"while (X.getVolatile() == 1) { X.setVolatile(0); }",
                    "while (X.getVolatile() == 0) { X.setVolatile(1); }"},
                   2))
      << "each goes on while the other does";
  EXPECT_TRUE(goes({taker, "X.setVolatile(1);", "int n = 0; while (n < 9) { n = n + 1; }"}, 1))
      << "another thread goes on";
}

constexpr const char* dekker = R"({0}.setVolatile(1);
while ({1}.getVolatile() == 1) {{
  if (Z.getVolatile() != {2}) {{
    {0}.setVolatile(0);
    while (Z.getVolatile() != {2}) {{ }}
    {0}.setVolatile(1);
  }}
}}
Z.setVolatile({3}); {0}.setVolatile(0);)";

TEST(BeyondTest, DekkersAlgorithmTakesTwoRounds) {
  const std::vector<std::string> threads = {fmt::format(dekker, "X", "Y", 0, 1),
                                            fmt::format(dekker, "Y", "X", 1, 0)};
  EXPECT_TRUE(goes(threads, 1));
  EXPECT_FALSE(goes(threads, 2));
  auto plain_turn = threads;
  plain_turn[1].replace(plain_turn[1].find("Z.setVolatile"), 13, "Z.set");
  EXPECT_TRUE(goes(plain_turn, 2));
}

TEST(BeyondTest, ModelsThatPromiseTooLittle) {
  const std::vector<std::string> threads = {taker, "X.setVolatile(1);"};
  for (const char* name : {"jam21", "sc"})
    EXPECT_TRUE(goes(threads, 1, cat::load_model(name, java))) << name;
  EXPECT_TRUE(goes(threads, 3, changed("irreflexive rf; so-loc as sync-read-before-write", "")));
  EXPECT_TRUE(goes(threads, 3, with("empty R \\ range(rf) as every-read-sees")));
  const std::vector<std::string> locked = {"lock(m); " + taker + " unlock(m);",
                                           "X.setVolatile(1);"};
  EXPECT_TRUE(goes(locked, 1)) << "who never leaves a monitor is no part of who does";
}

TEST(BeyondTest, StartedThreads) {
  EXPECT_FALSE(goes({"start(Thread1); " + taker, "X.setVolatile(1);"}, 1));
  EXPECT_FALSE(
      goes({taker, "X.setVolatile(1);", "join(Thread0); join(Thread1); int r = X.get();"}, 1));
}

TEST(PartsTest, WhichModelsHoldOfParts) {
  EXPECT_TRUE(holds_of_parts(jls04(), graph::k_read | graph::k_write));
  EXPECT_FALSE(holds_of_parts(jls04(), graph::k_lock));
  EXPECT_FALSE(holds_of_parts(cat::load_model("sc", java), 0)) << "final writes";
  EXPECT_TRUE(holds_of_parts(with("acyclic po | rf as no-thin-air"), 0));
  EXPECT_TRUE(holds_of_parts(with("let rec a = po | a; rf\nacyclic a as recursion"), 0));
  EXPECT_TRUE(holds_of_parts(with("empty (rf; rf) \\ loc as taken-off-what-stays"), 0));
  EXPECT_TRUE(holds_of_parts(with("empty [F]; po \\ hb as no-fences-here"), graph::k_read));
  EXPECT_FALSE(holds_of_parts(with("empty [F]; po \\ hb as fences"), graph::k_fence));
  EXPECT_FALSE(holds_of_parts(with("empty loc \\ hb as taken-off-what-shrinks"), 0));
  EXPECT_FALSE(holds_of_parts(with("empty ~rf & loc & id as complement"), 0));
  EXPECT_FALSE(holds_of_parts(with("~empty rf as something-read"), 0));
  EXPECT_FALSE(holds_of_parts(with("empty R \\ range(rf) as every-read-sees"), 0));
  EXPECT_FALSE(holds_of_parts(with("empty (R * R) \\ (po; po) as composed"), 0));
  EXPECT_FALSE(holds_of_parts(
      with("with m from linearisations(range(rf), po)\nacyclic m as of-readers"), 0));
  EXPECT_FALSE(holds_of_parts(
      with("with m from linearisations(W, po \\ hb)\nacyclic m as demands-more"), 0));
}

TEST(PartsTest, WhichModelsOrderVolatileAccesses) {
  EXPECT_TRUE(orders_volatile(jls04()));
  EXPECT_FALSE(orders_volatile(cat::load_model("jam21", java)));
  EXPECT_FALSE(
      orders_volatile(changed("linearisations(sync, po | life)", "linearisations(sync, life)")));
  EXPECT_FALSE(orders_volatile(changed("let sync = V & M", "let sync = V & W")));
  const auto* axiom = "irreflexive rf; so-loc as sync-read-before-write";
  EXPECT_FALSE(orders_volatile(changed(axiom, "")));
  EXPECT_FALSE(
      orders_volatile(changed(axiom, "irreflexive (rf \\ ext); so-loc as within-threads")));
  EXPECT_FALSE(orders_volatile(changed(axiom, "flag ~empty (rf; so-loc) & id as only-said")));
  EXPECT_TRUE(orders_volatile(changed(axiom, "acyclic rf | so-loc as said-otherwise")));
  EXPECT_TRUE(orders_volatile(changed(axiom, "empty rf & so^-1 as said-otherwise")));
}

/// Threads with a loop each, on flags that others write; half of the loops count their rounds.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed), plain_(random_.chance(1, 4)) {}

  litmus::Test make() {
    std::vector<std::string> threads;
    for (int t = 0; t < 2; ++t) {
      std::string body = "int n = 0; ";
      if (random_.chance(1, 2)) body += write();
      body += t == 0 || random_.chance(1, 3) ? loop() : write();
      if (random_.chance(1, 2)) body += write();
      threads.push_back(body + fmt::format("int r{} = {}", t, read()) + "; ");
    }
    auto test = test_of(threads);
    for (std::uint32_t t = 0; t < 2; ++t)
      for (const auto& reg : test.java().threads[t].registers)
        test.locations.push_back({litmus::ThreadId(t), reg.name});
    return test;
  }

 private:
  std::string handle() { return std::string(1, "XY"[random_.below(2)]); }
  std::string mode() { return plain_ && random_.chance(1, 3) ? "" : "Volatile"; }
  std::string read() {
    const auto of = handle();
    return fmt::format("{}.get{}()", of, mode());
  }
  std::string write() {
    const auto to = handle();
    const auto how = mode();
    return fmt::format("{}.set{}({}); ", to, how, random_.below(3));
  }
  std::string loop() {
    const auto condition = read();
    const auto value = random_.below(3);
    auto body = random_.chance(1, 2) ? std::string("n = n + 1; ") : std::string();
    if (random_.chance(3, 4)) body += write();
    if (random_.chance(1, 3)) body += fmt::format("if (Y.getVolatile() == 1) {{ {} }} ", write());
    return fmt::format("while ({} == {}) {{ {} }} ", condition, value, body);
  }

  litmus::Random random_;
  bool plain_;
};

/// What is called complete is the same with more rounds.
TEST(BeyondTest, MoreRoundsAddNothing) {
  std::size_t proved = 0, open = 0, grows = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto test = Author(seed).make();
    for (std::uint32_t bound = 1; bound <= 2; ++bound) {
      Options options;
      options.limits.loop_bound = bound;
      graph::PathLimits limits;
      limits.loop_bound = bound;
      if (!graph::paths_of(test, limits).cut) continue;
      const auto few = behaviours(test, jls04(), options);
      options.limits.loop_bound = bound + 2;
      const auto more = behaviours(test, jls04(), options);
      const bool complete = few.status == Result::Status::ok;
      ++(complete ? proved : open);
      grows += more.behaviours.size() > few.behaviours.size();
      EXPECT_EQ(few.cut_by_loop_bound, !complete) << "seed " << seed;
      if (complete) {
        EXPECT_EQ(few.behaviours, more.behaviours) << "seed " << seed << " bound " << bound;
      }
    }
  }
  EXPECT_GT(proved, 100U);
  EXPECT_GT(open, 100U);
  EXPECT_GT(grows, 30U);
}

} // namespace
} // namespace thinair::executions
