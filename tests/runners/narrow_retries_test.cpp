// Loops of AArch64 code that update a byte or a halfword until it is done: no round that fails
// counts, however compilers spell the test of whether it has.
#include "litmus/random.h"
#include "litmus/test.h"
#include "lower/machine.h"
#include "runners/hardware.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners {
namespace {

/// How code looks at whether W8 was W11 in its low part, and what leads back where it was not.
struct Spelling {
  std::string_view test, back;
};
constexpr auto of_bytes = std::to_array<Spelling>({
    {"EOR W8,W8,W11 ;\n TST X8,#255 ;\n CSET W12,EQ ;\n", "CBZ W12"},
    {"EOR W8,W8,W11 ;\n TST W8,#255 ;\n", "B.NE"},
    {"EOR W8,W8,W11 ;\n ANDS WZR,W8,#255 ;\n CSET W12,NE ;\n", "CBNZ W12"},
    {"EOR W8,W8,W11 ;\n AND W8,W8,#255 ;\n", "CBNZ W8"},
});
/// C2's for halfwords differs in the constant.
constexpr auto of_halfwords = std::to_array<Spelling>({
    {"EOR W8,W8,W11 ;\n TST X8,#65535 ;\n CSET W12,EQ ;\n", "CBZ W12"},
    {"EOR W8,W8,W11 ;\n AND W8,W8,#65535 ;\n", "CBNZ W8"},
});

class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : random_(seed), bytes_(random_.chance(1, 2)) {}

  /// The same threads twice: with loops, and with rounds one after the other, whose results are
  /// compared as they are. Who fails in all of them goes round for ever.
  struct Pair {
    litmus::Test loops, rounds;
  };
  Pair draw() {
    for (int t = 0; t < 2; ++t) {
      std::vector<std::string> columns(2);
      const auto count = static_cast<int>(random_.between(1, 2));
      for (int i = 0; i < count; ++i) add(columns, i);
      threads_[0].push_back(columns[0]);
      threads_[1].push_back(columns[1]);
    }
    return {whole(threads_[0]), whole(threads_[1])};
  }

 private:
  /// Threads stand in columns: here the first one's rows come first.
  litmus::Test whole(const std::vector<std::string>& threads) const {
    const std::string_view type = bytes_ ? "int8_t" : "int16_t";
    std::string text = fmt::format("AArch64 t\n{{ {0} x=-1; {0} y=5; 0:X0=x; 0:X1=y; 1:X0=x; "
                                   "1:X1=y; }}\n P0 | P1 ;\n",
                                   type);
    for (std::size_t t = 0; t < threads.size(); ++t)
      for (std::size_t at = 0; at < threads[t].size();) {
        const auto end = threads[t].find('\n', at);
        const std::string line = threads[t].substr(at, end - at - 2);
        text += t == 0 ? line + " | ;\n" : " | " + line + " ;\n";
        at = end + 1;
      }
    return litmus::parse({"t", text + "locations [0:X20; 0:X21; 1:X20; 1:X21; x; y;]\n"
                                      "exists (true)\n"});
  }

  std::string load(bool sign) const {
    return fmt::format("LDR{}{}", sign ? "S" : "", bytes_ ? "B" : "H");
  }

  void add(std::vector<std::string>& columns, int result) {
    const int at = static_cast<int>(random_.below(2));
    if (random_.chance(40, 100)) {
      const std::string plain = random_.chance(1, 2)
                                    ? fmt::format(" {} W2{},[X{}] ;\n", load(true), result, at)
                                    : fmt::format(" MOV W9,#{} ;\n STR{} W9,[X{}] ;\n",
                                                  random_.pick(values_), bytes_ ? "B" : "H", at);
      for (auto& column : columns) column += plain;
      return;
    }
    const auto change = fmt::format("{} W13,W11,#{}", random_.chance(1, 2) ? "ADD" : "EOR", 1);
    const auto fence = random_.chance(1, 2) ? std::string(" DMB ISH ;\n") : std::string();
    const auto order = random_.chance(1, 2) ? "AL" : "";
    const auto attempt = [&](bool sign) {
      return fmt::format(" {} W11,[X{}] ;\n{} {} ;\n MOV W8,W11 ;\n CAS{}{} W8,W13,[X{}] ;\n",
                         load(sign), at, fence, change, order, bytes_ ? "B" : "H", at);
    };
    const auto number = labels_++;
    const auto how = bytes_ ? of_bytes[random_.below(of_bytes.size())]
                            : of_halfwords[random_.below(of_halfwords.size())];
    const bool conditional = how.back.starts_with("B.");
    columns[0] += fmt::format(" L{}: ;\n{} {} {}{}L{} ;\n", number, attempt(true), how.test,
                              how.back, conditional ? " " : ",", number);
    for (int round = 0; round < 3; ++round)
      columns[1] += attempt(false) + fmt::format(" CMP W8,W11 ;\n B.EQ D{} ;\n", number);
    columns[1] += fmt::format(" S{0}: ;\n B S{0} ;\n D{0}: ;\n", number);
    columns[0] += fmt::format(" MOV W2{},W11 ;\n", result);
    columns[1] += fmt::format(" SXT{} W2{},W11 ;\n", bytes_ ? "B" : "H", result);
  }

  litmus::Random random_;
  const bool bytes_;
  const std::vector<int> values_{1, 0, 127, 200, 255};
  std::vector<std::string> threads_[2];
  int labels_ = 0;
};

TEST(NarrowRetries, AreDecidedAndDoWhatManyRoundsDo) {
  const Processor processor(lower::machine_of("aarch64"), {});
  std::size_t several = 0;
  const auto count = test::draws(600);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto pair = Drawn(seed).draw();
    SCOPED_TRACE(litmus::print(pair.loops));
    const auto loops = processor.run(pair.loops, {}), rounds = processor.run(pair.rounds, {});
    EXPECT_EQ(loops.status, oracle::Result::Status::ok) << loops.reason.text;
    ASSERT_EQ(rounds.status, oracle::Result::Status::ok) << rounds.reason.text;
    EXPECT_EQ(loops.behaviours, rounds.behaviours) << litmus::print(pair.rounds);
    several += loops.behaviours.size() > 1 ? 1 : 0;
  }
  if (count >= 100) {
    EXPECT_GT(several, count / 2);
  }
}

} // namespace
} // namespace thinair::runners
