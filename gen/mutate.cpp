// The random edits, in one table.
#include "gen/mutate.h"

#include "gen/builder.h"
#include "gen/exhaustive.h"
#include "gen/methods.h"
#include "gen/tidy.h"
#include "gen/walk.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::Action;
using litmus::If;
using litmus::Operator;
using litmus::Random;
using litmus::Thread;
using Maybe = std::optional<Program>;

/// Number and copy of a random statement that satisfies `wanted`.
struct Found {
  std::size_t index;
  Statement statement;
};

template <class Wanted>
std::optional<Found> random_statement(const Program& program, Random& random, Wanted wanted) {
  std::vector<Found> found;
  std::size_t index = 0;
  each_statement(program, [&](ThreadId, const Statement& statement) {
    if (wanted(statement)) found.push_back({index, statement});
    ++index;
  });
  if (found.empty()) return std::nullopt;
  return random.pick(found);
}

bool is_access(const Statement& s) { return std::holds_alternative<Access>(s.node); }

Program replaced(const Program& program, const Found& found, const Block& by) {
  return with_statement(program, found.index, [&](const Statement&) { return by; });
}

Thread* random_thread(Program& program, Random& random, std::size_t at_least) {
  std::vector<std::size_t> fitting;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    if (program.threads[t].body.size() >= at_least) fitting.push_back(t);
  return fitting.empty() ? nullptr : &program.threads[random.pick(fitting)];
}

/// Whether the profile gives accesses of this mode any weight.
bool has_weight(litmus::Mode mode, const Profile& profile) {
  switch (mode) {
  case litmus::Mode::plain: return profile.plain > 0;
  case litmus::Mode::opaque: return profile.opaque > 0;
  case litmus::Mode::acquire:
  case litmus::Mode::release: return profile.acquire_release > 0;
  case litmus::Mode::volatile_: return profile.volatile_ > 0;
  }
  return false;
}

/// The weaker half of an acquire or release read-modify-write is plain whatever the profile says.
bool has_weight(const litmus::MethodInfo& method, const Profile& profile) {
  if (!litmus::is_rmw(method.action))
    return has_weight(litmus::reads(method.action) ? method.read : method.write, profile);
  return has_weight(std::max(method.read, method.write), profile);
}

/// Another mode for the same action, stronger or weaker.
Maybe change_mode(const Program& program, const Profile& profile, Random& random) {
  const auto found = random_statement(program, random, is_access);
  if (!found) return std::nullopt;
  Access changed = std::get<Access>(found->statement.node);
  auto same_action = methods_by_strength(info(changed.method).action);
  std::erase_if(same_action, [&](litmus::Method m) { return !has_weight(info(m), profile); });
  if (same_action.empty()) return std::nullopt;
  changed.method = random.pick(same_action);
  return replaced(program, *found, {{changed, {}}});
}

/// A read or write becomes a read-modify-write, or the other way round.
Maybe change_action(const Program& program, const Profile& profile, Random& random) {
  const auto found = random_statement(program, random, is_access);
  if (!found) return std::nullopt;
  Access changed = std::get<Access>(found->statement.node);
  const Action before = info(changed.method).action;
  if (litmus::is_rmw(before)) {
    const bool to_read = random.chance(1, 2);
    changed.method = to_read ? read_half(changed.method) : write_half(changed.method);
    if (to_read)
      changed.arguments.clear();
    else
      changed.arguments.assign(1, changed.arguments.back());
    if (!to_read) changed.target.reset();
  } else {
    if (profile.rmw == 0) return std::nullopt;
    constexpr std::array<Action, 3> actions{Action::get_and_set, Action::get_and_add,
                                            Action::compare_and_exchange};
    const Action action = random.pick(actions);
    Expression value = changed.arguments.empty() ? Expression::number(1) : changed.arguments[0];
    changed.method = with_action(changed.method, action);
    changed.arguments.clear();
    if (action == Action::compare_and_exchange) changed.arguments.push_back(Expression::number(0));
    changed.arguments.push_back(std::move(value));
  }
  return replaced(program, *found, {{changed, {}}});
}

Maybe change_location(const Program& program, const Profile& profile, Random& random) {
  const auto found = random_statement(program, random, is_access);
  if (!found) return std::nullopt;
  Program copy = program;
  if (copy.locations.size() < profile.max_locations && random.chance(1, 3))
    copy.locations.push_back({location_name(copy.locations.size()), 0, false});
  Access changed = std::get<Access>(found->statement.node);
  changed.location =
      litmus::LocationId(static_cast<std::uint32_t>(random.below(copy.locations.size())));
  return replaced(copy, *found, {{changed, {}}});
}

Maybe change_constant(const Program& program, const Profile& profile, Random& random) {
  std::vector<std::size_t> constants;
  std::size_t index = 0;
  each_expression(program, [&](ThreadId, const Expression& e) {
    if (e.op == Operator::constant) constants.push_back(index);
    ++index;
  });
  if (constants.empty()) return std::nullopt;
  const auto value = static_cast<litmus::Value>(random.below(profile.max_constant + 1));
  return with_expression(program, random.pick(constants),
                         [&](Expression& e) { e.constant = value; });
}

Maybe swap_neighbours(const Program& program, const Profile&, Random& random) {
  Program copy = program;
  Thread* thread = random_thread(copy, random, 2);
  if (thread == nullptr) return std::nullopt;
  const auto at = static_cast<std::size_t>(random.below(thread->body.size() - 1));
  std::swap(thread->body[at], thread->body[at + 1]);
  return copy;
}

Maybe duplicate(const Program& program, const Profile&, Random& random) {
  const auto found = random_statement(program, random, is_access);
  if (!found) return std::nullopt;
  Access again = std::get<Access>(found->statement.node);
  Program copy = program;
  ThreadId owner;
  std::size_t index = 0;
  each_statement(program, [&](ThreadId t, const Statement&) {
    if (index++ == found->index) owner = t;
  });
  if (again.target) {
    auto& registers = copy.threads[owner.value].registers;
    again.target = RegisterId(static_cast<std::uint32_t>(registers.size()));
    registers.push_back({"r", 0});
  }
  return replaced(copy, *found, {found->statement, {again, {}}});
}

Maybe insert_fence(const Program& program, const Profile& profile, Random& random) {
  if (profile.fence == 0) return std::nullopt;
  Program copy = program;
  Thread* thread = random_thread(copy, random, 2);
  if (thread == nullptr) return std::nullopt;
  const auto at = static_cast<std::ptrdiff_t>(1 + random.below(thread->body.size() - 1));
  thread->body.insert(thread->body.begin() + at,
                      fence(litmus::fences()[static_cast<std::size_t>(random.below(5))].fence));
  return copy;
}

Maybe drop(const Program& program, const Profile&, Random& random) {
  const auto found = random_statement(program, random, [](const Statement&) { return true; });
  if (!found || count_statements(program) < 3) return std::nullopt;
  return replaced(program, *found, {});
}

/// A branch's arm without its branch.
Maybe hoist(const Program& program, const Profile&, Random& random) {
  const auto found = random_statement(
      program, random, [](const Statement& s) { return std::holds_alternative<If>(s.node); });
  if (!found) return std::nullopt;
  const If& whole = std::get<If>(found->statement.node);
  return replaced(program, *found, random.chance(1, 2) ? whole.then_block : whole.else_block);
}

/// The end of a thread under a branch on one of its registers.
Maybe put_under_branch(const Program& program, const Profile& profile, Random& random) {
  Program copy = program;
  Thread* thread = random_thread(copy, random, 2);
  if (thread == nullptr) return std::nullopt;
  std::vector<std::size_t> reads;
  for (std::size_t i = 0; i + 1 < thread->body.size(); ++i)
    if (assigned(thread->body[i])) reads.push_back(i);
  if (reads.empty()) return std::nullopt;
  const auto at = static_cast<std::ptrdiff_t>(random.pick(reads));
  const auto reg = *assigned(thread->body[static_cast<std::size_t>(at)]);
  Block rest(std::make_move_iterator(thread->body.begin() + at + 1),
             std::make_move_iterator(thread->body.end()));
  thread->body.erase(thread->body.begin() + at + 1, thread->body.end());
  const auto value = static_cast<litmus::Value>(random.below(profile.max_constant + 1));
  thread->body.push_back(
      branch(Expression::binary(Operator::equal, Expression::of(reg), Expression::number(value)),
             std::move(rest)));
  return copy;
}

/// The second half of a thread becomes a thread of its own.
Maybe split_thread(const Program& program, const Profile& profile, Random& random) {
  if (program.threads.size() >= profile.max_threads) return std::nullopt;
  Program copy = program;
  Thread* thread = random_thread(copy, random, 2);
  if (thread == nullptr) return std::nullopt;
  const auto at = static_cast<std::ptrdiff_t>(1 + random.below(thread->body.size() - 1));
  Thread second;
  second.registers = thread->registers;
  second.body.assign(std::make_move_iterator(thread->body.begin() + at),
                     std::make_move_iterator(thread->body.end()));
  thread->body.erase(thread->body.begin() + at, thread->body.end());
  copy.threads.push_back(std::move(second));
  return copy;
}

bool fits(const Program& program, const Profile& profile) {
  return !program.threads.empty() && program.threads.size() <= profile.max_threads &&
         program.locations.size() <= profile.max_locations &&
         litmus::count_accesses(program) <= profile.max_accesses &&
         (profile.mixed_modes > 0 || !mixes_modes(program));
}

Maybe one_edit(const Program& program, const Profile& profile, Random& random) {
  static const std::vector<std::uint32_t> weights = [] {
    std::vector<std::uint32_t> out;
    for (const auto& mutation : mutations()) out.push_back(mutation.weight);
    return out;
  }();
  const auto edited = mutations()[random.weighted(weights)].apply(program, profile, random);
  if (!edited) return std::nullopt;
  auto tidied = tidy(*edited);
  if (!fits(tidied, profile)) return std::nullopt;
  return tidied;
}

} // namespace

std::span<const Mutation> mutations() {
  static constexpr auto table = std::to_array<Mutation>({
      {"change-mode", 8, change_mode},
      {"change-action", 3, change_action},
      {"change-location", 4, change_location},
      {"change-constant", 2, change_constant},
      {"swap-neighbours", 4, swap_neighbours},
      {"duplicate", 3, duplicate},
      {"insert-fence", 2, insert_fence},
      {"drop", 3, drop},
      {"hoist", 1, hoist},
      {"put-under-branch", 1, put_under_branch},
      {"split-thread", 1, split_thread},
  });
  return table;
}

std::optional<Program> mutate(const Program& program, const Profile& profile, Random& random) {
  constexpr int attempts_per_edit = 8;
  Program current = tidy(program);
  const auto edits = random.between(1, 3);
  for (std::int64_t done = 0; done < edits; ++done) {
    for (int attempt = 0; attempt < attempts_per_edit; ++attempt) {
      if (auto edited = one_edit(current, profile, random)) {
        current = *std::move(edited);
        break;
      }
    }
  }
  if (!fits(current, profile)) return std::nullopt;
  return current;
}

} // namespace thinair::gen
