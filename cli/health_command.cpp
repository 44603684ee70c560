// thinair health MODEL: what is known of a memory model.
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "health/report.h"
#include "litmus/text/file.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto health_options = std::to_array<Option>({
    search_time_option,
    random_programs_option,
    {.name = "like",
     .takes = Takes::model,
     .value = "M",
     .help =
         "another model that should allow the same, on the programs that it gives a meaning to"},
    {.name = "target",
     .letter = 't',
     .takes = Takes::any_target,
     .value = "T",
     .help = "what should be sound for the model; every shipped target for x86 where none is given",
     .repeats = true},
    {.name = "corpus",
     .takes = Takes::file,
     .value = "TESTS",
     .help = "litmus tests: which of the model's axioms decides which of their outcomes",
     .repeats = true},
    {.name = "html", .takes = Takes::file, .value = "FILE", .help = "write a page there, too"},
    max_accesses_option,
    threads_option,
    locations_option,
    modes_option,
    no_mixed_option,
    profile_option("which random programs, see below; varhandle, thinair and "
                   "monitors where none "
                   "is given, or what of these the model gives a meaning to"),
    seed_option,
    many_jobs_option,
    causality_option,
    identity_option,
    as_plain_option,
    include_option,
});

constexpr std::uint32_t usual_size =
    3; // of the space: every property looks at each program in many forms

health::Extent extent_of(const Arguments& arguments, litmus::Constructs meant) {
  health::Extent extent;
  extent.space = space_of(arguments, meant);
  if (!arguments.has("max-accesses")) extent.space.max_accesses = usual_size;
  if (const auto profile = arguments.text("profile")) {
    extent.profiles = {gen::load_profile(*profile)};
  } else {
    std::vector<std::string_view> names{"varhandle", "thinair"};
    if (meant.has(litmus::Construct::monitors)) names.push_back("monitors");
    for (const auto name : names)
      extent.profiles.push_back(gen::restricted(gen::load_profile(name), meant));
  }
  if (arguments.has("no-mixed"))
    for (auto& profile : extent.profiles) profile.mixed_modes = 0;
  extent.seed = arguments.count("seed", extent.seed);
  if (arguments.has("programs")) extent.programs = arguments.count("programs", 0);
  if (arguments.has("time") || !extent.programs) extent.seconds = arguments.seconds("time", 60);
  extent.jobs = jobs_of(arguments);
  return extent;
}

/// Every shipped target whose code an engine of this program runs.
std::vector<std::string> target_names(const Arguments& arguments) {
  if (arguments.has("target")) return arguments.texts("target");
  std::vector<std::string> names;
  for (const auto& target : lower::targets())
    if (target.machine == lower::Machine()) names.push_back(target.name);
  return names;
}

/// The outcomes that the Java tests of --corpus ask about.
std::vector<health::Question> questions_of(const Arguments& arguments) {
  std::vector<health::Question> out;
  for (const auto& file : expand(arguments.texts("corpus"))) {
    const auto test = litmus::parse(read_input(file));
    if (!test.is_java()) continue;
    for (const auto& clause : test.clauses)
      out.push_back({clause.label.empty() ? test.name : test.name + ": " + clause.label, test,
                     clause.proposition});
  }
  return out;
}

Exit exit_of(const health::Checkup& checkup) {
  if (checkup.failed()) return Exit::finding;
  return checkup.undecided() ? Exit::undecided : Exit::clean;
}

Exit look(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() != 1)
    throw InputError("error: health takes one model\n  hint: for example: thinair health jam21");
  const std::string& name = arguments.operands().front();
  const auto load = load_options(arguments);
  const auto model = cat::load_model(name, cat::Architecture::java, load);
  health::Settings settings{.model = &model, .name = name};
  settings.options = oracle_options(arguments);      // the identity is the baseline's, too
  constexpr std::uint64_t most_candidates = 200'000; // of one question: there are many
  settings.options.limits.candidates = most_candidates;
  std::optional<cat::Plan> like;
  if (const auto other = arguments.text("like")) {
    settings.like = &like.emplace(cat::load_model(*other, cat::Architecture::java, load));
    settings.like_name = *other;
  }
  campaign::Against against{.model = model, .model_name = name, .load = load};
  against.with.oracle = settings.options;
  const auto targets = campaign::make_targets(target_names(arguments), against);
  for (const auto& target : targets) {
    target->ready();
    settings.targets.push_back(target.get());
  }
  const auto extent =
      extent_of(arguments, load.as_plain ? litmus::Constructs::all() : model.meaning.known);
  if (extent.seconds)
    for (const auto& target : targets) target->set_deadline(Deadline::in(*extent.seconds * 1.15));
  const StopOnSignal stop;
  const auto checkup = health::check_up(settings, extent, stop.flag());
  const auto questions = questions_of(arguments);
  health::Page page{name, model.name, gen::to_string(extent.space), checkup, {}, questions.size()};
  if (arguments.has("corpus")) page.axioms = health::deciding_axioms(settings, questions);
  if (const auto file = arguments.text("html")) text::write_file(*file, health::html_of(page));
  console.out.write(arguments.json() ? health::json_of(page) : health::text_of(page));
  return exit_of(checkup);
}

} // namespace

extern constinit const Command health_command = {
    .name = "health",
    .summary = "say what is known of a memory model",
    .usage = "MODEL",
    .description = "Looks for programs of which properties that a memory model should have do not "
                   "hold: among all programs "
                   "within the bounds, smaller ones first, then among random ones. Such properties "
                   "are: every interleaving is "
                   "allowed, programs without data races are sequentially consistent, stronger "
                   "modes allow no more, no value "
                   "comes out of thin air, what compilers do to plain accesses is valid, and the "
                   "shipped compilers and schemes "
                   "are sound. What fails is shown with its smallest program.\n"
                   "Exit code 1: some property fails; 0: none does as far as was looked; 3: some "
                   "could not be decided.",
    .example = "thinair health jam21 --time 20",
    .operands = Operands::inputs,
    .options = health_options,
    .run = look,
};

} // namespace thinair::cli
