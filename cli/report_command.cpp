// thinair report and thinair merge: what a campaign found, and stores united.
#include "campaign/contents.h"
#include "campaign/coverage.h"
#include "campaign/directory.h"
#include "campaign/known_list.h"
#include "campaign/report.h"
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/question.h"
#include "litmus/text/counted.h"
#include "litmus/text/error.h"
#include "litmus/text/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto report_options = std::to_array<Option>({
    {.name = "output",
     .letter = 'o',
     .takes = Takes::file,
     .value = "FILE",
     .help = "write there (default: DIR/report.html)"},
    {.name = "markdown", .help = "write Markdown to standard output instead of HTML to a file"},
    known_option,
    {.name = "ids", .help = "write a file for --known that lists what was found"},
    include_option,
});

constexpr auto merge_options = std::to_array<Option>({
    {.name = "output",
     .letter = 'o',
     .takes = Takes::directory,
     .value = "DIR",
     .help = "the campaign to write, new or there already",
     .required = true},
});

/// Where the page goes: not onto a store.
std::string page_path(const Arguments& arguments, const std::string& directory) {
  const auto path = arguments.text("output", directory + "/report.html");
  if (campaign::is_of_a_store(path, directory))
    throw InputError::in(path, "this is a campaign's store, which a report would destroy\n  hint: "
                               "choose another --output");
  return path;
}

/// A stored campaign with what it is about, as that is now.
class Stored {
 public:
  /// Throws InputError where the model or a target is no longer what was judged.
  Stored(const Arguments& arguments, const campaign::Store& store, const std::string& directory)
      : store_(store), load_(load_of(arguments, store.identity())),
        model_(cat::load_model(store.identity().model, cat::Architecture::java, load_)),
        against_{.model = model_,
                 .model_name = store.identity().model,
                 .with = rules_of(store.identity()),
                 .load = load_,
                 .engine = store.identity().engine,
                 .baseline = store.identity().baseline},
        targets_(campaign::make_targets(store.identity().targets, against_)) {
    campaign::require_unchanged(store, campaign::contents_of(model_, targets_), directory);
  }

  campaign::Finds finds(std::vector<campaign::Group> groups) const {
    auto causes = campaign::causes_of(groups, targets_, against_);
    return {std::move(groups), std::move(causes)};
  }

  std::string markdown(const campaign::Finds& finds) const {
    return campaign::markdown(store_, finds, explain());
  }

  std::string html(const campaign::Finds& finds) const {
    return campaign::html(store_, finds, explain(),
                          campaign::coverage_keys(explain::ModelParts(model_).all()));
  }

 private:
  static cat::LoadOptions load_of(const Arguments& arguments, const campaign::Identity& identity) {
    auto load = load_options(arguments);
    load.as_plain = identity.as_plain;
    return load;
  }

  static runners::SoundnessOptions rules_of(const campaign::Identity& identity) {
    runners::SoundnessOptions with;
    with.oracle.rules = identity.causality;
    with.oracle.identity = causality::identity_named(identity.actions);
    return with;
  }

  campaign::Explain explain() const {
    return [this](const campaign::MismatchRow& row) {
      return targets_.at(row.target)
          ->explain(litmus::parse({"minimal", row.minimal}), row.minimal_finding.behaviour);
    };
  }

  const campaign::Store& store_;
  const cat::LoadOptions load_;
  const cat::Plan model_;
  const campaign::Against against_;
  const campaign::Targets targets_;
};

/// Causes are worked out anew, from what the campaign is about; where that has changed or is gone,
/// the finds remain.
campaign::Finds finds_if_unchanged(const Arguments& arguments, const campaign::Store& store,
                                   const std::string& directory,
                                   std::vector<campaign::Group> groups) {
  try {
    return Stored(arguments, store, directory).finds(groups);
  } catch (const InputError&) {
    return {std::move(groups), {}};
  }
}

Exit report(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() != 1)
    throw InputError("error: report takes one campaign directory");
  const std::string& directory = arguments.operands().front();
  const auto store = campaign::Store::open_existing(directory);
  auto found = campaign::groups(store, known_of(arguments));
  const Exit exit = found.empty() ? Exit::clean : Exit::finding;
  if (arguments.has("ids")) {
    console.out.write(campaign::print_known(found, store.identity()));
    return exit;
  }
  if (arguments.json()) {
    const auto finds = finds_if_unchanged(arguments, store, directory, std::move(found));
    console.out.write(campaign::to_json(store, directory, finds) + "\n");
    return exit;
  }
  const auto path = page_path(arguments, directory);
  const Stored stored(arguments, store, directory);
  const auto finds = stored.finds(std::move(found));
  if (arguments.has("markdown")) {
    console.out.write(stored.markdown(finds));
    return exit;
  }
  text::write_file(path, stored.html(finds));
  console.out.write(fmt::format("{}: {} of {}\n", path,
                                text::counted(finds.causes.size(), "cause", "causes"),
                                text::counted(finds.groups.size(), "distinct minimal mismatch",
                                              "distinct minimal mismatches")));
  return exit;
}

Exit merge(const Arguments& arguments, Console& console) {
  const auto directory = *arguments.text("output");
  campaign::Store::unite(directory, arguments.operands());
  const auto united = campaign::Store::open_existing(directory);
  console.out.write(fmt::format("{}: {} programs, {} distinct minimal mismatches\n", directory,
                                united.program_count(), campaign::groups(united).size()));
  return Exit::clean;
}

} // namespace

extern constinit const Command report_command = {
    .name = "report",
    .summary = "show what a campaign found",
    .usage = "DIR",
    .description =
        "Writes one HTML file that needs nothing else: the causes of what was found, each with "
        "what "
        "would mend it, its smallest program, the code that runs, what that code does, why the "
        "model forbids it, and the other programs behind it; then coverage and plots.",
    .example = "thinair report campaign",
    .operands = Operands::inputs,
    .options = report_options,
    .run = report,
};

extern constinit const Command merge_command = {
    .name = "merge",
    .summary = "unite the shards of a campaign",
    .usage = "DIR…",
    .description = "Unites the stores of campaigns that ran with --shard I/N of one seed, model, "
                   "profile and targets.",
    .example = "thinair merge --output all part0 part1",
    .operands = Operands::inputs,
    .options = merge_options,
    .run = merge,
};

} // namespace thinair::cli
