// Findings as tables and JUnit XML.
#include "campaign/page.h"
#include "cli/check.h"
#include "litmus/text/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::cli {
namespace {

using campaign::escape_html;

constexpr auto words = std::to_array<std::string_view>(
    {"pass", "fail", "unsupported", "unknown", "vacuous", "contested", "unstated"});

struct Count {
  std::array<std::size_t, outcome_count> by_outcome{};
  double seconds = 0;

  void add(const Finding& f) {
    ++by_outcome[static_cast<std::size_t>(f.outcome)];
    seconds += f.seconds;
  }
};

using Counts = std::map<std::pair<std::string, std::string>, Count>; // by source and model

/// A column a model: its numbers, in the order of `words`, as jMT's Table 1 has three.
std::string side_by_side(const Counts& counts, const std::vector<std::string>& models) {
  std::size_t width = 24;
  for (const auto& model : models) width = std::max(width, model.size());
  std::set<std::string> sources;
  for (const auto& [key, count] : counts)
    if (key.first != "all") sources.insert(key.first);
  std::string out = fmt::format("{}\n\n{:<18}", fmt::join(words, "/"), "source");
  for (const auto& model : models) out += fmt::format(" {:>{}}", model, width);
  const auto line = [&](const std::string& source) {
    out += fmt::format("\n{:<18}", source);
    for (const auto& model : models) {
      const auto found = counts.find({source, model});
      const auto numbers = found == counts.end() ? Count{} : found->second;
      out += fmt::format(" {:>{}}", fmt::format("{}", fmt::join(numbers.by_outcome, "/")), width);
    }
  };
  for (const auto& source : sources) line(source);
  line("all");
  out += fmt::format("\n{:<18}", "seconds");
  for (const auto& model : models)
    out += fmt::format(" {:>{}.3f}", counts.at({"all", model}).seconds, width);
  return out + "\n";
}

std::string row(std::string_view name, std::string_view model, const Count& count) {
  std::string out = fmt::format("{:<18} {:<12}", name, model);
  for (std::size_t i = 0; i < outcome_count; ++i)
    out += fmt::format(" {:>{}}", count.by_outcome[i], words[i].size());
  return out + fmt::format(" {:>9.3f}\n", count.seconds);
}

std::string_view answer_in_junit(const Finding& f) {
  if (!f.allowed) return word(f.outcome);
  return *f.allowed ? "allowed" : "forbidden";
}

std::string expected_in_junit(const Finding& f) {
  return f.expected ? std::string(litmus::name(*f.expected)) : "-";
}

std::string junit_case(const Finding& f) {
  std::string out = fmt::format("  <testcase classname=\"{}\" name=\"{} {} [{}]\" time=\"{:.3f}\">",
                                escape_html(f.source), escape_html(f.test), escape_html(f.label),
                                escape_html(f.model), f.seconds);
  const auto text = fmt::format("expected {}, found {}", expected_in_junit(f), answer_in_junit(f));
  if (f.outcome == Outcome::fail)
    out += fmt::format("<failure message=\"{}\">{}</failure>", text, escape_html(f.reason));
  else if (f.outcome != Outcome::pass)
    out += fmt::format("<skipped message=\"{}: {}\"/>", word(f.outcome), escape_html(f.reason));
  return out + "</testcase>\n";
}

} // namespace

std::string_view word(Outcome outcome) { return words[static_cast<std::size_t>(outcome)]; }

bool is_undecided(Outcome outcome) {
  switch (outcome) {
  case Outcome::unsupported:
  case Outcome::unknown:
  case Outcome::vacuous: return true;
  case Outcome::pass:
  case Outcome::fail:
  case Outcome::contested:
  case Outcome::unstated: return false;
  }
  bug(__FILE__, __LINE__, "an outcome that is none");
}

std::string summary(const std::vector<Finding>& findings, const std::vector<std::string>& models) {
  Counts counts;
  std::map<std::string, Count> totals;
  for (const auto& f : findings) {
    counts[{f.source, f.model}].add(f);
    totals[f.model].add(f);
  }
  for (const auto& model : models) counts[{"all", model}] = totals[model];
  if (models.size() > 1) return side_by_side(counts, models);
  std::string out = fmt::format("{:<18} {:<12}", "source", "model");
  for (const auto name : words) out += fmt::format(" {}", name);
  out += "   seconds\n";
  for (const auto& [key, count] : counts)
    if (key.first != "all") out += row(key.first, key.second, count);
  for (const auto& model : models) out += row("all", model, totals[model]);
  return out;
}

std::string junit(const std::vector<Finding>& findings) {
  std::map<std::string, std::vector<const Finding*>> suites;
  for (const auto& f : findings) suites[f.source].push_back(&f);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [name, cases] : suites) {
    const auto failures =
        std::ranges::count(cases, Outcome::fail, [](const Finding* f) { return f->outcome; });
    const auto passes =
        std::ranges::count(cases, Outcome::pass, [](const Finding* f) { return f->outcome; });
    const auto skipped = static_cast<std::ptrdiff_t>(cases.size()) - failures - passes;
    double seconds = 0;
    for (const auto* f : cases) seconds += f->seconds;
    out += fmt::format(" <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                       "skipped=\"{}\" time=\"{:.3f}\">\n",
                       escape_html(name), cases.size(), failures, skipped, seconds);
    for (const auto* f : cases) out += junit_case(*f);
    out += " </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

} // namespace thinair::cli
