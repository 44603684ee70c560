// Writes Java litmus programs in one canonical layout that herd7 reads wherever it knows the
// constructs.
#include "litmus/floating.h"
#include "litmus/java/format.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace thinair::litmus::java {
namespace {

using enum Operator;

bool compares(Operator op) {
  return op == equal || op == not_equal || op == less || op == less_equal || op == greater ||
         op == greater_equal;
}

/// Whether an operand goes into parentheses. Beyond what Java needs, these keep herd7 in step: its
/// comparisons do not associate, and its `&&` binds tighter than `^`.
bool needs_parentheses(Operator op, Operator operand, bool on_the_right) {
  if (operand == constant || operand == reg || operand == access || info(operand).unary)
    return false;
  if (compares(op) && compares(operand)) return true;
  if (op == logical_and && operand == bit_xor) return true;
  const int outer = info(op).precedence;
  const int inner = info(operand).precedence;
  return on_the_right ? inner <= outer : inner < outer;
}

class ExpressionWriter {
 public:
  ExpressionWriter(std::string& out, const Program& program, const Thread& thread)
      : out_(out), program_(program), thread_(thread) {}

  /// `type` is that of the place where the value goes: of a reference the constant is `null`.
  void write(const Expression& e, JavaType type = {}) {
    if (e.op == constant && type.refers()) {
      out_ += "null";
    } else if (e.op == constant) {
      out_ += java::literal(e.type.kind, e.constant);
    } else if (e.op == reg) {
      out_ += thread_.registers[e.reg.value].name;
    } else if (e.op == access) {
      write_call(e);
    } else if (info(e.op).unary) {
      write_unary(e);
    } else {
      const JavaType left = type_of(program_, thread_, e.arguments[0]);
      const JavaType either = left.refers() ? left : type_of(program_, thread_, e.arguments[1]);
      write_operand(e, 0, either);
      out_ += ' ';
      out_ += info(e.op).symbol;
      out_ += ' ';
      write_operand(e, 1, either);
    }
  }

  template <class Node> // an Expression or an Access
  void write_call(const Node& node) {
    write_place(node);
    if (node.field && node.method == Method::get) return;
    const JavaType type = type_of(program_, thread_, node.location, node.field);
    out_ += '.';
    out_ += info(node.method).name;
    out_ += '(';
    bool first = true;
    for (const Expression& argument : operands_of(node)) {
      if (!std::exchange(first, false)) out_ += ", ";
      write(argument, type);
    }
    out_ += ')';
  }

  /// `X`, `r.x`, `r[i]`.
  template <class Node>
  void write_place(const Node& node) {
    if (!node.field) return write_handle(node.location);
    out_ += thread_.registers[node.field->object.value].name;
    if (const Expression* index = element_index(node)) {
      out_ += '[';
      write(*index);
      out_ += ']';
    } else {
      out_ += '.';
      out_ += field_of(program_, thread_, *node.field).name;
    }
  }

 private:
  void write_handle(LocationId location) {
    const auto handle = std::ranges::find(thread_.handles, location, &Handle::location);
    THINAIR_CHECK(handle != thread_.handles.end(), "a location without a VarHandle");
    out_ += handle->name;
  }

  void write_operand(const Expression& e, std::size_t i, JavaType type) {
    write_in_parentheses(e.arguments[i], needs_parentheses(e.op, e.arguments[i].op, i == 1), type);
  }

  /// After a minus a number would become part of it, and a second minus a decrement.
  void write_unary(const Expression& e) {
    const Expression& operand = e.arguments[0];
    const bool simple = operand.op == reg || operand.op == access;
    const bool bare = simple || operand.op == constant || info(operand.op).unary;
    if (e.op == cast)
      fmt::format_to(std::back_inserter(out_), "({}) ", info(e.type.kind).word);
    else
      out_ += info(e.op).symbol;
    write_in_parentheses(operand, e.op == negate ? !simple : !bare);
  }

  void write_in_parentheses(const Expression& e, bool needed, JavaType type = {}) {
    if (needed) out_ += '(';
    write(e, type);
    if (needed) out_ += ')';
  }

  std::string& out_;
  const Program& program_;
  const Thread& thread_;
};

class StatementWriter {
 public:
  StatementWriter(std::string& out, const Program& program, const Thread& thread)
      : out_(out), program_(program), thread_(thread), expressions_(out, program, thread) {}

  void write_block(const Block& block, std::size_t level) {
    for (const Statement& statement : block) {
      indent(level);
      write(statement, level);
    }
  }

  /// The statement up to its first block, without a newline.
  void write_head(const Statement& statement) {
    std::visit([this](const auto& node) { head(node); }, statement.node);
  }

 private:
  void write(const Statement& statement, std::size_t level) {
    if (const auto* branch = std::get_if<If>(&statement.node)) return write_if(*branch, level);
    write_head(statement);
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      out_ += " {\n";
      write_block(loop->body, level + 1);
      indent(level);
      out_ += '}';
      if (!loop->test_first) {
        out_ += " while (";
        expressions_.write(loop->condition);
        out_ += ");";
      }
    }
    if (const auto* made = std::get_if<New>(&statement.node)) write_constructor(*made, level);
    out_ += '\n';
  }

  void write_constructor(const New& made, std::size_t level) {
    if (program_.classes[program_.objects[made.object.value].of.value].is_array) {
      out_ += ';';
      return;
    }
    if (made.body.empty()) {
      out_ += "();";
      return;
    }
    out_ += " {\n";
    write_block(made.body, level + 1);
    indent(level);
    out_ += "};";
  }

  void write_if(const If& branch, std::size_t level) {
    head(branch);
    out_ += " {\n";
    write_block(branch.then_block, level + 1);
    indent(level);
    out_ += '}';
    if (branch.else_block.empty()) {
      out_ += '\n';
      return;
    }
    out_ += " else ";
    const auto* next =
        branch.else_block.size() == 1 ? std::get_if<If>(&branch.else_block.front().node) : nullptr;
    if (next) return write_if(*next, level);
    out_ += "{\n";
    write_block(branch.else_block, level + 1);
    indent(level);
    out_ += "}\n";
  }

  void target(RegisterId reg, bool declares) {
    const Register& target = thread_.registers[reg.value];
    if (declares) out_ += to_string(program_, target.type) + " ";
    out_ += target.name;
    out_ += " = ";
  }

  void head(const Assign& node) {
    target(node.target, node.declares);
    expressions_.write(node.value, thread_.registers[node.target.value].type);
    out_ += ';';
  }

  void head(const New& node) {
    target(node.target, node.declares);
    out_ += "new ";
    const Object& made = program_.objects[node.object.value];
    const Class& of = program_.classes[made.of.value];
    if (of.is_array)
      fmt::format_to(std::back_inserter(out_), "{}[{}]", to_string(program_, of.fields[0].type),
                     made.length);
    else
      out_ += of.name;
  }

  void choice(Choice by) {
    if (by != 0) fmt::format_to(std::back_inserter(out_), "@{} ", by + 1);
  }

  void head(const Access& node) {
    choice(node.by);
    if (node.target) target(*node.target, node.declares);
    if (node.field && node.method == Method::set) {
      expressions_.write_place(node);
      out_ += " = ";
      expressions_.write(node.arguments.back(), field_of(program_, thread_, *node.field).type);
    } else {
      expressions_.write_call(node);
      // nothing but a value is no statement
      if (node.field && node.method == Method::get && !node.target) out_ += ".get()";
    }
    out_ += ';';
  }

  void head(const FenceStatement& node) {
    choice(node.by);
    out_ += info(node.fence).name;
    out_ += "();";
  }

  void head(const If& node) {
    out_ += "if (";
    expressions_.write(node.condition);
    out_ += ')';
  }

  void head(const Loop& node) {
    out_ += node.test_first ? "while" : "do";
    if (node.bound) fmt::format_to(std::back_inserter(out_), " [{}]", *node.bound);
    if (!node.test_first) return;
    out_ += " (";
    expressions_.write(node.condition);
    out_ += ')';
  }

  void head(const MonitorStatement& node) {
    fmt::format_to(std::back_inserter(out_), "{}({});", node.enter ? "lock" : "unlock",
                   program_.monitors[node.monitor.value]);
  }

  void head(const ThreadStatement& node) {
    fmt::format_to(std::back_inserter(out_), "{}(Thread{});",
                   node.kind == ThreadStatement::Kind::start ? "start" : "join", node.thread.value);
  }

  void head(const ExternalStatement& node) {
    out_ += "print(";
    expressions_.write(node.value);
    out_ += ");";
  }

  /// Not part of the language: readable, and nothing to a reader.
  void head(const Cut&) { out_ += "; // cut off by the loop bound"; }

  void indent(std::size_t level) { out_.append(2 * level, ' '); }

  std::string& out_;
  const Program& program_;
  const Thread& thread_;
  ExpressionWriter expressions_;
};

/// Registers in the order in which a reader of the body meets them, and how it meets each.
class Mentions {
 public:
  Mentions(const Program& program, const Thread& thread)
      : program_(program), thread_(thread), seen_(thread.registers.size(), false) {
    for_each_statement(thread.body, [this](const Statement& statement) { note(statement); });
  }

  struct Mention {
    RegisterId reg;
    bool assigned; // first met as the target of an assignment
  };
  const std::vector<Mention>& order() const { return order_; }

 private:
  void note(const Statement& statement) {
    // The condition of a do loop is read after its body; taking it before is on the safe side.
    for_each_expression(statement, [this](const Expression& e) { note(e); });
    if (const auto* assign = std::get_if<Assign>(&statement.node))
      note(assign->target, assign->declares || tells(assign->target, assign->value));
    if (const auto* made = std::get_if<New>(&statement.node)) note(made->target, true);
    const auto* call = std::get_if<Access>(&statement.node);
    if (call && call->field) note(call->field->object, false);
    if (call && call->target) {
      auto value = Expression::of(call->method, call->location, {});
      value.field = call->field;
      note(*call->target, call->declares || tells(*call->target, value));
    }
  }

  /// Whether its first value gives the register its type; `null` has none to go by.
  bool tells(RegisterId target, const Expression& value) const {
    return type_of(program_, thread_, value) == thread_.registers[target.value].type;
  }

  void note(const Expression& e) {
    if (e.op == reg) note(e.reg, false);
    if (e.field) note(e.field->object, false);
    for (const Expression& argument : e.arguments) note(argument);
  }

  void note(RegisterId id, bool assigned) {
    if (seen_[id.value]) return;
    seen_[id.value] = true;
    order_.push_back({id, assigned});
  }

  const Program& program_;
  const Thread& thread_;
  std::vector<bool> seen_;
  std::vector<Mention> order_;
};

/// How many registers, from the first, the initial state must list so that reading gives this table
/// again: as few as suffice.
std::size_t registers_to_list(const Program& program, const Thread& thread) {
  const std::size_t count = thread.registers.size();
  const Mentions mentions(program, thread);
  const auto suffices = [&](std::size_t listed) {
    std::size_t next = listed;
    for (const auto& [id, assigned] : mentions.order()) {
      if (id.value < listed) continue;
      if (id.value != next || !assigned || thread.registers[next].initial != 0) return false;
      ++next;
    }
    return next == count;
  };
  std::size_t listed = 0;
  while (!suffices(listed)) ++listed;
  return listed;
}

/// As the initial state has it: `true`, `A.1`, `5000000000`.
std::string initial_text(const Program& program, JavaType type, Value value) {
  const bool spelled = type.kind == TypeKind::boolean || is_floating(type.kind);
  return spelled ? java::literal(type.kind, value) : shown(program, type, value);
}

std::string type_in_front(const Program& program, JavaType type) {
  return type.is_int() ? "" : to_string(program, type) + " ";
}

void write_classes(std::string& out, const Program& program) {
  for (const Class& each : program.classes) {
    if (each.is_array) continue;
    fmt::format_to(std::back_inserter(out), "  class {} {{", each.name);
    for (const Field& field : each.fields)
      fmt::format_to(std::back_inserter(out), " {}{} {};", field.is_final ? "final " : "",
                     to_string(program, field.type), field.name);
    out += " }\n";
  }
}

void write_thread_state(std::string& out, const Program& program, std::size_t number) {
  const Thread& thread = program.threads[number];
  std::string line;
  for (const Handle& handle : thread.handles) {
    fmt::format_to(std::back_inserter(line), " {}:{}={};", number, handle.name,
                   program.locations[handle.location.value].name);
  }
  const std::size_t listed = registers_to_list(program, thread);
  for (std::size_t i = 0; i < listed; ++i) {
    const Register& each = thread.registers[i];
    fmt::format_to(std::back_inserter(line), " {}{}:{}={};", type_in_front(program, each.type),
                   number, each.name, initial_text(program, each.type, each.initial));
  }
  if (!line.empty()) out += " " + line + "\n";
}

void write_state(std::string& out, const Program& program) {
  out += "{\n";
  write_classes(out, program);
  std::string line;
  for (const Location& location : program.locations) {
    fmt::format_to(std::back_inserter(line), " {}{}{} = {};", location.is_final ? "final " : "",
                   type_in_front(program, location.type), location.name,
                   initial_text(program, location.type, location.initial));
  }
  for (const std::string& monitor : program.monitors)
    fmt::format_to(std::back_inserter(line), " monitor {};", monitor);
  if (!line.empty()) out += " " + line + "\n";
  for (std::size_t t = 0; t < program.threads.size(); ++t) write_thread_state(out, program, t);
  out += "}\n";
}

} // namespace

std::string literal(TypeKind type, Value value) {
  if (type == TypeKind::boolean) return value != 0 ? "true" : "false";
  if (is_floating(type)) {
    const std::string text = floating::to_string(info(type).bits, value);
    const bool in_digits = text[0] != 'F' && text[0] != 'D'; // else Float.NaN, Double.NaN
    return in_digits ? text + std::string(info(type).suffix) : text;
  }
  return fmt::format("{}{}", value, info(type).suffix);
}

std::string to_string(const Expression& e, const Program& program, const Thread& thread) {
  std::string out;
  ExpressionWriter(out, program, thread).write(e);
  return out;
}

std::string to_string(const Statement& statement, const Program& program, const Thread& thread) {
  std::string out;
  StatementWriter(out, program, thread).write_head(statement);
  return out;
}

std::string print(const Program& program) {
  std::string out;
  write_state(out, program);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    fmt::format_to(std::back_inserter(out), "Thread{} {{\n", t);
    StatementWriter(out, program, program.threads[t]).write_block(program.threads[t].body, 1);
    out += "}\n";
  }
  return out;
}

} // namespace thinair::litmus::java
