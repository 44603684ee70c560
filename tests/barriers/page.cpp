// Reads and writes tables of docs/barriers.md.
#include "tests/barriers/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace thinair::barriers {
namespace {

/// How a heading is called in links: small letters, hyphens for blanks, nothing else.
std::string anchor(const std::string& title) {
  std::string out;
  for (const unsigned char c : title) {
    if (std::isalnum(c) != 0 || c == '-') out += static_cast<char>(std::tolower(c));
    if (c == ' ') out += '-';
  }
  return out;
}

/// "sound", or "before: unsound; after: sound" where there are several pieces of code.
std::string told(std::span<const Run> runs, auto&& verdict_of) {
  std::string out;
  for (const Run& run : runs)
    out += fmt::format("{}{}{}", out.empty() ? "" : "; ", runs.size() > 1 ? run.name + ": " : "",
                       verdict_of(run));
  return out;
}

} // namespace

std::optional<PageRow> row_of(const std::string& section, const Run& run) {
  const auto begin = section.find("\n| " + run.name + " | `");
  if (begin == std::string::npos) return std::nullopt;
  std::istringstream line(section.substr(begin + 1, section.find('\n', begin + 1) - begin - 1));
  std::vector<std::string> cells;
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(cell);
  if (cells.size() < 7) return std::nullopt;
  const auto trimmed = [](const std::string& s) { return s.substr(1, s.size() - 2); };
  return PageRow{trimmed(cells[5]), std::stod(cells[6])};
}

std::string section_of(const std::string& page, const Question& question) {
  const auto begin = page.find("\n## " + question.title + "\n");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

std::string in_short(std::span<const Question> questions, const std::string& sections) {
  std::string out = "| question | concluded there | thinair |\n|---|---|---|\n";
  for (const Question& question : questions) {
    const auto section = section_of(sections, question);
    if (section.empty()) continue;
    const auto there = told(question.runs, [](const Run& run) { return run.concluded; });
    const auto here = told(question.runs, [&](const Run& run) {
      const auto row = row_of(section, run);
      return row ? row->verdict : std::string("unknown");
    });
    out += fmt::format("| [{}](#{}) | {} | {} |\n", question.title, anchor(question.title), there,
                       there == here ? "the same" : here);
  }
  return out;
}

} // namespace thinair::barriers
