// What a model gives a meaning to: declared in a comment, or read off the sets that it is made of.
#include "machine/x86/front_end.h"
#include "tests/cat/support.h"

#include <gtest/gtest.h>

namespace thinair::cat {
namespace {

std::string known(std::string_view text, Architecture architecture = Architecture::java) {
  return litmus::declaration_of(load(text, architecture).meaning.known);
}

struct Row {
  const char* text;
  const char* known;
};

TEST(Meaning, IsReadOffTheSetsThatMatter) {
  constexpr auto rows = std::to_array<Row>({
      {"acyclic po | rf as a", "plain"},
      {"acyclic [O]; po | rf as a", "plain, opaque"},
      {"acyclic [ACQ]; po | rf as a", "plain, acquire"},
      {"acyclic [W & REL]; po | rf as a", "plain, release"},
      {"acyclic [R & (ACQ | V)]; po | rf as a", "plain, acquire, volatile"},
      {"acyclic [RA]; po | rf as a", "plain, acquire, release"},
      {"empty V * V & rf as a", "plain, volatile"},
      {"empty M \\ PLAIN as a", "plain"},
      // Fences: all of them, or those of the modes that F meets; which says nothing of accesses.
      {"acyclic po; [F]; po | rf as a", "plain, fences"},
      {"acyclic po; [F & V]; po | rf as a", "plain, fullFence"},
      {"acyclic po; [F & ACQ]; po | rf as a", "plain, acquireFence, loadLoadFence"},
      {"acyclic po; [F & (REL | V)]; po | rf as a",
       "plain, fullFence, releaseFence, storeStoreFence"},
      {"let f = F & RA let v = F & V acyclic po; [f | v]; po | rf as a", "plain, fences"},
      {"acyclic po; [F & V]; po | po; [V & W] | rf as a", "plain, volatile, fullFence"},
      {"acyclic po; [F & (V | B)]; po | rf as a", "plain, fences"},
      {"empty F * F & po as a", "plain, fences"},
      // Updates in the modes that single accesses have.
      {"empty RMW * R & rf as a", "plain, plain updates"},
      {"acyclic [V]; po | [RMW]; rf as a", "plain, volatile, plain updates, volatile updates"},
      {"acyclic [O | RA | V]; po | [RMW]; rf as a",
       "plain, opaque, acquire, release, volatile, updates"},
      {"empty crit & po as a", "plain, monitors"},
      {"empty life & po as a", "plain, threads"},
      {"with o from linearisations(V & M, po) acyclic o | rf as a", "plain, volatile"},
      {"let rec r = [ACQ]; po | r; rf acyclic r as a", "plain, acquire"},
      // What is defined or shown matters to nobody.
      {"let unused = [ACQ]; po acyclic po | rf as a", "plain"},
      {"let seen = [ACQ]; po show seen acyclic po | rf as a", "plain"},
      {"let rec seen = [ACQ]; po | seen; rf show seen acyclic po | rf as a", "plain"},
  });
  for (const auto& row : rows) EXPECT_EQ(known(row.text), row.known) << row.text;
}

TEST(Meaning, OfInstructions) {
  const auto x86 = x86::architecture;
  EXPECT_EQ(known("acyclic po | rf as a", x86), "");
  EXPECT_EQ(known("acyclic po; [MFENCE]; po | rf as a", x86), "fence instructions");
  EXPECT_EQ(known("acyclic po; [F]; po | rf as a", x86), "fence instructions");
  EXPECT_EQ(known("empty rmw & (rf; rf) as a", x86), "atomic instructions");
  EXPECT_EQ(known("acyclic po; [X] | rf as a", x86), "atomic instructions");
}

TEST(Meaning, IsWhatIsDeclared) {
  EXPECT_EQ(known("(* meaning: everything *) acyclic po | rf as a"), "everything");
  EXPECT_EQ(known("(* meaning: volatile,\n   volatile\n   updates *)\nacyclic [V]; po | rf as a"),
            "plain, volatile, volatile updates");
  EXPECT_EQ(known("// meaning: fences, opaque\nacyclic po | rf as a"), "plain, opaque, fences");
  EXPECT_EQ(known("(* the meaning: volatile *) acyclic po | rf as a"), "plain");
  EXPECT_EQ(known("(* meaning: *) acyclic po | rf as a"), "plain");
  // Words of another architecture are for its programs.
  EXPECT_EQ(known("(* meaning: fences, fence instructions *) acyclic [F & V] | po as a"),
            "plain, fences, fence instructions");
}

TEST(Meaning, SaysWhereADeclarationIsWrong) {
  EXPECT_EQ(error("(* meaning: plain, volatil *)\nacyclic po as a"),
            "m.cat:1:20: error: 'volatil' is nothing that a model can give a meaning to\n"
            "  (* meaning: plain, volatil *)\n"
            "                     ^^^^^^^\n"
            "  hint: did you mean 'volatile'?");
  EXPECT_NE(
      error("(* meaning: telepathy *)\nacyclic po as a").find("there are everything, updates"),
      std::string::npos);
  EXPECT_EQ(error("\n(* meaning: plain, opaque *)\nacyclic [O]; po; [F & ACQ]; po as a"),
            "m.cat:2:13: error: the model also speaks of acquireFence, loadLoadFence\n"
            "  (* meaning: plain, opaque *)\n"
            "              ^^^^^^^^^^^^^\n"
            "  hint: add: acquireFence, loadLoadFence");
}

TEST(Meaning, OfAnIncludedFileIsNotTheModels) {
  // The standard library and cos.cat declare nothing, and a declaration there would not count.
  EXPECT_EQ(known("include \"cos.cat\"\nacyclic po | co | rf as a"), "plain");
}

} // namespace
} // namespace thinair::cat
