// Profiles: what they draw, how they are read, and the exact texts of what is wrong with them.
#include "gen/exhaustive.h"
#include "gen/generator.h"
#include "gen/profile.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace thinair::gen {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_profile({"p.profile", text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Profile, PrintedAndReadAgainIsTheSame) {
  ASSERT_EQ(profiles().size(), 15U);
  for (const auto& profile : profiles()) {
    SCOPED_TRACE(profile.name);
    EXPECT_EQ(parse_profile({profile.name, print(profile)}), profile);
    EXPECT_EQ(load_profile(profile.name), profile);
  }
}

TEST(Profile, JavaFiveHasNothingButPlainAndVolatile) {
  const auto java5 = load_profile("java5");
  EXPECT_EQ(java5.opaque + java5.acquire_release + java5.rmw + java5.fence, 0U);
  EXPECT_GT(java5.plain, 0U);
  EXPECT_GT(java5.volatile_, 0U);
}

TEST(Profile, CommentsBlankLinesAndCarriageReturns) {
  const auto profile = parse_profile({"p", "# mine\r\n\r\n cycles = 2 # two\r\nplain=1\r\n"});
  EXPECT_EQ(profile.cycles, 2U);
  EXPECT_EQ(profile.plain, 1U);
}

TEST(Profile, OneIsLikeAnother) {
  auto expected = load_profile("varhandle");
  expected.name = "p.profile";
  expected.rmw = 50;
  EXPECT_EQ(parse_profile({"p.profile", "# mine\nlike varhandle\nrmw = 50\n"}), expected);
  EXPECT_EQ(load_profile("widths").rmw, load_profile("varhandle").rmw);
}

TEST(Profile, LikeWhat) {
  EXPECT_EQ(error_of("like varhandles\n"),
            "p.profile:1:6: error: unknown profile 'varhandles' (there are: arrays, coherence, "
            "compilers, final, floats, java5, jvm, monitors, objects, rmw, thinair, "
            "typed-arrays, typed-objects, varhandle, widths)\n"
            "  like varhandles\n"
            "       ^^^^^^^^^^\n"
            "  hint: did you mean 'varhandle'?");
  EXPECT_EQ(error_of("rmw = 3\nlike rmw\n"),
            "p.profile:2:1: error: 'like' must come before the numbers that it would overwrite\n"
            "  like rmw\n"
            "  ^^^^^^^^");
}

TEST(Profile, UnknownKey) {
  EXPECT_EQ(error_of("cycle = 3\n"), "p.profile:1:1: error: unknown key 'cycle' in a profile\n"
                                     "  cycle = 3\n"
                                     "  ^^^^^\n"
                                     "  hint: did you mean 'cycles'?");
}

TEST(Profile, NotANumber) {
  EXPECT_EQ(error_of("cycles = 3\nnoise = 1x\n"),
            "p.profile:2:9: error: expected a number from 0 to 1000000 for 'noise'\n"
            "  noise = 1x\n"
            "          ^^");
}

TEST(Profile, OutOfRange) {
  EXPECT_EQ(error_of("max-threads = 9\n"),
            "p.profile:1:15: error: expected a number from 1 to 8 for 'max-threads'\n"
            "  max-threads = 9\n"
            "                ^");
}

TEST(Profile, NoEqualsSign) {
  EXPECT_EQ(error_of("cycles 3\n"),
            "p.profile:1:1: error: expected 'key = number', or 'like' and the name of a profile\n"
            "  cycles 3\n"
            "  ^^^^^^^^");
}

TEST(Profile, NothingToDraw) {
  EXPECT_EQ(error_of("plain = 1\n"),
            "p.profile: error: no weight above 0 among cycles, mutations, noise, publications");
  EXPECT_EQ(error_of("noise = 1\n"),
            "p.profile: error: no weight above 0 among plain, opaque, acquire-release, volatile");
}

TEST(Profile, UnknownName) {
  try {
    load_profile("varhandles");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: unknown profile 'varhandles' (there are: arrays, coherence, compilers, "
                 "final, floats, "
                 "java5, jvm, monitors, objects, rmw, thinair, typed-arrays, typed-objects, "
                 "varhandle, widths), or give a file\n"
                 "  hint: did you mean 'varhandle'?");
  }
}

/// What a model says nothing of is not drawn: by a profile, by mutations of what was drawn, or in a
/// space.
TEST(Profile, ARestrictedOneDrawsNothingElse) {
  using litmus::Construct;
  using litmus::Constructs;
  const Constructs plain = Construct::plain, fences = *litmus::constructs_named("fences"),
                   updates = *litmus::constructs_named("updates");
  const std::vector<Constructs> known = {plain,
                                         plain | Construct::opaque,
                                         plain | Construct::opaque | Construct::plain_update,
                                         plain | Construct::volatile_ | Construct::volatile_update,
                                         plain | Construct::acquire | Construct::release |
                                             Construct::opaque | updates | fences,
                                         plain | Construct::volatile_ | Construct::full_fence,
                                         Constructs::all()};
  for (const auto constructs : known) {
    for (const Profile& whole : profiles()) {
      Generator generator(restricted(whole, constructs), 5, 0);
      for (int i = 0; i < 150; ++i) {
        const auto program = generator.next().program;
        const auto more = constructs_of(program) - constructs;
        EXPECT_TRUE(more.empty()) << whole.name << ": " << to_string(more);
        generator.offer(program);
      }
    }
    Space space{.max_accesses = 2, .methods = {}, .fences = {}};
    add_modes(space, "all,rmw,fences");
    Enumerator at(restricted(space, constructs));
    while (at.next()) EXPECT_TRUE((constructs_of(at.program()) - constructs).empty());
  }
  EXPECT_EQ(restricted(load_profile("varhandle"), Constructs::all()), load_profile("varhandle"));
  constexpr auto names = std::to_array<std::string_view>({"varhandle", "java5"});
  EXPECT_EQ(profile_for(Constructs::all(), names).name, "varhandle");
  EXPECT_EQ(profile_for(plain | Construct::volatile_, names), load_profile("java5"));
  EXPECT_EQ(profile_for(plain, names), restricted(load_profile("varhandle"), plain));
}

} // namespace
} // namespace thinair::gen
