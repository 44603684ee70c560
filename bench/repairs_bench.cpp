// What `scheme repair` makes of each mutant that is a scheme: bench_repairs [--random N]
// [--accesses N]
// [--only NAME] writes docs/repairs.md to standard output.
#include "campaign/scheme_search.h"
#include "campaign/target.h"
#include "gen/generator.h"
#include "litmus/text/counted.h"
#include "litmus/text/prose.h"
#include "oracle/cat/model.h"
#include "runners/temporary_directory.h"
#include "tests/mutants/mutants.h"

#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <charconv>
#include <fstream>
#include <string_view>

namespace {

using namespace thinair;

constexpr std::string_view model_name = "java";
constexpr double limit_s = 30;

struct Wanted {
  std::uint64_t random = 2000, beside = 1200; // a third of each profile
  std::uint32_t accesses = 4;
  std::string_view only;
};

Wanted read(int count, char** words) {
  Wanted wanted;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view word = words[i], value = words[i + 1];
    const auto number = [&](auto& to) {
      std::from_chars(value.data(), value.data() + value.size(), to);
    };
    if (word == "--random") number(wanted.random);
    if (word == "--accesses") number(wanted.accesses);
    if (word == "--only") wanted.only = value;
  }
  return wanted;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::vector<gen::Profile> profiles() {
  std::vector<gen::Profile> out;
  for (const auto* name : {"rmw", "varhandle", "monitors"}) {
    out.push_back(gen::load_profile(name));
    out.back().wide = 10;
  }
  return out;
}

/// The operations that a mutant gets wrong, as its rules name them.
std::string at_fault(const mutants::Mutant& mutant) {
  return std::string(mutant.rules.substr(0, mutant.rules.find(' ')));
}

struct Row {
  bool good = false;
  std::string changes;
  std::uint64_t cost = 0, most = 0; // the right scheme's
  double seconds = 0;
  std::string evidence;
};

/// Programs of another seed than the search's that the scheme gets wrong.
std::uint64_t wrong_beside(const std::string& file, const campaign::Against& against,
                           std::uint64_t programs) {
  const auto target = campaign::make_target(file, against);
  std::uint64_t wrong = 0;
  for (const auto& profile : profiles()) {
    gen::Generator drawn(profile, 4711, 1);
    for (std::uint64_t i = 0; i < programs / profiles().size(); ++i)
      wrong += target->judge(drawn.next().program).verdict == campaign::Verdict::unsound ? 1 : 0;
  }
  return wrong;
}

Row repaired(const mutants::Mutant& mutant, const Wanted& wanted,
             const campaign::Against& against) {
  const auto right = lower::Target::named(std::string(mutant.of));
  const auto costs = lower::Costs::measured(right.machine());
  const runners::TemporaryDirectory directory;
  const auto file = directory.path() + "/mutant.scheme",
             mended = directory.path() + "/mended.scheme";
  std::ofstream(file) << print(mutants::scheme_of(mutant).text());
  campaign::SchemeSearch settings;
  settings.scheme = file;
  gen::add_modes(settings.space, "plain,volatile");
  settings.space.max_accesses = wanted.accesses;
  settings.profiles = profiles();
  settings.programs = wanted.random;
  const std::atomic<bool> stop = false;
  const double began = processor_seconds();
  const auto found = campaign::repair(against, settings, costs, stop);
  Row row;
  row.most = costs.of(right.scheme());
  row.seconds = processor_seconds() - began;
  row.cost = found.cost_after;
  for (const auto& change : found.changes)
    row.changes += fmt::format("{}{}: {}", row.changes.empty() ? "" : "; ",
                               lower::name(change.step.operation), change.step.what);
  std::ofstream(mended) << print(found.scheme);
  const auto wrong = found.found ? wrong_beside(mended, against, wanted.beside) : 1;
  row.evidence = fmt::format("{} and {} random", text::grouped(found.extent.programs),
                             text::grouped(found.extent.random + wanted.beside));
  row.good = found.found && wrong == 0 && found.extent.undecided == 0 && !found.changes.empty() &&
             row.cost <= row.most && row.seconds <= limit_s;
  return row;
}

void heading(const Wanted& wanted) {
  fmt::print(
      "{}",
      text::wrapped_prose(fmt::format(
          "# Mutants, repaired\n\n"
          "What `thinair scheme repair` makes of each of the [mutants](mutants.md) that is a "
          "scheme, under the model `{}`: which rule has the mistake, what the repair changed, what "
          "the result costs beside the scheme without the mistake, how long it took, and on how "
          "many programs the result was then found sound: all of up to {} accesses with a changed "
          "operation and plain and volatile ones, all of up to {} with any other operation, and "
          "random ones, some with monitors and threads that start and join others, of which {} are "
          "of a seed that the search does not use. What costs are of is in "
          "[lowering.md](lowering.md).\n\n"
          "Written by `scripts/results`; seconds are of processor time.\n\n",
          model_name, wanted.accesses, wanted.accesses - 1, text::grouped(wanted.beside))));
  fmt::print("| mutant | rule at fault | what the repair changed | cost | without the mistake | "
             "seconds | programs |\n|---|---|---|--:|--:|--:|---|\n");
}

} // namespace

int main(int count, char** words) {
  const auto wanted = read(count, words);
  const auto model = cat::load_model(model_name, cat::Architecture::java);
  const campaign::Against against{.model = model, .model_name = std::string(model_name)};
  heading(wanted);
  std::size_t schemes = 0, optimizers = 0, good = 0;
  double slowest = 0;
  for (const auto& mutant : mutants::mutants()) {
    if (!wanted.only.empty() && wanted.only != mutant.name) continue;
    // what is wrong for one type alone is not looked for: repair asks programs of ints
    if (mutants::scheme_of(mutant).text().tells_types_apart()) continue;
    if (mutant.rules.empty()) {
      ++optimizers;
      continue;
    }
    const auto row = repaired(mutant, wanted, against);
    ++schemes;
    good += row.good;
    slowest = std::max(slowest, row.seconds);
    fmt::print("| `{}` | {} | {} | {} | {} | {:.1f} | {}{} |\n", mutant.name, at_fault(mutant),
               row.changes, text::grouped(row.cost), text::grouped(row.most), row.seconds,
               row.evidence, row.good ? "" : " **not good**");
    std::fflush(stdout);
  }
  fmt::print("{}", text::wrapped_prose(fmt::format(
                       "\n{} of {} schemes are sound again and cost no more than without "
                       "the mistake, the slowest after {:.1f} s. The other {} of the "
                       "{} mutants are optimizers before Table 2's scheme, which have "
                       "no rule that could be repaired.\n",
                       good, schemes, slowest, optimizers, schemes + optimizers)));
  return good == schemes ? 0 : 1;
}
