// What a round of a loop reads of registers, and whether a round is repeated by the next.
#include "oracle/graph/await.h"

#include <algorithm>

namespace thinair::graph {
namespace {

using litmus::Block;
using litmus::Expression;
using litmus::Loop;
using litmus::RegisterId;
using litmus::Statement;

/// What happened to each register first, on all ways so far.
class FirstUse {
 public:
  explicit FirstUse(std::size_t registers) : use_(registers, Use::none) {}

  void block(const Block& statements) {
    for (const auto& statement : statements) run(statement);
  }

  void reads(const Expression& e) {
    if (e.op == litmus::Operator::reg) {
      reads(e.reg);
    }
    if (e.field) reads(e.field->object);
    for (const auto& argument : e.arguments) reads(argument);
  }

  void reads(RegisterId reg) {
    if (use_[reg.value] != Use::assigned) use_[reg.value] = Use::read;
  }

  std::vector<char> assigned() const {
    std::vector<char> out;
    for (const auto use : use_) out.push_back(use == Use::assigned);
    return out;
  }

 private:
  enum class Use : std::uint8_t { none, assigned, read };

  void assigns(RegisterId target) {
    if (use_[target.value] == Use::none) use_[target.value] = Use::assigned;
  }

  void run(const Statement& statement) {
    if (const auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
      reads(assign->value);
      assigns(assign->target);
    } else if (const auto* access = std::get_if<litmus::Access>(&statement.node)) {
      if (access->field) reads(access->field->object);
      for (const auto& argument : access->arguments) reads(argument);
      if (access->target) assigns(*access->target);
    } else if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
      reads(branch->condition);
      auto other = *this;
      block(branch->then_block);
      other.block(branch->else_block);
      join(other);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      if (loop->test_first) reads(loop->condition);
      const auto skipped = *this;
      block(loop->body);
      reads(loop->condition);
      if (loop->test_first) join(skipped);
    } else if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
      assigns(made->target);
      block(made->body);
    } else if (const auto* print = std::get_if<litmus::ExternalStatement>(&statement.node)) {
      reads(print->value);
    }
  }

  /// Assigned first on one way only: not yet, on the other.
  void join(const FirstUse& other) {
    for (std::size_t r = 0; r < use_.size(); ++r) {
      if (use_[r] == other.use_[r]) continue;
      const bool read = use_[r] == Use::read || other.use_[r] == Use::read;
      use_[r] = read ? Use::read : Use::none;
    }
  }

  std::vector<Use> use_;
};

bool only_reads(const PathEvent& event) {
  return (event.kinds &
          ~(k_read | k_failed | k_plain | k_opaque | k_acquire | k_volatile | k_final)) == 0;
}

bool synchronizes(const PathEvent& event) { return (event.kinds & (k_acquire | k_volatile)) != 0; }

/// Whether the later reads contain the earlier ones, and what synchronizes there does so before
/// anything that it might order.
bool repeated(std::span<const PathEvent> earlier, std::span<const PathEvent> later) {
  for (const auto& read : earlier) {
    const auto again = std::ranges::find_if(later, [&](const PathEvent& e) {
      return e.kinds == read.kinds && e.location == read.location;
    });
    if (again == later.end()) return false;
    const bool weaker_before =
        std::any_of(later.begin(), again, [](const PathEvent& e) { return !synchronizes(e); });
    if (synchronizes(read) && weaker_before) return false;
  }
  return true;
}

} // namespace

std::vector<char> assigned_first(const Loop& loop, bool condition_first, std::size_t registers) {
  FirstUse use(registers);
  if (condition_first) use.reads(loop.condition);
  use.block(loop.body);
  if (!condition_first) use.reads(loop.condition);
  return use.assigned();
}

bool RoundWatch::idle(const Path& path) const {
  if (rounds_ < 2) return false;
  const auto &first = before_, &second = last_;
  for (std::size_t r = 0; r < dead_.size(); ++r)
    if (!dead_[r] && !(first.registers[r] == second.registers[r])) return false;
  return std::ranges::all_of(
      std::span(path.events).subspan(first.events, second.events - first.events), only_reads);
}

bool RoundWatch::redundant(const Path& path) const {
  if (!idle(path)) return false;
  const auto &first = before_, &second = last_;
  const auto events = std::span<const PathEvent>(path.events);
  return repeated(events.subspan(first.events, second.events - first.events),
                  events.subspan(second.events));
}

} // namespace thinair::graph
