// What docs/model-java.md promises of the model `java`, on random programs.
#include "gen/generator.h"
#include "gen/passes.h"
#include "litmus/modes.h"
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "tests/causality/every_statement.h"
#include "tests/causality/programs.h"
#include "tests/causality/sequential.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

using litmus::Fence;
using litmus::Method;
using litmus::Mode;
using litmus::Program;

std::uint64_t programs() {
  const char* given = std::getenv("THINAIR_JAVA_PROGRAMS"); // the nightly run asks for 5,000
  return given != nullptr ? std::strtoull(given, nullptr, 10) : test::draws(150);
}

const cat::Plan& model(const std::string& name) {
  static std::map<std::string, cat::Plan> plans;
  if (const auto known = plans.find(name); known != plans.end()) return known->second;
  return plans.emplace(name, cat::load_model(name, graph::Architecture::java)).first->second;
}

litmus::Test as_test(const Program& program) {
  litmus::Test test;
  test.name = "drawn";
  test.program = program;
  return test;
}

/// Absent: it has no answer within small limits.
std::optional<std::set<std::string>> shown(const litmus::Test& test, const std::string& name,
                                           Identity identity = Identity::free) {
  Options options;
  options.identity = identity;
  options.all_registers = true;
  options.limits.graphs = 20'000;
  options.limits.states = 100'000;
  try {
    Oracle oracle(test, model(name), options);
    const auto found = oracle.behaviours();
    if (found.status != oracle::Result::Status::ok) return std::nullopt;
    std::set<std::string> all;
    for (const auto& b : found.behaviours) all.insert(litmus::to_string(oracle.observables(), b));
    return all;
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

/// Draws programs of a profile, small enough to be asked about as a whole.
class Programs {
 public:
  explicit Programs(const gen::Profile& profile, std::uint64_t seed = 20261119)
      : generator_(small(profile), seed, 0) {}

  litmus::Test next() { return as_test(generator_.next().program); }

 private:
  static gen::Profile small(gen::Profile profile) {
    profile.max_accesses = std::min(profile.max_accesses, 6U);
    profile.max_threads = std::min(profile.max_threads, 3U);
    return profile;
  }

  gen::Generator generator_;
};

template <class Visit>
void each_access(const Program& program, const Visit& visit) {
  const auto look = [&](auto&& self, const litmus::Expression& e) -> void {
    for (const auto& argument : e.arguments) self(self, argument);
    if (e.op == litmus::Operator::access) visit(e.method, e.location);
  };
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& s) {
      litmus::for_each_expression(s, [&](const auto& e) { look(look, e); });
      if (const auto* access = std::get_if<litmus::Access>(&s.node))
        visit(access->method, access->location);
    });
}

bool only_volatile(Method method) {
  const auto& info = litmus::info(method);
  return (!litmus::reads(info.action) || info.read == Mode::volatile_) &&
         (!litmus::writes(info.action) || info.write == Mode::volatile_);
}

bool only_plain(Method method) { return method == Method::get || method == Method::set; }

/// What JLS 17.4 speaks of: each location is volatile or not, and then knows no updates.
bool is_java5(const Program& program) {
  std::set<std::uint32_t> is_volatile, is_plain;
  bool other = false;
  each_access(program, [&](Method method, litmus::LocationId where) {
    other = other || !(only_volatile(method) || only_plain(method));
    (only_volatile(method) ? is_volatile : is_plain).insert(where.value);
  });
  return !other && std::ranges::none_of(is_plain, [&](auto l) { return is_volatile.contains(l); });
}

std::string joined(const std::set<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, " | "));
}

void expect_like_jls04(const litmus::Test& test, std::size_t& compared, std::size_t& undecided) {
  for (const auto identity : {Identity::index, Identity::free}) {
    const auto jls = shown(test, "jls04", identity), java = shown(test, "java", identity);
    ++compared;
    undecided += !jls || !java;
    if (jls && java) {
      EXPECT_EQ(joined(*java), joined(*jls)) << litmus::print(test);
    }
  }
}

TEST(JavaModel, IsJls04OnWhatJls04SpeaksOf) {
  std::size_t compared = 0, undecided = 0;
  Programs drawn(gen::load_profile("java5"));
  while (compared < programs() && !HasFailure())
    if (const auto test = drawn.next(); is_java5(test.java()))
      expect_like_jls04(test, compared, undecided);
  const Statements shape{.threads = 3, .accesses = 2, .every_mode = false, .fences = false};
  for (std::uint64_t seed = 1; compared < 2 * programs() && !HasFailure(); ++seed) {
    const auto test = litmus::parse({"test", EveryStatement(seed, shape).test()});
    if (is_java5(test.java())) expect_like_jls04(test, compared, undecided);
  }
  fmt::print("{} comparisons, {} undecided\n", compared, undecided);
  EXPECT_LT(10 * undecided, compared);
}

TEST(JavaModel, IsSequentialWhereAllIsVolatile) {
  auto profile = gen::load_profile("varhandle");
  profile.plain = profile.opaque = profile.acquire_release = 0;
  profile.volatile_ = 1;
  profile.rmw = 20;
  Programs drawn(profile);
  std::size_t compared = 0, undecided = 0;
  while (compared < programs() && !HasFailure()) {
    const auto test = drawn.next();
    bool all = true;
    each_access(test.java(), [&](Method m, auto) { all = all && only_volatile(m); });
    if (!all) continue;
    ++compared;
    const auto sc = shown(test, "sc"), java = shown(test, "java");
    undecided += !sc || !java;
    if (sc && java) {
      EXPECT_EQ(joined(*java), joined(*sc)) << litmus::print(test);
    }
  }
  EXPECT_LT(10 * undecided, compared);
}

TEST(JavaModel, IsSequentialWithoutRaces) {
  std::size_t raceless = 0, undecided = 0;
  for (std::uint64_t seed = 1; raceless < programs() && !HasFailure(); ++seed) {
    const auto test = litmus::parse(
        {"test", EveryStatement(seed, {.threads = 2, .most_accesses = 5, .waits = false}).test()});
    const Subject subject(test);
    const auto sequential = sequential_runs(subject.paths(), subject.places());
    if (sequential.race) continue;
    ++raceless;
    const auto java = shown(test, "java");
    undecided += !java;
    std::set<std::string> expected;
    for (const auto& b : sequential.behaviours) expected.insert(subject.text(b));
    if (java) {
      EXPECT_EQ(joined(*java), joined(expected)) << litmus::print(test);
    }
  }
  EXPECT_LT(10 * undecided, raceless);
}

int rank(Mode mode) {
  switch (mode) {
  case Mode::plain: return 0;
  case Mode::opaque: return 1;
  case Mode::acquire:
  case Mode::release: return 2;
  case Mode::volatile_: return 3;
  }
  return 3;
}

bool weaker(Method a, Method b) {
  const auto &x = litmus::info(a), &y = litmus::info(b);
  return x.action == y.action && rank(x.read) <= rank(y.read) && rank(x.write) <= rank(y.write);
}

bool weaker(Fence a, Fence b) {
  return a == b || b == Fence::full || (a == Fence::load_load && b == Fence::acquire) ||
         (a == Fence::store_store && b == Fence::release);
}

template <class T, class Gather>
bool all_weaker(const Program& a, const Program& b, const Gather& gather) {
  const std::vector<T> x = gather(a), y = gather(b);
  return x.size() == y.size() && std::ranges::equal(x, y, [](T l, T r) { return weaker(l, r); });
}

std::vector<Method> methods_of(const Program& program) {
  std::vector<Method> all;
  each_access(program, [&](Method m, auto) { all.push_back(m); });
  return all;
}

std::vector<Fence> fences_of(const Program& program) {
  std::vector<Fence> all;
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& s) {
      if (const auto* f = std::get_if<litmus::FenceStatement>(&s.node)) all.push_back(f->fence);
    });
  return all;
}

/// Weaker in one access or fence, or without one fence.
std::vector<Program> weakened(const Program& program) {
  std::vector<Program> all;
  for (auto& p : gen::pass::weaken_modes(program))
    if (all_weaker<Method>(p, program, methods_of)) all.push_back(std::move(p));
  for (auto& p : gen::pass::weaken_fences(program))
    if (all_weaker<Fence>(p, program, fences_of)) all.push_back(std::move(p));
  for (auto& p : gen::pass::drop_statements(program))
    if (methods_of(p) == methods_of(program) &&
        fences_of(p).size() + 1 == fences_of(program).size())
      all.push_back(std::move(p));
  return all;
}

/// A stronger mode or one more fence allows nothing more.
TEST(JavaModel, IsMonotone) {
  std::size_t pairs = 0, undecided = 0;
  std::vector<Programs> drawn;
  for (const auto* name : {"varhandle", "rmw", "thinair"}) {
    auto profile = gen::load_profile(name);
    profile.fence = std::max(profile.fence, 30U);
    drawn.emplace_back(profile);
  }
  for (std::size_t i = 0; pairs < 4 * programs() && !HasFailure(); ++i) {
    const auto test = drawn[i % drawn.size()].next();
    const auto strong = shown(test, "java", Identity::index);
    for (const auto& program : weakened(test.java())) {
      const auto weak = shown(as_test(program), "java", Identity::index);
      ++pairs;
      undecided += !strong || !weak;
      if (!strong || !weak) continue;
      for (const auto& behaviour : *strong)
        EXPECT_TRUE(weak->contains(behaviour)) << behaviour << "\nstronger " << litmus::print(test)
                                               << "\nweaker " << litmus::print(as_test(program));
    }
  }
  fmt::print("{} pairs, {} undecided\n", pairs, undecided);
  EXPECT_LT(10 * undecided, pairs);
}

/// Bodies in which each write copies what was read, or stands under the condition that something
/// else than 0 was.
class OutOfNothing {
 public:
  explicit OutOfNothing(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> threads() {
    std::vector<std::string> all;
    const auto count = random_.between(2, 3);
    for (std::int64_t t = 0; t < count; ++t) all.push_back(body(t));
    return all;
  }

 private:
  std::string one_of(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }
  std::string handle() { return one_of({"X", "Y"}); }

  std::string body(std::int64_t t) {
    std::string text;
    std::vector<std::string> registers;
    const auto accesses = random_.between(2, 3);
    for (std::int64_t a = 0; a < accesses; ++a) {
      if (random_.chance(1, 6))
        text += one_of({"fullFence(); ", "acquireFence(); ", "releaseFence(); ",
                        "loadLoadFence(); ", "storeStoreFence(); "});
      if (registers.empty() || random_.chance(1, 4)) {
        registers.push_back(fmt::format("r{}{}", t, a));
        text += fmt::format(
            "int {} = {}.{}; ", registers.back(), handle(),
            one_of({"get()", "get()", "getOpaque()", "getOpaque()", "getAcquire()", "getVolatile()",
                    "compareAndExchangeRelease(1, 2)", "getAndAddAcquire(0)"}));
        continue;
      }
      const auto set = one_of({"set", "set", "setOpaque", "setOpaque", "setRelease", "setVolatile",
                               "getAndAdd", "getAndSetAcquire"});
      const auto reg = registers.back();
      text += random_.chance(1, 2)
                  ? fmt::format("{}.{}({}); ", handle(), set, reg)
                  : fmt::format("if ({} != 0) {{ {}.{}(1); }} ", reg, handle(), set);
    }
    return text;
  }

  litmus::Random random_;
};

TEST(JavaModel, MakesNothingOutOfNothing) {
  std::size_t decided = 0;
  for (std::uint64_t seed = 1; seed <= 2 * programs() && !HasFailure(); ++seed) {
    const auto test = java(OutOfNothing(seed).threads());
    const auto all = shown(test, "java");
    if (!all) continue;
    ++decided;
    EXPECT_EQ(all->size(), 1U) << joined(*all) << "\n" << litmus::print(test);
    const auto& only = *all->begin();
    for (auto at = only.find('='); at != std::string::npos; at = only.find('=', at + 1))
      EXPECT_EQ(only.at(at + 1), '0') << only << "\n" << litmus::print(test);
  }
  EXPECT_GT(10 * decided, 18 * programs());
}

} // namespace
} // namespace thinair::causality
