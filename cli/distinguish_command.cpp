// thinair distinguish A B: the smallest programs that tell two models apart.
#include "campaign/distinguish.h"
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/question.h"
#include "litmus/text/counted.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto distinguish_options = std::to_array<Option>({
    search_time_option,
    random_programs_option,
    max_accesses_option,
    threads_option,
    locations_option,
    modes_option,
    no_mixed_option,
    profile_option("which random programs, see below; default: varhandle, or what of it "
                   "both models give a meaning to"),
    seed_option,
    many_jobs_option,
    timeout_option,
    max_steps_option,
    max_memory_option,
    causality_option,
    identity_option,
    as_plain_option,
    include_option,
});

/// Judges a program in both directions: 0, what the first model allows and the second forbids.
class Pair {
 public:
  Pair(const std::vector<std::string>& models, const cat::LoadOptions& load,
       const oracle::Options& with)
      : names_{models.at(0), models.at(1)}, plans_{plan_of(0, load), plan_of(1, load)},
        allowing_{target_of(0, load, with), target_of(1, load, with)} {}

  campaign::Target& direction(std::size_t d) { return *allowing_.at(d); }
  const std::string& allows(std::size_t d) const { return names_.at(d); }
  const std::string& forbids(std::size_t d) const { return names_.at(1 - d); }

 private:
  cat::Plan plan_of(std::size_t d, const cat::LoadOptions& load) const {
    return cat::load_model(names_[d], cat::Architecture::java, load);
  }
  std::unique_ptr<campaign::Target> target_of(std::size_t d, const cat::LoadOptions& load,
                                              const oracle::Options& with) const {
    campaign::Against against{.model = plans_[1 - d], .model_name = names_[1 - d], .load = load};
    against.with.oracle = with;
    against.with.rules_of_both = true;
    return campaign::make_target("model:" + names_[d], against);
  }

  std::array<std::string, 2> names_;
  std::array<cat::Plan, 2> plans_;
  std::array<std::unique_ptr<campaign::Target>, 2> allowing_;
};

campaign::DistinguishSettings settings_of(const Arguments& arguments) {
  campaign::DistinguishSettings settings;
  const auto meant = meant_by(arguments.operands(), load_options(arguments));
  constexpr auto usual = std::to_array<std::string_view>({"varhandle", "java5"});
  const auto profile = arguments.text("profile");
  settings.space = space_of(arguments, meant);
  settings.profile = profile ? gen::load_profile(*profile) : gen::profile_for(meant, usual);
  settings.within_modes = arguments.has("modes") || arguments.has("no-mixed");
  if (arguments.has("no-mixed")) settings.profile.mixed_modes = 0;
  settings.seed = arguments.count("seed", settings.seed);
  if (arguments.has("programs")) settings.programs = arguments.count("programs", 0);
  if (arguments.has("time") || !settings.programs) settings.seconds = arguments.seconds("time", 60);
  settings.jobs = jobs_of(arguments);
  return settings;
}

/// "no program with at most 3 accesses in at most 2 threads .."
std::string searched(gen::Space space, std::uint32_t size) {
  space.max_accesses = size;
  return "no program with " + gen::to_string(space);
}

std::string text_of(const campaign::Direction& found, const Pair& pair, std::size_t d,
                    const gen::Space& space, const explain::Core& reason) {
  const auto between = fmt::format("{} allows what {} forbids", pair.allows(d), pair.forbids(d));
  std::string out;
  if (found.separation) {
    const auto& made = *found.separation;
    out = fmt::format("{}: {} accesses{}\n{} is forbidden by {} ({})\n{}", between,
                      litmus::count_accesses(made.program),
                      made.smallest ? ", as few as there can be" : "",
                      litmus::to_string(made.finding.behaviour), pair.forbids(d), as_text(reason),
                      litmus::print(campaign::as_test(made.program, "separates")));
  } else {
    out = fmt::format("{}: nothing found\n", between);
  }
  if (found.agreed_size > 0) out += fmt::format("({} does)\n", searched(space, found.agreed_size));
  if (found.undecided > 0)
    out += fmt::format("({} programs could not be decided)\n", found.undecided);
  return out + "\n";
}

std::string json_of(const campaign::Direction& found, const Pair& pair, std::size_t d,
                    const explain::Core& reason) {
  json::Object object;
  object.string("allows", pair.allows(d)).string("forbids", pair.forbids(d));
  object.boolean("found", found.separation.has_value());
  if (const auto& made = found.separation)
    object.boolean("smallest", made->smallest)
        .integer("accesses", litmus::count_accesses(made->program))
        .string("behaviour", litmus::to_string(made->finding.behaviour))
        .string("reason", as_text(reason))
        .string("program", litmus::print(campaign::as_test(made->program, "separates")));
  return object.integer("agreed_accesses", found.agreed_size)
      .integer("undecided", found.undecided)
      .text();
}

Exit exit_of(const campaign::Distinction& result, const gen::Space& space) {
  Exit exit = Exit::clean;
  for (const auto& direction : result.directions) {
    if (direction.separation) return Exit::finding;
    if (direction.agreed_size < space.max_accesses) exit = Exit::undecided;
  }
  return exit;
}

Exit distinguish(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() != 2)
    throw InputError("error: distinguish takes two models\n  hint: for example: thinair "
                     "distinguish jam19 jam21");
  Pair pair(arguments.operands(), load_options(arguments), oracle_options(arguments));
  const auto settings = settings_of(arguments);
  for (std::size_t d = 0; d < 2; ++d)
    pair.direction(d).set_deadline(Deadline::in(settings.seconds.value_or(0)));
  const StopOnSignal stop;
  const auto result = campaign::distinguish(
      settings, [&](const litmus::Program& p, std::size_t d) { return pair.direction(d).judge(p); },
      stop.flag());
  std::vector<std::string> objects;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto& found = result.directions[d];
    const explain::Core reason =
        found.separation ? pair.direction(d).why(found.separation->program, false).reason
                         : explain::Core{};
    if (arguments.json())
      objects.push_back(json_of(found, pair, d, reason));
    else
      console.out.write(text_of(found, pair, d, settings.space, reason));
  }
  if (arguments.json())
    console.out.write(json::Object()
                          .raw("directions", json::array(objects))
                          .integer("enumerated", result.enumerated)
                          .integer("random", result.random)
                          .text() +
                      "\n");
  else
    console.out.write(fmt::format("{} programs enumerated, {} drawn at random\n",
                                  text::grouped(result.enumerated), text::grouped(result.random)));
  return exit_of(result, settings.space);
}

} // namespace

extern constinit const Command distinguish_command = {
    .name = "distinguish",
    .summary = "find the smallest programs that tell two models apart",
    .usage = "A B",
    .description =
        "Looks for a program with a behaviour that model A allows and B forbids, and for one the "
        "other way round: among all programs within the bounds, smaller ones first, then among "
        "random ones. What is found is reduced until no edit keeps the difference.\n"
        "Exit code 1: they differ; 0: no program within the bounds tells them apart; 3: neither is "
        "clear.",
    .example = "thinair distinguish jam21 sc --time 10",
    .operands = Operands::inputs,
    .options = distinguish_options,
    .run = distinguish,
};

} // namespace thinair::cli
