// Findings as tables, JUnit XML and a page of HTML.
#include "cli/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::cli {
namespace {

constexpr auto words = std::to_array<std::string_view>(
    {"pass", "fail", "unsupported", "unknown", "contested", "unstated"});

struct Count {
  std::array<std::size_t, outcome_count> by_outcome{};
  double seconds = 0;

  void add(const Finding& f) {
    ++by_outcome[static_cast<std::size_t>(f.outcome)];
    seconds += f.seconds;
  }
};

std::string row(std::string_view name, std::string_view model, const Count& count) {
  std::string out = fmt::format("{:<18} {:<12}", name, model);
  for (std::size_t i = 0; i < outcome_count; ++i)
    out += fmt::format(" {:>{}}", count.by_outcome[i], words[i].size());
  return out + fmt::format(" {:>9.3f}\n", count.seconds);
}

/// Text for XML and HTML; control characters, which XML has no way to say, become '?'.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

std::string_view answer_of(const Finding& f) {
  if (!f.allowed) return word(f.outcome);
  return *f.allowed ? "allowed" : "forbidden";
}

std::string expected_of(const Finding& f) {
  return f.expected ? std::string(litmus::name(*f.expected)) : "-";
}

std::string junit_case(const Finding& f) {
  std::string out = fmt::format("  <testcase classname=\"{}\" name=\"{} {} [{}]\" time=\"{:.3f}\">",
                                escaped(f.source), escaped(f.test), escaped(f.label),
                                escaped(f.model), f.seconds);
  const auto text = fmt::format("expected {}, found {}", expected_of(f), answer_of(f));
  if (f.outcome == Outcome::fail)
    out += fmt::format("<failure message=\"{}\">{}</failure>", text, escaped(f.reason));
  else if (f.outcome != Outcome::pass)
    out += fmt::format("<skipped message=\"{}: {}\"/>", word(f.outcome), escaped(f.reason));
  return out + "</testcase>\n";
}

constexpr std::string_view style =
    "body{font:16px/1.4 system-ui,sans-serif;margin:1rem;max-width:60rem}"
    ".wide{overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid #bbb;"
    "padding:.2rem .5rem;text-align:left}pre{background:#f4f4f4;padding:.5rem;overflow-x:auto}"
    ".pass{background:#d9f2d9}.fail{background:#f7c6c5}.unsupported,.unknown{background:#eee}"
    ".contested{background:#fff2cc}a{color:inherit}";

std::string details(const Finding& f, std::size_t id) {
  return fmt::format(
      "<section id=\"f{}\"><h3>{} {} under {}</h3><p class=\"{}\">expected {}, found "
      "{}: {}</p><p>{}</p><pre>{}</pre></section>\n",
      id, escaped(f.test), escaped(f.label), escaped(f.model), word(f.outcome), expected_of(f),
      answer_of(f), word(f.outcome), escaped(f.reason), escaped(f.program));
}

} // namespace

std::string_view word(Outcome outcome) { return words[static_cast<std::size_t>(outcome)]; }

std::string summary(const std::vector<Finding>& findings, const std::vector<std::string>& models) {
  std::map<std::pair<std::string, std::string>, Count> counts;
  std::map<std::string, Count> totals;
  for (const auto& f : findings) {
    counts[{f.source, f.model}].add(f);
    totals[f.model].add(f);
  }
  std::string out = fmt::format("{:<18} {:<12}", "source", "model");
  for (const auto name : words) out += fmt::format(" {}", name);
  out += "   seconds\n";
  for (const auto& [key, count] : counts) out += row(key.first, key.second, count);
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
    out += fmt::format(" <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n", escaped(name),
                       cases.size(), failures);
    for (const auto* f : cases) out += junit_case(*f);
    out += " </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string html(const std::vector<Finding>& findings, const std::vector<std::string>& models,
                 const std::string& against) {
  std::string out = fmt::format("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta "
                                "name=\"viewport\" content=\"width=device-width\"><title>thinair "
                                "check</title><style>{}</style>\n<h1>thinair check</h1><p>Against "
                                "{}.</p><pre>{}</pre>\n<div class=\"wide\"><table><tr><th>test<th>"
                                "outcome<th>expected",
                                style, escaped(against), escaped(summary(findings, models)));
  for (const auto& model : models) out += "<th>" + escaped(model);
  out += "\n";
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> rows; // by file and label
  for (std::size_t i = 0; i < findings.size(); ++i)
    rows[{findings[i].file, findings[i].label}].push_back(i);
  for (const auto& [key, cells] : rows) {
    const auto& first = findings[cells.front()];
    out += fmt::format("<tr><td>{}<td>{}<td>{}", escaped(first.test), escaped(first.label),
                       expected_of(first));
    for (const auto i : cells)
      out += fmt::format("<td class=\"{}\"><a href=\"#f{}\">{}</a>", word(findings[i].outcome), i,
                         answer_of(findings[i]));
    out += "\n";
  }
  out += "</table></div>\n";
  for (std::size_t i = 0; i < findings.size(); ++i) out += details(findings[i], i);
  return out + "</html>\n";
}

} // namespace thinair::cli
