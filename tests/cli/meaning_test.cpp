// Programs that use what a model says nothing of: unsupported under every command, or plain on
// demand.
#include "campaign/store.h"
#include "litmus/constructs.h"
#include "tests/cli/tool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

constexpr const char* handing_over =
    "Java T\n{ x=0; f=0; X=x; F=f; }\nThread0 { X.set(1); F.setRelease(1); }\n"
    "Thread1 { int r = F.getAcquire(); int s = X.get(); }\nforbidden \"stale\" (1:r=1 /\\ 1:s=0)\n";

constexpr const char* complaint = "unsupported: acquire/release accesses under jls04 (--as-plain "
                                  "takes accesses for plain ones, and leaves fences out)";

TEST(AsPlain, EveryCommandAsksForIt) {
  const Folder folder;
  const auto test = folder.write("T.litmus", handing_over);
  const auto project = folder.path("project");
  const std::vector<std::vector<std::string>> commands = {
      {"check", test, "--model", "jls04"},
      {"check", test, "--model", "jls04", "--json"},
      {"behaviours", test, "--model", "jls04"},
      {"behaviours", test, "--model", "jls04", "--oracle", "jpr"},
      {"behaviours", test, "--model", "jls04", "--causality", "none"},
      {"explain", test, "--model", "jls04"},
      {"graph", test, "--model", "jls04"},
      {"herd", test, "--model", "jls04"},
      {"sound", test, "--model", "jls04"},
      {"reduce", test, "--model", "jls04"},
      {"reduce", test, "--model", "sc", "--target", "model:jls04"},
      {"jcstress", "emit", test, "--expect", "jls04", "--output", project},
  };
  for (auto command : commands) {
    const auto line = fmt::format("{}", fmt::join(command, " "));
    const Ran refused = tool(command);
    EXPECT_EQ(refused.exit, 3) << line << "\n" << refused.out;
    EXPECT_NE((refused.out + refused.err).find(complaint), std::string::npos)
        << line << "\n"
        << refused.out << refused.err;
    command.emplace_back("--as-plain");
    const Ran plain = tool(command);
    EXPECT_NE(plain.exit, 3) << line << "\n" << plain.out << plain.err;
    EXPECT_NE(plain.exit, 2) << line << "\n" << plain.out << plain.err;
    EXPECT_EQ((plain.out + plain.err).find("unsupported:"), std::string::npos) << line;
  }
}

TEST(AsPlain, TheTablesOfCheckCountIt) {
  const Folder folder;
  const auto test = folder.write("s/T.litmus", handing_over);
  const Ran ran = tool({"check", test, "--models", "jls04,jam21"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_NE(ran.out.find("0/0/1/0/0/0/0"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1/0/0/0/0/0/0"), std::string::npos) << ran.out;
  const Ran plain = tool({"check", test, "--models", "jls04,jam21", "--as-plain"});
  EXPECT_EQ(plain.exit, 1) << "acquire and release keep it away, plain accesses do not";
}

TEST(AsPlain, TablesOfUmmKnowIt) {
  const Folder folder;
  const auto test = folder.write("T.litmus", "Java T\n{ x=0; X=x; }\nThread0 { X.setOpaque(1); }\n"
                                             "Thread1 { int r = X.getVolatile(); }\n"
                                             "required (1:r=1)\n");
  EXPECT_EQ(tool({"check", test, "--model", "umm:sc"}).exit, 0);
  for (const auto& [model, what] :
       {std::pair{"umm:coherence", "volatile"}, std::pair{"umm:pram", "opaque/volatile"},
        std::pair{"umm:jmm-mp", "opaque"}}) {
    const Ran ran = tool({"check", test, "--model", model});
    EXPECT_EQ(ran.exit, 3);
    EXPECT_NE(
        ran.out.find(fmt::format("(unsupported: {} accesses under {} (--as-plain", what, model)),
        std::string::npos)
        << ran.out;
    EXPECT_NE(tool({"check", test, "--model", model, "--as-plain"}).exit, 3) << model;
  }
}

/// What is drawn follows the model: nothing of it is unsupported.
TEST(AsPlain, CampaignsDrawWhatTheModelKnows) {
  const Folder folder;
  for (const char* model : {"jls04", "jam21", "tso", "coherence", "pram"}) {
    const Ran ran = tool({"fuzz", "--model", model, "--target", "x86:table2", "--programs", "60",
                          "--jobs", "1", "--quiet", "--campaign", folder.path(model)});
    EXPECT_NE(ran.out.find(" unknown, 0 unsupported\n"), std::string::npos) << model << ran.out;
  }
  const auto profile = [&](const char* model) {
    return campaign::Store::open_existing(folder.path(model)).identity().profile;
  };
  EXPECT_NE(profile("jls04").find("\nvolatile = 2 "), std::string::npos) << "java5";
  EXPECT_NE(profile("jls04").find("\nopaque = 0 "), std::string::npos);
  EXPECT_NE(profile("jam21").find("\nfence = 12 "), std::string::npos) << "varhandle";
  EXPECT_NE(profile("coherence").find("\nvolatile = 0 "), std::string::npos);
  EXPECT_NE(profile("coherence").find("\nopaque = 2 "), std::string::npos);
  const Ran asked =
      tool({"fuzz", "--model", "jls04", "--target", "x86:table2", "--programs", "60", "--jobs", "1",
            "--quiet", "--profile", "varhandle", "--campaign", folder.path("asked")});
  EXPECT_EQ(asked.exit, 3) << asked.out;
  EXPECT_EQ(asked.out.find(" 0 unsupported"), std::string::npos) << asked.out;
}

TEST(AsPlain, SpacesFollowTheModels) {
  const Folder folder;
  const Ran all =
      tool({"fuzz", "--exhaustive", "--max-accesses", "2", "--model", "jls04", "--target",
            "x86:table2", "--jobs", "1", "--quiet", "--campaign", folder.path("all")});
  EXPECT_EQ(all.exit, 0) << all.out << all.err;
  EXPECT_NE(all.out.find("of get, set, getVolatile, setVolatile: no mismatch"), std::string::npos)
      << all.out;
  const Ran differ = tool(
      {"distinguish", "jls04", "pram", "--max-accesses", "2", "--programs", "2", "--jobs", "1"});
  EXPECT_NE(differ.out.find("of get, set"), std::string::npos) << differ.out;
  EXPECT_EQ(differ.out.find("getVolatile"), std::string::npos) << differ.out;
}

TEST(AsPlain, ACampaignIsOneOrTheOther) {
  const Folder folder;
  std::vector<std::string> words = {"fuzz",       "--model",   "jls04",      "--target",
                                    "x86:table2", "--seed",    "3",          "--programs",
                                    "20",         "--jobs",    "1",          "--quiet",
                                    "--profile",  "varhandle", "--campaign", folder.path("c")};
  auto plain = words;
  plain.emplace_back("--as-plain");
  const Ran first = tool(plain);
  EXPECT_NE(first.out.find(" 0 unsupported"), std::string::npos) << first.out << first.err;
  const Ran other = tool(words);
  EXPECT_EQ(other.exit, 2);
  EXPECT_NE(other.err.find("this directory holds a campaign with \"as-plain\"; choose another"),
            std::string::npos)
      << other.err;
  EXPECT_NE(tool(plain).exit, 2);
  EXPECT_NE(tool({"report", folder.path("c"), "--output", folder.path("r.html")}).exit, 2);
}

TEST(AsPlain, ModelsListWhatTheyKnow) {
  const Ran list = tool({"models", "--json"});
  EXPECT_NE(
      list.out.find(
          "\"meaning\":\"plain, volatile, plain updates, volatile updates, monitors, threads, "
          "final fields\""),
      std::string::npos)
      << list.out;
  const Ran text = tool({"models"});
  EXPECT_NE(text.out.find("gives a meaning to everything\n"), std::string::npos) << text.out;
}

} // namespace
} // namespace thinair::cli
