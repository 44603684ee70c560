// Writes the class: state, result, methods, what links them, and what calls them.
#include "runners/jit/emit.h"

#include "litmus/java/code.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "lower/jit/method.h"
#include "lower/jit/references.h"
#include "lower/prepare.h"
#include "lower/sequential.h"
#include "runners/jit/emit_own.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::runners::jit {
namespace {

using litmus::Program;

constexpr std::string_view imports =
    "import java.lang.invoke.MethodHandles;\nimport java.lang.invoke.VarHandle;\n\n";

std::string field_of_state(std::size_t i) { return fmt::format("f{}", i); }
std::string field_of_result(std::size_t i) { return fmt::format("r{}", i); }
std::string reference_of_state(std::size_t i) { return fmt::format("g{}", i); }
std::string reference_of_result(std::size_t i) { return fmt::format("q{}", i); }
std::string object(std::size_t i) { return fmt::format("O{}", i); }

/// A thread is called many times alone, when nobody ends its loops.
void require_end(const Program& program) {
  if (!features(program).loops) return;
  constexpr std::uint32_t rounds = 64;
  constexpr unsigned several = 4; // what they leave in the state that stays is soon the same
  const bool inside = lower::jit::looks_inside(program);
  const Program source =
      lower::prepared(inside ? program : lower::jit::with_numbers(program), rounds);
  if (!lower::ends_alone(source, lower::jit::has_own_class(program) ? several : 0))
    throw Unsupported("a loop for a JIT that does not end in a thread alone");
}

class Writer {
 public:
  explicit Writer(std::span<const Program> programs) : programs_(programs) {}

  Emitted run() {
    std::string methods;
    out_.lines.resize(programs_.size());
    out_.classes.resize(programs_.size());
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      try {
        if (has_own_class(p))
          add_own(p);
        else
          methods += methods_of(p);
        out_.refused.emplace_back();
      } catch (const Unsupported& lacking) {
        out_.refused.emplace_back(lacking.what());
      }
    }
    out_.source = std::string(imports) + std::exchange(own_, {});
    out_.source += fmt::format("class {} {{\n{}{}}}\n\n", lower::jit::state_class,
                               fields("int", field_of_state, out_.state_fields),
                               fields("Object", reference_of_state, out_.state_references));
    out_.source += fmt::format("class {} {{\n{}{}", lower::jit::result_class,
                               fields("int", field_of_result, out_.result_fields),
                               fields("Object", reference_of_result, out_.result_references));
    for (const auto& [type, count] : out_.result_values)
      for (std::size_t i = 0; i < count; ++i)
        out_.source += fmt::format("  {} {};\n", litmus::info(type).word, result_field(type, i));
    out_.source += "}\n\n";
    out_.source += fmt::format("public class {} {{\n", batch_class);
    for (std::size_t i = 0; i < out_.objects; ++i)
      out_.source += fmt::format("  static final Object {} = new Object();\n", object(i));
    out_.source += litmus::java::handle_code(all_locations(), all_names(),
                                             std::string(lower::jit::state_class));
    out_.source += methods + getters() + link() + main() + "}\n";
    return std::move(out_);
  }

 private:
  bool has_own_class(std::size_t p) const { return lower::jit::has_own_class(programs_[p]); }

  /// Such programs come first, so that lines are known when they are written.
  void add_own(std::size_t p) {
    const Program& program = programs_[p];
    require_form(program);
    auto source = own_source(program, p);
    const auto before = std::ranges::count(imports, '\n') + std::ranges::count(own_, '\n');
    for (auto& line : source.lines) line += static_cast<std::uint32_t>(before);
    out_.lines[p] = std::move(source.lines);
    out_.classes[p] = std::move(source.classes);
    own_ += source.text;
    need_result(program);
  }

  static std::string fields(std::string_view type, std::string (*field)(std::size_t),
                            std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("  {} {};\n", type, field(i));
    return text;
  }

  static std::string handle(std::size_t i) { return fmt::format("H{}", i); }
  static std::string reference_handle(std::size_t i) { return fmt::format("G{}", i); }

  /// A program of all fields of the state, as handle_code wants it.
  Program all_locations() const {
    Program program;
    program.locations.resize(out_.state_fields);
    program.classes = {{"Object", {}}};
    for (std::size_t i = 0; i < out_.state_references; ++i)
      program.locations.push_back({"", 0, false, litmus::ClassId(0)});
    return program;
  }

  litmus::java::Names all_names() const {
    litmus::java::Names names;
    for (std::size_t i = 0; i < out_.state_fields; ++i) {
      names.fields.push_back(field_of_state(i));
      names.handles.push_back(handle(i));
    }
    for (std::size_t i = 0; i < out_.state_references; ++i) {
      names.fields.push_back(reference_of_state(i));
      names.handles.push_back(reference_handle(i));
    }
    names.classes = {"Object"};
    names.class_handles.resize(1);
    return names;
  }

  litmus::java::Names names_of(const Program& program) const {
    std::vector<std::string> taken{"s", "r"};
    for (std::size_t i = 0; i < program.locations.size(); ++i) {
      taken.push_back(handle(i));
      taken.push_back(reference_handle(i));
    }
    for (std::size_t i = 0; i < program.objects.size(); ++i) taken.push_back(object(i));
    auto names = litmus::java::names_of(program, taken);
    for (std::size_t i = 0; i < program.locations.size(); ++i) {
      const bool refers = program.locations[i].type.refers();
      names.fields[i] = refers ? reference_of_state(i) : field_of_state(i);
      names.handles[i] = refers ? reference_handle(i) : handle(i);
    }
    for (std::size_t i = 0; i < program.objects.size(); ++i) names.made[i] = object(i);
    names.classes.assign(program.classes.size(), "Object");
    return names;
  }

  /// What all programs need of the two classes and of objects.
  void need(const Program& program) {
    const auto add = [](std::size_t& count, std::size_t wanted) {
      count = std::max(count, wanted);
    };
    const auto refers = [](const auto& each) { return each.type.refers(); };
    add(out_.state_fields, program.locations.size());
    if (std::ranges::any_of(program.locations, refers))
      add(out_.state_references, program.locations.size());
    add(out_.objects, program.objects.size());
    need_result(program);
  }

  void need_result(const Program& program) {
    const auto refers = [](const auto& each) { return each.type.refers(); };
    for (const auto& thread : program.threads) {
      out_.result_fields = std::max(out_.result_fields, thread.registers.size());
      for (const auto& reg : thread.registers)
        if (!reg.type.refers() && !reg.type.is_int()) {
          auto& count = out_.result_values[reg.type.kind];
          count = std::max(count, thread.registers.size());
        }
      if (std::ranges::any_of(thread.registers, refers))
        out_.result_references = std::max(out_.result_references, thread.registers.size());
    }
  }

  static void require_form(const Program& program) {
    const auto found = features(program);
    if (found.monitors)
      throw Unsupported("monitors in a JIT's code: who finds one taken calls the VM");
    if (std::ranges::any_of(program.locations, &litmus::Location::is_final))
      throw Unsupported("final variables in a JIT's code");
    if (found.thread_lifetime) throw Unsupported("start and join in a JIT's code");
    if (found.external_actions) throw Unsupported("external actions in a JIT's code");
    if (found.floats) lower::prepared(program, 1); // refuses what computes with them
    require_end(program);
  }

  std::string methods_of(std::size_t p) {
    const Program& program = programs_[p];
    require_form(program);
    const auto names = names_of(program);
    std::string text;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      text += fmt::format("  static void {}({} s, {} r) {{\n", method_name(p, t),
                          lower::jit::state_class, lower::jit::result_class);
      text += litmus::java::thread_code(program, t, names,
                                        {.object = "s", .results = true, .premade = true});
      for (std::size_t i = 0; i < names.registers[t].size(); ++i)
        text += fmt::format("    r.{} = {};\n",
                            program.threads[t].registers[i].type.refers() ? reference_of_result(i)
                                                                          : field_of_result(i),
                            names.registers[t][i]);
      text += "  }\n\n";
    }
    need(program);
    return text;
  }

  std::string getters() const {
    std::string text;
    for (std::size_t i = 0; i < out_.state_fields; ++i)
      text += fmt::format("  static int {}({} s) {{ return s.{}; }}\n", state_getter(i),
                          lower::jit::state_class, field_of_state(i));
    for (std::size_t i = 0; i < out_.result_fields; ++i)
      text += fmt::format("  static int {}({} r) {{ return r.{}; }}\n", result_getter(i),
                          lower::jit::result_class, field_of_result(i));
    for (std::size_t i = 0; i < out_.state_references; ++i)
      text +=
          fmt::format("  static Object {}({} s) {{ return s.{}; }}\n", state_reference_getter(i),
                      lower::jit::state_class, reference_of_state(i));
    for (std::size_t i = 0; i < out_.result_references; ++i)
      text +=
          fmt::format("  static Object {}({} r) {{ return r.{}; }}\n", result_reference_getter(i),
                      lower::jit::result_class, reference_of_result(i));
    for (std::size_t i = 0; i < out_.objects; ++i)
      text += fmt::format("  static Object {}() {{ return {}; }}\n", object_getter(i), object(i));
    for (const auto& [type, count] : out_.result_values)
      for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("  static {} {}({} r) {{ return r.{}; }}\n", litmus::info(type).word,
                            result_value_getter(type, i), lower::jit::result_class,
                            result_field(type, i));
    return text;
  }

  /// Compilers leave out what was never linked. The entries of the class's constant pool are the
  /// same for all its methods, so that one method can link them for all: each call with its result
  /// used and not, each handle, each field.
  std::string link() const {
    std::string text =
        fmt::format("\n  static void link({} s, {} r) throws Exception {{\n    int n = 0;\n",
                    lower::jit::state_class, lower::jit::result_class);
    if (out_.state_references > 0) text += "    Object o = null;\n";
    for (std::size_t i = 0; i < out_.state_references; ++i)
      text += fmt::format("    if ({} == null) return;\n", reference_handle(i));
    for (std::size_t i = 0; i < out_.result_references; ++i)
      text += fmt::format("    r.{} = null;\n", reference_of_result(i));
    for (std::size_t i = 0; i < out_.state_fields; ++i)
      text += fmt::format("    if ({} == null) return;\n", handle(i));
    for (std::size_t i = 0; i < out_.result_fields; ++i)
      text += fmt::format("    r.{} = 0;\n", field_of_result(i));
    for (std::size_t p = 0; p < programs_.size(); ++p)
      if (out_.refused[p].empty() && has_own_class(p))
        text += fmt::format("    {}.link();\n", own_class(p));
    for (const auto& fence : litmus::fences())
      text += fmt::format("    VarHandle.{}();\n", fence.name);
    if (out_.state_fields > 0)
      for (const auto& method : litmus::methods()) text += linked(method, handle(0), "int", "n");
    if (out_.state_references > 0)
      for (const auto& method : litmus::methods())
        if (!computes(method.action)) text += linked(method, reference_handle(0), "Object", "o");
    return text + "  }\n";
  }

  /// With the values that arithmetic has; references are exchanged only.
  static bool computes(litmus::Action action) {
    using enum litmus::Action;
    return action == get_and_add || action == get_and_or || action == get_and_and ||
           action == get_and_xor;
  }

  static std::string linked(const litmus::MethodInfo& method, const std::string& by,
                            std::string_view type, std::string_view variable) {
    std::string text;
    for (const auto& call : linked_calls(method, by, "s", type, variable, variable))
      text += fmt::format("    {};\n", call);
    return text;
  }

  std::string main() const {
    std::string text = "\n  public static void main(String[] arguments) throws Exception {\n"
                       "    int times = Integer.parseInt(arguments[0]);\n"
                       "    int sum = 0;\n    link(new State(), new Result());\n"
                       "    for (int i = 0; i < times; i++) {\n      State s = new State();\n"
                       "      Result r = new Result();\n";
    for (std::size_t i = 0; i < out_.state_fields; ++i)
      text += fmt::format("      sum += {}(s);\n", state_getter(i));
    for (std::size_t i = 0; i < out_.result_fields; ++i)
      text += fmt::format("      sum += {}(r);\n", result_getter(i));
    const auto touch = [&](const std::string& call) {
      text += fmt::format("      if ({} != null) sum++;\n", call);
    };
    for (std::size_t i = 0; i < out_.state_references; ++i)
      touch(state_reference_getter(i) + "(s)");
    for (std::size_t i = 0; i < out_.result_references; ++i)
      touch(result_reference_getter(i) + "(r)");
    for (std::size_t i = 0; i < out_.objects; ++i) touch(object_getter(i) + "()");
    for (const auto& [type, count] : out_.result_values)
      for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("      {}(r);\n", result_value_getter(type, i));
    for (std::size_t p = 0; p < programs_.size(); ++p)
      if (out_.refused[p].empty() && has_own_class(p))
        text += fmt::format("      {0}.touch(new {0}.State());\n", own_class(p));
    text += "      call(i);\n    }\n    System.out.println(sum);\n    System.out.flush();\n"
            "    Runtime.getRuntime().halt(0);\n  }\n\n  static void call(int i) {\n";
    for (std::size_t p = 0; p < programs_.size(); ++p)
      if (out_.refused[p].empty())
        text += fmt::format("    call{}(i, new {}State(), new Result());\n", p, home(p));
    text += "  }\n";
    for (std::size_t p = 0; p < programs_.size(); ++p)
      if (out_.refused[p].empty()) text += calls(p);
    return text;
  }

  /// A thread that divides by zero, looks into what is null or takes an index that is out of bounds
  /// ends in an exception. So that references are not always null, threads with objects have a
  /// state that stays, too. Where there are arrays, it does so in the first round alone, before
  /// they are compiled: C2 calls the library for an index, once one was out of bounds.
  std::string calls(std::size_t p) const {
    std::string text =
        fmt::format("\n  static void call{}(int i, {}State s, Result r) {{\n", p, home(p));
    const auto add = [&](std::size_t t, std::string_view state, bool once) {
      text += fmt::format("    {}try {{\n      {}{}({}, r);\n    }} catch (ArithmeticException | "
                          "NullPointerException | IndexOutOfBoundsException e) {{\n    }}\n",
                          once ? "if (i == 0) " : "", home(p), method_name(p, t), state);
    };
    const bool arrays = features(programs_[p]).arrays;
    for (std::size_t t = 0; t < programs_[p].threads.size(); ++t) {
      if (has_own_class(p)) add(t, home(p) + "kept", arrays);
      add(t, "s", false);
      text += fmt::format("    s = new {}State();\n", home(p));
    }
    return text + "  }\n";
  }

  /// The class that the program is in; empty: it is this one.
  std::string home(std::size_t p) const { return has_own_class(p) ? own_class(p) + "." : ""; }

  std::span<const Program> programs_;
  std::string own_; // classes of programs that look inside objects
  Emitted out_;
};

} // namespace

std::string method_name(std::size_t program, std::size_t thread) {
  return fmt::format("{}{}_{}", method_prefix, program, thread);
}
std::string state_getter(std::size_t field) {
  return fmt::format("{}state_{}", method_prefix, field);
}
std::string result_getter(std::size_t field) {
  return fmt::format("{}result_{}", method_prefix, field);
}
std::string state_reference_getter(std::size_t field) {
  return fmt::format("{}state_reference_{}", method_prefix, field);
}
std::string result_reference_getter(std::size_t field) {
  return fmt::format("{}result_reference_{}", method_prefix, field);
}
std::string object_getter(std::size_t object) {
  return fmt::format("{}object_{}", method_prefix, object);
}

std::string result_value_getter(litmus::TypeKind type, std::size_t field) {
  return fmt::format("{}result_{}", method_prefix, result_field(type, field));
}
std::string result_field(litmus::TypeKind type, std::size_t field) {
  if (type == litmus::TypeKind::reference) return reference_of_result(field);
  if (type == litmus::TypeKind::int_) return field_of_result(field);
  return fmt::format("{}{}", litmus::info(type).word, field);
}
std::string location_getter(std::size_t program, std::size_t location) {
  return fmt::format("{}location_{}_{}", method_prefix, program, location);
}
std::string field_getter(std::size_t program, std::size_t of, std::size_t field) {
  return fmt::format("{}field_{}_{}_{}", method_prefix, program, of, field);
}

Emitted emit(std::span<const Program> programs) { return Writer(programs).run(); }

} // namespace thinair::runners::jit
