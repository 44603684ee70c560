// Answers the questions of corpus/barriers, and writes docs/barriers.md to standard output:
// bench_barriers [--only NUMBER] [--random N] [--accesses N] [--seconds N] [--jobs N]
// [--keep FOLDER]. Sections of the page that are in the folder are taken from there, others are
// put there.
#include "campaign/judge.h"
#include "litmus/test.h"
#include "litmus/text/counted.h"
#include "litmus/text/prose.h"
#include "lower/target.h"
#include "oracle/cat/model.h"
#include "tests/barriers/barriers.h"
#include "tests/barriers/page.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace {

using namespace thinair;

struct Wanted {
  barriers::Bounds bounds;
  std::string only, keep;
};

Wanted read(int count, char** words) {
  Wanted wanted;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view word = words[i], value = words[i + 1];
    const auto number = [&](auto& to) {
      std::from_chars(value.data(), value.data() + value.size(), to);
    };
    if (word == "--only") wanted.only = value;
    if (word == "--keep") wanted.keep = value;
    if (word == "--jobs") number(wanted.bounds.jobs);
    if (word == "--seconds") number(wanted.bounds.seconds);
    if (word == "--random") number(wanted.bounds.random);
    if (word == "--accesses") number(wanted.bounds.accesses);
  }
  return wanted;
}

std::string heading() {
  return text::wrapped_prose(fmt::format(
      "# Questions about barriers\n\n"
      "What engineers of JVMs and compilers asked in public reviews and bug reports, from 2017 to "
      "2026: may this barrier go, was that one missing? Each is a folder of `corpus/barriers` with "
      "the code before and after as schemes ([lowering.md](lowering.md#scheme-files)), and what "
      "was concluded. Code that cannot be captured any more is written down from the threads. "
      "Judged under the model `java`: first random programs of up to {} accesses, made of what the "
      "question touches, of which equal ones are judged once, then all of up to four accesses "
      "(five where that ends in time) in two threads over two locations; a search ends at the "
      "first program that shows what the model forbids, made as small as can be. *sound* says no "
      "more than that there is none among these.\n\n"
      "Written by `scripts/results`; seconds are of processor time: 120 are a minute on two "
      "cores.\n",
      barriers::most_drawn));
}

/// The rules that a question's schemes have of their own.
std::string schemes_of(const std::string& folder) {
  std::string text;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".scheme") files.push_back(entry.path().string());
  std::ranges::sort(files);
  for (const auto& file : files)
    text += fmt::format("\n`{}`:\n\n```\n{}```\n", std::filesystem::path(file).filename().string(),
                        litmus::read_file(file).text);
  return text;
}

std::string shown(const barriers::Answer& answer) {
  litmus::Test test = campaign::as_test(*answer.program, "shows-it");
  return litmus::print(test);
}

std::string programs_of(const barriers::Run& run, const barriers::Answer& found) {
  if (run.modes.empty()) return "`" + std::filesystem::path(run.test).filename().string() + "`";
  const auto all = found.exhaustive == 0
                       ? std::string()
                       : fmt::format(", {}{} of up to {}", found.program ? "" : "all ",
                                     text::grouped(found.exhaustive), found.accesses);
  return fmt::format("{} random{}, of {}", text::grouped(found.random), all, run.modes);
}

struct Section {
  std::string text;
  bool good = true; // every run has an answer in time, and one that differs a reason
};

Section section_of(const barriers::Question& question, const cat::Plan& model,
                   const barriers::Bounds& bounds) {
  Section out;
  out.text = text::wrapped_prose(fmt::format("\n## {}\n\n{}. {}\n\nConcluded there: {}\n\n",
                                             question.title, question.where, question.asks,
                                             question.said));
  out.text += "| code | target | programs | concluded | thinair | seconds |\n"
              "|---|---|---|---|---|--:|\n";
  std::string programs;
  bool differs = false;
  for (const auto& run : question.runs) {
    const auto found = barriers::answer(run, model, bounds);
    const auto verdict = campaign::name(found.verdict);
    differs |= run.concluded != "open" && verdict != run.concluded;
    out.good &=
        found.verdict != campaign::Verdict::unknown && found.seconds <= barriers::Bounds{}.seconds;
    out.text += fmt::format("| {} | `{}` | {} | {} | {} | {:.1f} |\n", run.name, run.target,
                            programs_of(run, found), run.concluded, verdict, found.seconds);
    if (found.program)
      programs += fmt::format("\n{}: {} is forbidden.\n\n```\n{}```\n", run.name, found.behaviour,
                              shown(found));
  }
  if (!question.because.empty())
    out.text += text::wrapped_prose(fmt::format("\n{}\n", question.because));
  out.text += programs + schemes_of(std::string("corpus/barriers/") + question.folder);
  out.good &= !differs || !question.because.empty();
  return out;
}

/// All questions take a while: what an earlier run left in the folder stands.
Section kept(const std::string& folder, const barriers::Question& question, const cat::Plan& model,
             const barriers::Bounds& bounds) {
  if (folder.empty()) return section_of(question, model, bounds);
  std::filesystem::create_directories(folder);
  const auto file = fmt::format("{}/{}.md", folder, question.folder);
  if (std::filesystem::exists(file)) return {litmus::read_file(file).text, true};
  auto section = section_of(question, model, bounds);
  if (section.good) std::ofstream(file) << section.text;
  return section;
}

} // namespace

int main(int count, char** words) {
  const auto wanted = read(count, words);
  const auto model = cat::load_model("java", cat::Architecture::java);
  std::filesystem::current_path(THINAIR_SOURCE_DIR);
  bool good = true;
  std::string sections;
  const auto questions = barriers::read_questions("corpus");
  for (const auto& question : questions) {
    if (!wanted.only.empty() && !question.folder.starts_with(wanted.only)) continue;
    const auto section = kept(wanted.keep, question, model, wanted.bounds);
    sections += section.text;
    good &= section.good;
    fmt::print(stderr, "{}\n", question.title);
  }
  fmt::print("{}\n{}{}", heading(), barriers::in_short(questions, sections), sections);
  return good ? 0 : 1;
}
