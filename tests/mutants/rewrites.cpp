// Swaps and removals of statements that are next to each other in a block.
#include "tests/mutants/rewrites.h"

#include "gen/walk.h"

#include <functional>
#include <optional>
#include <set>

namespace thinair::mutants {
namespace {

using litmus::Access;
using litmus::Action;
using litmus::Block;
using litmus::Fence;
using litmus::Method;
using litmus::RegisterId;
using litmus::Statement;

const Access* access(const Statement& statement) { return std::get_if<Access>(&statement.node); }

bool is(const Statement& statement, Method method) {
  return access(statement) != nullptr && access(statement)->method == method;
}

bool is(const Statement& statement, Fence fence) {
  const auto* found = std::get_if<litmus::FenceStatement>(&statement.node);
  return found != nullptr && found->fence == fence;
}

bool has_action(const Statement& statement, Action action) {
  return access(statement) != nullptr && info(access(statement)->method).action == action;
}
bool loads(const Statement& statement) { return has_action(statement, Action::get); }
bool stores(const Statement& statement) { return has_action(statement, Action::set); }
bool updates(const Statement& statement) {
  return access(statement) != nullptr && litmus::is_rmw(info(access(statement)->method).action);
}

bool same_location(const Statement& a, const Statement& b) {
  return access(a)->location == access(b)->location;
}

void registers_of(const litmus::Expression& expression, std::set<RegisterId>& found) {
  if (expression.op == litmus::Operator::reg) found.insert(expression.reg);
  for (const auto& argument : expression.arguments) registers_of(argument, found);
}

/// Whether the order of two accesses does not matter to the thread's registers.
bool independent(const Statement& a, const Statement& b) {
  const auto touches = [](const Statement& writer, const Statement& other) {
    const auto target = access(writer)->target;
    if (!target) return false;
    std::set<RegisterId> read;
    for (const auto& argument : access(other)->arguments) registers_of(argument, read);
    return read.contains(*target) || access(other)->target == target;
  };
  return !touches(a, b) && !touches(b, a);
}

/// Changes every block of a copy.
Program in_blocks(const Program& program, const std::function<void(Block&)>& change) {
  Program copy = program;
  for (auto& thread : copy.threads) change(thread.body);
  gen::each_statement(copy, [&](litmus::ThreadId, Statement& statement) {
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      change(branch->then_block);
      change(branch->else_block);
    }
  });
  return copy;
}

using Wrong = std::function<bool(const Statement& first, const Statement& second)>;

/// Swaps independent accesses, one right after the other, where `wrong` says so.
Program swapped(const Program& program, const Wrong& wrong) {
  return in_blocks(program, [&](Block& block) {
    for (std::size_t i = 0; i + 1 < block.size(); ++i) {
      if (!access(block[i]) || !access(block[i + 1]) || !wrong(block[i], block[i + 1])) continue;
      if (!independent(block[i], block[i + 1])) continue;
      std::swap(block[i], block[i + 1]);
      ++i;
    }
  });
}

/// The same for accesses to different locations.
Program swapped_apart(const Program& program, const Wrong& wrong) {
  return swapped(program, [&](const Statement& a, const Statement& b) {
    return !same_location(a, b) && wrong(a, b);
  });
}

/// Swaps what stands on both sides of a fence.
Program swapped_around(const Program& program, Fence fence, bool (*kind)(const Statement&)) {
  return in_blocks(program, [&](Block& block) {
    for (std::size_t i = 0; i + 2 < block.size(); ++i) {
      const bool fits = kind(block[i]) && is(block[i + 1], fence) && kind(block[i + 2]) &&
                        !same_location(block[i], block[i + 2]) &&
                        independent(block[i], block[i + 2]);
      if (fits) std::swap(block[i], block[i + 2]);
    }
  });
}

} // namespace

Program every_second_volatile_store_released(const Program& program) {
  Program copy = program;
  std::uint32_t thread_at = 0;
  std::size_t seen = 0;
  gen::each_statement(copy, [&](litmus::ThreadId thread, Statement& statement) {
    if (thread.value != thread_at) seen = 0;
    thread_at = thread.value;
    if (!is(statement, Method::setVolatile)) return;
    if (++seen % 2 == 0) std::get<Access>(statement.node).method = Method::setRelease;
  });
  return copy;
}

Program full_fence_above_store(const Program& program) {
  return in_blocks(program, [](Block& block) {
    for (std::size_t i = 0; i + 1 < block.size(); ++i)
      if (stores(block[i]) && is(block[i + 1], Fence::full)) std::swap(block[i], block[i + 1]);
  });
}

Program loads_swapped_around_acquire_fence(const Program& program) {
  return swapped_around(program, Fence::acquire, loads);
}

Program stores_swapped_around_release_fence(const Program& program) {
  return swapped_around(program, Fence::release, stores);
}

Program load_above_acquire(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::getAcquire) && loads(b);
  });
}

Program load_above_volatile(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::getVolatile) && loads(b);
  });
}

Program store_above_acquire(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::getAcquire) && stores(b);
  });
}

Program release_above_store(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return stores(a) && is(b, Method::setRelease);
  });
}

Program release_above_load(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return loads(a) && is(b, Method::setRelease);
  });
}

Program volatile_load_above_volatile_store(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::setVolatile) && is(b, Method::getVolatile);
  });
}

Program opaque_loads_of_one_location_swapped(const Program& program) {
  return swapped(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::getOpaque) && is(b, Method::getOpaque) && same_location(a, b);
  });
}

Program opaque_load_above_acquire(const Program& program) {
  return swapped_apart(program, [](const Statement& a, const Statement& b) {
    return is(a, Method::getAcquire) && is(b, Method::getOpaque);
  });
}

Program load_above_update(const Program& program) {
  return swapped_apart(
      program, [](const Statement& a, const Statement& b) { return updates(a) && loads(b); });
}

Program load_reused_past_acquire(const Program& program) {
  return in_blocks(program, [](Block& block) {
    for (std::size_t i = 0; i + 2 < block.size(); ++i) {
      const bool fits =
          loads(block[i]) && loads(block[i + 1]) && loads(block[i + 2]) &&
          (is(block[i + 1], Method::getAcquire) || is(block[i + 1], Method::getVolatile)) &&
          same_location(block[i], block[i + 2]) && !same_location(block[i], block[i + 1]) &&
          access(block[i])->target && access(block[i + 2])->target &&
          access(block[i])->target != access(block[i + 1])->target;
      if (!fits) continue;
      litmus::Assign copy;
      copy.target = *access(block[i + 2])->target;
      copy.value = litmus::Expression::of(*access(block[i])->target);
      block[i + 2].node = std::move(copy);
    }
  });
}

Program store_dropped_past_release(const Program& program) {
  return in_blocks(program, [](Block& block) {
    for (std::size_t i = 0; i + 2 < block.size(); ++i)
      if (stores(block[i]) && stores(block[i + 2]) && same_location(block[i], block[i + 2]) &&
          (is(block[i + 1], Method::setRelease) || is(block[i + 1], Method::setVolatile)) &&
          !same_location(block[i], block[i + 1]))
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
  });
}

} // namespace thinair::mutants
