// Locations of 8, 16, 32 and 64 bits, against the real herd7: what x86 schemes make of Java's
// types, and random assembly with an access of each width.
#include "gen/generator.h"
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/x86/front_end.h"
#include "machine/x86/herd_export.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

/// How many programs of each kind, 100 unless THINAIR_HERD7_PROGRAMS says otherwise.
std::size_t program_count() {
  const char* given = std::getenv("THINAIR_HERD7_PROGRAMS");
  return given ? std::strtoul(given, nullptr, 10) : test::draws(100);
}

struct Width {
  const char *type, *cell;
  char suffix;
  std::array<const char*, 2> registers;
};
constexpr std::array<Width, 4> widths{{{"uint8_t", "b", 'b', {"%al", "%bl"}},
                                       {"uint16_t", "w", 'w', {"%ax", "%bx"}},
                                       {"uint32_t", "l", 'l', {"%eax", "%ebx"}},
                                       {"uint64_t", "q", 'q', {"%rax", "%rbx"}}}};

/// Two threads that access two locations, as a rule of two widths. Nothing is negative and no sum
/// leaves its width, which herd7 would take otherwise.
std::string random_assembly(std::uint64_t seed) {
  litmus::Random random(seed);
  const std::array<Width, 2> of{random.pick(widths), random.pick(widths)};
  const std::array<std::string, 2> cells{std::string("x") + of[0].cell,
                                         std::string("y") + of[1].cell};
  constexpr std::array forms{
      "mov{w} ${n},({x})",     "mov{w} ${n},({x})",         "mov{w} ({x}),{r}",
      "mov{w} ({x}),{r}",      "mov{w} ({x}),{r}",          "mov{w} {r},({x})",
      "xchg{w} {r},({x})",     "lock add{w} ${n},({x})",    "lock inc{w} ({x})",
      "add{w} ${n},({x})",     "lock cmpxchg{w} ({x}),{b}", "mfence",
      "lock xor{w} ${n},({x})"};
  std::array<std::vector<std::string>, 2> code;
  for (auto& thread : code)
    for (std::size_t i = 0, n = 2 + random.below(2); i < n; ++i) {
      const auto which = random.below(2);
      const Width& width = of[which];
      thread.push_back(fmt::format(
          fmt::runtime(forms.at(random.below(forms.size()))), fmt::arg("w", width.suffix),
          fmt::arg("n", 1 + random.below(2)), fmt::arg("x", cells[which]),
          fmt::arg("r", width.registers[random.below(2)]), fmt::arg("b", width.registers[1])));
    }
  std::string rows;
  for (std::size_t row = 0; row < 3; ++row)
    rows += fmt::format(" {} | {} ;\n", row < code[0].size() ? code[0][row] : "",
                        row < code[1].size() ? code[1][row] : "");
  return fmt::format("X86_64 widths\n{{ {} {}; {} {}; }}\n P0 | P1 ;\n{}"
                     "locations [{}; {}; 0:rax; 0:rbx; 1:rax; 1:rbx;]\n",
                     of[0].type, cells[0], of[1].type, cells[1], rows, cells[0], cells[1]);
}

bool is_for_herd7(const litmus::Test& test) {
  try {
    x86::herd_export(test);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

/// Widths that the locations of a test have.
std::set<litmus::Width> widths_of(const litmus::Test& test) {
  std::set<litmus::Width> out;
  for (const auto& cell : test.code().cells()) out.insert(cell.type.width);
  return out;
}

class Herd7Widths : public testing::Test {
 protected:
  static constexpr std::size_t batch = 500; // programs a process

  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  }

  /// As many as wanted of those that herd7 reads, most of them with several widths.
  static void compare(const char* what, const std::function<std::optional<litmus::Test>()>& draw) {
    const auto plan = cat::load_model("x86-tso", x86::architecture, {.as_plain = true});
    HerdOptions options;
    options.seconds = 1;
    options.optace = "true";
    Agreement counts;
    std::size_t mixed = 0, done = 0;
    const auto wanted = program_count();
    while (done < wanted) {
      std::vector<litmus::Test> tests;
      while (tests.size() < std::min(batch, wanted - done)) {
        auto test = draw();
        if (!test || !is_for_herd7(*test)) continue;
        mixed += widths_of(*test).size() > 1 ? 1 : 0;
        test->name = fmt::format("t{}", done + tests.size());
        tests.push_back(*std::move(test));
      }
      agree(tests, plan, options, counts);
      done += tests.size();
    }
    std::printf("%s: %s; %zu with several widths\n", what, to_string(counts).c_str(), mixed);
    if (wanted < 50) return; // too few to expect anything of
    EXPECT_LE(counts.undecided * 4, wanted) << "too many come to nothing";
    EXPECT_GT(mixed * 3, wanted);
  }
};

TEST_F(Herd7Widths, RandomAssembly) {
  std::uint64_t seed = 0;
  compare("assembly", [&]() -> std::optional<litmus::Test> {
    return litmus::parse({"widths.litmus", random_assembly(seed++)});
  });
}

/// What shipped schemes make of programs with Java's types, longs that differ in both halves among
/// their values.
TEST_F(Herd7Widths, CodeOfSchemes) {
  auto profile = gen::load_profile("widths");
  profile.max_threads = 2;
  profile.max_accesses = 4;
  profile.rmw = 10; // herd7 takes seconds for two of them
  profile.types = 80;
  profile.false_dependency = 0;
  gen::Generator generator(profile, 17, 0);
  std::vector<lower::Target> targets;
  for (const char* name : {"x86:table2", "x86:fenced", "x86:hotspot-c2", "x86:leading-fence"})
    targets.push_back(lower::Target::named(name));
  std::size_t next = 0;
  compare("schemes", [&]() -> std::optional<litmus::Test> {
    litmus::Test source;
    source.name = "drawn";
    source.program = generator.next().program;
    source.locations = litmus::observables(source, true);
    for (const auto& location : source.java().locations)
      source.locations.push_back({{}, location.name});
    auto& target = targets[next++ % targets.size()];
    try {
      return lower::lowered_test(source, target.lower(source.java(), 2), target.name());
    } catch (const Unsupported&) {
      return std::nullopt;
    }
  });
}

} // namespace
} // namespace thinair::runners
