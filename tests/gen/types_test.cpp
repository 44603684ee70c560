// Types in drawn programs: what is drawn and what the reducer proposes is well typed, and types go
// where they are not needed.
#include "gen/generator.h"
#include "gen/profile.h"
#include "gen/reduce.h"
#include "gen/types.h"
#include "litmus/java/format.h"
#include "litmus/test.h"
#include "litmus/typed.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

namespace thinair::gen {
namespace {

TEST(GeneratedTypes, AreDrawnByTheProfileWidthsAlone) {
  Generator widths(load_profile("widths"), 1, 0), plain(load_profile("varhandle"), 1, 0);
  std::uint64_t typed = 0;
  for (std::uint64_t i = 0; i < test::draws(1000); ++i) {
    const auto made = widths.next().program;
    ASSERT_TRUE(types_fit(made)) << litmus::java::print(made);
    typed += litmus::features(made).types ? 1 : 0;
    ASSERT_FALSE(litmus::features(plain.next().program).types);
  }
  EXPECT_GT(typed, test::draws(1000) / 2);
}

TEST(GeneratedTypes, FloatsAreDrawnByTheirProfileAlone) {
  Generator floats(load_profile("floats"), 1, 0), widths(load_profile("widths"), 1, 0);
  std::uint64_t found = 0, special = 0;
  for (std::uint64_t i = 0; i < test::draws(1000); ++i) {
    const auto made = floats.next().program;
    const auto text = litmus::java::print(made);
    ASSERT_TRUE(types_fit(made)) << text;
    found += litmus::features(made).floats ? 1 : 0;
    special += text.find("NaN") != std::string::npos || text.find("-0.0") != std::string::npos;
    ASSERT_FALSE(litmus::features(widths.next().program).floats);
  }
  EXPECT_GT(found, test::draws(1000) / 2);
  EXPECT_GT(special, test::draws(1000) / 20);
}

/// Fields, elements and what indexes them; the reducer keeps to types, and goes back to ints.
TEST(GeneratedTypes, AreDrawnInObjectsAndArrays) {
  for (const char* name : {"typed-objects", "typed-arrays"}) {
    Generator typed(load_profile(name), 3, 0);
    std::uint64_t found = 0, edges = 0;
    for (std::uint64_t i = 0; i < test::draws(600); ++i) {
      const auto made = typed.next().program;
      const auto text = litmus::java::print(made);
      ASSERT_TRUE(types_fit(made)) << text;
      ASSERT_TRUE(litmus::well_typed(made)) << text;
      found += litmus::features(made).types ? 1 : 0;
      edges += text.find("127") != std::string::npos || text.find("-128") != std::string::npos;
      if (i % 20 != 0 || !litmus::features(made).types) continue;
      for (const auto& proposal : proposals(made))
        ASSERT_TRUE(types_fit(proposal)) << litmus::java::print(proposal);
    }
    EXPECT_GT(found, test::draws(600) / 2) << name;
    EXPECT_GT(edges, test::draws(600) / 30) << name;
  }
}

TEST(GeneratedTypes, TheReducerKeepsToFloats) {
  Generator floats(load_profile("floats"), 2, 0);
  for (std::uint64_t i = 0; i < test::draws(60); ++i) {
    const auto made = floats.next().program;
    if (!litmus::features(made).floats) continue;
    for (const auto& proposal : proposals(made))
      ASSERT_TRUE(types_fit(proposal)) << litmus::java::print(proposal);
  }
}

TEST(GeneratedTypes, TheReducerKeepsToThem) {
  Generator widths(load_profile("widths"), 2, 0);
  for (std::uint64_t i = 0; i < test::draws(60); ++i) {
    const auto made = widths.next().program;
    if (!litmus::features(made).types) continue;
    for (const auto& proposal : proposals(made))
      ASSERT_TRUE(types_fit(proposal)) << litmus::java::print(proposal);
  }
}

litmus::Program parsed(const std::string& text) { return litmus::parse({"t", text}).java(); }

TEST(GeneratedTypes, GoWhereIntsDo) {
  const auto program = parsed("Java T\n{ long x; byte y; X=x; Y=y; }\nThread0 { X.setVolatile(7L); "
                              "long r = X.get(); Y.set((byte) r); }\nexists (true)\n");
  const auto reduced = reduce(program, [](const litmus::Program& p) {
    bool stores = false;
    for (const auto& thread : p.threads)
      for (const auto& statement : thread.body)
        if (const auto* access = std::get_if<litmus::Access>(&statement.node))
          stores = stores || access->method == litmus::Method::setVolatile;
    return stores ? Interest::yes : Interest::no;
  });
  EXPECT_FALSE(litmus::features(reduced.program).types) << litmus::java::print(reduced.program);
}

TEST(GeneratedTypes, FloatsGoWhereIntsDo) {
  const auto program =
      parsed("Java T\n{ double x = 1.5; float y; X=x; Y=y; }\nThread0 { X.setVolatile(7.25); "
             "double r = X.get(); Y.set((float) r); }\nexists (true)\n");
  const auto reduced = reduce(program, [](const litmus::Program& p) {
    for (const auto& thread : p.threads)
      for (const auto& statement : thread.body)
        if (const auto* access = std::get_if<litmus::Access>(&statement.node))
          if (access->method == litmus::Method::setVolatile) return Interest::yes;
    return Interest::no;
  });
  EXPECT_EQ(litmus::java::print(reduced.program).find("double"), std::string::npos)
      << litmus::java::print(reduced.program);
  EXPECT_FALSE(litmus::features(reduced.program).types) << litmus::java::print(reduced.program);
}

/// A float whose bits matter becomes 1.0, not the float whose bits are 1.
TEST(GeneratedTypes, ConstantsOfFloatsShrinkToPlainOnes) {
  const auto program = parsed("Java T\n{ double x; X=x; }\nThread0 { X.setVolatile(7.25); }\n"
                              "exists (true)\n");
  const auto reduced = reduce(program, [](const litmus::Program& p) {
    for (const auto& location : p.locations)
      if (location.type.kind == litmus::TypeKind::double_)
        for (const auto& statement : p.threads.at(0).body)
          if (const auto* access = std::get_if<litmus::Access>(&statement.node))
            if (access->method == litmus::Method::setVolatile && access->arguments[0].constant != 0)
              return Interest::yes;
    return Interest::no;
  });
  const auto text = litmus::java::print(reduced.program);
  EXPECT_TRUE(text.find("setVolatile(1)") != std::string::npos ||
              text.find("setVolatile(1.0)") != std::string::npos)
      << text;
}

TEST(GeneratedTypes, StayWhereOneIsNeeded) {
  const auto program = parsed("Java T\n{ long x; byte y; X=x; Y=y; }\nThread0 { X.setVolatile(7L); "
                              "Y.set(3); }\nexists (true)\n");
  const auto reduced = reduce(program, [](const litmus::Program& p) {
    for (const auto& location : p.locations)
      if (location.type.kind == litmus::TypeKind::long_) return Interest::yes;
    return Interest::no;
  });
  EXPECT_EQ(count_types(reduced.program), 1U) << litmus::java::print(reduced.program);
}

} // namespace
} // namespace thinair::gen
