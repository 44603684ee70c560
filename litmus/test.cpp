// Reads and prints whole tests: the header, then what the language says.
#include "litmus/test.h"

#include "litmus/header.h"
#include "litmus/language.h"
#include "litmus/objects.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::litmus {
namespace {

Test parse(const text::Source& source, const Limits& limits, Manner manner) {
  Lexer lexer(source, limits, manner);
  Test test;
  read_header(lexer, test);
  test.language->read(lexer, test);
  return test;
}

} // namespace

void require_java(const Test& test, std::string_view where) {
  if (!test.is_java()) throw Unsupported(fmt::format("{} tests {}", test.language->word, where));
}

HerdExport for_herd(const Test& test, bool all_registers) {
  const auto rewrite = test.language->for_herd;
  return rewrite != nullptr ? rewrite(test, all_registers) : as_herd_asks(test, all_registers);
}

HerdExport as_herd_asks(const Test& test, bool all_registers) {
  HerdExport out{test, {}};
  out.test.locations = observables(test, all_registers);
  for (const Observable& observable : out.test.locations)
    out.names.emplace_back(observable, observable);
  Clause clause;
  if (!test.clauses.empty()) clause.proposition = test.clauses[0].proposition;
  out.test.clauses = {clause};
  return out;
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
  if (all_registers) add(test.language->registers(test));
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

std::string shown(const Test& test, LocationId location, Value value) {
  if (test.is_java()) {
    const bool half = location.value >= FieldLocations(test.java()).count(); // of one that tears
    return shown(test.java(), half ? JavaType() : type_of(test.java(), location), value);
  }
  return shown(value, test.code().cells()[location.value].type);
}

std::string to_string(const Test& test, const std::vector<Observable>& observables,
                      const Behaviour& behaviour) {
  if (test.is_java() && !has_named_values(test.java())) return to_string(observables, behaviour);
  std::string out;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    const Value value = behaviour.at(i);
    out +=
        fmt::format("{}{}={}", i == 0 ? "" : "; ", to_string(observables[i]),
                    test.is_java() ? shown(test.java(), type_of(test.java(), observables[i]), value)
                                   : shown(value, test.code().type_of(observables[i])));
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
  const std::string program = print_header(test) + test.language->print(test);
  if (!test.is_java() || !has_named_values(test.java())) return program + print_questions(test);
  Test named = test; // what is made of a behaviour has numbers alone
  if (named.filter) named.filter = with_names(test.java(), std::move(*named.filter));
  for (Clause& clause : named.clauses)
    clause.proposition = with_names(test.java(), std::move(clause.proposition));
  return program + print_questions(named);
}

} // namespace thinair::litmus
