// Findings as a page: the matrix, then each program with what the models say of it.
#include "campaign/page.h"
#include "cli/check.h"
#include "litmus/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::cli {
namespace {

using campaign::code_block;
using campaign::escape_html;

std::string_view answer_shown(const Finding& f) {
  if (!f.allowed) return word(f.outcome);
  return *f.allowed ? "allowed" : "forbidden";
}

std::string_view expected_shown(const Finding& f) {
  return f.expected ? litmus::name(*f.expected) : "–";
}

/// One question of one test, under all models.
struct Question {
  std::string label;
  std::vector<const Finding*> answers; // by model
};

struct TestEntry { // a test
  std::string source, test, program, about;
  std::vector<Question> questions; // in the order of the test
};

/// Every model answers the questions of a test in its order.
std::vector<TestEntry> entries_of(const std::vector<Finding>& findings) {
  std::map<std::string, TestEntry> by_file;
  std::map<std::pair<std::string, std::string>, std::size_t> answered; // by file and model
  for (const auto& f : findings) {
    auto& entry = by_file[f.file];
    entry.source = f.source;
    entry.test = f.test;
    entry.program = f.program;
    entry.about = f.about;
    const auto number = answered[{f.file, f.model}]++;
    if (number == entry.questions.size()) entry.questions.push_back({f.label, {}});
    entry.questions[number].answers.push_back(&f);
  }
  std::vector<TestEntry> entries;
  for (auto& [file, entry] : by_file) entries.push_back(std::move(entry));
  std::ranges::stable_sort(entries, {}, &TestEntry::source);
  return entries;
}

std::string totals(const std::vector<Finding>& findings) {
  std::string out = "<div class=\"facts\">";
  for (std::size_t o = 0; o < outcome_count; ++o) {
    const auto outcome = static_cast<Outcome>(o);
    const auto count = std::ranges::count(findings, outcome, &Finding::outcome);
    if (count > 0)
      out += campaign::fact(word(outcome), text::grouped(static_cast<std::uint64_t>(count)));
  }
  return out + "</div>\n";
}

std::string matrix_row(const TestEntry& entry, std::size_t test, std::size_t question) {
  const auto& q = entry.questions[question];
  std::string out = fmt::format(
      "<tr><td><a href=\"#t{}\">{}</a></td><td class=\"label\">{}</td><td>{}</td>", test,
      escape_html(entry.test), escape_html(q.label), expected_shown(*q.answers.front()));
  for (std::size_t m = 0; m < q.answers.size(); ++m)
    out += fmt::format("<td><a class=\"tag {}\" href=\"#a{}.{}.{}\">{}</a></td>",
                       word(q.answers[m]->outcome), test, question, m, answer_shown(*q.answers[m]));
  return out + "</tr>\n";
}

std::string matrix(const std::vector<TestEntry>& entries, const std::vector<std::string>& models) {
  std::string out =
      "<div class=\"scroll\"><table class=\"matrix\"><tr><th>test</th><th>outcome</th>"
      "<th>expected</th>";
  for (const auto& model : models) out += "<th>" + escape_html(model) + "</th>";
  out += "</tr>\n";
  std::string source;
  for (std::size_t t = 0; t < entries.size(); ++t) {
    if (t == 0 || entries[t].source != source) {
      source = entries[t].source;
      out += fmt::format("<tr><th>{}</th><th colspan=\"{}\"></th></tr>\n", escape_html(source),
                         models.size() + 2);
    }
    for (std::size_t q = 0; q < entries[t].questions.size(); ++q)
      out += matrix_row(entries[t], t, q);
  }
  return out + "</table></div>\n";
}

/// What a model says, folded; a picture that an earlier model has too is not drawn again.
std::string answer(const Question& question, std::size_t model, std::string_view id) {
  const Finding& f = *question.answers[model];
  std::string out = fmt::format("<details id=\"a{}.{}\"><summary><span class=\"tag {}\">{}</span> "
                                "under <code>{}</code>: {}",
                                id, model, word(f.outcome), answer_shown(f), escape_html(f.model),
                                word(f.outcome));
  if (f.expected) out += fmt::format(", expected {}", expected_shown(f));
  out += "</summary>";
  if (is_undecided(f.outcome)) out += "<p>" + escape_html(f.reason) + "</p>";
  const auto same = std::ranges::find_if(
      question.answers, [&](const Finding* other) { return other->picture == f.picture; });
  if (*same != &f && !f.picture.empty())
    out += fmt::format("<p>The execution is the one under <a href=\"#a{}.{}\">{}</a>.</p>", id,
                       same - question.answers.begin(), escape_html((*same)->model));
  else if (!f.picture.empty())
    out += campaign::figure(*f.allowed ? "How it comes about" : "A forbidden execution", f.picture);
  return out + campaign::note_block(f.why) + "</details>\n";
}

std::string section(const TestEntry& entry, std::size_t test) {
  std::string out = fmt::format("<article id=\"t{}\"><h2>{}</h2>\n", test, escape_html(entry.test));
  out += "<p class=\"dim lines\">" + escape_html(entry.about) + "</p>\n";
  out += code_block("", entry.program);
  for (std::size_t q = 0; q < entry.questions.size(); ++q) {
    const auto& question = entry.questions[q];
    out += "<h3>" + escape_html(question.label) + "</h3>\n";
    const auto& first = *question.answers.front();
    if (first.allowed && !first.reason.empty())
      out += "<p class=\"dim\">" + escape_html(first.reason) + "</p>\n";
    for (std::size_t m = 0; m < question.answers.size(); ++m)
      out += answer(question, m, fmt::format("{}.{}", test, q));
  }
  return out + "</article>\n";
}

} // namespace

std::string html(const std::vector<Finding>& findings, const std::vector<std::string>& models,
                 const std::string& against) {
  const auto entries = entries_of(findings);
  const auto title = fmt::format("{} test{} under {}", entries.size(),
                                 entries.size() == 1 ? "" : "s", fmt::join(models, ", "));
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"dim\">Compared with what is expected by: {}. Each "
                  "answer links to its "
                  "program and to an execution that shows it, or to why there is none.</p>\n",
                  escape_html(title), escape_html(against));
  out += totals(findings) + matrix(entries, models);
  for (std::size_t t = 0; t < entries.size(); ++t) out += section(entries[t], t);
  return campaign::page("thinair: " + title, out);
}

} // namespace thinair::cli
