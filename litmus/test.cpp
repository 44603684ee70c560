// Reads and prints whole tests: the header, then what the dialect says.
#include "litmus/test.h"

#include "litmus/dialect.h"
#include "litmus/format.h"
#include "litmus/header.h"
#include "litmus/java/format.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"
#include "litmus/x86/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::litmus {
namespace {

Test parse(const text::Source& source, const Limits& limits, Manner manner) {
  Lexer lexer(source, limits, manner);
  Test test;
  read_header(lexer, test);
  format_of(test.dialect).read(lexer, test);
  return test;
}

} // namespace

Format format_of(Dialect dialect) {
  switch (dialect) {
  case Dialect::java: return java::format();
  case Dialect::x86_att:
  case Dialect::x86_intel: break;
  }
  return x86::format();
}

void require_java(const Test& test, std::string_view where) {
  if (test.dialect != Dialect::java)
    throw Unsupported(fmt::format("{} tests {}", name(test.dialect), where));
}

std::optional<std::string_view> Test::metadata_value(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, &std::pair<std::string, std::string>::first);
  if (found == metadata.end()) return std::nullopt;
  return found->second;
}

std::vector<Observable> observables(const Test& test, bool all_registers) {
  std::vector<Observable> all = test.locations;
  const auto add = [&](const std::vector<Observable>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  if (test.filter) add(mentioned(*test.filter));
  for (const Clause& clause : test.clauses) add(mentioned(clause.proposition));
  if (all_registers) add(format_of(test.dialect).registers(test));
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

std::string shown(const Test& test, LocationId location, Value value) {
  if (test.dialect == Dialect::java) return std::to_string(value);
  return x86::shown(value, test.x86().locations.at(location.value).type);
}

std::string to_string(const Test& test, const std::vector<Observable>& observables,
                      const Behaviour& behaviour) {
  if (test.dialect == Dialect::java) return to_string(observables, behaviour);
  std::string out;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    const x86::Type type = x86::type_of(test.x86(), observables[i]);
    out += fmt::format("{}{}={}", i == 0 ? "" : "; ", to_string(observables[i]),
                       x86::shown(behaviour.at(i), type));
  }
  return out;
}

Test parse(const text::Source& source, const Limits& limits) {
  return parse(source, limits, Manner::ours);
}

Test parse_as_herd(const text::Source& source, const Limits& limits) {
  return parse(source, limits, Manner::herds);
}

std::string print(const Test& test) {
  return print_header(test) + format_of(test.dialect).print(test) + print_questions(test);
}

} // namespace thinair::litmus
