// Drawing programs around one array, as long as the profile's accesses last.
#include "gen/arrays.h"

#include "gen/builder.h"
#include "gen/methods.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace thinair::gen {
namespace {

using litmus::Action;
using litmus::Block;
using litmus::Expression;
using litmus::FieldOf;
using litmus::JavaType;
using litmus::Mode;
using litmus::Operator;
using litmus::RegisterId;
using litmus::ThreadId;

class Arrays {
 public:
  Arrays(const Profile& profile, litmus::Random& random)
      : profile_(profile), random_(random), mixed_(percent(profile.mixed_modes)),
        budget_(profile.max_accesses) {
    for (auto& strength : of_place_) strength = draw_strength();
  }

  litmus::Program run() {
    declare();
    std::size_t threads = std::min<std::size_t>(2, profile_.max_threads);
    while (threads < profile_.max_threads && random_.chance(1, 4)) ++threads;
    for (std::size_t t = 0; t < threads; ++t) {
      thread_ = builder_.add_thread();
      ints_.clear();
      const std::uint32_t left = static_cast<std::uint32_t>(threads - t) - 1;
      share_ = budget_ - std::min(budget_, 3 * left); // three at least for each that comes
      Block body = t == 0 ? makes() : finds();
      builder_.body(thread_) = std::move(body);
    }
    return builder_.finish();
  }

 private:
  bool percent(std::uint32_t of_100) { return of_100 > 0 && random_.chance(of_100, 100); }
  bool spend() {
    if (share_ == 0) return false;
    --share_;
    --budget_;
    return true;
  }

  std::size_t draw_strength() {
    const std::array<std::uint32_t, 4> weights{profile_.plain, profile_.opaque,
                                               profile_.acquire_release, profile_.volatile_};
    return random_.weighted(weights);
  }

  void declare() {
    length_ =
        1 + static_cast<std::uint32_t>(random_.weighted(std::array<std::uint32_t, 3>{1, 4, 1}));
    if (percent(profile_.chains)) element_ = JavaType(builder_.add_class({{"", {}, false}}));
    array_ = builder_.add_array(element_);
    if (random_.chance(1, 3))
      holder_ = JavaType(builder_.add_class({{"", array_, percent(profile_.final_fields)}}));
    published_ = builder_.fresh_location(holder_.refers() ? holder_ : array_);
    if (profile_.max_locations > 1 && random_.chance(2, 3)) number_ = builder_.fresh_location({});
  }

  /// What has one mode where a program does not mix them.
  enum Place : std::size_t { references, numbers, elements, places };
  static constexpr std::size_t strongest = 3; // volatile

  litmus::Method method(Action action, Place place) {
    const bool write = action != Action::get;
    constexpr std::array read_modes{Mode::plain, Mode::opaque, Mode::acquire, Mode::volatile_};
    constexpr std::array write_modes{Mode::plain, Mode::opaque, Mode::release, Mode::volatile_};
    const std::size_t drawn = mixed_ ? draw_strength() : of_place_[place];
    const Mode mode = write ? write_modes[drawn] : read_modes[drawn];
    return *method_of(write ? Action::set : Action::get, mode, mode);
  }

  void gap(Block& out) {
    if (!percent(profile_.fence)) return;
    constexpr std::array<std::uint32_t, 5> weights{2, 2, 3, 1, 2}; // in the order of litmus::Fence
    out.push_back(fence(static_cast<litmus::Fence>(random_.weighted(weights))));
  }

  /// Mostly an index as well.
  Expression constant() {
    const std::uint64_t most = std::max(profile_.max_constant, length_);
    return Expression::number(static_cast<litmus::Value>(1 + random_.below(most)));
  }

  /// `1`, `r`, `r + 1`, `r - r`.
  Expression index() {
    const auto fixed = [&] {
      return Expression::number(static_cast<litmus::Value>(random_.below(length_)));
    };
    if (ints_.empty() || random_.chance(2, 5)) return fixed();
    const auto reg = Expression::of(random_.pick(ints_));
    if (percent(profile_.false_dependency)) {
      auto none = Expression::binary(Operator::subtract, reg, reg);
      return random_.chance(1, 2) ? none : Expression::binary(Operator::add, fixed(), none);
    }
    if (random_.chance(1, 5)) return Expression::binary(Operator::bit_xor, reg, fixed());
    return reg;
  }

  RegisterId fresh(JavaType type) {
    const RegisterId made = builder_.fresh_register(thread_, type);
    if (type.is_int()) ints_.push_back(made);
    return made;
  }

  Expression value() {
    if (element_.refers())
      return object_ && random_.chance(3, 4) ? Expression::of(*object_) : Expression::number(0);
    return !ints_.empty() && percent(profile_.data_dependency) ? Expression::of(random_.pick(ints_))
                                                               : constant();
  }

  std::vector<Action> updates() const {
    std::vector<Action> out;
    const auto add = [&](std::uint32_t weight, Action action) {
      if (weight > 0) out.push_back(action);
    };
    add(profile_.get_and_set, Action::get_and_set);
    add(profile_.compare_and_exchange, Action::compare_and_exchange);
    add(profile_.compare_and_set, Action::compare_and_set);
    if (!element_.refers()) add(profile_.get_and_add, Action::get_and_add);
    return out;
  }

  litmus::Statement update(Action action, RegisterId array) {
    std::vector<Expression> arguments{index()};
    const bool compares =
        action == Action::compare_and_set || action == Action::compare_and_exchange;
    if (compares) arguments.push_back(Expression::number(0));
    arguments.push_back(value());
    const auto how = with_action(litmus::Method::setVolatile, action);
    const RegisterId target = fresh(action == Action::compare_and_set ? JavaType() : element_);
    return access(target, how, element(array), std::move(arguments));
  }

  static FieldOf element(RegisterId array) { return {.object = array, .element = true}; }

  void access_element(Block& out, RegisterId array) {
    if (!spend()) return;
    gap(out);
    const auto all = updates();
    const bool may_be_volatile = mixed_ ? profile_.volatile_ > 0 : of_place_[elements] == strongest;
    if (may_be_volatile && !all.empty() && percent(profile_.rmw)) {
      const Action action = random_.pick(all);
      return out.push_back(update(action, array));
    }
    if (random_.chance(1, 2)) {
      auto where = index();
      auto what = value();
      const auto how = method(Action::set, elements);
      return out.push_back(access({}, how, element(array), {std::move(where), std::move(what)}));
    }
    auto where = index();
    const auto how = method(Action::get, elements);
    const RegisterId found = fresh(element_);
    out.push_back(access(found, how, element(array), {std::move(where)}));
    if (element_.refers() && random_.chance(2, 3)) look(out, found);
  }

  /// Inside an object that an element refers to.
  void look(Block& out, RegisterId object) {
    if (!spend()) return;
    const RegisterId found = fresh({});
    Block inside{access(found, litmus::Method::get, FieldOf{object, 0}, {})};
    if (percent(profile_.unchecked)) return out.push_back(std::move(inside.front()));
    out.push_back(branch(not_null(object), std::move(inside)));
  }

  void access_number(Block& out) {
    if (!number_ || !spend()) return;
    if (random_.chance(1, 3)) {
      auto what = !ints_.empty() && percent(profile_.data_dependency)
                      ? Expression::of(random_.pick(ints_))
                      : constant();
      const auto how = method(Action::set, numbers);
      return out.push_back(access({}, how, *number_, {std::move(what)}));
    }
    const auto how = method(Action::get, numbers);
    const RegisterId found = fresh({});
    out.push_back(access(found, how, *number_, {}));
  }

  void work(Block& out, RegisterId array) {
    for (std::uint64_t n = 1 + random_.below(3); n > 0; --n) {
      if (random_.chance(1, 4)) access_number(out);
      access_element(out, array);
    }
  }

  Block makes() {
    Block out;
    if (element_.refers()) {
      object_ = builder_.fresh_register(thread_, element_);
      out.push_back({builder_.make(*object_, element_.of), {}});
      if (spend())
        out.push_back(access({}, litmus::Method::set, FieldOf{*object_, 0}, {constant()}));
    }
    const RegisterId array = builder_.fresh_register(thread_, array_);
    if (holder_.refers() && random_.chance(1, 2)) {
      publish(out, made_in_holder(array));
    } else {
      make_array(out, array);
      publish(out, holder_.refers() ? in_holder(out, array) : array);
    }
    if (random_.chance(2, 3)) work(out, array);
    object_.reset();
    return out;
  }

  void make_array(Block& out, RegisterId array) {
    out.push_back({builder_.make(array, array_.of, length_), {}});
    for (std::uint32_t i = 0; i < length_; ++i) {
      if (random_.chance(1, 3) || !spend()) continue;
      const auto how = method(Action::set, elements);
      out.push_back(access({}, how, element(array), {Expression::number(i), value()}));
    }
  }

  /// JLS 17.5: the elements are written in the constructor of the object that has the array.
  litmus::Statement made_in_holder(RegisterId array) {
    const RegisterId self = builder_.fresh_register(thread_, holder_);
    litmus::New node = builder_.make(self, holder_.of);
    make_array(node.body, array);
    if (spend()) node.body.push_back(kept(self, array));
    held_ = self;
    return {std::move(node), {}};
  }
  RegisterId in_holder(Block& out, RegisterId array) {
    const RegisterId self = builder_.fresh_register(thread_, holder_);
    litmus::New node = builder_.make(self, holder_.of);
    if (spend()) node.body.push_back(kept(self, array));
    out.push_back({std::move(node), {}});
    return self;
  }
  static litmus::Statement kept(RegisterId self, RegisterId array) {
    return access({}, litmus::Method::set, FieldOf{self, 0}, {Expression::of(array)});
  }

  void publish(Block& out, litmus::Statement made) {
    out.push_back(std::move(made));
    publish(out, *held_);
  }
  void publish(Block& out, RegisterId reference) {
    if (!spend()) return;
    gap(out);
    const auto how = method(Action::set, references);
    out.push_back(access({}, how, published_, {Expression::of(reference)}));
  }

  static Expression not_null(RegisterId reference) {
    return Expression::binary(Operator::not_equal, Expression::of(reference),
                              Expression::number(0));
  }

  Block finds() {
    Block out;
    if (random_.chance(1, 3)) access_number(out);
    if (!spend()) return out;
    const auto how = method(Action::get, references);
    const RegisterId found = builder_.fresh_register(thread_, holder_.refers() ? holder_ : array_);
    out.push_back(access(found, how, published_, {}));
    gap(out);
    Block inside;
    RegisterId array = found;
    if (holder_.refers()) {
      if (!spend()) return out;
      array = builder_.fresh_register(thread_, array_);
      inside.push_back(access(array, litmus::Method::get, FieldOf{found, 0}, {}));
    }
    Block inner;
    work(inner, array);
    if (holder_.refers() && !percent(profile_.unchecked)) {
      inside.push_back(branch(not_null(array), std::move(inner)));
    } else {
      std::ranges::move(inner, std::back_inserter(inside));
    }
    if (percent(profile_.unchecked))
      std::ranges::move(inside, std::back_inserter(out));
    else
      out.push_back(branch(not_null(found), std::move(inside)));
    return out;
  }

  const Profile& profile_;
  litmus::Random& random_;
  bool mixed_;
  std::array<std::size_t, places> of_place_{};
  Builder builder_;
  std::uint32_t budget_, share_ = 0, length_ = 1;
  ThreadId thread_;
  JavaType element_, array_, holder_;
  litmus::LocationId published_;
  std::optional<litmus::LocationId> number_;
  std::optional<RegisterId> object_, held_; // of the thread that makes them
  std::vector<RegisterId> ints_;            // of the thread
};

} // namespace

litmus::Program draw_arrays(const Profile& profile, litmus::Random& random) {
  return Arrays(profile, random).run();
}

} // namespace thinair::gen
