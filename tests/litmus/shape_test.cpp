// Names of shapes.
#include "litmus/shape.h"
#include "litmus/test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace thinair::litmus {
namespace {

std::string shape(const std::string& threads) {
  return shape_of(
      parse({"t", "Java t\n{ X=x; Y=y; Z=z; }\n" + threads + "\nexists (x=0)\n"}).java());
}

/// A program of a shape, its threads from the last to the first, its locations renamed.
std::string program_of(std::string_view threads) {
  std::vector<std::string> bodies(1);
  int n = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (threads[i] == '|') bodies.emplace_back();
    if (threads[i] != 'R' && threads[i] != 'W') continue;
    const char handle = threads[i + 1] == 'x' ? 'Z' : threads[i + 1] == 'y' ? 'X' : 'Y';
    bodies.back() += threads[i] == 'W'
                         ? std::string(1, handle) + ".setOpaque(1); VarHandle.fullFence(); "
                         : "int r" + std::to_string(++n) + " = " + handle + ".get(); ";
    ++i;
  }
  std::string out;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    out += "Thread" + std::to_string(i) + " { " + bodies[bodies.size() - 1 - i] + "}\n";
  return out;
}

TEST(Shape, EachIsFoundByItsNameWhateverTheNamesAndTheOrder) {
  std::set<std::string_view> names;
  for (const auto& each : shapes()) {
    EXPECT_EQ(shape(program_of(each.threads)), each.name) << each.threads;
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
  }
}

TEST(Shape, InWordsHasASentenceForEachThreadAndAVerbForEachAccess) {
  EXPECT_EQ(shape_in_words("SB+rfi with updates"),
            "one thread writes x, reads x and reads y; another writes y and reads x");
  EXPECT_EQ(shape_in_words(""), "");
  const auto count = [](std::string_view text, std::string_view word) {
    std::ptrdiff_t found = 0;
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  for (const auto& each : shapes()) {
    const auto words = shape_in_words(each.name);
    EXPECT_EQ(count(words, "; another "), std::ranges::count(each.threads, '|')) << words;
    EXPECT_EQ(count(words, " writes "), std::ranges::count(each.threads, 'W')) << words;
    EXPECT_EQ(count(words, " reads "), std::ranges::count(each.threads, 'R')) << words;
  }
}

TEST(Shape, UpdatesAreReadsOrWritesAndWhatFitsNothingHasNoName) {
  EXPECT_EQ(shape("Thread0 { X.getAndAdd(1); int a = Y.get(); }\n"
                  "Thread1 { Y.setVolatile(1); int b = X.get(); }"),
            "SB with updates");
  EXPECT_EQ(shape("Thread0 { X.set(1); X.set(2); X.set(3); }"), "");
  EXPECT_EQ(shape("Thread0 { X.set(Y.get()); }\nThread1 { Y.set(X.get()); }"), "LB");
}

} // namespace
} // namespace thinair::litmus
