// The machine against the axiomatic models: the same behaviours on random programs.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "tests/umm/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace thinair::umm {
namespace {

using litmus::Method;

/// How a program is drawn: what its writes and branches may depend on, and in which mode it
/// accesses each location.
struct Shape {
  bool depends = false; // writes of registers, branches
  std::vector<std::pair<Method, Method>> modes = {{Method::get, Method::set}};
};

/// Two to three threads, five to seven accesses, two to three locations.
class Draw {
 public:
  Draw(std::uint64_t seed, const Shape& shape) : random_(seed), shape_(shape) {}

  litmus::Test make() {
    litmus::Program p;
    const auto locations = 2 + random_.below(2), threads = 2 + random_.below(2);
    for (std::size_t i = 0; i < locations; ++i)
      p.locations.push_back({fmt::format("x{}", i), 0, false});
    std::size_t accesses = 5 + random_.below(3);
    for (std::size_t t = 0; t < threads; ++t) {
      const auto share = t + 1 == threads ? accesses : std::min(accesses, 1 + random_.below(4));
      accesses -= share;
      p.threads.push_back(thread(t, share, locations));
    }
    litmus::Test test;
    test.name = "drawn";
    for (std::uint32_t t = 0; t < threads; ++t)
      for (const auto& reg : p.threads[t].registers)
        test.locations.push_back({litmus::ThreadId(t), reg.name});
    test.program = std::move(p);
    return test;
  }

 private:
  litmus::Thread thread(std::size_t index, std::size_t accesses, std::size_t locations) {
    litmus::Thread t;
    t.name = fmt::format("Thread{}", index);
    for (std::uint32_t i = 0; i < locations; ++i)
      t.handles.push_back({fmt::format("X{}", i), litmus::LocationId(i)});
    for (; accesses > 0; --accesses) {
      auto statement = access(t, locations);
      if (shape_.depends && !t.registers.empty() && random_.chance(1, 4)) {
        litmus::If branch;
        branch.condition = any_register(t);
        branch.then_block.push_back({std::move(statement), {}});
        t.body.push_back({std::move(branch), {}});
        continue;
      }
      t.body.push_back({std::move(statement), {}});
    }
    return t;
  }

  litmus::Access access(litmus::Thread& t, std::size_t locations) {
    litmus::Access a;
    a.location = litmus::LocationId(static_cast<std::uint32_t>(random_.below(locations)));
    const auto& [get, set] = shape_.modes[a.location.value % shape_.modes.size()];
    a.method = random_.chance(1, 2) ? get : set;
    if (a.method == set) {
      a.arguments.push_back(value(t));
    } else {
      a.target = litmus::RegisterId(static_cast<std::uint32_t>(t.registers.size()));
      t.registers.push_back({fmt::format("r{}", t.registers.size()), 0});
    }
    return a;
  }

  litmus::Expression value(const litmus::Thread& t) {
    if (shape_.depends && !t.registers.empty() && random_.chance(1, 2)) return any_register(t);
    return litmus::Expression::number(1 + static_cast<std::int32_t>(random_.below(2)));
  }

  litmus::Expression any_register(const litmus::Thread& t) {
    return litmus::Expression::of(
        litmus::RegisterId(static_cast<std::uint32_t>(random_.below(t.registers.size()))));
  }

  litmus::Random random_;
  const Shape& shape_;
};

using States = std::set<std::string>;

States states_of(const oracle::Result& result) {
  States states;
  for (const auto& b : result.behaviours) states.insert(to_string(result.observables, b));
  return states;
}

/// Several hundred; THINAIR_TWIN_PROGRAMS asks for more.
std::uint64_t programs() {
  const char* more = std::getenv("THINAIR_TWIN_PROGRAMS");
  return more != nullptr ? std::strtoull(more, nullptr, 10) : 250;
}

/// What both answer on random programs; a failure shows the first program.
class Twins {
 public:
  Twins(const Shape& shape, std::string_view table, cat::Plan axioms)
      : shape_(shape), machine_(find_model(table).value()), axioms_(std::move(axioms)) {}

  void expect_equal() {
    for (std::uint64_t seed = 1; seed <= programs() && !testing::Test::HasFailure(); ++seed) {
      const auto test = Draw(seed, shape_).make();
      const auto machine = run(test);
      oracle::Result axiomatic;
      if (!within_limits([&] { axiomatic = executions::behaviours(test, axioms_); })) continue;
      ASSERT_EQ(axiomatic.status, oracle::Result::Status::ok) << axiomatic.reason.text;
      EXPECT_EQ(states_of(machine), states_of(axiomatic)) << "seed " << seed << "\n" << print(test);
    }
    EXPECT_GT(relaxed_, programs() / 3) << "the programs are too dull";
    EXPECT_LE(undecided_, programs() / 100);
  }

  /// Asks the axioms about each of the machine's states: values out of thin air can be endless.
  void expect_within() {
    for (std::uint64_t seed = 1; seed <= programs() && !testing::Test::HasFailure(); ++seed) {
      const auto test = Draw(seed, shape_).make();
      const auto machine = run(test);
      for (const auto& b : machine.behaviours) {
        oracle::Answer answer = oracle::Answer::allowed;
        within_limits([&] {
          answer = executions::exists(test, axioms_, litmus::exactly(machine.observables, b));
        });
        EXPECT_EQ(answer, oracle::Answer::allowed)
            << to_string(machine.observables, b) << " seed " << seed << "\n"
            << print(test);
      }
    }
    EXPECT_GT(relaxed_, programs() / 3) << "the programs are too dull";
    EXPECT_LE(undecided_, programs() / 100);
  }

 private:
  /// False where the axioms reach a limit, which is counted.
  template <class Question>
  bool within_limits(Question&& question) {
    try {
      question();
      return true;
    } catch (const LimitReached&) {
      ++undecided_;
      return false;
    }
  }

  oracle::Result run(const litmus::Test& test) {
    auto result = behaviours(test, machine_);
    EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
    relaxed_ += result.behaviours.size() > 1 ? 1 : 0;
    return result;
  }

  const Shape& shape_;
  Model machine_;
  cat::Plan axioms_;
  std::size_t relaxed_ = 0, undecided_ = 0;
};

cat::Plan shipped(const std::string& name) {
  return cat::load_model(name, cat::Architecture::java);
}

cat::Plan compiled(std::string text) {
  return cat::load_model(text::Source{"twin.cat", std::move(text)}, cat::Architecture::java);
}

const Shape straight{}, dependent{.depends = true};
const Shape volatiles{.modes = {{Method::getVolatile, Method::setVolatile}}};
const Shape dependent_volatiles{.depends = true,
                                .modes = {{Method::getVolatile, Method::setVolatile}}};
const Shape mixed{
    .modes = {{Method::get, Method::set}, {Method::getVolatile, Method::setVolatile}}};

TEST(Twin, SequentialConsistency) { Twins(dependent, "sc", shipped("sc")).expect_equal(); }

TEST(Twin, Coherence) {
  Twins(straight, "coherence", shipped("coherence")).expect_equal();
  Twins(dependent, "coherence", shipped("coherence")).expect_within();
}

/// The machine waits for the values it uses and for branches: so do these axioms.
TEST(Twin, CoherenceWithDependencies) {
  Twins(dependent, "coherence",
        compiled("\"Coherence with dependencies\"\ninclude \"cos.cat\"\n"
                 "acyclic po-loc | rf | co | fr | data | ctrl as coherence\n"))
      .expect_equal();
}

TEST(Twin, Pram) {
  Twins(straight, "pram", shipped("pram")).expect_equal();
  Twins(dependent, "pram", shipped("pram")).expect_within();
}

/// UMM 5.7: volatile variables are sequentially consistent.
TEST(Twin, JmmMpOfVolatiles) { Twins(dependent_volatiles, "jmm-mp", shipped("sc")).expect_equal(); }

/// Straight lines of plain accesses: both let a read see what happens-before does not hide.
TEST(Twin, JmmMpOfPlainAccesses) { Twins(straight, "jmm-mp", shipped("jls04")).expect_equal(); }

/// JMM_MP completes reads in program order, which happens-before consistency alone does not ask.
TEST(Twin, JmmMpWithinHappensBefore) { Twins(mixed, "jmm-mp", shipped("jls04")).expect_within(); }

} // namespace
} // namespace thinair::umm
