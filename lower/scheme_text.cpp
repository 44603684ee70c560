// Prints schemes, and takes their rules apart into lines.
#include "lower/scheme_text.h"

#include <fmt/format.h>

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

std::vector<Mark> marks_of(const SchemeText& scheme, Operation operation) {
  std::vector<Mark> marks;
  for (const auto& line : lines_of(scheme.code(operation)))
    if (!is_label(line)) marks.push_back(mark_of(scheme.peepholes(), line));
  return marks;
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
  std::array<bool, operation_count> printed{};
  for (std::size_t i = 0; i < operation_count; ++i) {
    if (printed[i]) continue;
    const std::string& code = scheme.code(operation_at(i));
    std::string names;
    for (std::size_t j = i; j < operation_count; ++j) {
      if (printed[j] || scheme.code(operation_at(j)) != code) continue;
      printed[j] = true;
      names += fmt::format("{}{}", names.empty() ? "" : ",\n", name(operation_at(j)));
    }
    text += fmt::format("\n{} {{\n{}}}\n", names, code);
  }
  for (const Peephole& peephole : scheme.peepholes()) text += "\n" + print(peephole);
  return text;
}

} // namespace thinair::lower
