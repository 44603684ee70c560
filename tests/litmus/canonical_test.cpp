// Canonical forms: the same for isomorphic programs, different for all others.
#include "litmus/canonical.h"
#include "litmus/flatten.h"
#include "litmus/test.h"
#include "tests/support/random_program.h"
#include "tests/support/renaming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace thinair::litmus {
namespace {

Program read(const std::string& text) { return parse({"test", text}).java(); }

std::string print(const Program& program) {
  litmus::Test test;
  test.name = "t";
  test.program = program;
  return litmus::print(test);
}

/// Every way to order `count` things.
std::vector<Order> all_orders(std::size_t count) {
  Order order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Order> all;
  do all.push_back(order);
  while (std::ranges::next_permutation(order).found);
  return all;
}

std::vector<std::map<Value, Value>> all_value_maps(const Program& program) {
  const ValueUse use = value_use(program);
  if (use == ValueUse::computed) return {{}};
  std::set<Value> values = constants_of(program);
  std::erase_if(values, [](Value v) { return v <= 0 || v > 127; }); // others stay
  if (use == ValueUse::pins_one) values.erase(1);
  std::vector<std::map<Value, Value>> maps;
  for (const Order& order : all_orders(values.size())) {
    std::map<Value, Value> map;
    std::size_t i = 0;
    for (const Value value : values) map[value] = static_cast<Value>(order[i++]) + 1000;
    maps.push_back(std::move(map));
  }
  return maps;
}

/// The slow twin: the least text among all renamings of a program of two threads.
std::string least_text(const Program& original) {
  const Program program = without_unused(original);
  std::string least;
  for (const Order& threads : all_orders(program.threads.size()))
    for (const Order& locations : all_orders(program.locations.size()))
      for (const Order& first : all_orders(program.threads[0].registers.size()))
        for (const Order& second : all_orders(program.threads[1].registers.size()))
          for (const auto& values : all_value_maps(program)) {
            Renaming renaming{threads, locations, {}, {first, second}, values};
            renaming.monitors.resize(program.monitors.size());
            std::iota(renaming.monitors.begin(), renaming.monitors.end(), 0U);
            const std::string text = print(renamed(program, renaming));
            if (least.empty() || text < least) least = text;
          }
  return least;
}

TEST(Canonical, DifferentNamesAndOrdersAreOneProgram) {
  const Program a = read("Java a { x = 0; y = 0; X=x; Y=y; }\n"
                         "Thread0 { X.set(1); int r1 = Y.get(); }\n"
                         "Thread1 { Y.set(7); int r2 = X.get(); }");
  const Program b = read("Java b { unused = 3; p = 0; q = 0; A=q; B=p; 0:nothing=4; }\n"
                         "Thread0 { B.set(-5); int s; s = A.get(); }\n"
                         "Thread1 { A.set(9); int t = B.get(); }");
  const Program c = read("Java c { x = 0; y = 0; X=x; Y=y; }\n"
                         "Thread0 { X.set(1); int r1 = Y.get(); }\n"
                         "Thread1 { Y.set(1); int r2 = X.get(); }");
  EXPECT_NE(canonical(a), canonical(b)); // b assigns s twice
  EXPECT_NE(canonical(a), canonical(c)); // one value twice is not two values
  EXPECT_EQ(print(canonical(a)), "Java t\n{\n  x0 = 0; x1 = 0;\n  0:X0=x0; 0:X1=x1;\n"
                                 "  1:X0=x0; 1:X1=x1;\n}\n"
                                 "Thread0 {\n  X0.set(1);\n  int r0 = X1.get();\n}\n"
                                 "Thread1 {\n  X1.set(2);\n  int r0 = X0.get();\n}\n");
}

TEST(Canonical, ValuesAreRenamedOnlyWhereNothingCanTell) {
  const auto use = [](const std::string& code) {
    return value_use(read("Java t { X=x; Y=y; 0:r=0; } Thread0 { " + code + " }"));
  };
  EXPECT_EQ(use("X.set(2); r = Y.get(); if (r) X.set(r);"), ValueUse::compared);
  EXPECT_EQ(use("if (r == 3 && !(X.get() != 2)) X.compareAndSet(2, r);"), ValueUse::compared);
  EXPECT_EQ(use("while (X.weakCompareAndSet(0, 5)) { X.getAndSet(r); }"), ValueUse::compared);
  EXPECT_EQ(use("r = X.compareAndExchange(1, 2);"), ValueUse::compared);
  EXPECT_EQ(use("r = X.compareAndSet(1, 2);"), ValueUse::pins_one);
  EXPECT_EQ(use("X.set(r == 2);"), ValueUse::pins_one);
  EXPECT_EQ(use("if ((r == 2) == 1) { }"), ValueUse::pins_one);
  EXPECT_EQ(use("r = r + 1;"), ValueUse::computed);
  EXPECT_EQ(use("if (r < 2) { }"), ValueUse::computed);
  EXPECT_EQ(use("if (r && X.get()) { }"), ValueUse::computed);
  EXPECT_EQ(use("X.getAndAdd(1);"), ValueUse::computed);
  EXPECT_EQ(use("print(r);"), ValueUse::computed);
}

TEST(Canonical, OneStaysOneBesideTruthValues) {
  const auto hash = [](const std::string& expected, const std::string& desired) {
    return content_hash(read("Java t { X=x; } Thread0 { int r = X.compareAndSet(" + expected +
                             ", " + desired + "); }"));
  };
  EXPECT_EQ(hash("0", "2"), hash("0", "7"));
  EXPECT_NE(hash("0", "2"), hash("0", "1"));
}

TEST(Canonical, WideConstantsAreNotRenamed) {
  const auto hash = [](const std::string& first, const std::string& second) {
    return content_hash(read("Java t { X=x; } Thread0 { X.set(" + first + "); } Thread1 { X.set(" +
                             second + "); }"));
  };
  EXPECT_EQ(hash("5", "127"), hash("1", "2"));
  EXPECT_NE(hash("5", "128"), hash("1", "2")) << "a byte holds no 128";
  EXPECT_NE(hash("-1", "2"), hash("1", "2"));
  EXPECT_NE(hash("256", "1"), hash("65536", "1"));
}

TEST(Canonical, ScrambledProgramsAreTheSame) {
  std::size_t renamed_values = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomShape shape;
    shape.threads = static_cast<std::uint32_t>(1 + random.below(4));
    shape.statements = static_cast<std::uint32_t>(1 + random.below(4));
    shape.depth = static_cast<std::uint32_t>(1 + random.below(2));
    const Program program = RandomProgram(random, shape).make();
    const Program form = canonical(program);
    ASSERT_EQ(canonical(form), form) << print(program);
    ASSERT_EQ(parse({"printed", print(form)}).java(), form);
    const Renaming renaming = random_renaming(program, value_use(program), random);
    renamed_values += renaming.values.empty() ? 0 : 1;
    const Program other = renamed(program, renaming);
    ASSERT_EQ(canonical(other), form) << print(program) << print(other);
    ASSERT_EQ(content_hash(other), content_hash(program));
  }
  EXPECT_GT(renamed_values, 100U);
}

TEST(Canonical, AgreesWithTheSlowTwin) {
  std::map<std::string, std::string> hash_of, text_of;
  std::size_t repeated = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    RandomShape shape{2, 2, 2, 2, 1, false, false};
    Program program = RandomProgram(random, shape).make();
    for (Thread& thread : program.threads)
      for (Register& reg : thread.registers) reg.initial = 0;
    if (constants_of(program).size() > 5) continue;
    const std::string text = least_text(program);
    const std::string hash = to_string(content_hash(program));
    const auto [by_text, new_text] = hash_of.emplace(text, hash);
    const auto [by_hash, new_hash] = text_of.emplace(hash, text);
    ASSERT_EQ(by_text->second, hash) << print(program);
    ASSERT_EQ(by_hash->second, text) << print(program);
    repeated += new_text ? 0 : 1;
    ASSERT_EQ(new_text, new_hash);
  }
  EXPECT_GT(repeated, 50U); // else the test says little
  EXPECT_GT(hash_of.size(), 500U);
}

TEST(Canonical, ManyLikeThreadsAreNoTrouble) {
  std::string apart = "Java t { ", ring = apart, same = apart;
  std::string apart_code, ring_code, same_code;
  constexpr int count = 24;
  for (int i = 0; i < count; ++i) {
    const int next = (i * 7 + 7) % count == 0 ? 0 : (i + 1) % count;
    apart += fmt::format("{0}:X=x{0}; ", i);
    ring += fmt::format("{0}:X=x{0}; {0}:Y=x{1}; ", i, next);
    same += fmt::format("{0}:X=x; ", i);
    apart_code += fmt::format("Thread{} {{ X.set(1); }}\n", i);
    ring_code += fmt::format("Thread{} {{ X.set(1); int r = Y.get(); }}\n", i);
    same_code += fmt::format("Thread{} {{ X.set(1); }}\n", i);
  }
  std::set<ContentHash> hashes;
  Random random(1);
  for (const std::string& text :
       {apart + "}\n" + apart_code, ring + "}\n" + ring_code, same + "}\n" + same_code}) {
    const Program program = read(text);
    const ContentHash hash = content_hash(program);
    const Renaming renaming = random_renaming(program, value_use(program), random);
    EXPECT_EQ(content_hash(renamed(program, renaming)), hash);
    hashes.insert(hash);
  }
  EXPECT_EQ(hashes.size(), 3U);
}

TEST(Canonical, ThreadsAreToldApartByWhoStartsThem) {
  const auto hash = [](const char* first, const char* second) {
    return content_hash(read(fmt::format("Java t {{ X=x; }} Thread0 {{ start({}); }} Thread1 {{ "
                                         "X.set(1); start({}); }} Thread2 {{ X.get(); }}",
                                         first, second)));
  };
  EXPECT_NE(hash("1", "2"), hash("2", "1"));
  EXPECT_NE(hash("1", "1"), hash("1", "2"));
}

TEST(ContentHash, IsTheSameEverywhere) {
  const Program program = read("Java SB { X=x; Y=y; } Thread0 { X.setVolatile(1); int r1 = "
                               "Y.getVolatile(); } Thread1 { Y.setVolatile(1); int r2 = "
                               "X.getVolatile(); }");
  EXPECT_EQ(to_string(content_hash(program)), "e37c1059765a6477712ad7690b337013");
}

} // namespace
} // namespace thinair::litmus
