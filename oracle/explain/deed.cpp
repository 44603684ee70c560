// Looks a statement up by its place, and an instruction by its number.
#include "oracle/explain/deed.h"

#include "litmus/java/format.h"
#include "litmus/language.h"
#include "litmus/walk.h"

#include <fmt/format.h>

namespace thinair::explain {
namespace {

/// Of an `if`, a loop or a constructor its first line, without the brace.
std::string first_line(std::string text) {
  text.resize(std::min(text.size(), text.find('\n')));
  while (text.ends_with(';') || text.ends_with('{') || text.ends_with(' ')) text.pop_back();
  return text;
}

std::string statement_of(const litmus::Program& program, const litmus::Thread& thread,
                         std::uint32_t source) {
  std::string text;
  std::size_t found = 0;
  litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
    if (statement.span.begin != source) return;
    if (++found == 1) text = first_line(litmus::java::to_string(statement, program, thread));
  });
  return found == 1 ? text : "";
}

} // namespace

std::string deed_of(const litmus::Test& test, std::size_t thread, std::uint32_t source) {
  if (test.is_java()) {
    const auto& program = test.java();
    const auto text = statement_of(program, program.threads.at(thread), source);
    return text.empty() ? text : fmt::format("`{}` of {}", text, program.threads[thread].name);
  }
  if (test.language->assembly == nullptr) return {};
  return fmt::format("`{}` of P{}", test.language->assembly(test.code(), thread, source, ""),
                     thread);
}

} // namespace thinair::explain
