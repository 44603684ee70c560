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

Exit report(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() != 1)
    throw InputError("error: report takes one campaign directory");
  const std::string& directory = arguments.operands().front();
  const auto store = campaign::Store::open_existing(directory);
  const auto found = campaign::groups(store, known_of(arguments));
  const Exit exit = found.empty() ? Exit::clean : Exit::finding;
  if (arguments.has("ids")) {
    console.out.write(campaign::print_known(found, store.identity()));
    return exit;
  }
  if (arguments.json()) {
    console.out.write(campaign::to_json(store, directory, found) + "\n");
    return exit;
  }
  const auto path = page_path(arguments, directory);
  const auto& identity = store.identity();
  auto load = load_options(arguments);
  load.as_plain = identity.as_plain;
  const auto model = cat::load_model(identity.model, cat::Architecture::java, load);
  const auto targets = campaign::make_targets(
      identity.targets, {.model = model, .model_name = identity.model, .load = load});
  campaign::require_unchanged(store, campaign::contents_of(model, targets), directory);
  const campaign::Explain explained = [&](const campaign::MismatchRow& row) {
    return targets.at(row.target)
        ->explain(litmus::parse({"minimal", row.minimal}), row.minimal_finding.behaviour);
  };
  if (arguments.has("markdown")) {
    console.out.write(campaign::markdown(store, found, explained));
    return exit;
  }
  text::write_file(path, campaign::html(store, found, explained,
                                        campaign::coverage_keys(explain::ModelParts(model).all())));
  console.out.write(fmt::format("{}: {} distinct minimal mismatches\n", path, found.size()));
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
        "Writes one HTML file that needs nothing else: summary, plots, and each distinct mismatch "
        "with its smallest "
        "program, the code that runs, what that code does, and the program it came from.",
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
