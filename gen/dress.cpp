// Dressing a skeleton: modes, read-modify-writes, constants, fences, dependencies, branches.
#include "gen/builder.h"
#include "gen/methods.h"
#include "gen/skeleton.h"

#include <array>
#include <optional>

namespace thinair::gen {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::Mode;
using litmus::Operator;
using litmus::Random;
using litmus::RegisterId;
using litmus::ThreadId;

/// How strong an access is, before it is known whether it reads or writes.
enum class Strength : std::uint8_t { plain, opaque, acquire_release, volatile_ };

class Dresser {
 public:
  Dresser(const Skeleton& skeleton, const Profile& profile, Random& random)
      : skeleton_(skeleton), profile_(profile), random_(random) {
    mixed_ = random_.chance(profile_.mixed_modes, 100);
    for (std::uint32_t l = 0; l < profile_.max_locations; ++l)
      of_location_.push_back(draw_strength());
    written_.assign(profile_.max_locations, 0);
    const std::size_t slots = count_slots(skeleton);
    spare_ = profile_.max_accesses > slots ? profile_.max_accesses - slots : 0;
  }

  litmus::Program run() {
    for (const auto& slots : skeleton_) {
      const ThreadId thread = builder_.add_thread();
      last_read_.reset();
      builder_.body(thread) = block(thread, slots, 0);
    }
    return builder_.finish();
  }

 private:
  Strength draw_strength() {
    const std::array<std::uint32_t, 4> weights{profile_.plain, profile_.opaque,
                                               profile_.acquire_release, profile_.volatile_};
    return static_cast<Strength>(random_.weighted(weights));
  }

  Mode mode(Strength strength, bool write) const {
    switch (strength) {
    case Strength::plain: return Mode::plain;
    case Strength::opaque: return Mode::opaque;
    case Strength::acquire_release: return write ? Mode::release : Mode::acquire;
    case Strength::volatile_: return Mode::volatile_;
    }
    return Mode::plain;
  }

  Action draw_rmw() {
    const std::array<std::uint32_t, 6> weights{
        profile_.get_and_set,          profile_.get_and_add,     profile_.get_and_bitwise,
        profile_.compare_and_exchange, profile_.compare_and_set, profile_.weak_compare_and_set};
    switch (random_.weighted(weights)) {
    case 0: return Action::get_and_set;
    case 1: return Action::get_and_add;
    case 2: {
      constexpr std::array<Action, 3> bitwise{Action::get_and_or, Action::get_and_and,
                                              Action::get_and_xor};
      return random_.pick(bitwise);
    }
    case 3: return Action::compare_and_exchange;
    case 4: return Action::compare_and_set;
    default: return Action::weak_compare_and_set;
    }
  }

  litmus::Value next_constant(std::size_t location) {
    constexpr std::array<litmus::Value, 8> edges{255,        256, 65535, 65536,
                                                 0x7fffffff, -1,  -129,  -0x7fffffff - 1};
    if (profile_.wide > 0 && random_.chance(profile_.wide, 100)) return random_.pick(edges);
    return 1 + static_cast<litmus::Value>(written_[location]++ % profile_.max_constant);
  }

  litmus::Value small_constant() {
    return static_cast<litmus::Value>(random_.below(profile_.max_constant + 1));
  }

  /// What a write stores: mostly a constant of its own; else a copy of, or a false dependency on,
  /// the last read.
  Expression stored(std::size_t location) {
    if (last_read_ && random_.chance(profile_.data_dependency, 100))
      return Expression::of(*last_read_);
    Expression value = Expression::number(next_constant(location));
    if (last_read_ && random_.chance(profile_.false_dependency, 100))
      return falsely_dependent(std::move(value));
    return value;
  }

  /// An expression equal to `value` whatever the register holds: what a compiler folds and hardware
  /// does not.
  Expression falsely_dependent(Expression value) {
    const Expression r = Expression::of(*last_read_);
    switch (random_.below(3)) {
    case 0:
      return Expression::binary(Operator::add, std::move(value),
                                Expression::binary(Operator::bit_xor, r, r));
    case 1:
      return Expression::binary(Operator::add, std::move(value),
                                Expression::binary(Operator::subtract, r, r));
    default:
      return Expression::binary(Operator::bit_or, std::move(value),
                                Expression::binary(Operator::multiply, r, Expression::number(0)));
    }
  }

  std::vector<Expression> arguments(Action action, std::size_t location) {
    switch (action) {
    case Action::get: return {};
    case Action::compare_and_set:
    case Action::compare_and_exchange:
    case Action::weak_compare_and_set:
      return {Expression::number(small_constant()), stored(location)};
    case Action::set:
    case Action::get_and_set:
    case Action::get_and_add:
    case Action::get_and_or:
    case Action::get_and_and:
    case Action::get_and_xor: return {stored(location)};
    }
    return {};
  }

  litmus::Statement access_of(ThreadId thread, const Slot& slot) {
    const Strength strength = mixed_ ? draw_strength() : of_location_[slot.location];
    const litmus::Method single = *method_of(slot.write ? Action::set : Action::get,
                                             mode(strength, false), mode(strength, true));
    litmus::Method method = single;
    Action action = info(single).action;
    if (random_.chance(profile_.rmw, 100)) {
      action = draw_rmw();
      const auto exact = method_of(action, mode(strength, false), mode(strength, true));
      constexpr auto either = std::to_array({Mode::acquire, Mode::release});
      const Mode one_sided =
          random_.pick(either); // VarHandle has no method that is both acquire and release
      const auto halved = one_sided == Mode::acquire
                              ? method_of(action, Mode::acquire, Mode::plain)
                              : method_of(action, Mode::plain, Mode::release);
      const bool weak = strength == Strength::acquire_release || strength == Strength::opaque;
      method = exact ? *exact : weak && halved ? *halved : with_action(single, action);
      if (profile_.mixed_modes == 0 && stronger_half(method) != stronger_half(single)) {
        method = single; // there is no such update in the location's mode
        action = info(single).action;
      }
    }
    auto values = arguments(action, slot.location);
    std::optional<RegisterId> target;
    const bool unused =
        litmus::is_rmw(action) && profile_.unused > 0 && random_.chance(profile_.unused, 100);
    if (litmus::reads(action) && !unused) target = builder_.fresh_register(thread);
    const auto location = builder_.location(slot.location);
    if (target) last_read_ = target;
    return access(target, method, location, std::move(values));
  }

  std::optional<litmus::Statement> gap() {
    if (!random_.chance(profile_.fence, 100)) return std::nullopt;
    constexpr std::array<std::uint32_t, 5> weights{4, 2, 2, 1, 1}; // in the order of litmus::Fence
    return fence(static_cast<litmus::Fence>(random_.weighted(weights)));
  }

  /// The slots from `from` on. A control dependency puts the rest of the thread under a branch on
  /// the last read.
  litmus::Block block(ThreadId thread, const std::vector<Slot>& slots, std::size_t from) {
    litmus::Block out;
    for (std::size_t i = from; i < slots.size(); ++i) {
      if (i > from)
        if (auto between = gap()) out.push_back(*std::move(between));
      out.push_back(access_of(thread, slots[i]));
      if (last_read_ && i + 1 < slots.size() && random_.chance(profile_.control_dependency, 100)) {
        out.push_back(control(thread, slots, i + 1));
        return out;
      }
    }
    return out;
  }

  litmus::Statement control(ThreadId thread, const std::vector<Slot>& slots, std::size_t from) {
    const Expression read = Expression::of(*last_read_);
    const Operator compare = random_.chance(3, 4) ? Operator::equal : Operator::not_equal;
    const litmus::Value value = small_constant(); // drawn in this order, whatever the compiler
    auto condition = Expression::binary(compare, read, Expression::number(value));
    const auto before = last_read_;
    auto then_block = block(thread, slots, from);
    litmus::Block else_block;
    const std::size_t repeated = litmus::count_accesses(then_block);
    if (random_.chance(1, 4) && repeated <= spare_) { // equal arms: the branch decides nothing
      else_block = then_block;
      spare_ -= repeated;
    }
    last_read_ = before;
    return branch(std::move(condition), std::move(then_block), std::move(else_block));
  }

  const Skeleton& skeleton_;
  const Profile& profile_;
  Random& random_;
  Builder builder_;
  bool mixed_ = false;
  std::vector<Strength> of_location_;
  std::vector<std::uint32_t> written_;
  std::optional<RegisterId> last_read_;
  std::size_t spare_ = 0; // accesses that the profile leaves for arms of branches that say the same
};

} // namespace

litmus::Program dress(const Skeleton& skeleton, const Profile& profile, litmus::Random& random) {
  return Dresser(skeleton, profile, random).run();
}

} // namespace thinair::gen
