// Structs of a machine's memory: where their cells lie, how tests declare them, and what code sees
// of them.
#include "litmus/language.h"
#include "litmus/machine/cells.h"
#include "litmus/random.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace thinair::litmus {
namespace {

std::vector<Cell> drawn(Random& random) {
  std::vector<Cell> out;
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
    const auto length = static_cast<std::uint32_t>(random.below(20));
    const bool same = random.chance(1, 3);
    for (std::uint32_t i = 0; i < std::max(length, 1U); ++i) {
      Cell cell;
      cell.name = length > 0 ? fmt::format("cells{}[{}]", n, i) : fmt::format("cells{}", n);
      const auto& rows = types();
      cell.type = rows[same && i > 0 ? 0 : random.below(rows.size())].type;
      if (same && i > 0) cell.type = out.back().type;
      cell.initial = as_declared(static_cast<Value>(random.next()), cell.type);
      cell.length = length;
      cell.index = i;
      out.push_back(std::move(cell));
    }
  }
  return out;
}

/// As C lays a struct out: each cell where its width divides the address, none over another, and no
/// more room between two than that takes. And back.
TEST(Structs, CellsLieAsInC) {
  Random random(1, 1);
  for (std::uint64_t i = 0; i < test::draws(500); ++i) {
    const auto cells = drawn(random);
    std::vector<std::uint64_t> begins;
    for (std::uint32_t c = 0; c < cells.size(); ++c) {
      const auto address = address_of(LocationId(c), cells);
      const auto width = static_cast<std::uint64_t>(cells[c].type.width);
      ASSERT_EQ(address % width, 0U);
      ASSERT_EQ(location_at(address, cells), LocationId(c));
      if (cells[c].index == 0) {
        ASSERT_EQ(address, address_of(LocationId(c)));
      } else {
        const auto end = begins.back() + static_cast<std::uint64_t>(cells[c - 1].type.width);
        ASSERT_GE(address, end);
        ASSERT_LT(address, end + width);
      }
      begins.push_back(address);
    }
    for (auto at = begins.front() - 8; at < begins.back() + 64; ++at)
      if (std::ranges::find(begins, at) == begins.end()) {
        ASSERT_EQ(location_at(at, cells), std::nullopt) << at;
      }
  }
}

/// Declared, and read again.
TEST(Structs, AreReadAsTheyAreWritten) {
  Random random(2, 1);
  std::uint64_t structs = 0;
  for (std::uint64_t i = 0; i < test::draws(200); ++i) {
    const auto cells = drawn(random);
    std::string text;
    for (std::size_t c = 0; c < cells.size(); c += std::max(cells[c].length, 1U))
      text += fmt::format("{};\n", declared(cells, c));
    structs += has_struct(cells) ? 1 : 0;
    for (const char* language : {"X86_64", "AArch64", "RISCV"}) {
      const auto read = parse(
          {"t", fmt::format("{} t\n{{\n{}}}\n P0 ;\n nop ;\nexists (true)\n", language, text)});
      const auto all = read.code().cells();
      ASSERT_EQ(all.size(), cells.size()) << text;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        EXPECT_EQ(all[c].name, cells[c].name);
        EXPECT_EQ(all[c].type, cells[c].type) << text;
        EXPECT_EQ(all[c].length, cells[c].length);
      }
      EXPECT_EQ(print(parse({"t", print(read)})), print(read));
    }
  }
  EXPECT_GT(structs, test::draws(200) / 2);
}

std::string with(const std::string& initial) {
  return fmt::format("AArch64 t\n{{\n{};\n}}\n P0 ;\n nop ;\nexists (true)\n", initial);
}

TEST(Structs, ArePrintedWithTheirValues) {
  const auto test = parse({"t", with("struct {int8_t; int64_t; int} s={-1,5,7}")});
  EXPECT_NE(print(test).find("struct {int8_t; int64_t; int} s={-1,5,7};"), std::string::npos)
      << print(test);
  EXPECT_NE(print(parse({"t", with("struct {int; int;} s")})).find("int s[2]={0,0};"),
            std::string::npos);
}

void says(const std::string& initial, const std::string& what) {
  try {
    parse({"t", with(initial)});
    ADD_FAILURE() << "read: " << initial;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(Structs, ErrorsSayWhatIsWrong) {
  says("struct {} s", "t:3:9: error: expected a type, as in `struct {int8_t; int}`, found `}`");
  says("struct {int8_t int} s", "t:3:16: error: expected `;` or `}` behind a type, found `int`");
  says("struct {int8; int} s", "t:3:9: error: expected an integer type, found `int8`");
  says("struct {int8_t; int} s={1}", "t:3:24: error: expected 2 values, found 1");
  says("struct {int8_t; int} 0:X1",
       "t:3:24: error: expected a location, found a register for a struct");
}

TEST(Structs, AreNotForHerd7) {
  for (const char* language : {"X86_64", "AArch64", "RISCV"}) {
    const auto test = parse({"t", fmt::format("{} t\n{{\nstruct {{int8_t; int}} s_of;\n}}\n P0 ;\n "
                                              "nop ;\nexists (true)\n",
                                              language)});
    EXPECT_EQ(test.language->beyond_herd(test), "a struct") << language;
    try {
      test.language->for_herd(test, false);
      ADD_FAILURE() << language;
    } catch (const Unsupported& no) {
      EXPECT_EQ(no.what(), std::string("unsupported: a struct ") +
                               (language[0] == 'X' ? "for herd7" : "in herd7"));
    }
  }
}

} // namespace
} // namespace thinair::litmus
