// Objects in machine code: schemes hand over what the source hands over, by both engines, and
// final fields need their freeze.
#include "gen/generator.h"
#include "gen/methods.h"
#include "gen/publication.h"
#include "gen/types.h"
#include "gen/walk.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "tests/runners/target_checks.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace thinair::runners {
namespace {

litmus::Test drawn(const gen::Profile& profile, std::uint64_t i) {
  litmus::Random random(21, i);
  litmus::Test test;
  test.name = "drawn-" + std::to_string(i);
  test.program = gen::draw_publication(profile, random);
  if (profile.types > 0)
    test.program = gen::with_types(test.java(), profile.types, profile.floats, random);
  return test;
}

/// None where the scheme has no code for it: updates of bytes on RISC-V.
std::optional<SoundnessResult> checked(const litmus::Test& test, lower::Target& target,
                                       const std::string& by) {
  try {
    return check(test, target, by);
  } catch (const Unsupported& no) {
    const std::string why = no.what();
    EXPECT_TRUE(litmus::features(test.java()).types && why.find("has no such") != why.npos) << why;
    return std::nullopt;
  }
}

gen::Profile small(const char* name) {
  auto profile = gen::load_profile(name);
  profile.max_threads = 2;
  profile.max_accesses = 8;
  return profile;
}

/// What code shows that was judged under `sc`: no less than interleavings, and no more.
void expect_what_interleavings_do(const litmus::Test& test, const SoundnessResult& result) {
  litmus::Test asked = test;
  asked.locations = result.observables;
  const auto all = oracle::Oracle(asked, model("sc")).behaviours();
  EXPECT_NE(result.verdict, Soundness::unsound) << litmus::print(test);
  EXPECT_EQ(result.behaviours.size(), all.behaviours.size()) << litmus::print(test);
}

class ObjectsOnEach : public testing::TestWithParam<std::string> {};

/// Where full fences stand everywhere, code does what interleavings of the source do, no more and
/// no less: addresses, fields, elements, null, bounds and identity come out right. Of weak
/// compare-and-sets it need not do what they do when they fail for no reason.
void compare_with_interleavings(const std::string& machine, const char* name) {
  auto target = lower::Target::named(machine + ":fenced");
  auto profile = small(name);
  profile.unchecked = 40; // null is dereferenced
  std::uint64_t many = 0, compared = 0;
  const auto wanted = test::draws(60);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto test = drawn(profile, i);
    const auto result = checked(test, target, "sc");
    if (!result) continue;
    ASSERT_EQ(result->verdict, Soundness::sound) << litmus::print(test) << result->reason.text;
    many += result->behaviours.size() > 1 ? 1 : 0;
    if (fails_for_no_reason(test)) continue;
    expect_what_interleavings_do(test, *result);
    if (testing::Test::HasFailure()) return;
    ++compared;
  }
  EXPECT_GT(many, wanted / 3);
  EXPECT_GT(compared, wanted / 2);
}

TEST_P(ObjectsOnEach, FencedCodeDoesWhatInterleavingsDo) {
  compare_with_interleavings(GetParam(), "objects");
}

TEST_P(ObjectsOnEach, FencedCodeIndexesArraysAsInterleavingsDo) {
  compare_with_interleavings(GetParam(), "arrays");
}

/// Fields and elements of all types, each as wide as it is, beside each other.
TEST_P(ObjectsOnEach, FencedCodeKeepsTypesApart) {
  compare_with_interleavings(GetParam(), "typed-objects");
  compare_with_interleavings(GetParam(), "typed-arrays");
}

TEST_P(ObjectsOnEach, PublicationsAreSound) {
  const auto& machine = GetParam();
  auto target = lower::Target::named(machine == "x86" ? "x86:table2" : machine + ":cxx");
  const std::array profiles{small("final"), small("arrays"), small("typed-objects"),
                            small("typed-arrays")};
  for (std::uint64_t i = 0; i < test::draws(200); ++i) {
    const auto test = drawn(profiles[i % profiles.size()], i);
    const auto result = checked(test, target, "java");
    if (!result) continue;
    ASSERT_EQ(result->verdict, Soundness::sound) << litmus::print(test) << result->reason.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Machine, ObjectsOnEach, testing::Values("x86", "aarch64", "riscv"),
                         word_of);

class ObjectEngines : public testing::TestWithParam<std::string> {};

/// None where the machine runs ahead of the branch on an index, to an address of nothing, and where
/// LLVM's code has what the machine's language lacks.
std::optional<SoundnessResult> by_engine(const litmus::Test& test, lower::Target& target,
                                         std::string_view engine) {
  try {
    return check(test, target, "java", engine);
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// The axioms and the abstract machine follow addresses through memory alike.
void compare_engines(const std::string& name, const char* drawn_by, std::uint64_t least_of) {
  auto target = lower::Target::named(name);
  auto profile = small(drawn_by);
  profile.max_accesses = 6;
  std::uint64_t compared = 0;
  const auto wanted = test::draws(60);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto test = drawn(profile, i);
    const auto by_axioms = by_engine(test, target, "builtin");
    const auto by_machine = by_engine(test, target, "operational");
    if (!by_axioms || !by_axioms->whole || !by_machine || !by_machine->whole) continue;
    ++compared;
    ASSERT_EQ(by_axioms->behaviours, by_machine->behaviours) << litmus::print(test);
  }
  EXPECT_GE(compared, wanted / least_of);
}

TEST_P(ObjectEngines, Agree) {
  compare_engines(GetParam(), "objects", 2);
  compare_engines(GetParam(), "typed-objects", 4);
}

INSTANTIATE_TEST_SUITE_P(Target, ObjectEngines,
                         testing::Values("x86:table2", "aarch64:cxx", "aarch64:llvm-O2"), word_of);

/// An address that a thread reads where it wrote it itself.
TEST(Objects, AThreadSeesItsOwn) {
  const auto test = litmus::parse({"it", R"(Java own
{ class A { int x; } A f = null; 0:F=f; }
Thread0 { A p = new A { p.x = 3; }; F.set(p); A q = F.get(); int i = q.x; }
exists (0:i=3)
)"});
  for (const char* name :
       {"x86:table2", "aarch64:cxx", "riscv:cxx", "x86:llvm-O0", "aarch64:llvm-O2"}) {
    auto target = lower::Target::named(name);
    const auto result = check(test, target, "java");
    EXPECT_EQ(result.verdict, Soundness::sound) << name;
    EXPECT_EQ(result.behaviours.size(), 1U) << name;
  }
}

class ArrayEngines : public testing::TestWithParam<std::string> {};

TEST_P(ArrayEngines, Agree) {
  compare_engines(GetParam(), "arrays", 4);
  compare_engines(GetParam(), "typed-arrays", 4);
}

INSTANTIATE_TEST_SUITE_P(Target, ArrayEngines,
                         testing::Values("x86:table2", "aarch64:cxx", "x86:llvm-O2"), word_of);

constexpr const char* publication = R"(Java publication
{ class A { final int x; A next; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { p.x = 3; }; F.set(p); }
Thread1 { A r = F.get(); int i = 7; if (r != null) { i = r.x; } }
forbidden (1:r!=null /\ 1:i=0)
)";

/// JLS 17.5: the freeze orders the constructor before the publication on the writer's side, and the
/// address does on the reader's.
TEST(Freeze, IsNeededWhereStoresAreReordered) {
  const auto test = litmus::parse({"it", publication});
  const std::map<std::string, Soundness> without = {{"x86:table2", Soundness::sound},
                                                    {"aarch64:cxx", Soundness::unsound},
                                                    {"riscv:cxx", Soundness::unsound}};
  for (const auto& [name, verdict] : without) {
    auto whole = lower::Target::named(name);
    EXPECT_EQ(check(test, whole, "java").verdict, Soundness::sound) << name;
    auto bare =
        lower::Target::of_scheme({"bare.scheme", "scheme " + std::string(whole.machine()->prefix) +
                                                     ":bare like " + name + "\nfreeze { }\n"});
    EXPECT_EQ(check(test, bare, "java").verdict, verdict) << name;
  }
}

/// Random programs find it, too, and none of the others needs what is not there.
TEST(Freeze, IsMissedByRandomPrograms) {
  auto bare = lower::Target::of_scheme(
      {"bare.scheme", "scheme aarch64:bare like aarch64:cxx\nfreeze { }\n"});
  const auto profile = small("final");
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < 60 && found == 0; ++i)
    found += check(drawn(profile, i), bare, "java").verdict == Soundness::unsound ? 1 : 0;
  EXPECT_GT(found, 0U);
}

TEST(Freeze, WithoutARuleIsUnsupportedByName) {
  auto none = lower::Target::of_scheme(
      {"none.scheme", "scheme aarch64:none like aarch64:cxx\nfreeze { unsupported }\n"});
  try {
    check(litmus::parse({"it", publication}), none, "java");
    FAIL() << "accepted";
  } catch (const Unsupported& unsupported) {
    EXPECT_STREQ(unsupported.what(), "unsupported: freeze, for which the scheme has no code");
  }
}

/// An index is compared with the array's length, by branches that what follows depends on; where it
/// is out of bounds the thread gets no further, whatever lies behind the array.
TEST(Arrays, AreCheckedInCode) {
  const auto ends = [](const char* machine, int index) {
    auto target = lower::Target::named(machine);
    const auto test = litmus::parse(
        {"t", fmt::format("Java t\n{{ n = {}; N=n; }}\nThread0 {{ int i = N.get(); "
                          "int[] a = new int[2]; int[] b = new int[2]; b[0] = 3; b[1] = 4; "
                          "a[i] = 7; int r = a[i]; int s = b[0] + b[1]; }}\nexists (0:r=7)\n",
                          index)});
    const auto result = check(test, target, "java");
    EXPECT_EQ(result.whole, true);
    EXPECT_NE(result.verdict, Soundness::unsound);
    return result.behaviours;
  };
  for (const char* machine : {"x86:table2", "aarch64:cxx", "riscv:cxx"}) {
    EXPECT_EQ(ends(machine, 1).size(), 1U) << machine;
    for (const int index : {-1, 2, 3, 4, -2147483647, 1073741824, 1073741825})
      EXPECT_TRUE(ends(machine, index).empty()) << machine << " " << index;
  }
}

/// The last thread makes another array, a longer or a shorter one.
litmus::Program with_another_length(litmus::Program program, litmus::Random& random) {
  const auto one = std::ranges::find_if(
      program.objects, [](const litmus::Object& object) { return object.length > 0; });
  if (one == program.objects.end()) return program;
  litmus::Object other = *one;
  other.length += random.chance(1, 2) || other.length == 1 ? 1 : -1U;
  auto& thread = program.threads.back();
  litmus::New made;
  made.target = litmus::RegisterId(static_cast<std::uint32_t>(thread.registers.size()));
  made.object = litmus::ObjectId(static_cast<std::uint32_t>(program.objects.size()));
  thread.registers.push_back({"another", 0, other.of});
  program.objects.push_back(other);
  thread.body.push_back({std::move(made), {}});
  return program;
}

/// Two arrays of each type, of two lengths mostly, and whoever accesses one knows not which; or one
/// that is accessed much, beside another. Half of them have other types than int.
litmus::Test with_lengths(std::uint64_t i) {
  litmus::Random random(22, i);
  if (i % 2 == 0) {
    auto test = drawn(small(i % 4 == 0 ? "arrays" : "typed-arrays"), i);
    test.program = with_another_length(test.java(), random);
    return test;
  }
  litmus::Test test;
  test.name = "drawn-" + std::to_string(i);
  auto program = litmus::RandomObjects(random, {.statements = 4,
                                                .depth = 0,
                                                .finals = false,
                                                .updates = false,
                                                .modes = false,
                                                .arrays = true})
                     .make();
  if (i % 4 == 1) program = gen::with_types(std::move(program), 60, 0, random);
  test.program = std::move(program);
  return test;
}

bool has_several_lengths(const litmus::Program& program) {
  return std::ranges::any_of(program.objects, [&](const litmus::Object& a) {
    return std::ranges::any_of(program.objects, [&](const litmus::Object& b) {
      return a.of == b.of && a.length != b.length;
    });
  });
}

TEST_P(ObjectsOnEach, FencedCodeLoadsLengths) {
  auto target = lower::Target::named(GetParam() + ":fenced");
  std::uint64_t several = 0, ends = 0;
  const auto wanted = test::draws(160);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto test = with_lengths(i);
    if (!has_several_lengths(test.java())) continue;
    const auto result = checked(test, target, "sc");
    if (!result) continue;
    expect_what_interleavings_do(test, *result);
    if (HasFailure()) return;
    ends += result->behaviours.empty() ? 0 : 1;
    ++several;
  }
  EXPECT_GT(several, wanted / 4);
  EXPECT_GT(ends, several / 4);
}

/// The access is to the array that the reference is of, whose length is the shorter one or not.
TEST(Arrays, OfSeveralLengthsAreCheckedByTheirOwn) {
  const auto ends = [](const std::string& machine, const char* type, int index, const char* made) {
    auto target = lower::Target::named(machine);
    const auto test = litmus::parse(
        {"t", fmt::format("Java t\n{{ n = {}; N=n; }}\nThread0 {{ int i = N.get(); "
                          "{}[] a = new {}[1]; {}[] b = new {}[3]; {}[] c = {}; c[i] = 7; "
                          "{} r = c[i]; {} s = b[2]; }}\nexists (0:r=7)\n",
                          index, type, type, type, type, type, made, type, type)});
    const auto result = check(test, target, "java");
    EXPECT_EQ(result.whole, true);
    EXPECT_NE(result.verdict, Soundness::unsound);
    return result.behaviours;
  };
  for (const char* machine : {"x86:table2", "aarch64:cxx", "riscv:cxx", "x86:llvm-O0",
                              "x86:llvm-O2", "aarch64:llvm-O2", "riscv:llvm-O2"})
    for (const char* type : {"byte", "short", "int", "long"}) {
      for (const int index : {0, 1, 2, 3, -1}) {
        EXPECT_EQ(ends(machine, type, index, "a").size(), index == 0 ? 1U : 0U)
            << machine << type << index;
        EXPECT_EQ(ends(machine, type, index, "b").size(), index >= 0 && index < 3 ? 1U : 0U)
            << machine << type << index;
      }
    }
}

/// An address of a byte is its array's and the index as it is, which may be computed: no path is
/// taken for more than the index may be.
TEST(Arrays, OfBytesAreIndexedByWhatIsComputed) {
  const auto test = litmus::parse({"it", R"(Java it
{ char n = 0; N=n; }
Thread0 { N.set(3); }
Thread1 { byte[] a = new byte[4]; a[0] = 7; a[1] = 5; a[2] = 6; char i = N.get(); byte r = a[i ^ 2];
          byte s = a[(i & 1) + 1]; }
exists (1:i=3 /\ 1:r=5)
)"});
  for (const char* name : {"x86:table2", "aarch64:cxx", "riscv:cxx", "x86:llvm-O2",
                           "aarch64:llvm-O2", "riscv:llvm-O2"}) {
    auto target = lower::Target::named(name);
    const auto result = check(test, target, "java");
    EXPECT_EQ(result.verdict, Soundness::sound) << name;
    EXPECT_EQ(result.behaviours.size(), 2U) << name; // all that java allows
  }
}

/// JLS 17.5: elements are reached through the final field, so that the freeze is needed for them.
TEST(Freeze, IsNeededForElements) {
  const auto test = litmus::parse({"it", R"(Java it
{ class A { final int[] of; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { int[] a = new int[2]; a[1] = 3; p.of = a; }; F.set(p); }
Thread1 { A r = F.get(); int k = 1; int i = 7; if (r != null) { int[] t = r.of; i = t[k]; } }
forbidden (1:r!=null /\ 1:i=0)
)"});
  for (const std::string machine : {"aarch64", "riscv"}) {
    auto whole = lower::Target::named(machine + ":cxx");
    EXPECT_EQ(check(test, whole, "java").verdict, Soundness::sound) << machine;
    auto bare = lower::Target::of_scheme(
        {"bare.scheme", "scheme " + machine + ":bare like " + machine + ":cxx\nfreeze { }\n"});
    EXPECT_EQ(check(test, bare, "java").verdict, Soundness::unsound) << machine;
  }
}

/// None where LLVM's code is more than the machine's language has: an instruction, which is shown,
/// the word around a byte on RISC-V, a register for an address and a long. Never because of where
/// it goes.
std::optional<SoundnessResult> compiled(const litmus::Test& test, lower::Target& target,
                                        const std::string& by = "java") {
  try {
    return check(test, target, by);
  } catch (const Unsupported& no) {
    const std::string_view why = no.what();
    const bool lacks = why.ends_with(']') || why.find("bytes to") != why.npos ||
                       why.find("a long in a register") != why.npos;
    EXPECT_TRUE(litmus::features(test.java()).types && lacks) << why << litmus::print(test);
    return std::nullopt;
  }
}

/// The program with every access volatile.
litmus::Program strongest(litmus::Program program) {
  gen::each_statement(program, [](litmus::ThreadId, litmus::Statement& statement) {
    auto* access = std::get_if<litmus::Access>(&statement.node);
    if (access == nullptr) return;
    const auto action = litmus::info(access->method).action;
    const bool reads = action == litmus::Action::get;
    access->method =
        gen::with_action(reads ? litmus::Method::getVolatile : litmus::Method::setVolatile, action);
  });
  return program;
}

class ObjectsByLlvm : public testing::TestWithParam<std::string> {};

/// Addresses, fields, null and identity come out right: else something would show that no order of
/// the accesses explains.
TEST_P(ObjectsByLlvm, AreSound) {
  auto target = lower::Target::named(GetParam());
  for (const char* name : {"objects", "final", "arrays", "typed-objects", "typed-arrays"}) {
    auto profile = small(name);
    profile.unchecked = 40; // null is dereferenced
    std::uint64_t many = 0;
    const auto wanted = test::draws(40);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const auto test = drawn(profile, i);
      const auto result = compiled(test, target);
      if (!result) continue;
      ASSERT_EQ(result->verdict, Soundness::sound) << litmus::print(test) << result->reason.text;
      many += result->behaviours.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(many, wanted / 4) << name;
  }
}

/// Where all accesses are volatile, code does what interleavings of the source do, no more and no
/// less: each access goes where it should, and nowhere else.
TEST_P(ObjectsByLlvm, OfVolatileAccessesDoWhatInterleavingsDo) {
  auto target = lower::Target::named(GetParam());
  for (const char* name : {"objects", "arrays", "typed-objects", "typed-arrays"}) {
    auto profile = small(name);
    profile.unchecked = 40;
    profile.final_fields = 0;
    std::uint64_t compared = 0;
    const auto wanted = test::draws(40);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      auto test = drawn(profile, i);
      test.program = strongest(test.java());
      if (fails_for_no_reason(test)) continue;
      const auto result = compiled(test, target, "sc");
      if (!result) continue;
      expect_what_interleavings_do(test, *result);
      if (HasFailure()) return;
      ++compared;
    }
    EXPECT_GT(compared, wanted / 2) << name;
  }
}

/// Without a reader that looks, with one that looks only where there is an object, and with one
/// whose look at null ends the execution, although nobody wants to know what it saw.
TEST_P(ObjectsByLlvm, ShowWhatTheSourceDoes) {
  constexpr const char* head = R"(Java publication
{ class A { int y; final int x; A next; } A f = null; 0:F=f; 1:F=f; }
Thread0 { A p = new A { p.x = 3; p.next = p; }; F.set(p); }
)";
  const std::map<std::string, std::size_t> readers = {
      {"Thread1 { A r = F.get(); }", 2},
      {"Thread1 { A r = F.get(); int i = 7; if (r != null) { i = r.x; } }", 2},
      {"Thread1 { A r = F.get(); int i = r.x; }", 1},
      {"Thread1 { A r = F.get(); r.x.get(); }", 1},
      {"Thread1 { A r = null; int i = r.x; }", 0},
  };
  auto target = lower::Target::named(GetParam());
  for (const auto& [reader, behaviours] : readers) {
    const auto test = litmus::parse({"it", std::string(head) + reader + "\n"});
    const auto result = check(test, target, "java");
    EXPECT_TRUE(result.whole) << reader << result.reason.text;
    EXPECT_EQ(result.behaviours.size(), behaviours) << reader;
  }
}

INSTANTIATE_TEST_SUITE_P(Target, ObjectsByLlvm,
                         testing::Values("x86:llvm-O0", "x86:llvm-O2", "aarch64:llvm-O2",
                                         "riscv:llvm-O2"),
                         word_of);

} // namespace
} // namespace thinair::runners
