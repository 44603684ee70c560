// Walks constructors for what they mention, and lays out classes.
#include "litmus/java/class_code.h"

#include "litmus/java/format.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::litmus::java {
namespace {

/// Registers that a block reads, or has objects in, and those that it writes.
struct Mentioned {
  std::set<RegisterId> all, written;
};

void add(const Expression& e, Mentioned& out) {
  if (e.op == Operator::reg) out.all.insert(e.reg);
  if (e.field) out.all.insert(e.field->object);
  for (const Expression& argument : e.arguments) add(argument, out);
}

void write(RegisterId target, Mentioned& out) {
  out.all.insert(target);
  out.written.insert(target);
}

Mentioned mentioned_in(const New& node) {
  Mentioned out;
  for_each_statement(node.body, [&](const Statement& statement) {
    for_each_expression(statement, [&](const Expression& e) { add(e, out); });
    if (const auto* assign = std::get_if<Assign>(&statement.node)) write(assign->target, out);
    if (const auto* made = std::get_if<New>(&statement.node)) write(made->target, out);
    if (const auto* access = std::get_if<Access>(&statement.node)) {
      if (access->field) out.all.insert(access->field->object);
      if (access->target) write(*access->target, out);
    }
  });
  out.all.erase(node.target);
  return out;
}

/// Definite assignment (JLS 16) of the final fields of an object in its constructor.
class FinalFields {
 public:
  FinalFields(const Class& of, RegisterId object) : of_(of), object_(object) {}

  /// Those that no path writes.
  std::vector<std::uint32_t> left_out(const Block& constructor) {
    visit(constructor, false);
    std::vector<std::uint32_t> out;
    for (std::uint32_t f = 0; f < of_.fields.size(); ++f)
      if (of_.fields[f].is_final && !written_.contains(f)) out.push_back(f);
    return out;
  }

 private:
  [[noreturn]] void refuse(std::uint32_t field, std::string_view how) const {
    throw Unsupported(fmt::format("a final field that is written {}, in Java source: `{}`", how,
                                  of_.fields[field].name));
  }

  /// `elsewhere`: in a loop, or in the constructor of another object.
  void visit(const Block& block, bool elsewhere) {
    for (const Statement& statement : block) {
      if (const auto* access = std::get_if<Access>(&statement.node)) visit(*access, elsewhere);
      if (const auto* branch = std::get_if<If>(&statement.node)) visit(*branch, elsewhere);
      if (const auto* loop = std::get_if<Loop>(&statement.node)) visit(loop->body, true);
      if (const auto* made = std::get_if<New>(&statement.node)) visit(made->body, true);
    }
  }

  void visit(const Access& access, bool elsewhere) {
    const bool writes_it = access.field && access.field->object == object_ &&
                           writes(info(access.method).action) &&
                           of_.fields[access.field->field].is_final;
    if (!writes_it) return;
    if (elsewhere) refuse(access.field->field, "in a loop or in another object's constructor");
    if (!written_.insert(access.field->field).second) refuse(access.field->field, "twice");
  }

  void visit(const If& branch, bool elsewhere) {
    const auto before = written_;
    visit(branch.then_block, elsewhere);
    const auto after_then = written_;
    written_ = before;
    visit(branch.else_block, elsewhere);
    for (std::uint32_t f = 0; f < of_.fields.size(); ++f)
      if (written_.contains(f) != after_then.contains(f)) refuse(f, "in one branch only");
  }

  const Class& of_;
  const RegisterId object_;
  std::set<std::uint32_t> written_;
};

class ClassWriter {
 public:
  ClassWriter(const Program& program, const Names& names, const std::string& outer,
              const CodeStyle& style, const std::vector<std::string>& more)
      : program_(program), names_(names), outer_(outer), style_(style), more_(more) {
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      for_each_statement(program.threads[t].body, [&](const Statement& statement) {
        if (const auto* made = std::get_if<New>(&statement.node))
          made_[program.objects[made->object.value].of].push_back({t, made});
      });
  }

  std::string run() {
    for (std::uint32_t c = 0; c < program_.classes.size(); ++c)
      if (!program_.classes[c].is_array) class_of(ClassId(c));
    for (const auto& [of, all] : made_)
      for (const Made& made : all)
        if (!program_.classes[of.value].is_array) what_it_leaves(made);
    return std::move(out_);
  }

 private:
  struct Made {
    std::size_t thread;
    const New* node;
  };

  std::string word(JavaType type) const { return type_word(program_, names_, type); }

  void class_of(ClassId of) {
    const auto& fields = program_.classes[of.value].fields;
    out_ += fmt::format("\n  static class {} {{\n", names_.classes[of.value]);
    for (std::size_t f = 0; f < fields.size(); ++f)
      out_ += fmt::format("    {}{} {};\n", fields[f].is_final ? "final " : "",
                          word(fields[f].type), names_.class_fields[of.value][f]);
    const auto found = made_.find(of);
    if (found != made_.end())
      for (const Made& made : found->second) constructor(of, made);
    else
      private_constructor(of);
    if (!more_.empty()) out_ += more_.at(of.value);
    out_ += "  }\n";
  }

  /// Final fields want one although no object is made.
  void private_constructor(ClassId of) {
    std::string body;
    const auto& fields = program_.classes[of.value].fields;
    for (std::uint32_t f = 0; f < fields.size(); ++f)
      if (fields[f].is_final) body += default_of(of, f);
    if (!body.empty())
      out_ += fmt::format("\n    {}() {{\n{}    }}\n", names_.classes[of.value], body);
  }

  std::string default_of(ClassId of, std::uint32_t f) const {
    const JavaType type = program_.classes[of.value].fields[f].type;
    return fmt::format("      this.{} = {};\n", names_.class_fields[of.value][f],
                       type.refers() ? "null" : literal(type.kind, 0));
  }

  void constructor(ClassId of, const Made& made) {
    const New& node = *made.node;
    const auto& registers = program_.threads[made.thread].registers;
    const auto& own = names_.registers[made.thread];
    const std::string& left = names_.left[node.object.value];
    out_ += fmt::format("\n    {}({} {}, {} {}", names_.classes[of.value], outer_, names_.state,
                        constructor_class(node.object), left);
    for (const RegisterId given : registers_in(node))
      out_ += fmt::format(", {} {}", word(registers[given.value].type), own[given.value]);
    out_ += ") {\n";
    const auto inner = objects_in(node.body);
    for (const ObjectId object : inner)
      out_ += fmt::format("      {} {} = null;\n", word(program_.objects[object.value].of),
                          names_.made[object.value]);
    const auto defaults = FinalFields(program_.classes[of.value], node.target).left_out(node.body);
    out_ += block_code(program_, made.thread, node.body, in_constructor(made), constructor_style());
    for (const std::uint32_t f : defaults) out_ += default_of(of, f);
    for (const RegisterId reg : registers_left_by(node))
      out_ += fmt::format("      {0}.{1} = {1};\n", left, own[reg.value]);
    for (const ObjectId object : inner)
      out_ += fmt::format("      {0}.{1} = {1};\n", left, names_.made[object.value]);
    out_ += "    }\n";
  }

  /// The object that is made is `this` there.
  Names in_constructor(const Made& made) const {
    Names names = names_;
    names.registers[made.thread][made.node->target.value] = "this";
    return names;
  }

  CodeStyle constructor_style() const {
    CodeStyle style = style_;
    style.object = names_.state;
    style.level = 3;
    return style;
  }

  void what_it_leaves(const Made& made) {
    const New& node = *made.node;
    out_ += fmt::format("\n  /** The constructor of {}, and what it leaves in registers. */\n"
                        "  static final class {} {{\n",
                        object_name(program_, node.object), constructor_class(node.object));
    for (const RegisterId reg : registers_left_by(node))
      out_ +=
          fmt::format("    {} {};\n", word(program_.threads[made.thread].registers[reg.value].type),
                      names_.registers[made.thread][reg.value]);
    for (const ObjectId object : objects_in(node.body))
      out_ += fmt::format("    {} {};\n", word(program_.objects[object.value].of),
                          names_.made[object.value]);
    out_ += "  }\n";
  }

  const Program& program_;
  const Names& names_;
  const std::string& outer_;
  const CodeStyle& style_;
  const std::vector<std::string>& more_;
  std::map<ClassId, std::vector<Made>> made_;
  std::string out_;
};

/// Whether something is done that may end in an exception (JLS 15.6).
class Throwing {
 public:
  Throwing(const Program& program, const Thread& thread) : program_(program), thread_(thread) {}

  bool in(const Block& block) {
    for (const Statement& statement : block) look_at(statement);
    return found_;
  }

 private:
  void look_at(const Statement& statement) {
    for_each_expression(statement, [this](const Expression& e) { look_at(e); });
    if (const auto* access = std::get_if<Access>(&statement.node); access && access->field)
      reach(access->field->object);
    if (const auto* branch = std::get_if<If>(&statement.node)) {
      in(branch->then_block);
      in(branch->else_block);
    }
    if (const auto* loop = std::get_if<Loop>(&statement.node)) in(loop->body);
    if (const auto* made = std::get_if<New>(&statement.node)) {
      never_null_.push_back(made->target);
      in(made->body);
      never_null_.pop_back();
    }
  }

  void look_at(const Expression& e) {
    if (e.field) reach(e.field->object);
    const bool divides = (e.op == Operator::divide || e.op == Operator::remainder) &&
                         !is_floating(type_of(program_, thread_, e).kind);
    if (divides && (e.arguments[1].op != Operator::constant || e.arguments[1].constant == 0))
      found_ = true;
    for (const Expression& argument : e.arguments) look_at(argument);
  }

  void reach(RegisterId object) {
    if (std::ranges::find(never_null_, object) == never_null_.end()) found_ = true;
  }

  const Program& program_;
  const Thread& thread_;
  std::vector<RegisterId> never_null_; // whose constructors are around
  bool found_ = false;
};

} // namespace

std::string class_code(const Program& program, const Names& names, const std::string& outer,
                       const CodeStyle& style, const std::vector<std::string>& more) {
  return ClassWriter(program, names, outer, style, more).run();
}

std::vector<RegisterId> registers_in(const New& node) {
  const auto found = mentioned_in(node).all;
  return {found.begin(), found.end()};
}

std::vector<RegisterId> registers_left_by(const New& node) {
  const auto found = mentioned_in(node).written;
  return {found.begin(), found.end()};
}

std::vector<ObjectId> objects_in(const Block& block) {
  std::vector<ObjectId> out;
  for_each_statement(block, [&](const Statement& statement) {
    if (const auto* made = std::get_if<New>(&statement.node)) out.push_back(made->object);
  });
  return out;
}

std::string number_code(const Program& program, const Names& names) {
  if (program.classes.empty()) return {};
  std::string fields, cases;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    fields += fmt::format("  {} {};\n", names.classes[program.objects[i].of.value], names.made[i]);
    cases += fmt::format("    if (object == {}) return {};\n", names.made[i], i + 1);
  }
  return fmt::format("{}\n  /** Which `new` made it; -1: none of the test. */\n"
                     "  int number(Object object) {{\n    if (object == null) return 0;\n{}"
                     "    return -1;\n  }}\n",
                     fields, cases);
}

std::string made_code(const Program& program, std::size_t thread, const Names& names,
                      std::size_t level) {
  std::string out;
  for (const ObjectId object : objects_in(program.threads[thread].body))
    out += fmt::format("{0:{1}}this.{2} = {2};\n", "", 2 * level, names.made[object.value]);
  return out;
}

std::string guarded(const Program& program, const std::string& code, const Names& names) {
  return fmt::format(
      "    try {{\n{}    }} catch (ArithmeticException | NullPointerException{} e) {{\n"
      "      {} = true;\n    }}\n",
      code, features(program).arrays ? " | IndexOutOfBoundsException" : "", names.threw);
}

std::string threw_code(const Names& names) {
  return fmt::format("  boolean {}; // whether a thread ended in an exception\n", names.threw);
}

std::string run_code(const Program& program, std::size_t thread, const Names& names,
                     const CodeStyle& style) {
  const bool guards = may_throw(program);
  CodeStyle own = style;
  if (guards) ++own.level;
  std::string code = thread_code(program, thread, names, own);
  for (std::size_t r = 0; r < program.threads[thread].registers.size(); ++r)
    code += fmt::format("{:{}}{} = {};\n", "", 2 * own.level, names.results[thread][r],
                        names.registers[thread][r]);
  code += made_code(program, thread, names, own.level);
  return guards ? guarded(program, code, names) : code;
}

bool may_throw(const Program& program) {
  return std::ranges::any_of(program.threads, [&](const Thread& thread) {
    return Throwing(program, thread).in(thread.body);
  });
}

} // namespace thinair::litmus::java
