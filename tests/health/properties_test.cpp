// Each property holds of a model that has it, and finds the program where one lacks it: models of a
// few lines that are made to fail.
#include "health/checkup.h"
#include "litmus/test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::health {
namespace {

const std::atomic<bool> never = false;

cat::Plan shipped(const char* name) { return cat::load_model(name, cat::Architecture::java); }
cat::Plan made(const std::string& text) {
  return cat::load_model(text::Source{"made.cat", "\"made\"\n(* meaning: everything *)\n" + text},
                         cat::Architecture::java);
}

litmus::Program program_of(const std::string& threads) {
  return litmus::parse({"test", "Java T\n{ x=0; y=0; X=x; Y=y; }\n" + threads + "\nexists (x=0)\n"})
      .java();
}

/// What the property says of one program.
Finding look(const cat::Plan& model, const std::string& property, const std::string& threads) {
  Settings settings{.model = &model, .name = "m"};
  for (const auto& row : properties(settings)) {
    if (row.name != property) continue;
    Lab lab(settings);
    return row.look(program_of(threads), lab);
  }
  ADD_FAILURE() << "no property is called " << property;
  return {};
}

using enum Finding::Answer;

/// A property, a model that lacks it, and a program that shows this; under sc the same program is
/// as it should be.
struct Case {
  const char *property, *axioms, *threads;
};

constexpr const char* nothing_forbidden = "empty 0 as nothing\n";

constexpr const char* in_order = "include \"cos.cat\"\nacyclic po | rf | co | fr as c\n";
constexpr const char* only_within_locations =
    "include \"cos.cat\"\nacyclic (po & loc) | (rf & ext) | (fr & ext) as c\n";

#define IN_ORDER "include \"cos.cat\"\nacyclic po | rf | co | fr as c\n"
const auto cases = std::to_array<Case>({
    {"not-vacuous", "empty W \\ IW as no-writes\n", "Thread0 { X.set(1); int r = X.get(); }"},
    {"interleavings", IN_ORDER "empty rf & ext & (_ * R) \\ (IW * R) as alone\n",
     "Thread0 { X.set(1); }\nThread1 { int r = X.get(); }"},
    {"drf-sc", nothing_forbidden, "Thread0 { X.set(1); int r = X.get(); }"},
    {"coherence", nothing_forbidden,
     "Thread0 { X.setOpaque(1); }\nThread1 { int r = X.getOpaque(); int s = X.getOpaque(); }"},
    {"thin-air", nothing_forbidden,
     "Thread0 { int r = X.get(); if (r == 1) { Y.set(r); } int s = Y.get(); X.set(s); }"},
    {"monotone-modes", "include \"cos.cat\"\nacyclic (po \\ (V * V)) | rf | co | fr as c\n",
     "Thread0 { X.setVolatile(1); int r = Y.get(); }\nThread1 { Y.set(1); int s = X.get(); }"},
    {"monotone-fences",
     "include \"cos.cat\"\nacyclic (([M]; po; [M]) \\ (po; [F]; po)) | rf | co | fr as c\n",
     "Thread0 { X.set(1); int r = Y.get(); }\nThread1 { Y.set(1); int s = X.get(); }"},
    {"reorder-WR", in_order,
     "Thread0 { X.set(1); int r = Y.get(); }\nThread1 { Y.set(1); int s = X.get(); }"},
    {"reorder-WW", in_order,
     "Thread0 { X.set(1); Y.set(1); }\nThread1 { int r = Y.get(); int s = X.get(); }"},
    {"reorder-RR", in_order,
     "Thread0 { X.set(1); Y.set(1); }\nThread1 { int r = Y.get(); int s = X.get(); }"},
    {"reorder-RW", in_order,
     "Thread0 { int r = X.get(); Y.set(1); }\nThread1 { int s = Y.get(); X.set(1); }"},
    {"roach-motel-acquire", in_order,
     "Thread0 { X.set(1); int r = Y.getVolatile(); }\n"
     "Thread1 { Y.setVolatile(1); int s = X.get(); }"},
    {"roach-motel-release", in_order,
     "Thread0 { X.setVolatile(1); int r = Y.get(); }\n"
     "Thread1 { Y.setVolatile(1); int s = X.get(); }"},
    {"roach-motel-lock",
     "include \"cos.cat\"\nacyclic ([M]; po; [LOCK]; po; [M]) | rf | co | fr as c\n",
     "Thread0 { X.set(1); lock(m); int r = Y.get(); unlock(m); }\n"
     "Thread1 { Y.set(1); lock(n); int s = X.get(); unlock(n); }"},
    {"roach-motel-unlock",
     "include \"cos.cat\"\nacyclic ([M]; po; [UNLOCK]; po; [M]) | rf | co | fr as c\n",
     "Thread0 { lock(m); X.set(1); unlock(m); int r = Y.get(); }\n"
     "Thread1 { lock(n); Y.set(1); unlock(n); int s = X.get(); }"},
    {"join-sections",
     "include \"cos.cat\"\nacyclic ([M]; po; [UNLOCK]; po; [M]) | rf | co | fr as c\n",
     "Thread0 { lock(m); X.set(1); unlock(m); lock(m); int r = Y.get(); unlock(m); }\n"
     "Thread1 { lock(n); Y.set(1); unlock(n); lock(n); int s = X.get(); unlock(n); }"},
    {"eliminate-RAR", IN_ORDER "empty (rf^-1; rf) & po as never-the-same\n",
     "Thread0 { int r = X.get(); int s = X.get(); }\nThread1 { X.set(1); }"},
    {"eliminate-RAW", IN_ORDER "empty rf & int as far\n",
     "Thread0 { X.set(1); int r = X.get(); }\nThread1 { X.set(2); }"},
    {"eliminate-WAR", IN_ORDER "empty [R]; (po & loc); [W] as never\n",
     "Thread0 { int r = X.get(); X.set(r); }\nThread1 { int s = X.get(); }"},
    {"eliminate-WW", IN_ORDER "empty [W]; (po & loc); [W] as never\n",
     "Thread0 { X.set(1); X.set(2); }\nThread1 { int s = X.get(); }"},
    {"eliminate-IR", IN_ORDER "empty [R]; po; [R] as one\n",
     "Thread0 { int r = X.get(); }\nThread1 { X.set(1); }"},
    {"introduce-read",
     "include \"cos.cat\"\nlet two = [R]; po; [R]\n"
     "acyclic (po \\ ((po; two) | (two; po) | two)) | rf | co | fr as c\n",
     "Thread0 { X.set(1); int r = Y.get(); }\nThread1 { Y.set(1); int s = X.get(); }"},
    {"inline-threads", only_within_locations,
     "Thread0 { X.set(1); }\nThread1 { int r = X.get(); int s = X.get(); }"},
});
#undef IN_ORDER

class EachProperty : public testing::TestWithParam<Case> {};

TEST_P(EachProperty, HoldsOrFailsAsTheModelHasIt) {
  const auto& [property, axioms, threads] = GetParam();
  const auto broken = made(axioms);
  const auto found = look(broken, property, threads);
  EXPECT_EQ(found.answer, fails) << property << ": " << found.sentence;
  EXPECT_FALSE(found.behaviour.empty());
  EXPECT_FALSE(found.sentence.empty());
}

INSTANTIATE_TEST_SUITE_P(Of, EachProperty, testing::ValuesIn(cases), [](const auto& one) {
  std::string name = one.param.property;
  std::erase(name, '-');
  return name;
});

/// Every property has a case, or a test of its own below.
TEST(Properties, EachHasACase) {
  const auto sc = shipped("sc");
  const Settings settings{.model = &sc, .name = "sc"};
  for (const auto& property : properties(settings)) {
    EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& c) {
      return c.property == property.name;
    })) << property.name;
    EXPECT_FALSE(property.claim.empty() || property.source.empty()) << property.name;
  }
}

/// Sequential consistency has what does not speak of transformations.
TEST(Properties, InterleavingsHaveTheBasics) {
  const auto sc = shipped("sc");
  for (const auto& c : cases) {
    const std::string name = c.property;
    if (name.starts_with("reorder") || name.starts_with("roach") || name == "drf-sc") continue;
    EXPECT_NE(look(sc, name, c.threads).answer, fails) << name;
    EXPECT_NE(look(sc, name, c.threads).answer, unknown) << name;
  }
}

} // namespace
} // namespace thinair::health
