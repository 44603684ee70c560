// Value types: what is written reads back, hashes tell types apart, and each refusal has its text.
#include "litmus/canonical.h"
#include "litmus/java/format.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"
#include "tests/support/renaming.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace thinair::litmus {
namespace {

Test parsed(const std::string& code, const std::string& state = "long x; byte b; X=x; B=b;") {
  return parse({"t", "Java T\n{ " + state + " }\nThread0 {\n" + code + "\n}\nexists (true)\n"});
}

std::string refusal(const std::string& code) {
  try {
    parsed(code);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Types, ProgramsAreReadAsTheyAreWritten) {
  for (std::uint64_t seed = 0; seed < test::draws(1500); ++seed) {
    Random random(seed);
    litmus::Test written;
    written.name = "T";
    written.program = test::RandomTypes(random, {.floats = seed % 2 == 0}).make();
    const auto text = print(written);
    const auto read = parse({"t", text});
    ASSERT_EQ(print(read), text) << "seed " << seed;
    ASSERT_EQ(read.java(), written.java()) << text;
    ASSERT_EQ(content_hash(canonical(read.java())), content_hash(read.java())) << text;
  }
}

TEST(Types, TheHashIsThatOfEveryRenaming) {
  for (std::uint64_t seed = 0; seed < test::draws(300); ++seed) {
    Random random(seed);
    auto program = test::RandomTypes(random, {.floats = seed % 2 == 0}).make();
    const auto hash = content_hash(program);
    const auto renaming = random_renaming(program, value_use(program), random);
    ASSERT_EQ(content_hash(renamed(program, renaming)), hash) << java::print(program);
  }
}

TEST(Types, EachTypeIsAnotherProgram) {
  std::set<std::string> hashes;
  for (const auto* type : {"int", "long", "short", "byte", "char", "float", "double"})
    hashes.insert(
        to_string(content_hash(parsed("X.set(1);", std::string(type) + " x; X=x;").java())));
  hashes.insert(to_string(content_hash(parsed("X.set(true);", "boolean x; X=x;").java())));
  hashes.insert(to_string(content_hash(parsed("X.set(1L);").java())));
  hashes.insert(to_string(content_hash(parsed("X.set(4294967297L);").java())));
  hashes.insert(to_string(content_hash(parsed("X.set((short) 1);").java())));
  EXPECT_EQ(hashes.size(), 11U);
}

TEST(Types, ARegisterHasTheTypeOfItsFirstValue) {
  const auto test = parsed("r = X.get(); s = B.get(); t = r == s; u = s + 1; v = 1L << 3;");
  const auto& registers = test.java().threads[0].registers;
  const std::vector<TypeKind> expected{TypeKind::long_, TypeKind::byte, TypeKind::int_,
                                       TypeKind::int_, TypeKind::long_};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(registers[i].type.kind, expected[i]) << registers[i].name;
}

TEST(Types, WhatDoesNotFitIsRefused) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"int i = X.get();", "expected an int, found a long"},
      {"byte c = 128;", "expected a byte, found an int"},
      {"int i = 1; byte c = i;", "a cast keeps its low bits, as `(byte) r`"},
      {"char c = -1;", "expected a char, found an int"},
      {"boolean f = 1;", "a number is compared, as `r != 0`"},
      {"boolean f = true; int i = f;", "a boolean is compared, as `b == true`"},
      {"boolean f = true; int i = f + 1;", "expected two numbers around `+`"},
      {"boolean f = true < false;", "expected two numbers around `<`"},
      {"boolean f = true; int i = -f;", "expected a number after `-`, found a boolean"},
      {"boolean f = true == 1;", "found a boolean and an int"},
      {"boolean f = true; long i = (long) f;", "expected a long, found a boolean"},
      {"int i = 5L;", "expected an int, found a long"},
      {"X.set(true);", "expected a long, found a boolean"},
      {"int r = 0; long r = 1;", "a register has one type in all of its thread"},
      {"int long = 0;", "found the reserved word `long`"},
      {"int i = 99999999999;", "expected a value of type int"}};
  for (const auto& [code, text] : rows)
    EXPECT_NE(refusal(code).find(text), std::string::npos) << code << "\n" << refusal(code);
}

/// MethodHandles.Lookup.findVarHandle: "numeric atomic update" of all but booleans.
TEST(Types, VarHandlesHaveTheMethodsOfTheirType) {
  for (const MethodInfo& row : methods()) {
    const std::string argument = "true";
    std::string call = "F." + std::string(row.name) + "(";
    for (int i = 0; i < row.arguments; ++i) call += (i == 0 ? "" : ", ") + argument;
    bool refused = false;
    try {
      parsed(call + ");", "boolean f; F=f;");
    } catch (const InputError& error) {
      refused = true;
      EXPECT_NE(std::string(error.what()).find("a boolean has"), std::string::npos);
    }
    EXPECT_EQ(refused, row.action == Action::get_and_add) << call;
  }
}

} // namespace
} // namespace thinair::litmus
