// thinair results: published tables and the verdicts of the corpus next to what the models say.
#include "cli/command.h"
#include "cli/question.h"
#include "cli/results.h"
#include "litmus/text/file.h"
#include "litmus/text/printable.h"
#include "litmus/text/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace thinair::cli {
namespace {

constexpr auto results_options = std::to_array<Option>({
    {.name = "corpus",
     .takes = Takes::directory,
     .value = "DIR",
     .help = "tests, and in DIR/tables the tables and explanations (default: corpus)"},
    {.name = "output",
     .letter = 'o',
     .takes = Takes::file,
     .value = "FILE",
     .help = "write there; what stands behind its marker stays"},
    {.name = "compare",
     .takes = Takes::file,
     .value = "FILE",
     .help = "write nothing, say where FILE differs from what would be written"},
    jobs_option,
});

constexpr std::string_view marker =
    "\n<!-- What follows is not written by `thinair results`, which keeps it. -->\n";

/// What an existing page has behind the marker.
std::string kept(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  const auto text = litmus::read_file(path).text;
  const auto at = text.find(marker);
  return at == std::string::npos ? std::string() : text.substr(at + marker.size());
}

std::size_t first_difference(const std::string& a, const std::string& b) {
  const auto place = std::ranges::mismatch(a, b).in1;
  return 1 + static_cast<std::size_t>(std::count(a.begin(), place, '\n'));
}

Exit write_results(const Arguments& arguments, Console& console) {
  const auto corpus = results::read_corpus(arguments.text("corpus", "corpus"));
  results::Answers answers(corpus);
  results::want_all(corpus, answers);
  answers.ask(
      static_cast<std::size_t>(std::clamp<std::uint64_t>(arguments.count("jobs", 1), 1, 64)));
  results::Reasons reasons(corpus.explanations);
  const auto page =
      text::wrapped_prose(results::document(corpus, answers, reasons)) + std::string(marker);
  Exit exit = answers.any_vacuous() ? Exit::undecided : Exit::clean;
  for (const auto& complaint : reasons.complaints()) {
    console.diagnose(complaint);
    exit = Exit::finding;
  }
  if (const auto path = arguments.text("compare")) {
    const auto there = litmus::read_file(*path).text, wanted = page + kept(*path);
    if (there == wanted) return exit;
    console.diagnose(fmt::format("{}:{}: error: this is not what `thinair results` writes",
                                 text::printable_word(*path), first_difference(wanted, there)));
    return Exit::finding;
  }
  if (const auto path = arguments.text("output"))
    text::write_file(*path, page + kept(*path));
  else
    console.out.write(page);
  return exit;
}

} // namespace

extern constinit const Command results_command = {
    .name = "results",
    .summary = "compare published tables with what the models say",
    .description =
        "Asks the models what published tables and the tests of a corpus say of them, and writes "
        "a page: each table next to ours, every deviation with its reason, what is undecided.\n"
        "Reasons stand in DIR/tables/explanations. A deviation without one, or an explanation of "
        "what does not deviate (any more), is a finding: exit code 1. Exit code 3 where a model "
        "allows a program nothing at all.",
    .example = "thinair results --corpus corpus --compare docs/results.md",
    .options = results_options,
    .run = write_results,
};

} // namespace thinair::cli
