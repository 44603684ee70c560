// Mixes, schemes that are like others, and rules over neighbours.
#include "gen/generator.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/lowered_test.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace thinair::lower {
namespace {

litmus::Test java(const std::string& threads) {
  return litmus::parse({"t", "Java t\n{ X=x; Y=y; }\n" + threads + "\nexists (true)\n"});
}

/// The code of the first thread, an instruction a line.
std::string code_of(const Target& target, const std::string& statements) {
  auto copy = Target::named(target.name());
  const auto lowered = copy.lower(java("Thread0 { " + statements + " }").java());
  std::string text;
  for (std::size_t i = 0; i < lowered.program.sizes().at(0); ++i)
    text += lowered.language->assembly(lowered.program, 0, i, "") + "\n";
  return text;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Mix, EachAccessIsCompiledByTheSchemeThatTheProgramNames) {
  auto mix = Target::named("mix:aarch64:hotspot-c1,aarch64:hotspot-c2");
  const auto lowered =
      mix.lower(java("Thread0 { X.setVolatile(1); @2 X.setVolatile(2); @2 fullFence(); }").java());
  const auto text = side_by_side(lowered);
  EXPECT_NE(text.find("X.setVolatile(1);     by aarch64:hotspot-c1"), std::string::npos) << text;
  EXPECT_NE(text.find("@2 X.setVolatile(2);  by aarch64:hotspot-c2"), std::string::npos) << text;
  const auto code = code_of(mix, "X.setVolatile(1); @2 X.setVolatile(2);");
  EXPECT_EQ(std::ranges::count(code, '\n'), 6) << code; // mov, dmb, str, dmb; mov, stlr
}

TEST(Mix, OfOneSchemeTwiceIsThatScheme) {
  auto mix = Target::named("mix:x86:table2,x86:table2");
  auto alone = Target::named("x86:table2");
  EXPECT_EQ(mix.choices().schemes, 2u);
  for (const auto& method : litmus::methods())
    EXPECT_EQ(mix.choices().of(method.method).size(), 1u) << method.name;
  gen::Generator drawn(gen::load_profile("varhandle"), 5, 0);
  for (std::uint64_t i = 0; i < test::draws(100); ++i) {
    auto program = drawn.next().program;
    const auto text = assembly(alone.lower(program).program, *alone.lower(program).language);
    litmus::each_choice(program, [&](auto, litmus::Choice& by) { by = i % 2; }, [](auto, auto&) {});
    const auto lowered = mix.lower(program);
    EXPECT_EQ(assembly(lowered.program, *lowered.language), text);
  }
}

TEST(Mix, CodeOfAnyMixDoesWhatTheSourceDoes) {
  for (const auto* name : {"mix:x86:table2,x86:hotspot-c1,x86:leading-fence",
                           "mix:aarch64:hotspot-c1,aarch64:hotspot-c2-nolse,aarch64:cxx",
                           "mix:riscv:hotspot-c1,riscv:hotspot-c2"}) {
    auto mix = Target::named(name);
    gen::Generator drawn(gen::load_profile("rmw"), 11, 0);
    drawn.set_choices(mix.choices());
    bool chosen = false;
    for (std::uint64_t i = 0; i < test::draws(60); ++i) {
      const auto program = drawn.next().program;
      chosen |= litmus::choices_of(program) > 1;
      EXPECT_EQ(sequential_difference(program, mix.lower(program), i, 10), std::nullopt)
          << name << "\n"
          << i;
    }
    EXPECT_TRUE(chosen);
  }
}

TEST(Mix, WhatIsNoMixIsAnErrorThatSaysWhy) {
  EXPECT_NE(error_of([] { Target::named("mix:x86:table2"); }).find("2 to 16 schemes"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              Target::named("mix:x86:table2,aarch64:cxx");
            }).find("x86:table2 is code for x86, and aarch64:cxx for aarch64"),
            std::string::npos);
  EXPECT_NE(
      error_of([] { Target::named("mix:x86:table2,x86:tabel2"); }).find("did you mean x86:table2?"),
      std::string::npos);
  auto mix = Target::named("mix:x86:table2,x86:jam21");
  EXPECT_NE(error_of([&] {
              mix.lower(java("Thread0 { @3 X.set(1); }").java());
            }).find("the program says @3"),
            std::string::npos);
  auto alone = Target::named("x86:table2"); // no mix: it compiles everything
  EXPECT_NO_THROW(alone.lower(java("Thread0 { @3 X.set(1); }").java()));
}

/// A folder of scheme files that goes away.
class Schemes {
 public:
  Schemes() : folder_(std::filesystem::temp_directory_path() / fmt::format("mix-{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  Schemes(const Schemes&) = delete;
  Schemes& operator=(const Schemes&) = delete;
  ~Schemes() { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

TEST(Like, AFileHasTheRulesThatItLeavesOutFromAnother) {
  const Schemes files;
  for (const auto* base : {"x86:table2", "riscv:hotspot-c2"}) {
    const auto machine = info(machine_named(base)).prefix;
    const auto copy =
        files.write("copy.scheme", fmt::format("scheme {}:copy like {}\n", machine, base));
    const auto before = Target::named(base), same = Target::named(copy);
    const auto other =
        files.write("other.scheme",
                    fmt::format("scheme {}:other like copy.scheme\nfullFence {{ }}\n", machine));
    const auto changed = Target::named(other);
    for (std::size_t i = 0; i < operation_count; ++i) {
      const Operation operation = operation_at(i);
      const auto& code = before.scheme().code(operation);
      EXPECT_EQ(same.scheme().code(operation), code) << name(operation);
      EXPECT_EQ(changed.scheme().code(operation) == code,
                operation != Operation(litmus::Fence::full))
          << name(operation);
    }
  }
}

TEST(Like, WhatCannotBeIsAnError) {
  const Schemes files;
  const auto error = [&](const std::string& head) {
    const auto file = files.write("wrong.scheme", head + "\n");
    return error_of([&] { Target::named(file); });
  };
  EXPECT_NE(error("scheme x86:a like x86:tabel2").find("did you mean x86:table2?"),
            std::string::npos);
  EXPECT_NE(error("scheme x86:a like aarch64:cxx").find("for another machine"), std::string::npos);
  EXPECT_NE(error("scheme riscv:a like wrong.scheme").find("like one another"), std::string::npos);
  EXPECT_NE(error("scheme x86:a like wrong.scheme").find("like one another"), std::string::npos);
  EXPECT_NE(error("scheme x86:a like absent.scheme").find("cannot read"), std::string::npos);
}

constexpr const char* storeload = "scheme riscv:p like riscv:hotspot-c2\n"
                                  "drop { fence w, r } before { fence w, r; fence rw, rw }\n"
                                  "  across setVolatile, set\n";

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
    ++number;
  return number;
}

TEST(Peephole, LeavesOutAFenceWhereAnotherFollows) {
  const Schemes files;
  const auto target = Target::named(files.write("p.scheme", storeload));
  const auto file = files.write("p.scheme", storeload);
  const auto fences = [&](const std::string& statements) {
    auto scheme = Target::named(file);
    const auto lowered = scheme.lower(java("Thread0 { " + statements + " }").java());
    std::string text;
    for (std::size_t i = 0; i < lowered.program.sizes().at(0); ++i)
      text += lowered.language->assembly(lowered.program, 0, i, "") + "\n";
    EXPECT_EQ(lowered.origins.at(0).size(), lowered.program.sizes().at(0));
    return count(text, "fence w,r") + count(text, "fence w, r");
  };
  EXPECT_EQ(fences("X.setVolatile(1);"), 1u);
  EXPECT_EQ(fences("X.setVolatile(1); Y.setVolatile(1);"), 1u);
  EXPECT_EQ(fences("X.setVolatile(1); Y.set(1); Y.setVolatile(1); X.setVolatile(2);"), 1u);
  EXPECT_EQ(fences("X.setVolatile(1); int r = Y.get(); Y.setVolatile(1);"), 2u); // not across
  EXPECT_EQ(fences("X.setVolatile(1); if (1 == 1) { Y.setVolatile(1); }"), 2u);  // a jump
  EXPECT_EQ(fences("X.setVolatile(1); int a = 1; int b = a + 2; Y.setVolatile(b);"), 1u);
}

TEST(Peephole, NeedsBothOfOneScheme) {
  const Schemes files;
  const auto file = files.write("p.scheme", storeload);
  auto mix = Target::named("mix:" + file + ",riscv:hotspot-c2");
  const auto fences = [&](const std::string& statements) {
    const auto lowered = mix.lower(java("Thread0 { " + statements + " }").java());
    std::string text;
    for (std::size_t i = 0; i < lowered.program.sizes().at(0); ++i)
      text += lowered.language->assembly(lowered.program, 0, i, "") + "\n";
    return count(text, "fence w,r") + count(text, "fence w, r");
  };
  EXPECT_EQ(fences("X.setVolatile(1); Y.setVolatile(1);"), 1u);
  EXPECT_EQ(fences("X.setVolatile(1); @2 Y.setVolatile(1);"), 2u);
  EXPECT_EQ(fences("@2 X.setVolatile(1); @2 Y.setVolatile(1);"), 2u);
  EXPECT_EQ(mix.choices().of(litmus::Method::setVolatile).size(), 2u); // a choice of its own
}

TEST(Peephole, WorksOnX86AndIsPrintedAndReadAgain) {
  const Schemes files;
  const auto file =
      files.write("p.scheme", "scheme x86:p like x86:table2\n"
                              "drop { mfence } before { mfence } across setVolatile\n");
  auto target = Target::named(file);
  const auto lowered = target.lower(java("Thread0 { X.setVolatile(1); Y.setVolatile(1); }").java());
  EXPECT_EQ(lowered.program.sizes().at(0), 3u);
  const Scheme scheme = parse_scheme(litmus::read_file(file));
  EXPECT_EQ(print(parse_scheme({"printed", print(scheme.text())}).text()), print(scheme.text()));
  EXPECT_NE(target.content(), Target::named("x86:table2").content());
}

TEST(Peephole, OneThatNothingCanMatchIsAnError) {
  const Schemes files;
  const auto error = [&](const std::string& line) {
    const auto file =
        files.write("w.scheme", "scheme riscv:p like riscv:hotspot-c2\n" + line + "\n");
    return error_of([&] { Target::named(file); });
  };
  EXPECT_NE(error("drop { fence r, r } before { fence w, r }")
                .find("2:1: error: no rule has `fence r, r`"),
            std::string::npos)
      << error("drop { fence r, r } before { fence w, r }");
  EXPECT_NE(error("drop { fence w, r } before { fence r, r }").find("which is to follow"),
            std::string::npos);
  EXPECT_NE(error("drop { } before { fence w, r }").find("expected one instruction"),
            std::string::npos);
  EXPECT_NE(error("drop { fence w, r } across set").find("expected \"before\""), std::string::npos);
  EXPECT_NE(error("drop { fence w, r } before { fence w, r } across sett").find("did you mean"),
            std::string::npos);
}

} // namespace
} // namespace thinair::lower
