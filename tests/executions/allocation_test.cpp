// No memory is asked for per candidate: counted by the program's own operator new.
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/executions/enumerate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

namespace {
std::atomic<std::uint64_t> allocations{0};
} // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* p = operator new(size, std::nothrow)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace thinair::executions {
namespace {

/// `writers` threads store to x twice, one thread loads it `reads` times.
litmus::Test stores_and_loads(int writers, int reads) {
  std::string text = "Java many\n{\nx = 0;\n", body;
  for (int t = 0; t < writers; ++t) {
    text += std::to_string(t) + ":X=x;\n";
    body += "Thread" + std::to_string(t) + " {\n  X.setOpaque(" + std::to_string(2 * t + 1) +
            ");\n  X.setVolatile(" + std::to_string(2 * t + 2) + ");\n}\n";
  }
  text += std::to_string(writers) + ":X=x;\n}\n" + body;
  text += "Thread" + std::to_string(writers) + " {\n";
  for (int r = 0; r < reads; ++r) text += "  int r" + std::to_string(r) + " = X.getOpaque();\n";
  text += "}\nlocations [x;]\nexists (x=1)\n";
  return litmus::parse({"many", text});
}

/// Allocations after the first quarter of what `model` allows, and how many executions that is.
void expect_none_after_a_quarter(const litmus::Test& test, const cat::Plan& model,
                                 std::uint64_t at_least) {
  auto paths = graph::paths_of(test);
  const auto total = enumerate(paths, model, [](const Witness&) { return true; }).executions;
  ASSERT_GE(total, at_least);
  std::uint64_t seen = 0, before = 0, after = 0;
  enumerate(paths, model, [&](const Witness&) {
    if (++seen == total / 4) before = allocations.load();
    after = allocations.load();
    return true;
  });
  EXPECT_EQ(seen, total);
  EXPECT_EQ(after - before, 0U);
}

TEST(AllocationTest, NonePerCandidate) {
  const auto java = graph::Architecture::java;
  expect_none_after_a_quarter(stores_and_loads(2, 3), cat::load_model("jam21", java), 100);
  expect_none_after_a_quarter(stores_and_loads(2, 3), cat::load_model("sc", java), 100);
  expect_none_after_a_quarter(stores_and_loads(2, 3),
                              cat::load_model("jls04", java, {.as_plain = true}), 100);
}

} // namespace
} // namespace thinair::executions
