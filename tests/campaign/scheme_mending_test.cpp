// Rules at fault: what is tried is what the words say, and who is not known to be wrong is not
// blamed.
#include "campaign/cause.h"
#include "campaign/scheme_mending.h"
#include "lower/lowered_test.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <sstream>

namespace thinair::campaign {
namespace {

constexpr const char* store_buffering =
    "Java SB\n{ X=x; Y=y; }\n"
    "Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }\n"
    "Thread1 { Y.setVolatile(1); int b = X.getVolatile(); }\nexists (0:a=0 /\\ 1:b=0)\n";

/// What `mends` says was tried: the program is right with these rules exchanged, and with no fewer.
TEST(SchemeMending, TriesWhatItSays) {
  const auto model = cat::load_model("java", cat::Architecture::java);
  const Against against{.model = model, .model_name = "java"};
  const Directory directory;
  const auto file = directory.sub("none.scheme");
  auto text = lower::Target::named("x86:table2").scheme();
  text.set_code(litmus::Method::setVolatile, "mov [x], arg\n");
  text.set_code(litmus::Fence::full, "nop\n");
  write_bytes(file, print(text));
  const auto target = make_target(file, against);
  const auto* mending = target->mending();
  ASSERT_NE(mending, nullptr);
  const auto both = litmus::parse(
      {"both", "Java both\n{ X=x; Y=y; }\n"
               "Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }\n"
               "Thread1 { Y.set(1); VarHandle.fullFence(); int b = X.get(); }\nexists (0:a=0)\n"});
  EXPECT_TRUE(mending->others_are_right(both.java()));
  const auto sets = mending->mends(both.java());
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), (Rules{litmus::Method::setVolatile, litmus::Fence::full}))
      << "each thread needs one";
  for (const auto& rules : sets) EXPECT_EQ(rules.size(), 2U);
}

/// The instructions of a program of one thread, in their order.
std::vector<std::string> instructions(const litmus::Test& test, lower::Target& target) {
  const auto lowered = target.lower(test.java());
  std::istringstream text(litmus::print(lower::lowered_test(test, lowered, target.name())));
  std::vector<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    const bool first = line.starts_with(" P0");
    if (inside && !line.starts_with(" ")) break;
    if (inside) {
      out.push_back(line.substr(1, line.find(" ;") - 1));
      out.back().erase(out.back().find_last_not_of(' ') + 1);
    }
    inside = inside || first;
  }
  return out;
}

struct Machine {
  const char* scheme; // whose plain accesses have no fence
  const char* fence;  // the first word of one
};

class Strengthened : public ::testing::TestWithParam<Machine> {
 protected:
  bool is_fence(const std::string& instruction) const {
    return instruction.starts_with(GetParam().fence);
  }

  /// The code of each change that is tried, the least first: the judge finds nothing right.
  std::vector<std::vector<std::string>> tried(const litmus::Test& test, Rules rules) const {
    std::vector<std::vector<std::string>> out;
    const SchemeMending mending(GetParam().scheme,
                                [&](const litmus::Program& /*program*/, lower::Target& target) {
                                  out.push_back(instructions(test, target));
                                  return Verdict::unsound;
                                });
    EXPECT_EQ(mending.least_change(rules, {test.java()}), Strengthening::exchanged);
    return out;
  }
};

/// A fence behind is one fence, and it is behind: a lesser change than the words name would have
/// been enough otherwise.
TEST_P(Strengthened, AsTheWordsSay) {
  for (const auto* statement : {"X.set(1);", "int r = X.getOpaque();"}) {
    const auto test = litmus::parse(
        {"one", fmt::format("Java one\n{{ X=x; }}\nThread0 {{ {} }}\nexists (x=0)\n", statement)});
    auto plain = lower::Target::named(GetParam().scheme);
    const auto code = instructions(test, plain);
    ASSERT_FALSE(code.empty());
    ASSERT_EQ(std::ranges::count_if(code, [&](const auto& i) { return is_fence(i); }), 0);
    const auto method = statement[0] == 'X' ? litmus::Method::set : litmus::Method::getOpaque;
    const auto all = tried(test, Rules{method});
    ASSERT_EQ(all.size(), 3U);
    constexpr struct {
      bool before, behind;
    } expected[] = {{false, true}, {true, false}, {true, true}};
    for (std::size_t i = 0; i < 3; ++i) {
      auto changed = all[i];
      const auto what = fmt::format("{}", fmt::join(changed, "; "));
      EXPECT_EQ(is_fence(changed.back()), expected[i].behind) << what;
      const auto fences = std::erase_if(changed, [&](const auto& line) { return is_fence(line); });
      EXPECT_EQ(fences, std::size_t{expected[i].before} + std::size_t{expected[i].behind}) << what;
      EXPECT_EQ(changed, code) << what;
    }
  }
}

/// What is told is the first that mends, in this order.
TEST_P(Strengthened, TheLeastChangeIsTold) {
  const auto test =
      litmus::parse({"one", "Java one\n{ X=x; }\nThread0 { X.set(1); }\nexists (x=0)\n"});
  for (const auto enough : {Strengthening::fence_behind, Strengthening::fence_before,
                            Strengthening::fences_around, Strengthening::exchanged}) {
    int asked = 0;
    const SchemeMending mending(GetParam().scheme, [&](const litmus::Program&, lower::Target&) {
      return asked++ < static_cast<int>(enough) ? Verdict::unsound : Verdict::sound;
    });
    EXPECT_EQ(mending.least_change(Rules{litmus::Method::set}, {test.java()}), enough);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Strengthened,
                         ::testing::Values(Machine{"x86:table2", "mfence"},
                                           Machine{"aarch64:cxx", "DMB"},
                                           Machine{"riscv:cxx", "fence"}),
                         [](const auto& each) {
                           const std::string name = each.param.scheme;
                           return name.substr(0, name.find(':'));
                         });

/// A target of which only the question who is at fault is asked; every judgement of another scheme
/// comes out as it is told.
class Blamed : public Target {
 public:
  explicit Blamed(Verdict others)
      : Target("x86:table2"),
        mending_(name(), [others](const litmus::Program&, lower::Target&) { return others; }) {}
  Judgement judge(const litmus::Program&, runners::SameProgram*) override {
    throw Unsupported("not asked");
  }
  Why why(const litmus::Program&, bool) override { throw Unsupported("not asked"); }
  Look look(const litmus::Test&) override { throw Unsupported("not asked"); }
  Explanation explain(const litmus::Test&, const litmus::State&) override {
    throw Unsupported("not asked");
  }
  const SchemeMending* mending() override { return &mending_; }

 private:
  SchemeMending mending_;
};

/// Who is to blame depends on the other schemes of the machine. Where they could not be judged,
/// nobody is. Code that shows nothing (vacuous) does nothing wrong.
TEST(Blame, IsNobodysWhereTheOtherSchemesAreUndecided) {
  const auto model = cat::load_model("sc", cat::Architecture::java, {.as_plain = true});
  const Against against{.model = model, .model_name = "sc"};
  Group group;
  group.first.minimal = store_buffering;
  group.first.minimal_finding.behaviour = litmus::state_in("0:a=0; 1:b=0").value();
  group.originals = 1;
  const auto side = [&](Verdict others) {
    Targets targets;
    targets.push_back(std::make_unique<Blamed>(others));
    const auto causes = causes_of({group}, targets, against);
    EXPECT_EQ(causes.size(), 1U);
    return causes.front().side;
  };
  for (const auto right : {Verdict::sound, Verdict::vacuous})
    EXPECT_EQ(side(right), Cause::Side::target);
  EXPECT_EQ(side(Verdict::unsound), Cause::Side::model);
  for (const auto undecided : {Verdict::unknown, Verdict::unsupported})
    EXPECT_EQ(side(undecided), Cause::Side::undecided);
}

} // namespace
} // namespace thinair::campaign
