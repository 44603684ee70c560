// Writes assembly.
#include "lower/assembly.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {

std::string assembly(const litmus::Code& code, const litmus::Language& language,
                     const Comment& comment) {
  std::string text = "\t.text\n";
  const auto sizes = code.sizes();
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    const std::string label_prefix = fmt::format(".L{}_", t);
    text += fmt::format("\t.globl P{0}\n\t.type P{0}, %function\nP{0}:\n", t);
    for (std::size_t k = 0; k <= sizes[t]; ++k) {
      const bool instruction = k < sizes[t];
      if (const std::string said = instruction && comment ? comment(t, k) : ""; !said.empty())
        text += fmt::format("\t{} {}\n", language.comment, said);
      for (const auto& label : code.labels(t, k))
        text += fmt::format("{}{}:\n", label_prefix, label);
      if (instruction) text += fmt::format("\t{}\n", language.assembly(code, t, k, label_prefix));
    }
    text += fmt::format("\tret\n\t.size P{0}, .-P{0}\n", t);
  }
  for (const auto& cell : code.cells())
    if (cell.index == 0)
      text += fmt::format("\t.comm {},{},8\n", litmus::name_in_code(cell),
                          8 * std::max<std::size_t>(1, cell.length));
  return text;
}

std::vector<std::string> code_lines(const litmus::Code& code, const litmus::Language& language,
                                    std::size_t thread) {
  std::vector<std::string> lines;
  const std::size_t size = code.sizes().at(thread);
  for (std::size_t k = 0; k <= size; ++k) {
    for (const auto& label : code.labels(thread, k)) lines.push_back(label + ":");
    if (k < size) lines.push_back(language.assembly(code, thread, k, ""));
  }
  return lines;
}

} // namespace thinair::lower
