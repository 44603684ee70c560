// thinair gen: random programs, as files or one after the other.
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "gen/generator.h"
#include "litmus/canonical.h"
#include "litmus/test.h"
#include "litmus/text/file.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <set>

namespace thinair::cli {
namespace {

constexpr auto gen_options = std::to_array<Option>({
    profile_option("what to draw, see below (default: varhandle)"),
    {.name = "programs",
     .letter = 'n',
     .takes = Takes::count,
     .value = "N",
     .help = "how many (default: 10)"},
    {.name = "seed",
     .letter = 's',
     .takes = Takes::count,
     .value = "S",
     .help = "the same seed gives the same programs (default: 1)"},
    {.name = "output",
     .letter = 'o',
     .takes = Takes::directory,
     .value = "DIR",
     .help = "write NAME.litmus files there instead of standard output"},
    {.name = "show-profile", .help = "write the profile's keys and values and exit"},
});

/// A question that every program can be asked: is the state where everything is zero reachable?
litmus::Clause any_state() {
  litmus::Clause clause;
  clause.quantifier = litmus::Quantifier::exists;
  clause.proposition.kind = litmus::Proposition::Kind::always;
  return clause;
}

litmus::Test named(const gen::Generated& made, const gen::Profile& profile, std::uint64_t seed) {
  litmus::Test test;
  test.name = fmt::format("gen-{}-{:05}", seed, made.index);
  test.program = made.program;
  test.metadata = {
      {"Source", fmt::format("thinair gen --profile {} --seed {}", profile.name, seed)},
      {"Strategy", std::string(gen::name(made.strategy))}};
  for (const auto& observable : litmus::observables(test, true))
    test.locations.push_back(observable);
  for (const auto& location : made.program.locations)
    test.locations.push_back({std::nullopt, location.name});
  test.clauses.push_back(any_state());
  return test;
}

void write_file(const std::string& directory, const litmus::Test& test) {
  text::make_folders(directory);
  const auto path = std::filesystem::path(directory) / (test.name + ".litmus");
  text::write_file(path.string(), litmus::print(test), text::Flush::no);
}

void emit(const Arguments& arguments, Console& console, const litmus::Test& test) {
  const auto directory = arguments.text("output");
  if (directory) write_file(*directory, test);
  if (arguments.json()) {
    console.out.write(json::Object()
                          .string("test", test.name)
                          .string("strategy", *test.metadata_value("Strategy"))
                          .string("hash", litmus::to_string(litmus::content_hash(test.java())))
                          .string("program", litmus::print(test))
                          .text() +
                      "\n");
  } else if (!directory) {
    console.out.write(litmus::print(test) + "\n");
  }
}

Exit generate(const Arguments& arguments, Console& console) {
  const auto profile = gen::load_profile(arguments.text("profile", "varhandle"));
  if (arguments.has("show-profile")) {
    console.out.write(gen::print(profile));
    return Exit::clean;
  }
  const auto seed = arguments.count("seed", 1);
  const auto wanted = arguments.count("programs", 10);
  gen::Generator generator(profile, seed, 0);
  std::set<litmus::ContentHash> known;
  constexpr std::uint64_t barren =
      100'000; // so many duplicates in a row: the profile has no more to give
  std::uint64_t duplicates = 0;
  while (known.size() < wanted) {
    const auto made = generator.next();
    if (!known.insert(litmus::content_hash(made.program)).second) {
      if (++duplicates == barren)
        throw LimitReached(Limit::none,
                           fmt::format("the end of what --profile {} can draw ({} programs)",
                                       profile.name, known.size()));
      continue;
    }
    duplicates = 0;
    emit(arguments, console, named(made, profile, seed));
  }
  return Exit::clean;
}

} // namespace

extern constinit const Command gen_command = {
    .name = "gen",
    .summary = "write random programs",
    .description =
        "Draws litmus programs from a profile: critical cycles with random modes, dependencies and "
        "fences, and "
        "uniform noise. No two are equal up to the names of threads, locations and registers; the "
        "same profile "
        "and seed give the same bytes on every machine.\n"
        "A profile file has lines `key = number`; --show-profile prints one to start from.",
    .example = "thinair gen --profile rmw --programs 3 --seed 7",
    .options = gen_options,
    .run = generate,
};

} // namespace thinair::cli
