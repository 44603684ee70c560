// Types follow from the tables of a program; objects are counted by class.
#include "litmus/objects.h"

#include "litmus/floating.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::litmus {

const Class& class_of(const Program& program, const Thread& thread, const FieldOf& field) {
  const JavaType type = thread.registers[field.object.value].type;
  THINAIR_CHECK(type.refers(), "a field of what is no object");
  return program.classes[type.of.value];
}

const Field& field_of(const Program& program, const Thread& thread, const FieldOf& field) {
  return class_of(program, thread, field).fields.at(field.field);
}

JavaType type_of(const Program& program, const Thread& thread, LocationId location,
                 const std::optional<FieldOf>& field) {
  return field ? field_of(program, thread, *field).type : program.locations[location.value].type;
}

JavaType type_of(const Program& program, const Thread& thread, const Expression& e) {
  if (e.op == Operator::constant || e.op == Operator::cast) return e.type;
  if (e.op == Operator::reg) return thread.registers[e.reg.value].type;
  if (e.op == Operator::access) {
    const Action action = info(e.method).action;
    const bool tells = action == Action::compare_and_set || action == Action::weak_compare_and_set;
    return tells ? JavaType() : type_of(program, thread, e.location, e.field);
  }
  const JavaType left = type_of(program, thread, e.arguments[0]);
  if (left.refers()) return {}; // compared
  const JavaType right = e.arguments.size() < 2 ? left : type_of(program, thread, e.arguments[1]);
  if (right.refers()) return {};
  return result_type(e.op, working_type(e.op, left.kind, right.kind));
}

JavaType type_of(const Program& program, const Observable& observable) {
  const auto of = [&](const auto& things) {
    const auto found = std::ranges::find_if(
        things, [&](const auto& each) { return each.name == observable.name; });
    return found == things.end() ? JavaType() : found->type;
  };
  if (!observable.thread) return of(program.locations);
  const auto thread = observable.thread->value;
  return thread < program.threads.size() ? of(program.threads[thread].registers) : JavaType();
}

FieldLocations::FieldLocations(const Program& program) : program_(program) {
  auto next = static_cast<std::uint32_t>(program.locations.size());
  for (const ClassId of : program.objects) {
    first_.push_back(next);
    next += static_cast<std::uint32_t>(program.classes[of.value].fields.size());
  }
  count_ = next;
}

std::vector<LocationId> FieldLocations::places(const Thread& thread, LocationId location,
                                               const std::optional<FieldOf>& field) const {
  if (!field) return {location};
  std::vector<LocationId> out;
  const JavaType type = thread.registers[field->object.value].type;
  for (std::uint32_t i = 0; i < program_.objects.size(); ++i)
    if (program_.objects[i] == type.of) out.push_back(of(ObjectId{i}, field->field));
  return out;
}

JavaType type_of(const Program& program, LocationId location) {
  if (location.value < program.locations.size()) return program.locations[location.value].type;
  std::size_t rest = location.value - program.locations.size();
  for (const ClassId of : program.objects) {
    const auto& fields = program.classes[of.value].fields;
    if (rest < fields.size()) return fields[rest].type;
    rest -= fields.size();
  }
  bug(__FILE__, __LINE__, "a location behind all fields");
}

std::string to_string(const Program& program, JavaType type) {
  return type.refers() ? program.classes[type.of.value].name : std::string(info(type.kind).word);
}

std::string with_article(const Program& program, JavaType type) {
  if (type.refers()) return fmt::format("a reference to `{}`", to_string(program, type));
  return fmt::format("{} {}", type.is_int() ? "an" : "a", to_string(program, type));
}

std::string object_name(const Program& program, ObjectId object) {
  const ClassId of = program.objects.at(object.value);
  const auto end = program.objects.begin() + object.value + 1;
  return fmt::format("{}.{}", program.classes[of.value].name,
                     std::count(program.objects.begin(), end, of));
}

std::string shown(const Program& program, JavaType type, Value value) {
  if (is_floating(type.kind)) return floating::to_string(info(type.kind).bits, value);
  if (!type.refers()) return std::to_string(value);
  if (value == 0) return "null";
  const auto object = static_cast<std::uint64_t>(value) - 1;
  THINAIR_CHECK(object < program.objects.size(), "a reference to no object");
  return object_name(program, ObjectId{static_cast<std::uint32_t>(object)});
}

bool has_named_values(const Program& program) {
  const auto floats = [](const auto& each) { return is_floating(each.type.kind); };
  return !program.classes.empty() || std::ranges::any_of(program.locations, floats) ||
         std::ranges::any_of(program.threads, [&](const Thread& thread) {
           return std::ranges::any_of(thread.registers, floats);
         });
}

Proposition with_names(const Program& program, Proposition proposition) {
  const bool compares = proposition.kind == Proposition::Kind::equal ||
                        proposition.kind == Proposition::Kind::not_equal;
  if (compares && !proposition.right && proposition.address.empty()) {
    const JavaType type = type_of(program, proposition.left);
    if (type.refers() || is_floating(type.kind))
      proposition.address = shown(program, type, proposition.constant);
  }
  for (Proposition& part : proposition.parts) part = with_names(program, std::move(part));
  return proposition;
}

void refuse_types(const Program& program, std::string_view where) {
  if (features(program).types)
    throw Unsupported(fmt::format("values of other types than int {}", where));
}

void refuse_objects(const Program& program, std::string_view where) {
  if (!program.classes.empty()) throw Unsupported(fmt::format("objects {}", where));
}

} // namespace thinair::litmus
