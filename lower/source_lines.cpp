// Collects statements and sets columns.
#include "lower/source_lines.h"

#include "litmus/java/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

void collect(const litmus::Block& block, std::vector<const litmus::Statement*>& out) {
  for (const auto& statement : block) {
    out.push_back(&statement);
    if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
      collect(branch->then_block, out);
      collect(branch->else_block, out);
    } else if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
      collect(made->body, out);
    }
  }
}

} // namespace

std::vector<const litmus::Statement*> statements_of(const litmus::Thread& thread) {
  std::vector<const litmus::Statement*> statements;
  collect(thread.body, statements);
  return statements;
}

std::vector<std::string> statement_texts(const litmus::Program& program, std::size_t thread) {
  std::vector<std::string> texts;
  for (const auto* statement : statements_of(program.threads[thread]))
    texts.push_back(litmus::java::to_string(*statement, program, program.threads[thread]));
  return texts;
}

std::string beside(const std::string& title, std::vector<std::string> left,
                   std::vector<std::string> right) {
  left.resize(std::max(left.size(), right.size()));
  right.resize(left.size());
  std::size_t width = 0;
  for (const auto& line : left) width = std::max(width, line.size());
  std::string text = title + "\n";
  for (std::size_t i = 0; i < left.size(); ++i)
    text += fmt::format("  {:{}} | {}\n", left[i], width, right[i]);
  return text;
}

} // namespace thinair::lower
