// Prints schemes, and takes their rules apart into lines.
#include "lower/scheme_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {

std::vector<std::string> lines_of(const std::string& code) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = std::min(code.find('\n', at), code.size());
    const auto begin = std::min(code.find_first_not_of(' ', at), end);
    lines.push_back(code.substr(begin, end - begin));
    at = end + 1;
  }
  return lines;
}

bool is_label(std::string_view line) { return line.ends_with(':'); }

std::vector<Mark> marks_of(const SchemeText& scheme, const RuleName& rule) {
  std::vector<Mark> marks;
  for (const auto& line : lines_of(scheme.code(rule)))
    if (!is_label(line)) marks.push_back(mark_of(scheme.peepholes(), line));
  return marks;
}

bool alike(const SchemeText& a, const SchemeText& b, Operation operation) {
  const auto same = [&](const SchemeText& of) {
    return std::ranges::all_of(of.rules(), [&](const RuleName& rule) {
      return rule.operation != operation || a.code(rule) == b.code(rule);
    });
  };
  return same(a) && (!b.tells_types_apart() || same(b));
}

std::string print(const Peephole& peephole) {
  std::string across;
  for (std::size_t i = 0; i < operation_count; ++i)
    if (peephole.across[i])
      across += fmt::format("{}{}", across.empty() ? " across " : ", ", name(operation_at(i)));
  return fmt::format("drop {{ {} }} before {{ {} }}{}\n", peephole.drop,
                     fmt::join(peephole.before, "; "), across);
}

std::string print(const SchemeText& scheme) {
  std::string text = fmt::format("scheme {}", scheme.name());
  if (!scheme.title().empty()) text += fmt::format(" \"{}\"", scheme.title());
  text += "\n";
  const auto rules = scheme.rules();
  std::vector<bool> printed(rules.size(), false);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (printed[i]) continue;
    const std::string& code = scheme.code(rules[i]);
    std::string names;
    for (std::size_t j = i; j < rules.size(); ++j) {
      if (printed[j] || scheme.code(rules[j]) != code) continue;
      printed[j] = true;
      names += fmt::format("{}{}", names.empty() ? "" : ",\n", to_string(rules[j]));
    }
    text += fmt::format("\n{} {{\n{}}}\n", names, code);
  }
  for (const Peephole& peephole : scheme.peepholes()) text += "\n" + print(peephole);
  return text;
}

} // namespace thinair::lower
