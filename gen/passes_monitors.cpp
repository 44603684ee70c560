// Passes over critical sections. What leaves out single statements leaves out starts, joins and
// prints; a lock goes with its unlock, as nothing else of such a program would run.
#include "gen/passes.h"
#include "gen/walk.h"

#include <cstdint>
#include <optional>

namespace thinair::gen::pass {
namespace {

using litmus::MonitorId;
using litmus::MonitorStatement;

/// Calls `visit(block)` for every block of the program, outer ones first.
template <class Visit>
void each_block(Block& block, Visit&& visit) {
  visit(block);
  for (auto& statement : block) {
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      each_block(branch->then_block, visit);
      each_block(branch->else_block, visit);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      each_block(loop->body, visit);
    }
  }
}

/// Two places of one block.
struct Pair {
  std::size_t first = 0, second = 0;
};

const MonitorStatement* monitor_in(const Statement& statement) {
  return std::get_if<MonitorStatement>(&statement.node);
}

/// The unlock in the same block that a lock belongs to.
std::optional<std::size_t> unlock_of(const Block& block, std::size_t lock) {
  const MonitorId monitor = monitor_in(block[lock])->monitor;
  std::size_t depth = 0;
  for (std::size_t i = lock; i < block.size(); ++i) {
    const auto* node = monitor_in(block[i]);
    if (node == nullptr || node->monitor != monitor) continue;
    depth += node->enter ? 1 : std::size_t(0) - 1;
    if (depth == 0) return i;
  }
  return std::nullopt;
}

/// A copy for each pair that `pairs` finds in some block, without the two statements.
template <class Pairs>
Proposals without(const Program& program, Pairs&& pairs) {
  Proposals out;
  for (std::size_t skipped = 0;; ++skipped) {
    Program copy = program;
    std::size_t met = 0;
    bool found = false;
    for (auto& thread : copy.threads)
      each_block(thread.body, [&](Block& block) {
        if (found) return;
        for (const Pair& pair : pairs(block)) {
          if (met++ < skipped) continue;
          block.erase(block.begin() + static_cast<std::ptrdiff_t>(pair.second));
          block.erase(block.begin() + static_cast<std::ptrdiff_t>(pair.first));
          found = true;
          return;
        }
      });
    if (!found) return out;
    out.push_back(std::move(copy));
  }
}

} // namespace

Proposals drop_monitors(const Program& program) {
  return without(program, [](const Block& block) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < block.size(); ++i)
      if (const auto* node = monitor_in(block[i]); node != nullptr && node->enter)
        if (const auto end = unlock_of(block, i)) pairs.push_back({i, *end});
    return pairs;
  });
}

/// Lock coarsening: two sections side by side become one.
Proposals join_sections(const Program& program) {
  return without(program, [](const Block& block) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto* node = monitor_in(block[i]);
      if (node == nullptr || node->enter) continue;
      for (std::size_t j = i + 1; j < block.size(); ++j)
        if (const auto* next = monitor_in(block[j]); next != nullptr) {
          if (next->enter && next->monitor == node->monitor) pairs.push_back({i, j});
          break;
        }
    }
    return pairs;
  });
}

/// Every use of one monitor becomes a use of another.
Proposals merge_monitors(const Program& program) {
  Proposals out;
  for (std::uint32_t kept = 0; kept < program.monitors.size(); ++kept) {
    for (std::uint32_t gone = kept + 1; gone < program.monitors.size(); ++gone) {
      Program copy = program;
      each_statement(copy, [&](ThreadId, Statement& statement) {
        auto* node = std::get_if<MonitorStatement>(&statement.node);
        if (node != nullptr && node->monitor == MonitorId(gone)) node->monitor = MonitorId(kept);
      });
      out.push_back(std::move(copy));
    }
  }
  return out;
}

} // namespace thinair::gen::pass
