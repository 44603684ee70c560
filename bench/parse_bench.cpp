// Reading, printing and hashing 1,000 generated Java tests in one process: milliseconds in all.
#include "litmus/canonical.h"
#include "litmus/test.h"
#include "tests/support/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace thinair::litmus;
using Clock = std::chrono::steady_clock;

constexpr std::size_t files = 1000;
constexpr int rounds = 7;

/// Tests of the size that a campaign makes: 2 to 4 threads, some branches, a condition.
std::vector<std::string> generate() {
  std::vector<std::string> texts;
  for (std::uint64_t seed = 0; texts.size() < files; ++seed) {
    Random random(seed);
    RandomShape shape;
    shape.threads = static_cast<std::uint32_t>(2 + random.below(3));
    Test test = random_test(random, shape);
    Clause clause;
    for (std::uint32_t t = 0; t < shape.threads; ++t) {
      Proposition atom;
      atom.kind = Proposition::Kind::equal;
      atom.left = {ThreadId{t}, "r0"};
      clause.proposition.parts.push_back(atom);
    }
    clause.proposition.kind = Proposition::Kind::all;
    test.clauses.push_back(clause);
    texts.push_back(print(test));
  }
  return texts;
}

/// The median time of a few rounds, in milliseconds.
template <class Work>
double milliseconds(Work work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

} // namespace

int main() {
  const std::vector<std::string> texts = generate();
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  std::vector<Test> tests;
  const double read = milliseconds([&] {
    tests.clear();
    for (const std::string& text : texts) tests.push_back(parse({"generated", text}));
  });
  std::size_t same = 0;
  const double printed = milliseconds([&] {
    same = 0;
    for (std::size_t i = 0; i < files; ++i) same += print(tests[i]) == texts[i] ? 1 : 0;
  });
  std::size_t accesses = 0;
  std::uint64_t digest = 0;
  const double hashed = milliseconds([&] {
    accesses = 0;
    for (const Test& test : tests) {
      accesses += count_accesses(test.java());
      digest ^= content_hash(test.java()).words[0];
    }
  });
  fmt::print("{} tests, {} bytes and {} accesses on average, {} printed as they were\n", files,
             bytes / files, accesses / files, same);
  fmt::print("read and print {:.1f} ms (wanted: below 100), content hash {:.1f} ms\n",
             read + printed, hashed);
  return same == files && digest != 1 ? 0 : 1;
}
