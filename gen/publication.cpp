// Drawing publications, part by part, as long as the profile's accesses last.
#include "gen/publication.h"

#include "gen/arrays.h"
#include "gen/builder.h"
#include "gen/methods.h"

#include <array>
#include <optional>
#include <utility>

namespace thinair::gen {
namespace {

using litmus::Action;
using litmus::Block;
using litmus::ClassId;
using litmus::Expression;
using litmus::FieldOf;
using litmus::JavaType;
using litmus::LocationId;
using litmus::Mode;
using litmus::Operator;
using litmus::Random;
using litmus::RegisterId;
using litmus::ThreadId;

class Publication {
 public:
  Publication(const Profile& profile, Random& random)
      : profile_(profile), random_(random), mixed_(percent(profile.mixed_modes)),
        budget_(profile.max_accesses) {
    for (auto& strength : of_place_) strength = draw_strength();
    updates_ = profile.rmw > 0 && (mixed_ || profile.volatile_ > 0);
    if (updates_ && !mixed_) of_place_[references] = 3; // the one mode of all of them
  }

  litmus::Program run() {
    declare();
    bool lazy = percent(profile_.lazy);
    if (lazy && percent(profile_.locked))
      monitor_ = builder_.add_monitor();
    else
      lazy = lazy && updates_;
    std::size_t threads = std::min<std::size_t>(2, profile_.max_threads);
    while (threads < profile_.max_threads && random_.chance(1, 3)) ++threads;
    const bool exchanged = !lazy && random_.chance(1, 10);
    if (exchanged) relay_ = builder_.fresh_location(outer_);
    for (std::size_t t = 0; t < threads; ++t) {
      thread_ = builder_.add_thread();
      Block body = lazy                 ? finds_or_makes()
                   : exchanged && t < 2 ? exchanges(t == 0)
                   : t == 0             ? makes()
                                        : reads(t > 1 && relayed_);
      builder_.body(thread_) = std::move(body);
    }
    return builder_.finish();
  }

 private:
  std::size_t place_of(ClassId of, std::uint32_t field) const {
    return of == outer_ ? first_field + field : inner_fields;
  }
  bool percent(std::uint32_t of_100) { return of_100 > 0 && random_.chance(of_100, 100); }
  /// Whether so many more accesses fit.
  bool spend(std::uint32_t accesses) {
    if (budget_ < accesses) return false;
    budget_ -= accesses;
    return true;
  }

  void declare() {
    std::vector<litmus::Field> fields;
    for (std::uint64_t n = 1 + random_.below(2); n > 0; --n) fields.push_back(field({}));
    if (percent(profile_.chains)) {
      inner_ = builder_.add_class({field({})});
      fields.push_back(field(inner_));
    }
    outer_ = builder_.add_class(std::move(fields));
    published_ = builder_.fresh_location(outer_);
  }
  litmus::Field field(JavaType type) { return {"", type, percent(profile_.final_fields)}; }

  std::size_t draw_strength() {
    const std::array<std::uint32_t, 4> weights{profile_.plain, profile_.opaque,
                                               profile_.acquire_release, profile_.volatile_};
    return random_.weighted(weights);
  }

  /// What has one mode where a program does not mix them; final fields are plain then.
  enum Place : std::size_t { references, numbers, inner_fields, first_field };
  static constexpr std::size_t places = 8;

  /// A method of that action, in a mode that is drawn: for each access, or for the place.
  litmus::Method method(Action action, std::size_t place, bool is_final = false) {
    const bool write = action != Action::get;
    constexpr std::array read_modes{Mode::plain, Mode::opaque, Mode::acquire, Mode::volatile_};
    constexpr std::array write_modes{Mode::plain, Mode::opaque, Mode::release, Mode::volatile_};
    const std::size_t drawn = mixed_ ? draw_strength() : is_final ? 0 : of_place_[place];
    const Mode mode = write ? write_modes[drawn] : read_modes[drawn];
    const auto single = *method_of(write ? Action::set : Action::get, mode, mode);
    return with_action(single, action);
  }

  void gap(Block& out) {
    if (!percent(profile_.fence)) return;
    constexpr std::array<std::uint32_t, 5> weights{2, 2, 3, 1, 2}; // in the order of litmus::Fence
    out.push_back(fence(static_cast<litmus::Fence>(random_.weighted(weights))));
  }

  Expression constant() {
    return Expression::number(1 + static_cast<std::int32_t>(random_.below(profile_.max_constant)));
  }
  LocationId number() {
    if (!number_) number_ = builder_.fresh_location({});
    return *number_;
  }

  /// `object` is new, of the class, its constructor around: one write for each field.
  litmus::Statement made(RegisterId object, ClassId of, std::optional<RegisterId> inner) {
    litmus::New node = builder_.make(object, of);
    const auto fields = builder_.class_at(of).fields;
    const bool leaks = of == outer_ && percent(profile_.leaks);
    std::size_t leak_at = leaks ? static_cast<std::size_t>(random_.below(fields.size())) : ~0U;
    for (std::uint32_t f = 0; f < fields.size(); ++f) {
      if (f == leak_at && spend(1)) node.body.push_back(published(object));
      if (!spend(1)) continue;
      const Expression value = !fields[f].type.refers() ? constant()
                               : inner                  ? Expression::of(*inner)
                                                        : Expression::number(0);
      const auto how =
          fields[f].is_final ? litmus::Method::set : method(Action::set, place_of(of, f));
      node.body.push_back(access({}, how, FieldOf{object, f}, {value}));
    }
    return {std::move(node), {}};
  }

  /// The object, and before it the one that it refers to.
  RegisterId made(Block& out) {
    std::optional<RegisterId> inner;
    if (inner_.refers() && budget_ > 4) {
      inner = builder_.fresh_register(thread_, inner_);
      out.push_back(made(*inner, inner_.of, {}));
    }
    const RegisterId object = builder_.fresh_register(thread_, outer_);
    out.push_back(made(object, outer_, inner));
    return object;
  }

  litmus::Statement published(RegisterId object) {
    return access({}, method(Action::set, references), published_, {Expression::of(object)});
  }

  Action exchange() {
    const std::array<std::uint32_t, 4> weights{profile_.get_and_set, profile_.compare_and_exchange,
                                               profile_.compare_and_set,
                                               profile_.weak_compare_and_set};
    constexpr std::array actions{Action::get_and_set, Action::compare_and_exchange,
                                 Action::compare_and_set, Action::weak_compare_and_set};
    if (weights == std::array<std::uint32_t, 4>{}) return Action::get_and_set;
    return actions[random_.weighted(weights)];
  }

  /// By a write, or by an update, with its result in a register or not.
  void publish(Block& out, LocationId where, RegisterId object) {
    if (!spend(1)) return;
    gap(out);
    if (!updates_ || !percent(profile_.rmw)) {
      out.push_back(access({}, method(Action::set, references), where, {Expression::of(object)}));
      return;
    }
    const Action action = exchange();
    std::vector<Expression> arguments{Expression::of(object)};
    if (action != Action::get_and_set) arguments.insert(arguments.begin(), Expression::number(0));
    std::optional<RegisterId> result;
    const bool tells = action == Action::compare_and_set || action == Action::weak_compare_and_set;
    if (random_.chance(1, 2))
      result = builder_.fresh_register(thread_, tells ? JavaType() : JavaType(outer_));
    out.push_back(access(result, method(action, references), where, std::move(arguments)));
  }

  Block makes() {
    Block out;
    if (random_.chance(1, 3) && spend(1)) { // one draw after the other, whatever the compiler
      const Expression value = constant();
      const LocationId where = number();
      const auto how = method(Action::set, numbers);
      out.push_back(access({}, how, where, {value}));
    }
    const RegisterId object = made(out);
    publish(out, published_, object);
    if (random_.chance(1, 6) && spend(1)) // too late for who has the reference
      write_field(out, object);
    relayed_ = random_.chance(1, 2);
    return out;
  }

  Block exchanges(bool first) {
    Block out;
    const RegisterId own = made(out);
    publish(out, first ? published_ : *relay_, own);
    if (!spend(1)) return out;
    gap(out);
    const RegisterId other = builder_.fresh_register(thread_, outer_);
    out.push_back(access(other, method(Action::get, references), first ? *relay_ : published_, {}));
    if (random_.chance(1, 3)) look(out, other, outer_);
    return out;
  }

  void write_field(Block& out, RegisterId object) {
    const auto& fields = builder_.class_at(outer_).fields;
    for (std::uint32_t f = 0; f < fields.size(); ++f)
      if (!fields[f].is_final && !fields[f].type.refers()) {
        const Expression value = constant();
        const auto how = method(Action::set, place_of(outer_, f));
        return out.push_back(access({}, how, FieldOf{object, f}, {value}));
      }
  }

  /// Reads of fields, under a check for null, mostly.
  void look(Block& out, RegisterId object, ClassId of) {
    const auto count = static_cast<std::uint32_t>(builder_.class_at(of).fields.size());
    Block inside;
    const auto first = static_cast<std::uint32_t>(random_.below(count));
    for (std::uint32_t n = 0; n < count; ++n) {
      const std::uint32_t f = (first + n) % count;
      const JavaType type = builder_.class_at(of).fields[f].type;
      if ((n > 0 && random_.chance(1, 3)) || !spend(1)) continue;
      const RegisterId found = builder_.fresh_register(thread_, type);
      const auto how =
          method(Action::get, place_of(of, f), builder_.class_at(of).fields[f].is_final);
      inside.push_back(access(found, how, FieldOf{object, f}, {}));
      if (type.refers()) look(inside, found, type.of);
    }
    if (percent(profile_.unchecked))
      return void(out.insert(out.end(), inside.begin(), inside.end()));
    out.push_back(branch(
        Expression::binary(Operator::not_equal, Expression::of(object), Expression::number(0)),
        std::move(inside)));
  }

  Block reads(bool relayed) {
    Block out;
    if (!spend(2)) return out;
    const LocationId from = relayed && relay_ ? *relay_ : published_;
    RegisterId object = builder_.fresh_register(thread_, outer_);
    out.push_back(access(object, method(Action::get, references), from, {}));
    gap(out);
    if (random_.chance(1, 5) && spend(1)) { // again, and by the second what follows
      object = builder_.fresh_register(thread_, outer_);
      out.push_back(access(object, method(Action::get, references), from, {}));
    }
    if (relayed_ && !relayed && spend(1)) {
      if (!relay_) relay_ = builder_.fresh_location(outer_);
      publish(out, *relay_, object);
    }
    ++budget_; // of the two, for the read of a field
    look(out, object, outer_);
    if (number_ && random_.chance(2, 3) && spend(1))
      out.push_back(
          access(builder_.fresh_register(thread_, {}), method(Action::get, numbers), *number_, {}));
    return out;
  }

  /// `r = F.get(); if (r == null) { r = new A { … }; … }`, and what is read by r.
  Block finds_or_makes() {
    Block out;
    if (!spend(3)) return out;
    const RegisterId object = builder_.fresh_register(thread_, outer_);
    out.push_back(access(object, method(Action::get, references), published_, {}));
    Block inside;
    if (monitor_) {
      inside.push_back({litmus::MonitorStatement{true, *monitor_}, {}});
      inside.push_back(access(
          object, mixed_ ? litmus::Method::get : method(Action::get, references), published_, {}));
      Block none;
      make_into(none, object);
      none.push_back(published(object));
      inside.push_back(branch(is_null(object), std::move(none)));
      inside.push_back({litmus::MonitorStatement{false, *monitor_}, {}});
    } else {
      make_into(inside, object);
      const RegisterId found = builder_.fresh_register(thread_, outer_);
      inside.push_back(access(found, method(Action::compare_and_exchange, references), published_,
                              {Expression::number(0), Expression::of(object)}));
      inside.push_back(branch(
          Expression::binary(Operator::not_equal, Expression::of(found), Expression::number(0)),
          {assign(object, Expression::of(found))}));
    }
    out.push_back(branch(is_null(object), std::move(inside)));
    look(out, object, outer_);
    return out;
  }
  static Expression is_null(RegisterId object) {
    return Expression::binary(Operator::equal, Expression::of(object), Expression::number(0));
  }
  void make_into(Block& out, RegisterId object) {
    const RegisterId fresh = made(out);
    out.push_back(assign(object, Expression::of(fresh)));
  }

  const Profile& profile_;
  Random& random_;
  bool mixed_, updates_ = false;
  std::array<std::size_t, places> of_place_{}; // how strong, where modes are not mixed
  Builder builder_;
  std::uint32_t budget_;
  ThreadId thread_;
  ClassId outer_;
  JavaType inner_;
  LocationId published_;
  std::optional<LocationId> relay_, number_;
  std::optional<litmus::MonitorId> monitor_;
  bool relayed_ = false;
};

} // namespace

litmus::Program draw_publication(const Profile& profile, litmus::Random& random) {
  if (profile.arrays > 0 && random.chance(profile.arrays, 100)) return draw_arrays(profile, random);
  return Publication(profile, random).run();
}

} // namespace thinair::gen
