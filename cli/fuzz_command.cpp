// thinair fuzz: a campaign of random programs against targets.
#include "campaign/campaign.h"
#include "campaign/judges.h"
#include "campaign/report.h"
#include "cli/command.h"
#include "cli/question.h"
#include "cli/version.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

namespace thinair::cli {
namespace {

constexpr auto options = std::to_array<Option>({
    {.name = "model",
     .letter = 'm',
     .takes = Takes::model,
     .value = "M",
     .help = "what is allowed: a name that 'thinair models' lists, or a .cat file",
     .required = true},
    {.name = "target",
     .letter = 't',
     .takes = Takes::text,
     .value = "T",
     .help = "what is tested: a name that 'thinair scheme list' prints, a scheme file, or a JVM: "
             "jvm:JDK or jvm:JDK:MODE, as 'thinair jdks' has them",
     .required = true,
     .repeats = true},
    {.name = "campaign",
     .letter = 'c',
     .takes = Takes::directory,
     .value = "DIR",
     .help = "where what is found is kept; the same command continues it; campaign unless said"},
    {.name = "profile",
     .letter = 'p',
     .takes = Takes::text,
     .value = "NAME|FILE",
     .help = "what to draw, as 'thinair gen' has it; varhandle unless said"},
    {.name = "programs",
     .letter = 'n',
     .takes = Takes::count,
     .value = "N",
     .help = "end after N programs"},
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "end after S seconds; 60 unless --programs is given"},
    {.name = "seed", .letter = 's', .takes = Takes::count, .value = "S", .help = "1 unless said"},
    {.name = "jobs",
     .letter = 'j',
     .takes = Takes::count,
     .value = "N",
     .help = "programs at a time; all cores unless said; the finds do not depend on it"},
    {.name = "shard",
     .takes = Takes::text,
     .value = "I/N",
     .help = "only part I (from 0) of N disjoint parts; 'thinair merge' unites their stores"},
    {.name = "official",
     .help = "confirm each minimal program on a JVM through jcstress's own command line (a minute "
             "each)"},
    {.name = "quiet", .letter = 'q', .help = "no lines about progress"},
    include_option,
});

std::atomic<bool> stop = false;

void on_signal(int) { stop = true; }

/// "1/4".
void read_shard(const std::string& text, campaign::Settings& settings) {
  unsigned shard = 0, shards = 0;
  char end = 0;
  if (std::sscanf(text.c_str(), "%u/%u%c", &shard, &shards, &end) != 2 || shards == 0 ||
      shard >= shards)
    throw InputError(fmt::format("error: --shard takes I/N with 0 <= I < N, not '{}'", text));
  settings.shard = shard;
  settings.shards = shards;
}

bool on_jvms(const campaign::Settings& settings) {
  return std::ranges::any_of(settings.identity.targets, campaign::is_jvm_target);
}

campaign::Settings settings_of(const Arguments& arguments) {
  campaign::Settings settings;
  settings.directory = arguments.text("campaign", "campaign");
  settings.profile = gen::load_profile(arguments.text("profile", "varhandle"));
  settings.identity.seed = arguments.count("seed", 1);
  settings.identity.model = *arguments.text("model");
  settings.identity.targets = arguments.texts("target");
  settings.identity.profile = gen::print(settings.profile);
  settings.identity.version = to_string(version());
  if (arguments.has("programs")) settings.programs = arguments.count("programs", 0);
  if (arguments.has("time") || !settings.programs) settings.seconds = arguments.seconds("time", 60);
  // A JVM is asked about many programs at a time, so there must be as many that wait.
  const auto jobs = on_jvms(settings) ? campaign::JvmSettings{}.batch
                                      : std::max(1U, std::thread::hardware_concurrency());
  settings.jobs = static_cast<std::uint32_t>(arguments.count("jobs", jobs));
  if (const auto shard = arguments.text("shard")) read_shard(*shard, settings);
  return settings;
}

std::string status_line(const campaign::Progress& now) {
  return fmt::format(
      "{:7.1f} s  {} programs ({:.0f}/s), {} mismatches, {} distinct, {} unknown, {} "
      "unsupported, {} combinations covered",
      now.elapsed_s, now.programs, now.programs_per_s, now.mismatches, now.distinct, now.unknown,
      now.unsupported, now.coverage);
}

std::string found_text(const campaign::MismatchRow& row, const campaign::Identity& identity) {
  return fmt::format("{} on {}: {} accesses, {} is forbidden ({})\n{}\n",
                     litmus::to_string(row.minimal_hash).substr(0, 8),
                     identity.targets.at(row.target), row.minimal_accesses,
                     row.minimal_finding.behaviour, row.minimal_finding.reason, row.minimal);
}

std::string summary(const campaign::Progress& end, const campaign::Settings& settings) {
  return fmt::format("{} programs in {:.1f} s: {} mismatches, {} distinct minimal; {} unknown, {} "
                     "unsupported\nthinair report {} shows them\n",
                     end.programs, end.elapsed_s, end.mismatches, end.distinct, end.unknown,
                     end.unsupported, settings.directory);
}

/// Time for what is being reduced when --time is over, then the JVMs stop answering.
campaign::JvmSettings jvm_settings_of(const campaign::Settings& settings) {
  campaign::JvmSettings jvms;
  if (settings.seconds) jvms.give_up_s = *settings.seconds * 1.25 + 30;
  return jvms;
}

Exit exit_of(const campaign::Progress& end) {
  if (end.mismatches > 0) return Exit::finding;
  return end.unknown + end.unsupported > 0 ? Exit::undecided : Exit::clean;
}

Exit fuzz(const Arguments& arguments, Console& console) {
  auto settings = settings_of(arguments);
  campaign::Judges judge(
      cat::load_model(settings.identity.model, cat::Architecture::java, load_options(arguments)),
      settings.identity.targets, jvm_settings_of(settings));
  if (on_jvms(settings)) {
    settings.candidates = 40; // asking is cheap beside running
    settings.promise = [&](const litmus::Program& program) { return judge.promise(program); };
  }
  const bool quiet = arguments.has("quiet"), json = arguments.json();
  campaign::Events events;
  double said = 0;
  events.progress = [&](const campaign::Progress& now) {
    if (quiet || now.elapsed_s < said + 5) return;
    said = now.elapsed_s;
    console.diagnose(status_line(now));
  };
  events.new_minimal = [&](const campaign::MismatchRow& row) {
    if (!json) console.out.write(found_text(row, settings.identity));
  };
  events.reason = [&](const litmus::Program& program, std::uint32_t target) {
    return judge.reason(program, target, arguments.has("official"));
  };
  stop = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const auto end = campaign::run(
      settings, [&](const litmus::Program& p, std::size_t t) { return judge(p, t); }, events, stop);
  const auto store = campaign::Store::open_existing(settings.directory);
  console.out.write(json ? campaign::to_json(store, settings.directory, campaign::groups(store)) +
                               "\n"
                         : summary(end, settings));
  return exit_of(end);
}

} // namespace

extern constinit const Command fuzz_command = {
    .name = "fuzz",
    .summary = "search for programs that a target gets wrong",
    .description = "Draws programs, lowers each for every target, works out what the code does "
                   "under x86-TSO (or runs it on a JVM), and asks the model "
                   "about each behaviour. A behaviour that the model forbids is a mismatch: its "
                   "program is reduced to a minimal one "
                   "and kept.\n"
                   "Killed at any moment, the same command continues. The finds depend on seed, "
                   "profile and number of programs, "
                   "not on --jobs.",
    .example = "thinair fuzz --model jam21 --target x86:table2 --time 30",
    .options = options,
    .run = fuzz,
};

} // namespace thinair::cli
