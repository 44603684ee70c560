// Lowers a thread's statements one after the other; what is the same on every machine.
#pragma once

#include "litmus/program.h"
#include "litmus/text/error.h"
#include "lower/homes.h"
#include "lower/lowered.h"
#include "lower/naming.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::lower {

/// `Own` inherits from it and gives, beside visit() of assignments, accesses, fences and cuts:
/// code(), a CodeWriter; jump(label); jump_unless(condition, label), which jumps where it is 0;
/// runtime(action, word), of a freeze without a word; make(register, first field).
template <class Own>
class Statements {
 public:
  explicit Statements(const RuntimeWords& words) : words_(words) {}

  /// The thread from its beginning to its end.
  void thread(const litmus::Program& source, std::size_t number) {
    source_ = &source;
    if (const auto word = words_.started(number)) own().runtime(RuntimeAction::begin, *word);
    block(source.threads[number].body);
    own().code().at_statement(next_);
    if (const auto word = words_.ended(number)) own().runtime(RuntimeAction::end, *word);
  }

  void block(const litmus::Block& statements) {
    for (const auto& statement : statements) {
      own().code().at_statement(next_++);
      std::visit([this](const auto& node) { own().visit(node); }, statement.node);
    }
  }

  void visit(const litmus::If& node) {
    const std::string otherwise = own().code().new_label();
    own().jump_unless(node.condition, otherwise);
    block(node.then_block);
    if (node.else_block.empty()) {
      own().code().place(otherwise);
      return;
    }
    const std::string end = own().code().new_label();
    own().jump(end);
    own().code().place(otherwise);
    block(node.else_block);
    own().code().place(end);
  }
  void visit(const litmus::MonitorStatement& node) {
    own().runtime(action_of(node), words_.of(node));
  }
  void visit(const litmus::ThreadStatement& node) {
    own().runtime(action_of(node), words_.of(node));
  }
  /// The object's place is known; its constructor is code like other code, and its freeze one more
  /// operation.
  void visit(const litmus::New& node) {
    own().make(node.target, words_.of(node.object));
    block(node.body);
    if (freezes(*source_, node.object)) own().runtime(RuntimeAction::freeze, std::nullopt);
  }
  /// What is printed has been read before; no final state has it.
  void visit(const litmus::ExternalStatement&) {}
  template <class Other>
  void visit(const Other&) {
    bug(__FILE__, __LINE__, "a statement that the survey refuses reached lowering");
  }

 private:
  Own& own() { return static_cast<Own&>(*this); }
  const RuntimeWords& words_;
  const litmus::Program* source_ = nullptr;
  std::uint32_t next_ = 0;
};

/// What every scheme's lowering begins and ends with: `lower_thread(number, words, program,
/// lowered)` appends a thread to the machine's program; `change(cells)` comes before that.
template <class Program, class LowerThread, class Change>
Lowered lower_threads(const litmus::Program& source, const litmus::Language& language, Legal legal,
                      LowerThread&& lower_thread, Change&& change) {
  const RuntimeWords words(source);
  auto cells = cells_of(source, legal);
  words.add_to(cells, source, legal);
  change(cells);
  Lowered result;
  result.language = &language;
  result.source = source;
  Program code{std::move(cells), {}};
  for (std::size_t i = 0; i < source.threads.size(); ++i) lower_thread(i, words, code, result);
  for (std::size_t i = 0; i < source.locations.size(); ++i) {
    Restoration::Row& row = result.restoration.rows.emplace_back();
    row.source.name = source.locations[i].name;
    row.found = litmus::Observable{std::nullopt, code.locations[i].name};
    row.type = source.locations[i].type.kind;
  }
  result.restoration.objects = words.addresses();
  result.program = std::move(code);
  std::ranges::sort(result.restoration.rows, {}, &Restoration::Row::source);
  return result;
}

template <class Program, class LowerThread>
Lowered lower_threads(const litmus::Program& source, const litmus::Language& language, Legal legal,
                      LowerThread&& lower_thread) {
  return lower_threads<Program>(source, language, legal, std::forward<LowerThread>(lower_thread),
                                [](std::vector<litmus::Cell>&) {});
}

/// Compiles a thread with as many homes in registers as leave enough scratch. `attempt(limit)`
/// points at the code of a thread with so many homes at most, which says whether it is starved()
/// and how many homes are in_registers(); `accept` takes the first that is not starved.
template <class Program, class Attempt, class Accept>
void with_enough_scratch(std::size_t registers, Program& program, Attempt&& attempt,
                         Accept&& accept) {
  const std::size_t cells = program.locations.size();
  for (std::size_t limit = registers + 1; limit-- > 0;) {
    auto made = attempt(limit);
    if (!made->starved()) return accept(std::move(made));
    program.locations.resize(cells);
    limit = made->in_registers(); // fewer than were just tried
  }
  throw Unsupported("an expression that needs more registers than the machine has");
}

} // namespace thinair::lower
