// Reads questions; answers them by campaigns that end at the first find.
#include "tests/barriers/barriers.h"

#include "campaign/campaign.h"
#include "campaign/report.h"
#include "campaign/target.h"
#include "gen/exhaustive.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/target.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>

namespace thinair::barriers {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(at, begin), text.size());
    auto part = text.substr(begin, end - begin);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

/// Files of the question's folder are named without it.
std::string placed(const std::string& name, const std::string& folder) {
  return name.ends_with(".scheme") ? folder + "/" + name : name;
}

std::string target_in(const std::string& name, const std::string& folder) {
  const auto parts = lower::parts_of_mix(name);
  if (parts.empty()) return placed(name, folder);
  std::string mix;
  for (const auto& part : parts)
    mix += fmt::format("{}{}", mix.empty() ? "mix:" : ",", placed(part, folder));
  return mix;
}

/// "name | target | modes or test=FILE | sound, unsound or open".
Run run_of(const std::string& value, const std::string& folder, const std::string& file) {
  const auto parts = split(value, '|');
  constexpr auto conclusions = std::to_array<std::string_view>({"sound", "unsound", "open"});
  if (parts.size() != 4 || std::ranges::find(conclusions, parts[3]) == conclusions.end())
    throw InputError::in(file, "expected `run: NAME | TARGET | MODES or test=FILE | sound, unsound "
                               "or open`, found " +
                                   value);
  Run run{parts[0], target_in(parts[1], folder), parts[2], "", parts[3]};
  constexpr std::string_view test = "test=";
  if (run.modes.starts_with(test))
    run.test = folder + "/" + std::exchange(run.modes, "").substr(test.size());
  return run;
}

Question read_question(const fs::path& folder) {
  const auto file = (folder / "question").string();
  Question out;
  out.folder = folder.filename().string();
  for (const auto& line : split(litmus::read_file(file).text, '\n')) {
    if (line.empty()) continue;
    const auto colon = line.find(": ");
    const auto key = line.substr(0, colon);
    const auto value = colon == std::string::npos ? "" : line.substr(colon + 2);
    if (key == "run")
      out.runs.push_back(run_of(value, folder.string(), file));
    else if (auto* text = key == "title"     ? &out.title
                          : key == "where"   ? &out.where
                          : key == "asks"    ? &out.asks
                          : key == "said"    ? &out.said
                          : key == "because" ? &out.because
                                             : nullptr)
      *text = value;
    else
      throw InputError::in(file, fmt::format("\"{}\" is no key of a question", key));
  }
  return out;
}

/// The weight of each kind of update, where the space has one of them.
void keep_updates(gen::Profile& profile, const gen::Space& space) {
  using litmus::Action;
  const auto has = [&](Action action) {
    return std::ranges::any_of(space.methods, [&](const litmus::Method method) {
      return litmus::info(method).action == action;
    });
  };
  const auto keep = [&](std::uint32_t& weight, bool kept) { weight = kept ? weight : 0; };
  keep(profile.get_and_set, has(Action::get_and_set));
  keep(profile.get_and_add, has(Action::get_and_add));
  keep(profile.get_and_bitwise,
       has(Action::get_and_or) || has(Action::get_and_and) || has(Action::get_and_xor));
  keep(profile.compare_and_exchange, has(Action::compare_and_exchange));
  keep(profile.compare_and_set, has(Action::compare_and_set));
  keep(profile.weak_compare_and_set, has(Action::weak_compare_and_set));
  if (profile.get_and_set + profile.get_and_add + profile.get_and_bitwise +
          profile.compare_and_exchange + profile.compare_and_set + profile.weak_compare_and_set ==
      0)
    profile.rmw = 0;
}

/// What random programs of these modes are drawn from. They are small: what a larger one shows that
/// the model forbids, a part of it shows as a rule, and in the time of one of ten accesses several
/// of seven are judged.
gen::Profile profile_of(const gen::Space& space) {
  litmus::Constructs constructs;
  for (const auto method : space.methods) constructs |= litmus::construct_of(method);
  for (const auto fence : space.fences) constructs |= litmus::construct_of(fence);
  const auto whole = gen::load_profile("rmw");
  auto profile = gen::restricted(whole, constructs);
  profile.rmw = whole.rmw; // one kind of update is enough of a question
  keep_updates(profile, space);
  if (!constructs.has(litmus::Construct::plain) && profile.volatile_ > 0) profile.plain = 0;
  profile.max_accesses = most_drawn;
  return profile;
}

/// One campaign, until the first minimal program.
void search(const Run& run, campaign::Target& target, campaign::Settings settings,
            std::uint64_t& judged, Answer& out) {
  const runners::TemporaryDirectory directory;
  settings.directory = directory.path() + "/campaign";
  settings.identity.model = "java";
  settings.identity.targets = {run.target};
  settings.identity.seed = 1;
  settings.max_tries = 20'000;
  std::atomic<bool> stop = false;
  campaign::Events events;
  events.new_minimal = [&](const campaign::MismatchRow& row) {
    if (!stop.exchange(true)) {
      out.program = litmus::parse({"minimal", row.minimal}).java();
      out.behaviour = litmus::to_string(row.minimal_finding.behaviour);
    }
  };
  const auto end = campaign::run(
      settings, [&](const litmus::Program& p, std::size_t) { return target.judge(p); }, events,
      stop);
  judged = end.programs;
  out.undecided += end.unknown + end.unsupported + end.vacuous;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// All programs of one access more, where it seems that there is time: `each` is what one of the
/// smaller ones took.
void go_on(const Run& run, campaign::Target& target, campaign::Settings settings, double each,
           double left, Answer& out) {
  constexpr double dearer = 2;     // a larger program
  constexpr double counting = 0.1; // of what is left
  if (left <= 0) return;
  ++settings.space->max_accesses;
  const double begin = processor_seconds();
  const auto number =
      gen::count(*settings.space, [&] { return processor_seconds() - begin > counting * left; });
  if (!number || static_cast<double>(*number) * each * dearer > left * (1 - counting)) return;
  out.accesses = settings.space->max_accesses;
  search(run, target, settings, out.exhaustive, out);
}

} // namespace

std::vector<Question> read_questions(const std::string& corpus) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(corpus + "/barriers"))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::ranges::sort(folders);
  std::vector<Question> all;
  for (const auto& folder : folders) all.push_back(read_question(folder));
  return all;
}

Answer answer(const Run& run, const cat::Plan& model, const Bounds& bounds) {
  const double begin = processor_seconds();
  const campaign::Against against{.model = model, .model_name = "java"};
  const auto target = campaign::make_target(run.target, against);
  Answer out;
  if (!run.test.empty()) {
    const auto program = litmus::parse(litmus::read_file(run.test)).java();
    const auto judgement = target->judge(program);
    out.exhaustive = 1;
    out.undecided = campaign::is_undecided(judgement.verdict) ? 1 : 0;
    if (judgement.verdict == campaign::Verdict::unsound) {
      out.program = program;
      out.behaviour = litmus::to_string(judgement.findings.front().behaviour);
    }
  } else {
    campaign::Settings settings;
    settings.jobs = bounds.jobs;
    settings.choices = target->choices();
    gen::Space space;
    gen::add_modes(space, run.modes);
    space.max_accesses = bounds.accesses;
    space.choices = settings.choices;
    auto random = settings;
    random.profile = profile_of(space);
    random.programs = bounds.random;
    search(run, *target, random, out.random, out); // these find sooner what there is to find
    settings.space = space;
    const double before = processor_seconds();
    out.accesses = bounds.accesses;
    if (!out.program) search(run, *target, settings, out.exhaustive, out);
    const double now = processor_seconds();
    if (!out.program && out.exhaustive > 0)
      go_on(run, *target, settings, (now - before) / static_cast<double>(out.exhaustive),
            bounds.seconds - (now - begin), out);
  }
  out.seconds = processor_seconds() - begin;
  out.verdict = out.program         ? campaign::Verdict::unsound
                : out.undecided > 0 ? campaign::Verdict::unknown
                                    : campaign::Verdict::sound;
  return out;
}

} // namespace thinair::barriers
