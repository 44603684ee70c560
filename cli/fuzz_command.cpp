// thinair fuzz: a campaign of random programs, or of all programs up to a size, against targets.
#include "campaign/campaign.h"
#include "campaign/contents.h"
#include "campaign/coverage.h"
#include "campaign/ends.h"
#include "campaign/report.h"
#include "campaign/statement.h"
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "cli/status.h"
#include "cli/version.h"
#include "litmus/canonical.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "litmus/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace thinair::cli {
namespace {

constexpr auto fuzz_options = std::to_array<Option>({
    judging_model_option,
    {.name = "target",
     .letter = 't',
     .takes = Takes::any_target,
     .value = "T",
     .help = "what is tested",
     .required = true,
     .repeats = true},
    baseline_option,
    code_engine_option,
    confirm_option,
    herd7_option,
    {.name = "campaign",
     .letter = 'c',
     .takes = Takes::directory,
     .value = "DIR",
     .help = "where what is found is kept; the same command continues it (default: campaign)"},
    profile_option("what to draw, see below; default: varhandle, for a JVM jvm, for a "
                   "compiler compilers, or what of these the model gives a meaning to"),
    {.name = "corpus",
     .takes = Takes::file,
     .value = "TESTS",
     .help = "litmus tests to make mutants of, beside what is found: a file, a folder, or an @list",
     .repeats = true},
    {.name = "programs",
     .letter = 'n',
     .takes = Takes::count,
     .value = "N",
     .help = "end after N programs"},
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "end after S seconds; 60 unless --programs or --exhaustive is given"},
    {.name = "seed",
     .letter = 's',
     .takes = Takes::count,
     .value = "S",
     .help = "decides what is drawn: the same seed gives the same campaign (default: 1)"},
    {.name = "exhaustive",
     .letter = 'x',
     .help = "instead of random programs all there are, up to symmetry, within these bounds:"},
    max_accesses_option,
    threads_option,
    locations_option,
    modes_option,
    no_mixed_option,
    {.name = "jobs",
     .letter = 'j',
     .takes = Takes::count,
     .value = "N",
     .help = "work on N programs at a time; the finds do not depend on it (default: all cores)"},
    {.name = "shard",
     .takes = Takes::text,
     .value = "I/N",
     .help = "only part I (from 0) of N disjoint parts; 'thinair merge' unites their stores"},
    {.name = "streams",
     .takes = Takes::count,
     .value = "N",
     .help = "streams that the programs come from (default: 64): as many parts there can be; "
             "the finds depend on it"},
    {.name = "official",
     .help = "confirm each minimal program on a JVM through jcstress's own command line (a minute "
             "each)"},
    known_option,
    {.name = "all", .help = "print every minimal program when it is found, not one a cause"},
    {.name = "quiet", .letter = 'q', .help = "no lines about progress"},
    without_letter(causality_option),
    identity_option,
    as_plain_option,
    include_option,
});

/// "1/4".
void read_shard(const std::string& text, campaign::Settings& settings) {
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, settings.shard);
  const bool first = error == std::errc() && slash != end && *slash == '/';
  const auto [stopped, wrong] = std::from_chars(first ? slash + 1 : end, end, settings.shards);
  if (!first || wrong != std::errc() || stopped != end || settings.shard >= settings.shards)
    throw InputError(fmt::format("error: --shard takes I/N with 0 <= I < N, not '{}'",
                                 text::printable_word(text)));
}

/// Options of one way to draw programs where the other was asked for.
void check_way(const Arguments& arguments) {
  const bool exhaustive = arguments.has("exhaustive");
  constexpr auto of_random =
      std::to_array<std::string_view>({"profile", "programs", "seed", "corpus"});
  constexpr auto of_exhaustive =
      std::to_array<std::string_view>({"max-accesses", "threads", "locations", "modes"});
  if (exhaustive) {
    for (const auto name : of_random)
      if (arguments.has(name))
        throw InputError(fmt::format("error: --{} has no meaning with --exhaustive", name));
  } else {
    for (const auto name : of_exhaustive)
      if (arguments.has(name))
        throw InputError(fmt::format("error: --{} goes with --exhaustive", name));
  }
}

/// The Java tests of --corpus; what they are is part of what the campaign is about.
void read_corpus(const Arguments& arguments, campaign::Settings& settings) {
  if (!arguments.has("corpus")) return;
  std::uint64_t digest = 0;
  for (const auto& file : expand(arguments.texts("corpus"))) {
    const auto test = litmus::parse(read_input(file));
    if (!test.is_java()) continue;
    settings.seeds.push_back(test.java());
    for (const auto word : litmus::content_hash(test.java()).words)
      digest = (digest ^ word) * 0x9e3779b97f4a7c15U; // the order counts
  }
  settings.identity.profile +=
      fmt::format("corpus = {} tests, {:016x}\n", settings.seeds.size(), digest);
}

/// What the model and the targets give a meaning to; everything with --as-plain.
litmus::Constructs meant_by(const cat::Plan& model, const campaign::Targets& targets,
                            bool as_plain) {
  if (as_plain) return litmus::Constructs::all();
  auto meant = model.meaning.known;
  for (const auto& target : targets) meant = meant & target->known();
  return meant;
}

gen::Profile profile_of(const Arguments& arguments, const campaign::Tuning& tuning,
                        litmus::Constructs meant) {
  if (const auto name = arguments.text("profile")) return gen::load_profile(*name);
  constexpr auto usual = std::to_array<std::string_view>({"varhandle", "java5"});
  if (tuning.profiles.empty()) return gen::profile_for(meant, usual);
  return gen::profile_for(meant, tuning.profiles);
}

campaign::Identity identity_of(const Arguments& arguments, const cat::Plan& model,
                               const campaign::Targets& targets) {
  campaign::Identity identity;
  identity.model = judging_model(arguments);
  identity.targets = arguments.texts("target");
  identity.baseline = arguments.text("baseline", "");
  identity.engine = arguments.text("engine", "");
  identity.streams =
      bounded(arguments, "streams", identity.streams, campaign::Identity::most_streams);
  identity.version = to_string(version());
  identity.as_plain = arguments.has("as-plain");
  identity.causality = arguments.text("causality", "");
  identity.actions = arguments.text("identity", "");
  identity.contents = campaign::contents_of(model, targets);
  return identity;
}

/// What to draw, and until when.
void read_extent(const Arguments& arguments, const campaign::Tuning& tuning,
                 litmus::Constructs meant, campaign::Settings& settings) {
  if (arguments.has("exhaustive")) {
    settings.space = space_of(arguments, meant);
    settings.space->choices = settings.choices;
    settings.identity.profile = "all programs with " + gen::to_string(*settings.space);
  } else {
    settings.profile = profile_of(arguments, tuning, meant);
    if (arguments.has("no-mixed")) settings.profile.mixed_modes = 0;
    settings.identity.seed = arguments.count("seed", 1);
    settings.identity.profile = gen::print(settings.profile);
    read_corpus(arguments, settings);
  }
  if (arguments.has("programs")) settings.programs = arguments.count("programs", 0);
  if (arguments.has("time") || !(settings.programs || settings.space))
    settings.seconds = arguments.seconds("time", 60);
}

void tune(const Arguments& arguments, const campaign::Tuning& tuning,
          campaign::Settings& settings) {
  constexpr std::uint64_t most_jobs = 1024;
  const auto jobs =
      tuning.jobs > 0 ? tuning.jobs : std::max(1U, std::thread::hardware_concurrency());
  settings.jobs =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(arguments.count("jobs", jobs), most_jobs));
  settings.grace_s = tuning.grace_s + tuning.grace_share * settings.seconds.value_or(0);
  settings.candidates = tuning.candidates;
  settings.chunk = tuning.chunk;
  settings.learn_from_finds = tuning.learn_from_finds;
  settings.ahead = tuning.ahead;
}

campaign::Settings settings_of(const Arguments& arguments, const cat::Plan& model,
                               const campaign::Targets& targets) {
  campaign::Settings settings;
  settings.directory = arguments.text("campaign", "campaign");
  settings.identity = identity_of(arguments, model, targets);
  const auto tuning = campaign::tuning_of(targets);
  settings.choices = campaign::choices_of(targets);
  read_extent(arguments, tuning, meant_by(model, targets, settings.identity.as_plain), settings);
  tune(arguments, tuning, settings);
  if (const auto shard = arguments.text("shard")) read_shard(*shard, settings);
  return settings;
}

/// How much a candidate promises: all targets count.
double promise_on(const campaign::Targets& targets, const litmus::Program& program) {
  double most = 0;
  for (const auto& target : targets) most = std::max(most, target->promise(program));
  return most;
}

/// What the campaign asks of its targets.
campaign::Events events_on(const campaign::Targets& targets, bool official) {
  campaign::Events events;
  events.deadline = [&targets](auto moment) {
    for (const auto& target : targets) target->set_deadline(Deadline(moment));
  };
  events.reason = [&targets, official](const litmus::Program& program, std::uint32_t target) {
    return targets[target]->why(program, official);
  };
  events.shortcut = [&targets](const litmus::Program& program, std::uint32_t target) {
    return targets[target]->shortcut(program);
  };
  events.baseline_fault = [&targets](std::uint32_t target) {
    return targets[target]->baseline_fault();
  };
  events.coming = [&targets](std::span<const litmus::Program> programs) {
    for (const auto& target : targets) target->coming(programs);
  };
  events.reducing = [&targets](const litmus::Program& program, std::uint32_t target) {
    targets[target]->reducing(program);
  };
  return events;
}

std::string found_text(const campaign::MismatchRow& row, const campaign::Identity& identity) {
  const auto& finding = row.minimal_finding;
  return fmt::format("{} on {}: {} accesses, {} is forbidden ({}){}\n{}\n",
                     litmus::to_string(row.minimal_hash), identity.targets.at(row.target),
                     row.minimal_accesses, campaign::end_of(row), campaign::as_text(finding.reason),
                     campaign::in_a_row(finding.seen), row.minimal);
}

/// The causes, each with its smallest program.
std::string causes_text(const campaign::Finds& finds, const campaign::Identity& identity) {
  std::string out;
  for (std::size_t i = 0; i < finds.causes.size(); ++i) {
    const auto& cause = finds.causes[i];
    const auto number = fmt::format("{:<3}", fmt::format("{}.", i + 1));
    const auto in_lines = [&](const std::string& text) {
      return text::wrapped(text, number.size(), number.size()) + "\n";
    };
    out += number + in_lines(as_text(cause, finds.groups));
    if (!cause.change.empty())
      out += std::string(number.size(), ' ') + in_lines("what mends it: " + cause.change);
    out += "   " + found_text(finds.groups[cause.smallest].first, identity);
  }
  return out;
}

std::string summary(const campaign::Progress& end, const campaign::Settings& settings,
                    std::size_t news, const std::vector<litmus::Operation>& never) {
  const std::string known =
      news < end.distinct ? fmt::format(" ({} of them known)", end.distinct - news) : "";
  std::string text =
      fmt::format("{} programs in {:.1f} s: {} mismatch{}, {} distinct minimal{}; {} unknown, {} "
                  "unsupported{}\n",
                  end.programs, end.elapsed_s, end.mismatches, end.mismatches == 1 ? "" : "es",
                  end.distinct, known, end.unknown, end.unsupported,
                  end.vacuous > 0 ? fmt::format(", {} vacuous", end.vacuous) : "");
  if (settings.space) text += campaign::statement(settings, end) + "\n";
  if (!never.empty())
    text += text::wrapped(fmt::format("never exercised, so nothing is known of them: {}",
                                      campaign::in_families(never))) +
            "\n";
  if (end.vacuous > 0)
    text += text::wrapped(fmt::format("vacuous: {} allows the program nothing, or the target never "
                                      "ends it, while its threads do where they take turns",
                                      settings.identity.model)) +
            fmt::format("\nthinair health {} looks for the smallest program of the first kind\n",
                        settings.identity.model);
  return text + fmt::format("thinair report {} shows them\n", settings.directory);
}

std::string json_of(const campaign::Store& store, const campaign::Settings& settings,
                    const campaign::Progress& end, const campaign::Finds& finds) {
  std::string text = campaign::to_json(store, settings.directory, finds) + "\n";
  if (!settings.space) return text;
  return text +
         json::Object()
             .string("statement", campaign::statement(settings, end))
             .integer("programs", static_cast<std::int64_t>(end.drawn))
             .integer("total", static_cast<std::int64_t>(*end.total))
             .boolean("complete", end.drawn >= *end.total)
             .text() +
         "\n";
}

Exit exit_of(const campaign::Progress& end, std::size_t news, const campaign::Settings& settings,
             bool has_known) {
  if (has_known ? news > 0 : end.mismatches > 0) return Exit::finding;
  const bool cut = settings.space && end.drawn < *end.total;
  const auto undecided = end.unknown + end.unsupported + end.vacuous;
  return undecided > 0 || cut ? Exit::undecided : Exit::clean;
}

Exit fuzz(const Arguments& arguments, Console& console) {
  check_way(arguments);
  const auto known = known_of(arguments);
  const auto load = load_options(arguments);
  const auto name = judging_model(arguments);
  const auto model = cat::load_model(name, cat::Architecture::java, load);
  campaign::Against against{.model = model, .model_name = name, .load = load};
  against.confirm = arguments.has("confirm");
  constexpr double herd7_s = 10; // a program
  against.herd7.program = arguments.text("herd7", "");
  against.herd7.seconds = herd7_s;
  against.engine = arguments.text("engine", "");
  choose_rules(arguments, against.with.oracle);
  against.baseline = arguments.text("baseline", "");
  const auto targets = campaign::make_targets(arguments.texts("target"), against);
  auto settings = settings_of(arguments, model, targets);
  for (const auto& target : targets) target->ready();
  const explain::ModelParts parts(model);
  settings.model_parts = [&](const litmus::Program& program) {
    return campaign::coverage_keys(parts.exercised(program));
  };
  settings.promise = [&](const litmus::Program& program) { return promise_on(targets, program); };
  const bool json = arguments.json(), all = arguments.has("all");
  campaign::Progress end;
  {
    Status status(console, arguments.has("quiet"));
    auto events = events_on(targets, arguments.has("official"));
    events.progress = [&](const campaign::Progress& now) { status.show(now); };
    events.new_minimal = [&](const campaign::MismatchRow& row) {
      const bool news = std::ranges::find(known, row.minimal_hash) == known.end();
      if (news && all && !json) status.result(found_text(row, settings.identity));
    };
    const StopOnSignal stop;
    end = campaign::run(
        settings,
        [&](const litmus::Program& p, std::size_t t, campaign::Judge::Same* same) {
          return targets[t]->judge(p, same);
        },
        events, stop.flag());
  }
  const auto store = campaign::Store::open_existing(settings.directory);
  campaign::Finds finds{campaign::groups(store, known), {}};
  for (const auto& target : targets) target->set_deadline({}); // the campaign's has passed
  finds.causes = campaign::causes_of(finds.groups, targets, against);
  console.out.write(json ? json_of(store, settings, end, finds)
                         : causes_text(finds, settings.identity) + baseline_fault_of(store) +
                               summary(end, settings, finds.groups.size(), never_exercised(store)));
  return exit_of(end, finds.groups.size(), settings, arguments.has("known"));
}

} // namespace

extern constinit const Command fuzz_command = {
    .name = "fuzz",
    .summary = "search for programs that a target gets wrong",
    .description =
        "Draws programs, lowers each for every target, works out what the code does on its machine "
        "(or runs it on a JVM), and asks the model about each behaviour. A behaviour that the "
        "model "
        "forbids is a mismatch: its program is reduced to a minimal one and kept. At the end the "
        "mismatches are grouped by their causes: by what would mend them.\n"
        "Killed at any moment, the same command continues. The finds depend on seed, profile and "
        "number of programs, not on --jobs.\n"
        "With --exhaustive the result is a statement about every program within the bounds.",
    .example = "thinair fuzz --model jam21 --target x86:table2 --time 30",
    .options = fuzz_options,
    .run = fuzz,
};

} // namespace thinair::cli
