// Writes the class of one program, by what writes it for other JVMs (litmus/java/class_code.h).
#include "runners/jit/emit_own.h"

#include "litmus/java/class_code.h"
#include "litmus/java/format.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "lower/jit/method.h"
#include "runners/jit/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace thinair::runners::jit {
namespace {

using litmus::Expression;
using litmus::Program;

class OwnWriter {
 public:
  OwnWriter(const Program& program, std::size_t number)
      : program_(program), number_(number),
        names_(litmus::java::names_of(program, {"s", "r", "kept"})) {}

  OwnSource run() {
    std::string out = fmt::format("class {} {{\n  static class {} {{\n", own_class(number_),
                                  lower::jit::state_class);
    for (std::size_t i = 0; i < program_.locations.size(); ++i)
      out += fmt::format("    {} {};\n", word(program_.locations[i].type), names_.fields[i]);
    out += "  }\n";
    const std::string state(lower::jit::state_class);
    out += litmus::java::class_code(program_, names_, state,
                                    {.objects = true, .results = true, .bits = true}, links()) +
           "\n";
    out += fmt::format("  static final {0} kept = new {0}();\n", state);
    out += litmus::java::handle_code(program_, names_, state);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) out += method(t);
    out += getters() + link() + "}\n\n";
    auto lines = lines_of_new(out);
    std::vector<std::string> classes;
    for (const auto& name : names_.classes)
      classes.push_back(fmt::format("{}${}", own_class(number_), name));
    return {std::move(out), std::move(classes), std::move(lines)};
  }

 private:
  /// A `new` has a class of its own among its arguments, or what it leaves there. That of an array
  /// is the line in front of the one in which the array gets its name.
  std::vector<std::uint32_t> lines_of_new(std::string_view source) const {
    std::vector<std::uint32_t> out(program_.objects.size(), 0);
    std::string_view above;
    for (std::uint32_t line = 1; !source.empty(); ++line) {
      const auto text = source.substr(0, source.find('\n'));
      source.remove_prefix(std::min(source.size(), text.size() + 1));
      for (std::uint32_t o = 0; o < out.size(); ++o)
        if (names_array(text, litmus::ObjectId(o)) && above.ends_with("];"))
          out[o] = line - 1;
        else if (makes(text, litmus::ObjectId(o)))
          out[o] = line;
      above = text;
    }
    THINAIR_CHECK(std::ranges::find(out, 0U) == out.end(), "a `new` that is nowhere");
    return out;
  }

  bool is_array(litmus::ClassId of) const { return program_.classes[of.value].is_array; }

  bool names_array(std::string_view line, litmus::ObjectId object) const {
    if (!is_array(program_.objects[object.value].of)) return false;
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    return line.starts_with(names_.made[object.value] + " = ");
  }

  bool makes(std::string_view line, litmus::ObjectId object) const {
    const auto& left = names_.left[object.value];
    const auto of = program_.objects[object.value].of;
    if (line.find(fmt::format("new {}(", names_.classes[of.value])) == std::string_view::npos)
      return false;
    return std::ranges::any_of(
        std::array{fmt::format(", ({}) null", litmus::java::constructor_class(object)),
                   fmt::format(", {},", left), fmt::format(", {})", left)},
        [&](const std::string& word) { return line.find(word) != std::string_view::npos; });
  }

  std::string word(litmus::JavaType type) const {
    return litmus::java::type_word(program_, names_, type);
  }

  std::string method(std::size_t t) const {
    std::string text = fmt::format("  static void {}({} s, {} r) {{\n", method_name(number_, t),
                                   lower::jit::state_class, lower::jit::result_class);
    text += litmus::java::thread_code(
        program_, t, names_, {.object = "s", .objects = true, .results = true, .bits = true});
    const auto& registers = program_.threads[t].registers;
    for (std::size_t i = 0; i < registers.size(); ++i)
      text += fmt::format("    r.{} = {};\n", result_field(registers[i].type.kind, i),
                          names_.registers[t][i]);
    return text + "  }\n\n";
  }

  std::string getter(const std::string& name, std::string_view of, litmus::JavaType type,
                     const std::string& field) const {
    return fmt::format("  static {} {}({} s) {{ return s.{}; }}\n", word(type), name, of, field);
  }

  std::string getters() const {
    std::string text;
    for (std::size_t i = 0; i < program_.locations.size(); ++i)
      text += getter(location_getter(number_, i), lower::jit::state_class,
                     program_.locations[i].type, names_.fields[i]);
    each_field([&](std::size_t c, std::size_t f) {
      text += getter(field_getter(number_, c, f), names_.classes[c],
                     program_.classes[c].fields[f].type, names_.class_fields[c][f]);
    });
    text += fmt::format("\n  static void touch({} s) {{\n", lower::jit::state_class);
    for (std::size_t i = 0; i < program_.locations.size(); ++i)
      text += fmt::format("    {}(s);\n", location_getter(number_, i));
    each_field([&](std::size_t c, std::size_t f) {
      text += fmt::format("    try {{ {}(null); }} catch (NullPointerException e) {{ }}\n",
                          field_getter(number_, c, f));
    });
    return text + "  }\n";
  }

  /// Of classes that are no arrays'.
  template <class Visit>
  void each_field(Visit&& visit) const {
    for (std::uint32_t c = 0; c < program_.classes.size(); ++c)
      for (std::size_t f = 0;
           !is_array(litmus::ClassId(c)) && f < program_.classes[c].fields.size(); ++f)
        visit(c, f);
  }

  /// Calls of VarHandles, each once, as one class makes them.
  class Calls {
   public:
    Calls(const OwnWriter& writer) : writer_(writer) {}

    void add(const litmus::Thread& thread, const litmus::Block& block) {
      litmus::for_each_statement(block, [&](const litmus::Statement& statement) {
        if (const auto* access = std::get_if<litmus::Access>(&statement.node))
          add_call(thread, *access);
        litmus::for_each_expression(statement, [&](const Expression& e) { add_inside(thread, e); });
      });
    }
    std::string text(int columns) const {
      std::string out;
      for (const auto& call : calls_)
        out += fmt::format("{:{}}try {{ {}; }} catch (NullPointerException e) {{ }}\n", "", columns,
                           call);
      return out;
    }

   private:
    void add_inside(const litmus::Thread& thread, const Expression& e) {
      if (e.op == litmus::Operator::access) add_call(thread, e);
      for (const Expression& argument : e.arguments) add_inside(thread, argument);
    }

    /// No VarHandle writes a final field.
    template <class Node>
    void add_call(const litmus::Thread& thread, const Node& access) {
      const auto& program = writer_.program_;
      const auto& names = writer_.names_;
      const auto& method = litmus::info(access.method);
      if (access.field && field_of(program, thread, *access.field).is_final &&
          litmus::writes(method.action))
        return;
      std::string handle = access.field ? "" : names.handles[access.location.value];
      std::string of(lower::jit::state_class);
      if (access.field) {
        const auto held = thread.registers[access.field->object.value].type.of;
        handle = names.class_handles[held.value][access.field->field];
        of = names.classes[held.value];
      }
      const auto type = type_of(program, thread, access.location, access.field);
      const auto argument =
          fmt::format("({}) {}", writer_.word(type),
                      type.refers() ? "null" : litmus::java::literal(type.kind, 0));
      const std::string_view index = litmus::element_index(access) != nullptr ? ", 0" : "";
      for (auto& call : linked_calls(method, handle, fmt::format("({}) null{}", of, index),
                                     writer_.word(type), writer_.word(type) + " t", argument))
        calls_.insert(std::move(call));
    }

    const OwnWriter& writer_;
    std::set<std::string> calls_;
  };

  /// Methods that link what constructors call, by class.
  std::vector<std::string> links() const {
    std::vector<Calls> calls(program_.classes.size(), Calls(*this));
    for (const auto& thread : program_.threads)
      litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
        if (const auto* made = std::get_if<litmus::New>(&statement.node))
          calls[program_.objects[made->object.value].of.value].add(thread, made->body);
      });
    std::vector<std::string> out;
    for (const auto& each : calls)
      out.push_back(fmt::format("\n    static void link() {{\n{}    }}\n", each.text(6)));
    return out;
  }

  /// Its classes are loaded and made ready, too: what is not is left to the interpreter.
  std::string link() const {
    std::string text = "\n  static void link() throws ClassNotFoundException {\n";
    for (std::uint32_t c = 0; c < names_.classes.size(); ++c)
      if (!is_array(litmus::ClassId(c)))
        text += fmt::format("    Class.forName({0}.class.getName());\n    {0}.link();\n",
                            names_.classes[c]);
    for (std::uint32_t o = 0; o < program_.objects.size(); ++o)
      if (!is_array(program_.objects[o].of))
        text += fmt::format("    Class.forName({}.class.getName());\n",
                            litmus::java::constructor_class(litmus::ObjectId(o)));
    Calls calls(*this);
    for (const auto& thread : program_.threads) calls.add(thread, thread.body);
    return text + calls.text(4) + "  }\n";
  }

  const Program& program_;
  const std::size_t number_;
  const litmus::java::Names names_;
};

} // namespace

std::string own_class(std::size_t program) { return fmt::format("{}_{}", batch_class, program); }

OwnSource own_source(const Program& program, std::size_t number) {
  return OwnWriter(program, number).run();
}

std::vector<std::string> linked_calls(const litmus::MethodInfo& method, const std::string& handle,
                                      const std::string& of, std::string_view type,
                                      std::string_view variable, std::string_view argument) {
  std::string call = fmt::format("{}.{}({}", handle, method.name, of);
  for (int i = 0; i < method.arguments; ++i) call += fmt::format(", {}", argument);
  call += ")";
  std::vector<std::string> out{call};
  const bool is_boolean = method.action == litmus::Action::compare_and_set ||
                          method.action == litmus::Action::weak_compare_and_set;
  if (litmus::reads(method.action) && !is_boolean)
    out.push_back(fmt::format("{} = ({}) {}", variable, type, call));
  if (is_boolean) return {fmt::format("if ({}) {{ }}", call)};
  return out;
}

} // namespace thinair::runners::jit
