// Normal form and unrolling: the forms they promise, and that they mean the same.
#include "litmus/normal.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/unroll.h"
#include "litmus/walk.h"
#include "tests/support/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace thinair::litmus {
namespace {

/// How a run of one thread alone ended.
enum class End { normal, cut, division };

/// Runs a thread by itself, accesses and operands from left to right, with a trace of what it does.
class Sequential {
 public:
  Sequential(const Program& program, const Thread& thread, std::uint32_t default_bound)
      : default_bound_(default_bound) {
    for (const Location& location : program.locations) memory_.push_back(location.initial);
    for (const Register& reg : thread.registers) registers_.push_back(reg.initial);
    run(thread.body);
    registers_.resize(std::min<std::size_t>(registers_.size(), 4)); // not those that normalise adds
  }

  End end() const { return end_; }
  const std::vector<Value>& registers() const { return registers_; }
  const std::vector<Value>& memory() const { return memory_; }
  const std::vector<std::pair<Method, Value>>& trace() const { return trace_; }

 private:
  Value value(const Expression& e) {
    if (end_ != End::normal) return 0;
    if (e.op == Operator::constant) return e.constant;
    if (e.op == Operator::reg) return registers_[e.reg.value];
    if (e.op == Operator::access) return access(e.method, e.location, e.arguments);
    const Value left = value(e.arguments[0]);
    if (info(e.op).unary) return apply(e.op, TypeKind::int_, left);
    const Value right = value(e.arguments[1]);
    const auto result = apply(e.op, TypeKind::int_, left, right);
    if (!result && end_ == End::normal) end_ = End::division;
    return result.value_or(0);
  }

  Value access(Method method, LocationId location, const std::vector<Expression>& arguments) {
    std::vector<Value> values;
    for (const Expression& argument : arguments) values.push_back(value(argument));
    if (end_ != End::normal) return 0;
    Value& cell = memory_[location.value];
    const Value old = cell;
    trace_.emplace_back(method, old);
    switch (info(method).action) {
    case Action::get: return old;
    case Action::set:
    case Action::get_and_set: cell = values[0]; return old;
    case Action::compare_and_set:
    case Action::weak_compare_and_set:
    case Action::compare_and_exchange:
      if (old == values[0]) cell = values[1];
      return info(method).action == Action::compare_and_exchange ? old : old == values[0];
    case Action::get_and_add:
      cell = *apply(Operator::add, TypeKind::int_, old, values[0]);
      return old;
    case Action::get_and_or: cell = old | values[0]; return old;
    case Action::get_and_and: cell = old & values[0]; return old;
    case Action::get_and_xor: cell = old ^ values[0]; return old;
    }
    return 0;
  }

  void run(const Block& block) {
    for (const Statement& statement : block) {
      if (end_ != End::normal) return;
      std::visit([this](const auto& node) { step(node); }, statement.node);
    }
  }

  void assign(RegisterId target, Value result) {
    if (end_ == End::normal) registers_[target.value] = result;
  }
  void step(const Assign& node) { assign(node.target, value(node.value)); }
  void step(const Access& node) {
    const Value result = access(node.method, node.location, node.arguments);
    if (node.target) assign(*node.target, result);
  }
  void step(const If& node) { run(value(node.condition) != 0 ? node.then_block : node.else_block); }
  void step(const Loop& node) {
    const std::uint32_t bound = node.bound.value_or(default_bound_);
    for (std::uint32_t done = 0; end_ == End::normal; ++done) {
      if ((done > 0 || node.test_first) && value(node.condition) == 0) return;
      if (done == bound && end_ == End::normal) end_ = End::cut;
      run(node.body);
    }
  }
  void step(const ExternalStatement& node) { value(node.value); }
  void step(const Cut&) { end_ = End::cut; }
  void step(const FenceStatement&) {}
  void step(const MonitorStatement&) {}
  void step(const ThreadStatement&) {}
  void step(const New&) {}

  std::uint32_t default_bound_;
  End end_ = End::normal;
  std::vector<Value> memory_, registers_;
  std::vector<std::pair<Method, Value>> trace_;
};

void expect_same(const Program& a, const Program& b) {
  for (std::size_t t = 0; t < a.threads.size(); ++t) {
    const Sequential left(a, a.threads[t], 2);
    const Sequential right(b, b.threads[t], 2);
    ASSERT_EQ(left.end(), right.end());
    if (left.end() == End::division) continue; // no execution: how far it came does not matter
    ASSERT_EQ(left.registers(), right.registers());
    ASSERT_EQ(left.memory(), right.memory());
    ASSERT_EQ(left.trace(), right.trace());
  }
}

bool has_loop(const Program& program) { return features(program).loops; }

std::size_t count_cuts(const Program& program) {
  std::size_t cuts = 0;
  for (const Thread& thread : program.threads) {
    for_each_statement(thread.body, [&](const Statement& statement) {
      cuts += std::holds_alternative<Cut>(statement.node) ? 1 : 0;
    });
  }
  return cuts;
}

Program read(const std::string& code) {
  return parse({"test", "Java t { X=x; Y=y; 0:r=0; } Thread0 {" + code + "}"}).java();
}

std::string code_of(const Program& program) {
  litmus::Test test;
  test.name = "t";
  test.program = program;
  const std::string all = print(test);
  const std::size_t begin = all.find("Thread0 {\n") + 10;
  return all.substr(begin, all.rfind("}\n") - begin);
}

TEST(Normalise, AccessesMoveOutFromLeftToRight) {
  EXPECT_EQ(code_of(normalise(read("X.compareAndSet(Y.get() + r, X.getAndAdd(Y.getOpaque()));"))),
            "  int tmp1 = Y.get();\n  int tmp2 = Y.getOpaque();\n  int tmp3 = X.getAndAdd(tmp2);\n"
            "  X.compareAndSet(tmp1 + r, tmp3);\n");
  EXPECT_EQ(code_of(normalise(read("if (X.get()) { print(Y.get()); } else { r = 1 + X.get(); }"))),
            "  int tmp1 = X.get();\n  if (tmp1) {\n    int tmp2 = Y.get();\n    print(tmp2);\n"
            "  } else {\n    int tmp3 = X.get();\n    r = 1 + tmp3;\n  }\n");
}

TEST(Normalise, ConditionsOfLoopsAreReadBeforeEachTest) {
  EXPECT_EQ(code_of(normalise(read("while [2] (X.get() == 0) { r = r + 1; }"))),
            "  int tmp1 = X.get();\n  while [2] (tmp1 == 0) {\n    r = r + 1;\n"
            "    int tmp1 = X.get();\n  }\n");
  EXPECT_EQ(code_of(normalise(read("do { r = r + 1; } while (X.get());"))),
            "  do {\n    r = r + 1;\n    int tmp1 = X.get();\n  } while (tmp1);\n");
}

TEST(Normalise, FreshNamesAreFree) {
  EXPECT_EQ(code_of(normalise(read("int tmp1 = 3; X.set(Y.get());"))),
            "  int tmp1 = 3;\n  int tmp2 = Y.get();\n  X.set(tmp2);\n");
}

TEST(Unroll, LoopsBecomeBranchesWithACut) {
  EXPECT_EQ(code_of(unroll(read("while [2] (r) { X.set(1); }"), 9)),
            "  if (r) {\n    X.set(1);\n    if (r) {\n      X.set(1);\n      if (r) {\n"
            "        ; // cut off by the loop bound\n      }\n    }\n  }\n");
  EXPECT_EQ(code_of(unroll(read("do { X.set(1); } while (r);"), 1)),
            "  X.set(1);\n  if (r) {\n    ; // cut off by the loop bound\n  }\n");
  EXPECT_EQ(code_of(unroll(read("do { X.set(1); } while (r);"), 0)),
            "  ; // cut off by the loop bound\n");
}

TEST(Unroll, WithoutLoopsNothingChanges) {
  const Program program = read("if (r) { X.set(1); } else { Y.set(2); }");
  EXPECT_EQ(unroll(program, 4), program);
}

TEST(Unroll, RefusesToExplode) {
  EXPECT_NO_THROW(unroll(read("while [999] (r) { r = r - 1; }"), 1));
  EXPECT_THROW(unroll(read("while [1000] (r) { r = r - 1; }"), 1), LimitReached);
  EXPECT_THROW(unroll(read("while (r) { while (r) { while (r) { r = 1; } } }"), 90), LimitReached);
}

TEST(Forms, MeanTheSameOnRandomPrograms) {
  std::size_t cuts = 0, complete = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Program program = random_test(random).java();
    const Program normal = normalise(program);
    EXPECT_TRUE(is_normal(normal));
    EXPECT_EQ(normalise(normal), normal);
    expect_same(program, normal);
    const Program flat = unroll(normal, 2);
    EXPECT_FALSE(has_loop(flat));
    EXPECT_TRUE(is_normal(flat));
    EXPECT_EQ(count_cuts(flat) > 0, has_loop(program));
    expect_same(normal, flat);
    expect_same(program, unroll(program, 2));
    for (const Thread& thread : program.threads)
      (Sequential(program, thread, 2).end() == End::normal ? complete : cuts) += 1;
  }
  EXPECT_GT(cuts, 50U);
  EXPECT_GT(complete, 1000U);
}

TEST(Forms, RandomProgramsSurvivePrinting) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const litmus::Test test = random_test(random);
    const std::string text = print(test);
    const litmus::Test again = parse({"printed", text});
    ASSERT_EQ(again, test) << text;
    ASSERT_EQ(print(again), text);
  }
}

} // namespace
} // namespace thinair::litmus
