// thinair check TEST…: every question of tests under models, against what sources say.
#include "cli/check.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/results.h"
#include "litmus/text/file.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace thinair::cli {
namespace {

constexpr auto check_options = with_all_limits(std::to_array<Option>({
    judging_model_option,
    {.name = "models",
     .takes = Takes::text,
     .value = "A,B,…",
     .help = "several models side by side; umm:NAME is a transition table of UMM"},
    {.name = "against",
     .takes = Takes::text,
     .value = "WHO",
     .help = "whose verdicts to compare with: official (the quantifiers), or a key of the tests' "
             "verdicts (default: official)"},
    causality_option,
    identity_option,
    oracle_option,
    {.name = "baseline",
     .takes = Takes::model,
     .value = "M",
     .help = "an earlier version of the model: only the questions that it answers differently are "
             "shown, with "
             "their programs"},
    {.name = "junit", .takes = Takes::file, .value = "FILE", .help = "write JUnit XML"},
    {.name = "html", .takes = Takes::file, .value = "FILE", .help = "write a page"},
    jobs_option,
    as_plain_option,
    include_option,
}));

std::vector<std::string> models_of(const Arguments& arguments) {
  std::vector<std::string> models;
  if (const auto one = arguments.text("model")) models.push_back(*one);
  std::string rest = arguments.text("models", "");
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    if (comma > 0) models.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  if (models.empty()) models.push_back(judging_model(arguments));
  return models;
}

/// Whose verdicts to compare with must be somebody: a key that results knows, or one that the tests
/// have.
void check_against(const std::string& against, const std::vector<std::string>& files) {
  std::set<std::string, std::less<>> known = {"official"};
  for (const auto& info : results::keys()) known.emplace(info.key);
  if (known.contains(against)) return;
  for (const auto& file : files) {
    if (file == "-") return; // can be read only once
    try {
      for (const auto& clause : litmus::parse(read_input(file)).clauses)
        for (const auto& verdict : clause.verdicts) known.insert(verdict.model);
    } catch (const InputError&) { // reported when its turn comes
      continue;
    } catch (const Unsupported&) {
      continue;
    }
  }
  if (known.contains(against)) return;
  const auto near = nearest(against, std::vector<std::string_view>(known.begin(), known.end()));
  std::string all;
  for (const auto& key : known) all += (all.empty() ? "" : ", ") + key;
  throw InputError(
      fmt::format("thinair check: error: --against {}: no test has such verdicts\n"
                  "  hint: {}",
                  text::printable_word(against),
                  near ? fmt::format("did you mean '{}'?", *near) : "there are " + all));
}

std::string_view answer_of(const Finding& f) {
  if (!f.allowed) return "-";
  return *f.allowed ? "allowed" : "forbidden";
}

std::string expected_of(const Finding& f) {
  return f.expected ? std::string(litmus::name(*f.expected)) : "-";
}

std::string text_of(const Finding& f) {
  const bool why = is_undecided(f.outcome);
  return fmt::format("{:<11} {} \"{}\" {}: expected {}, found {}{}\n", word(f.outcome), f.test,
                     f.label, f.model, expected_of(f), answer_of(f),
                     why ? " (" + f.reason + ")" : "");
}

std::string json_of(const Finding& f) {
  return json::Object()
             .string("test", f.test)
             .string("file", f.file)
             .string("source", f.source)
             .string("label", f.label)
             .string("model", f.model)
             .string("expected", expected_of(f))
             .string("found", answer_of(f))
             .string("outcome", word(f.outcome))
             .string("reason", f.reason)
             .real("seconds", f.seconds)
             .text() +
         "\n";
}

std::string_view found_of(const Finding& f) {
  return f.allowed ? answer_of(f) : word(f.outcome); // why there is no answer is a change, too
}

bool changed(const Finding& before, const Finding& now) {
  return found_of(before) != found_of(now);
}

std::string change_text(const Finding& before, const Finding& now) {
  return fmt::format("{} \"{}\": {} under {}, {} under {}; expected {}\n{}\n", now.test, now.label,
                     found_of(before), before.model, found_of(now), now.model, expected_of(now),
                     now.program);
}

std::string change_json(const Finding& before, const Finding& now) {
  return json::Object()
             .string("test", now.test)
             .string("file", now.file)
             .string("label", now.label)
             .string("baseline", before.model)
             .string("model", now.model)
             .string("before", found_of(before))
             .string("now", found_of(now))
             .string("expected", expected_of(now))
             .string("program", now.program)
             .text() +
         "\n";
}

/// --baseline: what changed between two versions of a model.
Exit check_changes(const Arguments& arguments, Console& console) {
  const auto models = models_of(arguments);
  if (models.size() != 1)
    throw InputError(
        "thinair check: error: --baseline compares one model with an earlier version of it\n"
        "  hint: thinair check corpus --model mine.cat --baseline before.cat");
  const auto against = arguments.text("against", "official");
  const Judge before(*arguments.text("baseline"), arguments), now(models.front(), arguments);
  std::mutex mutex;
  std::size_t asked = 0, differ = 0;
  const Exit input =
      for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
        const auto test = litmus::parse(read_input(file));
        progress.test = test.name;
        const auto old = before.judge(test, file, against), fresh = now.judge(test, file, against);
        Done done;
        const std::scoped_lock lock(mutex);
        for (std::size_t i = 0; i < fresh.size(); ++i, ++asked) {
          if (!changed(old.at(i), fresh[i])) continue;
          ++differ;
          done.out +=
              arguments.json() ? change_json(old[i], fresh[i]) : change_text(old[i], fresh[i]);
        }
        return done;
      });
  if (!arguments.json())
    console.out.write(fmt::format("{} of {} questions have another answer\n", differ, asked));
  if (input != Exit::clean) return input;
  return differ > 0 ? Exit::finding : Exit::clean;
}

Exit exit_of(const std::vector<Finding>& findings) {
  const auto any = [&](Outcome o) {
    return std::ranges::find(findings, o, &Finding::outcome) != findings.end();
  };
  if (any(Outcome::fail)) return Exit::finding;
  const auto undecided = [](const Finding& f) { return is_undecided(f.outcome); };
  return std::ranges::any_of(findings, undecided) ? Exit::undecided : Exit::clean;
}

Exit check_tests(const Arguments& arguments, Console& console) {
  if (arguments.has("baseline")) return check_changes(arguments, console);
  const auto models = models_of(arguments);
  const auto against = arguments.text("against", "official");
  std::vector<Judge> judges;
  for (const auto& model : models) judges.emplace_back(model, arguments);
  const auto files = expand(arguments.operands());
  check_against(against, files);
  std::map<std::string, std::vector<Finding>> by_file;
  std::mutex mutex;
  const Exit input =
      for_each(files, arguments, console, [&](const std::string& file, Progress& progress) {
        const auto test = litmus::parse(read_input(file));
        progress.test = test.name;
        Done done;
        std::vector<Finding> findings;
        for (const auto& judge : judges) {
          Watch watch = judge.start();
          auto judged = judge.judge(test, file, against, watch);
          if (arguments.has("html")) judge.explain(test, judged, watch);
          for (auto& finding : judged) {
            done.out += arguments.json() ? json_of(finding) : text_of(finding);
            findings.push_back(std::move(finding));
          }
        }
        const std::scoped_lock lock(mutex);
        by_file[file] = std::move(findings);
        return done;
      });
  std::vector<Finding> all;
  for (auto& [file, findings] : by_file) std::ranges::move(findings, std::back_inserter(all));
  if (!arguments.json()) console.out.write("\n" + summary(all, models));
  if (const auto path = arguments.text("junit")) text::write_file(*path, junit(all));
  if (const auto path = arguments.text("html")) text::write_file(*path, html(all, models, against));
  return input == Exit::clean ? exit_of(all) : input;
}

} // namespace

extern constinit const Command check_command = {
    .name = "check",
    .summary = "compare what models say of tests with what is expected",
    .usage = "TEST…",
    .description =
        "Asks every question of the tests under each model, and compares the answer with what the "
        "tests expect: pass, fail, unsupported, unknown, vacuous (the model allows the program "
        "nothing at all), contested (the sources disagree) or unstated. Then a table, a row for "
        "each source (the folder of a file); with several "
        "models, a "
        "column for each.\n"
        "Exit code 1 where something fails; otherwise 3 where something is unsupported, "
        "unknown or vacuous.\n"
        "With --baseline only what changed between two versions of a model is shown; exit code 1 "
        "where something "
        "did.\n"
        "A folder stands for the .litmus files in it, @LIST for the tests a file lists, - for "
        "standard input.",
    .example = "thinair check corpus/ctc --model jls04",
    .operands = Operands::inputs,
    .options = check_options,
    .run = check_tests,
};

} // namespace thinair::cli
