// Types follow from the tables of a program; objects are counted by class.
#include "litmus/objects.h"

#include "litmus/floating.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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

JavaType array_of(Program& program, JavaType element) {
  const auto found = std::ranges::find_if(program.classes, [&](const Class& each) {
    return each.is_array && each.fields[0].type == element;
  });
  const ClassId id{static_cast<std::uint32_t>(found - program.classes.begin())};
  if (found == program.classes.end())
    program.classes.push_back({to_string(program, element) + "[]", {{"", element}}, true});
  return id;
}

namespace {

/// Calls `f(type)` for the types of all variables of the program, by reference.
template <class F>
void each_type(Program& program, F&& f) {
  for (Class& each : program.classes)
    for (Field& field : each.fields) f(field.type);
  for (Location& location : program.locations) f(location.type);
  for (Thread& thread : program.threads)
    for (Register& reg : thread.registers) f(reg.type);
}

} // namespace

void order_arrays(Program& program) {
  if (std::ranges::none_of(program.classes, &Class::is_array)) return;
  std::vector<bool> used(program.classes.size(), false);
  each_type(program, [&](const JavaType& type) {
    if (type.refers()) used[type.of.value] = true;
  });
  for (const Object& object : program.objects) used[object.of.value] = true;
  std::vector<std::uint32_t> order;
  for (std::uint32_t c = 0; c < used.size(); ++c)
    if (used[c] || !program.classes[c].is_array) order.push_back(c);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) {
    const Class& each = program.classes[c];
    return each.is_array ? number_of(each.fields[0].type) + std::uint64_t{1} : 0;
  });
  std::vector<ClassId> now(used.size());
  std::vector<Class> classes;
  for (const std::uint32_t c : order) {
    now[c] = ClassId{static_cast<std::uint32_t>(classes.size())};
    classes.push_back(std::move(program.classes[c]));
  }
  program.classes = std::move(classes);
  each_type(program, [&](JavaType& type) {
    if (type.refers()) type.of = now[type.of.value];
  });
  for (Object& object : program.objects) object.of = now[object.of.value];
}

bool may_index(const Program& program, ClassId arrays, Value index) {
  const auto is_of = [&](const Object& each) { return each.of == arrays; };
  return index >= 0 && (std::ranges::none_of(program.objects, is_of) ||
                        std::ranges::any_of(program.objects, [&](const Object& each) {
                          return is_of(each) && index < each.length;
                        }));
}

std::uint32_t size_of(const Program& program, ObjectId object) {
  const Object& made = program.objects.at(object.value);
  const Class& of = program.classes[made.of.value];
  return of.is_array ? made.length : static_cast<std::uint32_t>(of.fields.size());
}

const Field& field_of(const Program& program, ObjectId object, std::uint32_t place) {
  const Class& of = program.classes[program.objects.at(object.value).of.value];
  return of.fields.at(of.is_array ? 0 : place);
}

std::string place_name(const Program& program, ObjectId object, std::uint32_t place) {
  const Class& of = program.classes[program.objects.at(object.value).of.value];
  return object_name(program, object) +
         (of.is_array ? fmt::format("[{}]", place) : "." + of.fields.at(place).name);
}

FieldLocations::FieldLocations(const Program& program) : program_(program) {
  auto next = static_cast<std::uint32_t>(program.locations.size());
  for (std::uint32_t i = 0; i < program.objects.size(); ++i) {
    first_.push_back(next);
    next += size_of(program, ObjectId{i});
  }
  count_ = next;
}

std::vector<LocationId> FieldLocations::places(const Thread& thread, LocationId location,
                                               const std::optional<FieldOf>& field) const {
  if (!field) return {location};
  std::vector<LocationId> out;
  const JavaType type = thread.registers[field->object.value].type;
  for (std::uint32_t i = 0; i < program_.objects.size(); ++i) {
    if (program_.objects[i].of != type.of) continue;
    const std::uint32_t first = field->element ? 0 : field->field;
    const std::uint32_t end = field->element ? program_.objects[i].length : first + 1;
    for (std::uint32_t place = first; place < end; ++place) out.push_back(of(ObjectId{i}, place));
  }
  return out;
}

JavaType type_of(const Program& program, LocationId location) {
  if (location.value < program.locations.size()) return program.locations[location.value].type;
  std::size_t rest = location.value - program.locations.size();
  for (std::uint32_t i = 0; i < program.objects.size(); ++i) {
    const std::uint32_t size = size_of(program, ObjectId{i});
    if (rest < size) return field_of(program, ObjectId{i}, static_cast<std::uint32_t>(rest)).type;
    rest -= size;
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
  const ClassId of = program.objects.at(object.value).of;
  const auto all = std::span(program.objects).first(object.value + 1);
  return fmt::format("{}.{}", program.classes[of.value].name,
                     std::ranges::count(all, of, &Object::of));
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

void refuse_arrays(const Program& program, std::string_view where) {
  if (features(program).arrays) throw Unsupported(fmt::format("arrays {}", where));
}

void refuse_objects(const Program& program, std::string_view where) {
  refuse_arrays(program, where);
  if (!program.classes.empty()) throw Unsupported(fmt::format("objects {}", where));
}

} // namespace thinair::litmus
