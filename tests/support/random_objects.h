// Random Java programs with objects: typed, small, and with null in most places where it may be.
#pragma once

#include "litmus/objects.h"
#include "litmus/random.h"
#include "litmus/test.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace thinair::litmus {

struct ObjectShape {
  std::uint32_t threads = 2;
  std::uint32_t statements = 3; // of a block, at most
  std::uint32_t depth = 1;      // of blocks
  std::uint32_t objects = 3;    // at most
  bool finals = true;
  bool updates = true;
  bool modes = true; // else plain ones only
  bool arrays = false;
};

/// Two classes, A with an int and a reference to B, B with an int; a location of each type; each
/// thread has registers r0 and r1 for ints, a0 and a1, b0. With arrays B's field is an array of
/// ints, and so are what location w and registers v0 and v1 refer to; of two or three elements.
class RandomObjects {
 public:
  RandomObjects(Random& random, ObjectShape shape) : random_(random), shape_(shape) {}

  Program make() {
    program_.classes = {{"A", {{"x", {}, some_final()}, {"b", of_b, some_final()}}},
                        {"B", {{"y", {}, some_final()}}}};
    program_.locations = {{"p", 0, false, of_a}, {"q", 0, false, of_b}, {"n", 0, false, {}}};
    if (shape_.arrays) {
      array_ = array_of(program_, {});
      program_.classes[1].fields[0].type = array_;
      program_.locations.push_back({"w", 0, false, array_});
    }
    for (std::uint32_t t = 0; t < shape_.threads; ++t) program_.threads.push_back(thread(t));
    return std::move(program_);
  }

 private:
  static constexpr JavaType of_a = ClassId{0}, of_b = ClassId{1};

  bool some_final() { return shape_.finals && random_.chance(1, 2); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }

  Thread thread(std::uint32_t number) {
    Thread out;
    out.name = fmt::format("Thread{}", number);
    out.registers = {
        {"r0", 0, {}}, {"r1", 0, {}}, {"a0", 0, of_a}, {"a1", 0, of_a}, {"b0", 0, of_b}};
    out.handles = {{"P", LocationId{0}}, {"Q", LocationId{1}}, {"N", LocationId{2}}};
    if (shape_.arrays) {
      out.registers.push_back({"v0", 0, array_});
      out.registers.push_back({"v1", 0, array_});
      out.handles.push_back({"W", LocationId{3}});
    }
    thread_ = &out;
    out.body = block(shape_.depth);
    return out;
  }

  Block block(std::uint32_t depth) {
    Block out;
    for (std::uint32_t n = 1 + below(shape_.statements); n > 0; --n)
      out.push_back({statement(depth), {}});
    return out;
  }

  RegisterId reg(JavaType type) {
    std::vector<RegisterId> fit;
    for (std::uint32_t r = 0; r < thread_->registers.size(); ++r)
      if (thread_->registers[r].type == type) fit.push_back(RegisterId{r});
    return fit[random_.below(fit.size())];
  }
  JavaType type() {
    if (shape_.arrays && random_.chance(1, 4)) return array_;
    constexpr std::array<JavaType, 4> all{JavaType(), of_a, of_a, of_b};
    return all[random_.below(all.size())];
  }

  Expression value(JavaType type) {
    if (random_.chance(1, 3))
      return Expression::number(type.refers() ? 0 : 1 + static_cast<int>(below(2)));
    return Expression::of(reg(type));
  }

  Expression index() {
    if (random_.chance(1, 2)) return Expression::number(static_cast<int>(below(2)));
    return Expression::of(reg({}));
  }

  /// A place of the type: its location, a field, or an element of an array.
  std::pair<LocationId, std::optional<FieldOf>> place(JavaType type, bool for_writing) {
    if (shape_.arrays && type.is_int() && random_.chance(1, 2))
      return {{}, FieldOf{.object = reg(array_), .element = true}};
    if (shape_.arrays && type == array_) {
      if (random_.chance(1, 2)) return {LocationId{3}, {}};
      const FieldOf field{reg(of_b), 0};
      if (for_writing && field_of(program_, *thread_, field).is_final) return {LocationId{3}, {}};
      return {{}, field};
    }
    if (shape_.arrays && type.is_int()) {
      const FieldOf field{reg(of_a), 0};
      const bool is_final = field_of(program_, *thread_, field).is_final;
      if ((for_writing && is_final) || random_.chance(1, 2)) return {LocationId{2}, {}};
      return {{}, field};
    }
    const LocationId location{type == of_a ? 0U : type == of_b ? 1U : 2U};
    if (type == of_a || random_.chance(1, 3)) return {location, {}};
    const bool of_first = type == of_b || random_.chance(1, 2);
    const FieldOf field{reg(of_first ? of_a : of_b), type == of_b ? 1U : 0U};
    if (for_writing && field_of(program_, *thread_, field).is_final) return {location, {}};
    return {location, field};
  }

  Method method() {
    constexpr std::array plain{Method::get, Method::set};
    constexpr std::array modes{Method::get,        Method::set,         Method::getAcquire,
                               Method::setRelease, Method::getVolatile, Method::setVolatile,
                               Method::getOpaque,  Method::setOpaque};
    constexpr std::array updates{Method::compareAndSet, Method::getAndSet,
                                 Method::compareAndExchange};
    if (shape_.updates && random_.chance(1, 6)) return updates[random_.below(updates.size())];
    return shape_.modes ? modes[random_.below(modes.size())] : plain[random_.below(plain.size())];
  }

  Statement::Node access() {
    const JavaType of = type();
    Access out;
    out.method = method();
    const auto& row = info(out.method);
    const auto [location, field] = place(of, writes(row.action));
    if (!field) out.location = location;
    out.field = field;
    if (field && field->element) out.arguments.push_back(index());
    for (int i = 0; i < row.arguments; ++i) out.arguments.push_back(value(of));
    if (reads(row.action)) out.target = reg(out.method == Method::compareAndSet ? JavaType() : of);
    return out;
  }

  Statement::Node made() {
    New out;
    if (shape_.arrays && random_.chance(1, 2)) {
      out.object = ObjectId{static_cast<std::uint32_t>(program_.objects.size())};
      program_.objects.push_back({array_.of, 2 + below(2)});
      out.target = reg(array_);
      return out;
    }
    const JavaType of = random_.chance(2, 3) ? of_a : of_b;
    out.object = ObjectId{static_cast<std::uint32_t>(program_.objects.size())};
    program_.objects.push_back(of.of);
    out.target = reg(of);
    const auto& fields = program_.classes[of.of.value].fields;
    for (std::uint32_t f = 0; f < fields.size(); ++f) {
      if (random_.chance(1, 4)) continue;
      Access write;
      write.method = Method::set;
      write.field = FieldOf{out.target, f};
      write.arguments = {value(fields[f].type)};
      out.body.push_back({std::move(write), {}});
      if (random_.chance(1, 4)) out.body.push_back({leak(out.target, of), {}});
    }
    return out;
  }

  /// Lets others see the object before its constructor is done.
  static Statement::Node leak(RegisterId self, JavaType of) {
    Access out;
    out.method = Method::set;
    out.location = LocationId{of == of_a ? 0U : 1U};
    out.arguments = {Expression::of(self)};
    return out;
  }

  Statement::Node statement(std::uint32_t depth) {
    const auto kind = below(8);
    if (kind < 2 && program_.objects.size() < shape_.objects) return made();
    if (kind == 2 && depth > 0) {
      const JavaType of = type();
      return If{Expression::binary(random_.chance(1, 2) ? Operator::equal : Operator::not_equal,
                                   Expression::of(reg(of)), value(of)),
                block(depth - 1), random_.chance(1, 2) ? block(depth - 1) : Block()};
    }
    if (kind == 3) {
      const JavaType of = type();
      return Assign{reg(of), value(of), false};
    }
    return access();
  }

  Random& random_;
  ObjectShape shape_;
  Program program_;
  JavaType array_;
  const Thread* thread_ = nullptr;
};

} // namespace thinair::litmus
