// Programs with objects: what is drawn, what the reducer proposes of it, and types.
#include "gen/generator.h"
#include "gen/measure.h"
#include "gen/publication.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "gen/walk.h"
#include "litmus/canonical.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/typed.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::gen {
namespace {

using litmus::Random;

std::string text(const Program& program) {
  litmus::Test test;
  test.name = "t";
  test.program = program;
  return litmus::print(test);
}

std::optional<Program> read_again(const Program& program) {
  try {
    return litmus::parse({"t", text(program)}).java();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// What a publication may be, looked for in a program.
std::set<std::string> features_of(const Program& program) {
  std::set<std::string> out;
  if (program.classes.size() > 1) out.insert("chain");
  if (!program.monitors.empty()) out.insert("monitor");
  for (const auto& of : program.classes)
    for (const auto& field : of.fields) out.insert(field.is_final ? "final" : "not final");
  for (const auto& location : program.locations)
    out.insert(location.type.refers() ? "reference" : "int");
  std::map<std::uint32_t, int> makers;
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
      ++makers[t.value];
      for (const auto& inner : made->body)
        if (const auto* access = std::get_if<litmus::Access>(&inner.node))
          if (!access->field) out.insert("leak");
    }
    if (const auto* access = std::get_if<litmus::Access>(&statement.node)) {
      const bool refers =
          litmus::type_of(program, program.threads[t.value], access->location, access->field)
              .refers();
      if (refers && litmus::is_rmw(info(access->method).action)) out.insert("exchange");
      if (access->field) out.insert(refers ? "reference by field" : "int by field");
    }
  });
  if (makers.size() > 1) out.insert("lazy");
  return out;
}

TEST(Publications, AreWellTypedTidyAndWithinBounds) {
  auto profile = load_profile("final");
  profile.locked = 30;
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < test::draws(2000); ++i) {
    Random random(11, static_cast<std::uint64_t>(i));
    const Program program = draw_publication(profile, random);
    ASSERT_TRUE(litmus::well_typed(program)) << text(program);
    ASSERT_EQ(tidy(program), program) << text(program);
    ASSERT_EQ(read_again(program), program) << text(program);
    ASSERT_LE(litmus::count_accesses(program), profile.max_accesses) << text(program);
    ASSERT_LE(program.threads.size(), profile.max_threads);
    ASSERT_LE(program.locations.size(), profile.max_locations);
    ASSERT_FALSE(program.objects.empty());
    for (const auto& feature : features_of(program)) ++seen[feature];
  }
  for (const auto* feature : {"chain", "monitor", "final", "not final", "reference", "int", "leak",
                              "exchange", "reference by field", "int by field", "lazy"})
    EXPECT_GT(seen[feature], test::draws(2000) / 50) << feature;
}

/// What a program about an array may have, looked for.
std::set<std::string> array_features_of(const Program& program) {
  std::set<std::string> out;
  for (const auto& of : program.classes) {
    if (of.is_array) out.insert(of.fields[0].type.refers() ? "of references" : "of ints");
    for (const auto& field : of.fields)
      if (field.type.refers() && program.classes[field.type.of.value].is_array)
        out.insert(field.is_final ? "in a final field" : "in a field");
  }
  const auto look = [&](const auto& node) {
    const auto* index = litmus::element_index(node);
    if (index == nullptr) return;
    const bool constant = index->op == litmus::Operator::constant;
    out.insert(constant ? "constant" : index->op == litmus::Operator::reg ? "read" : "computed");
    if (litmus::is_rmw(info(node.method).action)) out.insert("update");
  };
  each_statement(program, [&](ThreadId, const Statement& statement) {
    if (const auto* access = std::get_if<litmus::Access>(&statement.node)) look(*access);
  });
  return out;
}

TEST(ArrayPrograms, AreWellTypedTidyAndWithinBounds) {
  const auto profile = load_profile("arrays");
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < test::draws(2000); ++i) {
    Random random(15, static_cast<std::uint64_t>(i));
    const Program program = draw_publication(profile, random);
    ASSERT_TRUE(litmus::well_typed(program)) << text(program);
    ASSERT_EQ(tidy(program), program) << text(program);
    ASSERT_EQ(read_again(program), program) << text(program);
    ASSERT_LE(litmus::count_accesses(program), profile.max_accesses) << text(program);
    ASSERT_LE(program.threads.size(), profile.max_threads);
    ASSERT_LE(program.locations.size(), profile.max_locations);
    for (const auto& feature : array_features_of(program)) ++seen[feature];
  }
  for (const auto* feature : {"of references", "of ints", "in a final field", "in a field",
                              "constant", "read", "computed", "update"})
    EXPECT_GT(seen[feature], test::draws(2000) / 50) << feature;
}

/// Where a model has no meaning for them, they are not drawn.
TEST(Publications, HaveNoFinalFieldsWhereAModelHasNone) {
  using litmus::Construct;
  auto profile = load_profile("final");
  profile.locked = 100;
  profile =
      restricted(profile, litmus::Constructs::all() -
                              (litmus::Constructs(Construct::final_fields) | Construct::monitors));
  for (std::uint64_t i = 0; i < test::draws(300); ++i) {
    Random random(12, static_cast<std::uint64_t>(i));
    const auto seen = features_of(draw_publication(profile, random));
    EXPECT_FALSE(seen.contains("final"));
    EXPECT_FALSE(seen.contains("monitor"));
  }
}

Program random_objects(std::uint64_t seed) {
  Random random(13, seed);
  if (seed % 4 == 3)
    return litmus::RandomObjects(
               random, {.threads = 2, .statements = 3, .depth = 1, .objects = 3, .arrays = true})
        .make();
  return litmus::RandomObjects(random, {.threads = 2, .statements = 3, .depth = 1, .objects = 3})
      .make();
}

TEST(Reducer, ProposesWellTypedProgramsOfObjects) {
  for (std::uint64_t i = 0; i < test::draws(20); ++i) {
    const Program program = tidy(random_objects(static_cast<std::uint64_t>(i)));
    ASSERT_TRUE(litmus::well_typed(program)) << text(program);
    ASSERT_EQ(tidy(program), program);
    ASSERT_EQ(read_again(program), program) << text(program);
    const auto bound = measure(program);
    for (const auto& proposal : proposals(program)) {
      if (proposal.threads.empty()) continue; // has no text
      ASSERT_TRUE(litmus::well_typed(proposal)) << text(program) << text(proposal);
      ASSERT_EQ(tidy(proposal), proposal) << text(program) << text(proposal);
      ASSERT_EQ(read_again(proposal), proposal) << text(program) << text(proposal);
      ASSERT_LT(measure(proposal), bound);
    }
  }
}

/// A reduction of a program with objects ends with the smallest that has what it is asked for.
TEST(Reducer, EndsWithTheObjectsThatMatter) {
  const auto program = litmus::parse({"t", R"(Java t
{ class A { final int x; int y; B b; } class B { int z; } A f = null; int n; 0:F=f; 0:N=n; 1:F=f; 1:N=n; }
Thread0 {
  N.set(1);
  B q = new B { q.z = 2; };
  A p = new A { p.x = 3; p.y = 4; p.b = q; };
  F.setRelease(p);
}
Thread1 {
  A r = F.getAcquire();
  int k = N.get();
  if (r != null) { int i = r.x; int j = r.y; B s = r.b; if (s != null) { int l = s.z; } }
}
)"})
                           .java();
  const auto finals = [](const Program& p) {
    std::size_t reads = 0, makes = 0;
    each_place(p, [&](ThreadId t, LocationId, const std::optional<litmus::FieldOf>& field) {
      if (field && litmus::field_of(p, p.threads[t.value], *field).is_final) ++reads;
    });
    each_statement(p, [&](ThreadId, const Statement& s) {
      makes += std::holds_alternative<litmus::New>(s.node) ? 1 : 0;
    });
    return reads >= 2 && makes >= 1;
  };
  const auto reduced =
      reduce(program, [&](const Program& p) { return finals(p) ? Interest::yes : Interest::no; });
  EXPECT_EQ(reduced.program.objects.size(), 1U) << text(reduced.program);
  EXPECT_EQ(reduced.program.classes.size(), 1U);
  EXPECT_EQ(reduced.program.classes.at(0).fields.size(), 1U);
  EXPECT_TRUE(reduced.program.classes.at(0).fields.at(0).is_final);
  EXPECT_EQ(reduced.program.threads.size(), 1U);
}

/// Of an array that is in the way nothing is left; of one that matters the elements that do.
TEST(Reducer, EndsWithoutTheArrayWhereElementsAreEnough) {
  const auto program = litmus::parse({"t", R"(Java t
{ int[] f = null; int n; 0:F=f; 0:N=n; 1:F=f; 1:N=n; }
Thread0 {
  int[] a = new int[4];
  int i = N.get();
  a[i + 1] = 2;
  F.setRelease(a);
  a[3].setVolatile(1);
}
Thread1 {
  int[] b = F.getAcquire();
  int k = N.get();
  int r = b[k].getVolatile();
}
)"})
                           .java();
  const auto volatile_read = [](const Program& p) {
    bool found = false;
    each_statement(p, [&](ThreadId, const Statement& s) {
      const auto* access = std::get_if<litmus::Access>(&s.node);
      found = found || (access != nullptr && access->method == litmus::Method::getVolatile);
    });
    const bool made = !litmus::features(p).arrays || !p.objects.empty();
    return found && made ? Interest::yes : Interest::no;
  };
  const auto alone = reduce(program, volatile_read).program;
  EXPECT_TRUE(alone.classes.empty()) << text(alone);
  const auto indexed = reduce(program, [&](const Program& p) {
                         return volatile_read(p) == Interest::yes && litmus::features(p).arrays
                                    ? Interest::yes
                                    : Interest::no;
                       }).program;
  EXPECT_EQ(litmus::count_accesses(indexed), 1U) << text(indexed);
  for (const auto& object : indexed.objects) EXPECT_LE(object.length, 1U) << text(indexed);
}

/// `well_typed` says of programs what the reader says of their texts.
TEST(Types, TheReaderAgrees) {
  int ill = 0;
  for (std::uint64_t i = 0; i < test::draws(3000); ++i) {
    Program program = tidy(random_objects(static_cast<std::uint64_t>(i)));
    Random random(14, static_cast<std::uint64_t>(i));
    std::vector<std::size_t> values; // that may be replaced
    std::vector<ThreadId> owners;
    std::size_t index = 0;
    each_expression(std::as_const(program), [&](ThreadId t, const Expression& e) {
      if (e.op == litmus::Operator::constant || e.op == litmus::Operator::reg) {
        values.push_back(index);
        owners.push_back(t);
      }
      ++index;
    });
    if (values.empty()) continue;
    const auto at = static_cast<std::size_t>(random.below(values.size()));
    const auto& registers = program.threads[owners[at].value].registers;
    if (registers.empty()) continue;
    const auto reg = RegisterId(static_cast<std::uint32_t>(random.below(registers.size())));
    program = with_expression(program, values[at], [&](Expression& e) { e = Expression::of(reg); });
    const bool typed = litmus::well_typed(program);
    ill += typed ? 0 : 1;
    ASSERT_EQ(typed, read_again(program) == program) << text(program);
  }
  EXPECT_GT(ill, test::draws(3000) / 4);
}

} // namespace
} // namespace thinair::gen
