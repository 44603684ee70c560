// Makes tests, and texts for people, of lowered programs.
#include "lower/lowered_test.h"

#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

using litmus::Observable;
using litmus::Proposition;
using Kind = Proposition::Kind;

Proposition truth(bool value) {
  Proposition result;
  result.kind = value ? Kind::always : Kind::never;
  return result;
}

const Restoration::Row& row_of(const Restoration& restoration, const Observable& source) {
  const auto row = std::ranges::find(restoration.rows, source, &Restoration::Row::source);
  THINAIR_CHECK(row != restoration.rows.end(), "a question about what the program does not have");
  return *row;
}

/// What it is in the target: a place, or a value as the target has it.
Found found(const Restoration& restoration, const Observable& source,
            std::optional<litmus::Value> instead = std::nullopt) {
  const auto& row = row_of(restoration, source);
  const Found here = instead ? Found(*instead) : row.found;
  const auto* value = std::get_if<litmus::Value>(&here);
  if (value == nullptr || row.type != litmus::TypeKind::reference) return here;
  return restoration.address_of(*value);
}

Proposition comparison(Kind kind, const Observable& left, litmus::Value right) {
  Proposition out;
  out.kind = kind;
  out.left = left;
  out.constant = right;
  return out;
}

/// What a location in halves is compared with: both of them are equal, or one is not.
Proposition in_halves(const Proposition& source, const Restoration::Row& row) {
  if (source.right)
    throw Unsupported("comparing what code takes in halves with anything but a number");
  const bool equal = source.kind == Kind::equal;
  Proposition out;
  out.kind = equal ? Kind::all : Kind::any;
  out.parts = {
      comparison(source.kind, std::get<Observable>(row.found),
                 static_cast<std::int32_t>(source.constant)),
      comparison(source.kind, *row.high, static_cast<std::int32_t>(source.constant >> 32))};
  return out;
}

Proposition atom(const Proposition& source, const Restoration& restoration) {
  if (const auto& row = row_of(restoration, source.left); row.high) return in_halves(source, row);
  if (source.right && row_of(restoration, *source.right).high)
    throw Unsupported("comparing what code takes in halves with anything but a number");
  Found left = found(restoration, source.left);
  Found right = litmus::Value{0};
  if (source.right)
    right = found(restoration, *source.right);
  else
    right = found(restoration, source.left, source.constant);
  if (std::holds_alternative<litmus::Value>(left)) std::swap(left, right);
  const bool equal = source.kind == Kind::equal;
  if (const auto* value = std::get_if<litmus::Value>(&left))
    return truth((*value == std::get<litmus::Value>(right)) == equal);
  Proposition result;
  result.kind = source.kind;
  result.left = std::get<Observable>(left);
  if (const auto* other = std::get_if<Observable>(&right))
    result.right = *other;
  else
    result.constant = std::get<litmus::Value>(right);
  return result;
}

/// One line a piece of code: the statement it belongs to where that changes, and the code.
struct Line {
  std::string source, code;
};

/// The code of one thread, each statement beside the first instruction made of it.
std::vector<Line> lines_by_origin(const Lowered& lowered, std::size_t thread,
                                  const std::vector<std::string>& statements) {
  std::vector<Line> result;
  std::size_t next = 0;
  const std::size_t size = lowered.program.sizes().at(thread);
  for (std::size_t i = 0; i < size; ++i) {
    for (const auto& label : lowered.program.labels(thread, i)) result.push_back({"", label + ":"});
    const std::size_t origin = lowered.origins[thread][i];
    for (; next < std::min(origin, statements.size()); ++next)
      result.push_back({statements[next], ""}); // a statement without code
    Line line{"", lowered.language->assembly(lowered.program, thread, i, "")};
    if (origin == next && next < statements.size()) line.source = statements[next++];
    result.push_back(std::move(line));
  }
  for (; next < statements.size(); ++next) result.push_back({statements[next], ""});
  for (const auto& label : lowered.program.labels(thread, size))
    result.push_back({"", label + ":"});
  return result;
}

/// The same where it is not known which instruction is whose: from the top, both.
std::vector<Line> lines_in_parallel(const Lowered& lowered, std::size_t thread,
                                    const std::vector<std::string>& statements) {
  std::vector<Line> result;
  for (auto& line : code_lines(lowered.program, *lowered.language, thread))
    result.push_back({"", std::move(line)});
  result.resize(std::max(result.size(), statements.size()));
  for (std::size_t i = 0; i < statements.size(); ++i) result[i].source = statements[i];
  return result;
}

/// The statements' texts; of a mix, with the scheme that compiled each access and fence.
std::vector<std::string> texts_of(const Lowered& lowered, std::size_t thread) {
  auto texts = statement_texts(lowered.source, thread);
  if (lowered.mix.empty()) return texts;
  const auto statements = statements_of(lowered.source.threads[thread]);
  std::size_t width = 0;
  for (const auto& text : texts) width = std::max(width, text.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::optional<litmus::Choice> by;
    if (const auto* node = std::get_if<litmus::Access>(&statements[i]->node)) by = node->by;
    if (const auto* node = std::get_if<litmus::FenceStatement>(&statements[i]->node)) by = node->by;
    if (by) texts[i] = fmt::format("{:{}}  by {}", texts[i], width, lowered.mix.at(*by));
  }
  return texts;
}

std::vector<Line> lines_of(const Lowered& lowered, std::size_t thread) {
  const auto texts = texts_of(lowered, thread);
  return thread < lowered.origins.size() ? lines_by_origin(lowered, thread, texts)
                                         : lines_in_parallel(lowered, thread, texts);
}

} // namespace

Proposition in_target(const Proposition& proposition, const Restoration& restoration) {
  if (proposition.kind == Kind::equal || proposition.kind == Kind::not_equal)
    return atom(proposition, restoration);
  Proposition result = proposition;
  for (auto& part : result.parts) part = in_target(part, restoration);
  return result;
}

litmus::Test lowered_test(const litmus::Test& source, const Lowered& lowered,
                          std::string_view target) {
  litmus::Test test;
  test.name = source.name;
  test.language = lowered.language;
  test.title = source.title;
  test.metadata = {{"Target", std::string(target)}, {"Restore", to_string(lowered.restoration)}};
  test.program = lowered.program;
  test.locations = lowered.restoration.needed();
  if (source.filter) test.filter = in_target(*source.filter, lowered.restoration);
  test.clauses = source.clauses;
  for (auto& clause : test.clauses) {
    clause.proposition = in_target(clause.proposition, lowered.restoration);
    clause.verdicts.clear(); // they are about the source
  }
  return test;
}

std::string annotated_assembly(const Lowered& lowered) {
  const litmus::Program& source = lowered.source;
  std::string text;
  for (const auto& row : lowered.restoration.rows)
    text += fmt::format("{} {} <- {}\n", lowered.language->comment, to_string(row.source),
                        to_string(row));
  if (lowered.origins.empty()) return text + assembly(lowered.program, *lowered.language);
  const auto comment = [&](std::size_t thread, std::size_t instruction) -> std::string {
    const auto& origins = lowered.origins[thread];
    if (instruction > 0 && origins[instruction] == origins[instruction - 1]) return {};
    const auto statements = statements_of(source.threads[thread]);
    if (origins[instruction] >= statements.size()) return {};
    return litmus::java::to_string(*statements[origins[instruction]], source,
                                   source.threads[thread]);
  };
  return text + assembly(lowered.program, *lowered.language, comment);
}

std::string side_by_side(const Lowered& lowered) {
  const litmus::Program& source = lowered.source;
  std::string text;
  for (std::size_t t = 0; t < source.threads.size(); ++t) {
    std::vector<std::string> left, right;
    for (const Line& line : lines_of(lowered, t)) {
      left.push_back(line.source);
      right.push_back(line.code);
    }
    const bool named = t < lowered.compilers.size();
    text += beside(named ? fmt::format("{}, by {}", source.threads[t].name, lowered.compilers[t])
                         : source.threads[t].name,
                   std::move(left), std::move(right));
  }
  return text;
}

} // namespace thinair::lower
