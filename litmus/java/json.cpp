// Dumps Java programs as JSON: names, not ids.
#include "litmus/text/json.h"

#include "litmus/java/format.h"
#include "litmus/objects.h"
#include "litmus/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

namespace thinair::litmus::java {
namespace {

template <class Things, class Dump>
std::string array_of(const Things& things, Dump dump) {
  std::vector<std::string> elements;
  for (const auto& thing : things) elements.push_back(dump(thing));
  return json::array(elements);
}

/// A number, or of a float or double the text of it, as JSON has no NaN and readers may round.
void add_value(json::Object& object, std::string_view key, const Program& program, JavaType type,
               Value value) {
  if (is_floating(type.kind))
    object.string(key, shown(program, type, value));
  else
    object.integer(key, value);
}

/// Left out for an int.
void add_type(json::Object& object, const Program& program, JavaType type) {
  if (!type.is_int()) object.string("type", to_string(program, type));
}

class ThreadDump {
 public:
  ThreadDump(const Program& program, const Thread& thread) : program_(program), thread_(thread) {}

  std::string block(const Block& statements) const {
    return array_of(statements, [this](const Statement& each) { return statement(each); });
  }

 private:
  std::string register_name(RegisterId id) const { return thread_.registers[id.value].name; }
  std::string location_name(LocationId id) const { return program_.locations[id.value].name; }

  std::string expressions(std::span<const Expression> all) const {
    return array_of(all, [this](const Expression& each) { return expression(each); });
  }

  std::string expression(const Expression& e) const {
    json::Object object;
    if (e.op == Operator::constant) {
      object.string("op", "constant");
      add_value(object, "value", program_, e.type, e.constant);
      add_type(object, program_, e.type);
    } else if (e.op == Operator::reg) {
      object.string("op", "register").string("name", register_name(e.reg));
    } else if (e.op == Operator::access) {
      object.string("op", "access");
      call(object, e);
    } else {
      object.string("op", e.op == Operator::cast ? "cast" : info(e.op).symbol);
      add_type(object, program_, e.type);
      object.raw("arguments", expressions(e.arguments));
    }
    return object.text();
  }

  template <class Node> // an Expression or an Access
  void call(json::Object& object, const Node& node) const {
    object.string("method", info(node.method).name);
    if (node.field)
      object.string("object", register_name(node.field->object));
    else
      object.string("location", location_name(node.location));
    if (const Expression* index = element_index(node))
      object.raw("index", expression(*index));
    else if (node.field)
      object.string("field", field_of(program_, thread_, *node.field).name);
    object.raw("arguments", expressions(operands_of(node)));
  }

  /// As the text has it: counted from 1, and left out for the first.
  static void choice(json::Object& object, Choice by) {
    if (by != 0) object.integer("compiled_by", by + 1);
  }

  std::string statement(const Statement& s) const {
    json::Object object;
    std::visit([&](const auto& node) { fields(object, node); }, s.node);
    object.raw("bytes", fmt::format("[{},{}]", s.span.begin, s.span.end));
    return object.text();
  }

  void fields(json::Object& object, const Assign& node) const {
    object.string("kind", "assign")
        .string("target", register_name(node.target))
        .boolean("declares", node.declares)
        .raw("value", expression(node.value));
  }

  void fields(json::Object& object, const Access& node) const {
    object.string("kind", "access");
    if (node.target)
      object.string("target", register_name(*node.target)).boolean("declares", node.declares);
    call(object, node);
    choice(object, node.by);
  }

  void fields(json::Object& object, const FenceStatement& node) const {
    object.string("kind", "fence").string("fence", info(node.fence).name);
    choice(object, node.by);
  }

  void fields(json::Object& object, const If& node) const {
    object.string("kind", "if")
        .raw("condition", expression(node.condition))
        .raw("then", block(node.then_block))
        .raw("else", block(node.else_block));
  }

  void fields(json::Object& object, const Loop& node) const {
    object.string("kind", node.test_first ? "while" : "do")
        .raw("condition", expression(node.condition))
        .raw("body", block(node.body));
    if (node.bound) object.integer("bound", *node.bound);
  }

  void fields(json::Object& object, const MonitorStatement& node) const {
    object.string("kind", node.enter ? "lock" : "unlock")
        .string("monitor", program_.monitors[node.monitor.value]);
  }

  void fields(json::Object& object, const ThreadStatement& node) const {
    object.string("kind", node.kind == ThreadStatement::Kind::start ? "start" : "join")
        .integer("thread", node.thread.value);
  }

  void fields(json::Object& object, const ExternalStatement& node) const {
    object.string("kind", "print").raw("value", expression(node.value));
  }

  void fields(json::Object& object, const New& node) const {
    object.string("kind", "new")
        .string("target", register_name(node.target))
        .boolean("declares", node.declares)
        .string("object", object_name(program_, node.object))
        .raw("body", block(node.body));
    const Object& made = program_.objects[node.object.value];
    if (program_.classes[made.of.value].is_array) object.integer("length", made.length);
  }

  void fields(json::Object& object, const Cut&) const { object.string("kind", "cut"); }

  const Program& program_;
  const Thread& thread_;
};

std::string dump(const Program& program, const Location& location) {
  json::Object object;
  object.string("name", location.name);
  add_value(object, "initial", program, location.type, location.initial);
  object.boolean("final", location.is_final);
  add_type(object, program, location.type);
  return object.text();
}

std::string dump(const Program& program, const Class& each) {
  const auto dump_field = [&](const Field& field) {
    json::Object object;
    object.string("name", field.name).boolean("final", field.is_final);
    add_type(object, program, field.type);
    return object.text();
  };
  return json::Object()
      .string("name", each.name)
      .raw("fields", array_of(each.fields, dump_field))
      .text();
}

std::string dump(const Program& program, const Thread& thread) {
  json::Object object;
  object.string("name", thread.name)
      .raw("registers", array_of(thread.registers,
                                 [&](const Register& reg) {
                                   json::Object dumped;
                                   dumped.string("name", reg.name);
                                   add_value(dumped, "initial", program, reg.type, reg.initial);
                                   add_type(dumped, program, reg.type);
                                   return dumped.text();
                                 }))
      .raw("handles", array_of(thread.handles,
                               [&](const Handle& handle) {
                                 return json::Object()
                                     .string("name", handle.name)
                                     .string("location",
                                             program.locations[handle.location.value].name)
                                     .text();
                               }))
      .raw("body", ThreadDump(program, thread).block(thread.body));
  return object.text();
}

} // namespace

std::string to_json(const Program& program) {
  json::Object object;
  std::vector<Class> written; // array types are known by their names
  std::ranges::remove_copy_if(program.classes, std::back_inserter(written), &Class::is_array);
  if (!written.empty())
    object.raw("classes",
               array_of(written, [&](const Class& each) { return dump(program, each); }));
  object
      .raw("locations",
           array_of(program.locations, [&](const Location& each) { return dump(program, each); }))
      .raw("monitors", array_of(program.monitors,
                                [](const std::string& monitor) { return json::quote(monitor); }))
      .raw("threads",
           array_of(program.threads, [&](const Thread& each) { return dump(program, each); }));
  return object.text();
}

} // namespace thinair::litmus::java
