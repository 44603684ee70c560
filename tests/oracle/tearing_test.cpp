// Plain longs that tear (JLS 17.7), against the same programs with two ints for each long.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace thinair::oracle {
namespace {

using litmus::Value;

cat::Plan tearing(const std::string& base, const std::string& causality = "jls04") {
  const std::string stages = causality == "none" ? "" : "(* not of stages: frozen-value *)\n";
  return cat::load_model({"torn.cat", "\"torn\"\n(* causality: " + causality + " *)\n" + stages +
                                          "(* tearing: long, double *)\ninclude \"" + base +
                                          ".cat\"\n"},
                         graph::Architecture::java);
}

std::set<std::string> states(const litmus::Test& test, const cat::Plan& model) {
  std::set<std::string> all;
  Oracle asked(test, model, {.all_registers = true});
  const auto found = asked.behaviours();
  EXPECT_EQ(found.status, Result::Status::ok);
  for (const auto& b : found.behaviours) all.insert(litmus::to_string(found.observables, b));
  return all;
}

/// JLS 17.7's own words: "a single write to a non-volatile long or double value is treated as two
/// separate writes: one to each 32-bit half".
TEST(Tearing, ALongMayShowHalvesOfTwoWrites) {
  const auto test = litmus::parse({"t", "Java T\n{ long x; X=x; }\nThread0 { X.set(-1L); }\n"
                                        "Thread1 { long r = X.get(); }\nexists (true)\n"});
  const std::set<std::string> whole{"1:r=0", "1:r=-1"};
  auto torn = whole;
  torn.insert({"1:r=4294967295", "1:r=-4294967296"});
  EXPECT_EQ(states(test, cat::load_model("jls04", graph::Architecture::java)), whole);
  EXPECT_EQ(states(test, tearing("jls04")), torn);
}

TEST(Tearing, ADoubleMayToo) {
  const auto test = litmus::parse({"t", "Java T\n{ double x; X=x; }\nThread0 { X.set(1.1); }\n"
                                        "Thread1 { double r = X.get(); }\nexists (true)\n"});
  const auto values = [&](const cat::Plan& model) {
    std::set<Value> all;
    for (const auto& b : Oracle(test, model, {.all_registers = true}).behaviours().behaviours)
      all.insert(b.at(0));
    return all;
  };
  const std::set<Value> whole{0, 0x3ff199999999999a};
  auto torn = whole;
  torn.insert({0x3ff1999900000000, 0x9999999a});
  EXPECT_EQ(values(cat::load_model("jls04", graph::Architecture::java)), whole);
  EXPECT_EQ(values(tearing("jls04")), torn);
}

/// The same program by hand: x is h and l.
struct ByHand {
  std::string longs, ints;
};

ByHand random_pair(litmus::Random& random) {
  ByHand out{"Java T\n{ long x; int f; X=x; F=f; }\n",
             "Java T\n{ int h; int l; int f; H=h; L=l; F=f; }\n"};
  for (int t = 0; t < 2; ++t) {
    out.longs += "Thread" + std::to_string(t) + " {\n";
    out.ints += "Thread" + std::to_string(t) + " {\n";
    for (int s = 0; s < 2; ++s) {
      const std::string r = "r" + std::to_string(s), h = "h" + std::to_string(s),
                        l = "l" + std::to_string(s);
      switch (random.below(4)) {
      case 0: {
        const auto high = static_cast<Value>(random.below(2)),
                   low = static_cast<Value>(random.below(2));
        out.longs += "X.set(" + std::to_string(high * (Value{1} << 32) + low) + "L);\n";
        out.ints += "H.set(" + std::to_string(high) + "); L.set(" + std::to_string(low) + ");\n";
        break;
      }
      case 1:
      case 2:
        out.longs += "long " + r + " = X.get(); int " + h + " = (int) (" + r + " >> 32); int " + l +
                     " = (int) " + r + ";\n";
        out.ints += "int " + h + " = H.get(); int " + l + " = L.get();\n";
        break;
      default: {
        const std::string flag = random.below(2) == 0
                                     ? "F.setVolatile(1);\n"
                                     : "int f" + std::to_string(s) + " = F.getVolatile();\n";
        out.longs += flag;
        out.ints += flag;
      }
      }
    }
    out.longs += "}\n";
    out.ints += "}\n";
  }
  out.longs += "exists (true)\n";
  out.ints += "exists (true)\n";
  return out;
}

TEST(Tearing, IsTwoIntsWrittenByHand) {
  const auto plain = cat::load_model("jls04", graph::Architecture::java), torn = tearing("jls04");
  for (std::uint64_t seed = 0; seed < test::draws(150); ++seed) {
    litmus::Random random(seed);
    const auto pair = random_pair(random);
    const auto longs = litmus::parse({"t", pair.longs}), ints = litmus::parse({"t", pair.ints});
    const auto expected = states(ints, plain);
    std::set<std::string> found;
    for (auto state : states(longs, torn)) { // without the longs themselves
      for (std::size_t at = 0; (at = state.find(":r", at)) != std::string::npos;) {
        const auto end = std::min(state.find("; ", at), state.size());
        state.erase(at - 1, std::min(end + 2, state.size()) - at + 1);
        at = 0;
      }
      while (state.ends_with("; ")) state.resize(state.size() - 2);
      found.insert(state);
    }
    ASSERT_EQ(found, expected) << pair.longs;
  }
}

TEST(Tearing, SaysWhatItDoesNotDo) {
  const auto refused = [](const std::string& code, const std::string& asked) {
    const auto test = litmus::parse({"t", "Java T\n{ long x; X=x; }\nThread0 { long r = 0L; " +
                                              code + " }\nexists (" + asked + ")\n"});
    try {
      const auto model = tearing("sc", "none");
      Oracle oracle(test, model);
      oracle.behaviours();
    } catch (const Unsupported& unsupported) {
      return std::string(unsupported.what());
    }
    return std::string();
  };
  EXPECT_NE(
      refused("X.setVolatile(1L);", "0:r=0").find("in other modes to a location that may tear"),
      std::string::npos);
  EXPECT_NE(refused("X.set(1L);", "[x]=1").find("the final value of a location that may tear"),
            std::string::npos);
  EXPECT_EQ(refused("X.set(1L);", "0:r=0"), "");
}

} // namespace
} // namespace thinair::oracle
