// Writes real Java: typed expressions, structured monitors, local variables.
#include "litmus/java/code.h"

#include "litmus/floating.h"
#include "litmus/java/class_code.h"
#include "litmus/java/floats.h"
#include "litmus/java/format.h"
#include "litmus/java/lifetimes.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace thinair::litmus::java {
namespace {

using enum Operator;

bool is_truth(Operator op) {
  return op == equal || op == not_equal || op == less || op == less_equal || op == greater ||
         op == greater_equal || op == logical_not;
}

bool gives_boolean(Method method) {
  const Action action = info(method).action;
  return action == Action::compare_and_set || action == Action::weak_compare_and_set;
}

bool joins_truths(Operator op) {
  return op == bit_and || op == bit_or || op == bit_xor || op == logical_and || op == logical_or;
}

bool is_constant(const Expression& e) {
  return e.op != reg && e.op != access && std::ranges::all_of(e.arguments, is_constant);
}

/// A text with the precedence of its outermost operator (JLS 15; 14: none).
struct Code {
  std::string text;
  int precedence = 14;
};
constexpr int cast_precedence = 13, conditional_precedence = 1;

Operator in_java(Operator op) {
  return op == logical_and ? bit_and : op == logical_or ? bit_or : op;
}

class ExpressionCoder {
 public:
  ExpressionCoder(const Program& program, const Names& names, std::size_t thread,
                  const CodeStyle& style)
      : program_(program), thread_(program.threads[thread]), names_(names),
        registers_(names.registers[thread]), style_(style) {}

  /// As a value of the type: what has another one in Java is cast, as VarHandles take no other.
  std::string value(const Expression& e, JavaType type) const {
    if (type.refers()) return e.op == constant ? "null" : native(e).text;
    if (type.kind == TypeKind::boolean) return condition(e).text;
    const Code code = number(e);
    if (type_in_java(e) == type) return code.text;
    return resized(
        e, type.kind,
        fmt::format("({}) {}", to_string(program_, type), operand(code, cast_precedence)));
  }

  Code number(const Expression& e) const {
    if (!is_boolean(e)) return native(e);
    return {fmt::format("{} ? 1 : 0", operand(native(e), conditional_precedence + 1)),
            conditional_precedence};
  }

  Code condition(const Expression& e) const {
    if (is_boolean(e)) return native(e);
    return {fmt::format("{} != 0", operand(native(e), info(not_equal).precedence + 1)),
            info(not_equal).precedence};
  }

  /// Of an access, by the VarHandle of its location or field, or of the elements of its array.
  std::string call(const Expression& e) const {
    const JavaType type = type_of(program_, thread_, e.location, e.field);
    std::string text = fmt::format("{}.{}({}", handle(e), info(e.method).name,
                                   e.field ? registers_[e.field->object.value] : style_.object);
    if (const Expression* index = element_index(e)) text += ", " + argument_of({}, *index);
    for (const Expression& argument : operands_of(e)) text += ", " + argument_of(type, argument);
    return text + ")";
  }

  /// A call with the type that its result has.
  Code typed_call(const Expression& e) const {
    if (gives_boolean(e.method)) return {call(e)};
    const JavaType type = type_of(program_, thread_, e.location, e.field);
    return {fmt::format("({}) {}", type_word(program_, names_, type), call(e)), cast_precedence};
  }

 private:
  const std::string& handle(const Expression& e) const {
    if (!e.field) return names_.handles[e.location.value];
    const auto of = thread_.registers[e.field->object.value].type.of;
    return names_.class_handles[of.value][e.field->field];
  }

  /// A VarHandle is called with the types that its arguments have in the text, and a bare `null`
  /// has none of a class.
  std::string argument_of(JavaType type, const Expression& e) const {
    const std::string text = value(e, type);
    return type.refers() && e.op == constant
               ? fmt::format("({}) {}", type_word(program_, names_, type), text)
               : text;
  }

  bool refers(const Expression& e) const { return type_of(program_, thread_, e).refers(); }

  /// Whether it is declared as a boolean somewhere below: a truth value is a number where it is
  /// put together with numbers.
  bool has_boolean_type(const Expression& e) const {
    if (joins_truths(e.op))
      return has_boolean_type(e.arguments[0]) || has_boolean_type(e.arguments[1]);
    return type_of(program_, thread_, e).kind == TypeKind::boolean;
  }

  /// Whether Java's value of it is a boolean.
  bool is_boolean(const Expression& e) const {
    if (e.op == access && gives_boolean(e.method)) return true;
    if (!joins_truths(e.op)) return is_truth(e.op) || has_boolean_type(e);
    const bool both = is_boolean(e.arguments[0]) && is_boolean(e.arguments[1]);
    return both && (e.op == logical_and || e.op == logical_or || has_boolean_type(e));
  }

  /// Of what `number` writes.
  JavaType type_in_java(const Expression& e) const {
    return is_boolean(e) ? JavaType() : type_of(program_, thread_, e);
  }

  /// In the type that it has in Java.
  Code native(const Expression& e) const {
    if (e.op == constant)
      return {literal(e.type.kind, e.constant), e.constant < 0 ? cast_precedence : 14};
    if (e.op == cast) return casted(e);
    if (e.op == reg) return {registers_[e.reg.value]};
    if (e.op == access) return typed_call(e);
    if (e.op == logical_not) return negation(e.arguments[0]);
    return computed(e, info(e.op).unary ? unary(e) : binary(e));
  }

  Code unary(const Expression& e) const {
    const Code inside = number(e.arguments[0]);
    const bool bare = inside.precedence == 14; // never `--`
    return {fmt::format("{}{}", info(e.op).symbol, bare ? inside.text : "(" + inside.text + ")"),
            cast_precedence};
  }

  /// Of what arithmetic makes of floats.
  Code computed(const Expression& e, Code code) const {
    const TypeKind kind = type_of(program_, thread_, e).kind;
    return is_floating(kind) ? Code{canonical(kind, code.text)} : code;
  }

  /// A float as a double or back, where `code` casts an expression.
  std::string resized(const Expression& from, TypeKind to, const std::string& code) const {
    const TypeKind was = type_of(program_, thread_, from).kind;
    return is_floating(to) && is_floating(was) && was != to ? canonical(to, code) : code;
  }

  Code casted(const Expression& e) const {
    if (e.type.kind == TypeKind::boolean) return condition(e.arguments[0]);
    return {resized(e.arguments[0], e.type.kind,
                    fmt::format("({}) {}", info(e.type.kind).word,
                                operand(number(e.arguments[0]), cast_precedence + 1))),
            cast_precedence};
  }

  Code negation(const Expression& e) const {
    if (is_boolean(e)) return {"!" + operand(native(e), cast_precedence + 1), cast_precedence};
    return {fmt::format("{} == 0", operand(native(e), info(equal).precedence + 1)),
            info(equal).precedence};
  }

  /// Whether bits tell if a register is equal to a constant: not where that is a NaN.
  bool compares_bits(const Expression& variable, const Expression& number) const {
    const TypeKind kind = type_of(program_, thread_, variable).kind;
    return style_.bits && variable.op == reg && is_floating(kind) && number.op == constant &&
           !floating::is_nan(info(kind).bits, converted(number.type.kind, kind, number.constant));
  }

  /// Both zeros are one: the sign's bit does not count then.
  Code comparison_of_bits(Operator op, const Expression& variable, const Expression& number) const {
    const TypeKind kind = type_of(program_, thread_, variable).kind;
    const Value value = converted(number.type.kind, kind, number.constant);
    const TypeKind whole = kind == TypeKind::float_ ? TypeKind::int_ : TypeKind::long_;
    const bool zero = floating::equal(info(kind).bits, value, 0);
    std::string bits = bits_of(kind, registers_[variable.reg.value]);
    if (zero)
      bits =
          fmt::format("({} & {}.MAX_VALUE)", bits, kind == TypeKind::float_ ? "Integer" : "Long");
    return {fmt::format("{} {} {}", bits, info(op).symbol,
                        literal(whole, zero ? 0 : narrowed(whole, value))),
            info(op).precedence};
  }

  Code binary(const Expression& e) const {
    const OperatorInfo& shown = info(in_java(e.op));
    const bool equates = e.op == equal || e.op == not_equal;
    if (equates && compares_bits(e.arguments[0], e.arguments[1]))
      return comparison_of_bits(e.op, e.arguments[0], e.arguments[1]);
    if (equates && compares_bits(e.arguments[1], e.arguments[0]))
      return comparison_of_bits(e.op, e.arguments[1], e.arguments[0]);
    const bool truth = equates
                           ? has_boolean_type(e.arguments[0]) || has_boolean_type(e.arguments[1])
                           : joins_truths(e.op) && is_boolean(e);
    const bool identity = equates && (refers(e.arguments[0]) || refers(e.arguments[1]));
    const auto side = [&](std::size_t i) {
      if (identity && e.arguments[i].op == constant) return Code{"null"};
      return truth ? condition(e.arguments[i]) : number(e.arguments[i]);
    };
    return {fmt::format("{} {} {}", operand(side(0), shown.precedence), shown.symbol,
                        operand(side(1), shown.precedence + 1)),
            shown.precedence};
  }

  static std::string operand(const Code& code, int at_least) {
    return code.precedence >= at_least ? code.text : "(" + code.text + ")";
  }

  const Program& program_;
  const Thread& thread_;
  const Names& names_;
  const std::vector<std::string>& registers_;
  const CodeStyle& style_;
};

/// Which registers are first mentioned where they are assigned, outside of all blocks.
class Declarations {
 public:
  explicit Declarations(const Thread& thread)
      : mentioned_(thread.registers.size()), in_place_(thread.registers.size()) {
    visit(thread.body, false);
  }
  bool in_place(RegisterId reg) const { return in_place_[reg.value]; }
  bool mentioned(RegisterId reg) const { return mentioned_[reg.value]; }

 private:
  void visit(const Block& block, bool nested) {
    std::size_t held = 0; // monitors: what they enclose becomes a block
    for (const Statement& statement : block) {
      for_each_expression(statement, [this](const Expression& e) { read(e); });
      if (const auto* assign = std::get_if<Assign>(&statement.node))
        write(assign->target, nested || held > 0);
      if (const auto* call = std::get_if<Access>(&statement.node)) {
        if (call->field) mentioned_[call->field->object.value] = true;
        if (call->target) write(*call->target, nested || held > 0);
      }
      if (const auto* branch = std::get_if<If>(&statement.node)) {
        visit(branch->then_block, true);
        visit(branch->else_block, true);
      }
      if (const auto* loop = std::get_if<Loop>(&statement.node)) visit(loop->body, true);
      if (const auto* made = std::get_if<New>(&statement.node)) {
        for (const RegisterId given : registers_in(*made)) mentioned_[given.value] = true;
        write(made->target, nested || held > 0);
      }
      if (const auto* monitor = std::get_if<MonitorStatement>(&statement.node))
        held += monitor->enter ? 1 : held > 0 ? std::size_t(0) - 1 : 0;
    }
  }

  void read(const Expression& e) {
    if (e.op == reg) mentioned_[e.reg.value] = true;
    if (e.field) mentioned_[e.field->object.value] = true;
    for (const Expression& argument : e.arguments) read(argument);
  }

  void write(RegisterId target, bool nested) {
    if (!mentioned_[target.value] && !nested) in_place_[target.value] = true;
    mentioned_[target.value] = true;
  }

  std::vector<bool> mentioned_, in_place_;
};

class BodyCoder {
 public:
  BodyCoder(const Program& program, std::size_t thread, const Names& names, const CodeStyle& style)
      : program_(program), number_(thread), thread_(program.threads[thread]), names_(names),
        registers_(names.registers[thread]), style_(style), declarations_(thread_),
        declared_(thread_.registers.size()), expressions_(program, names, thread, style) {}

  std::string code() {
    for (std::uint32_t r = 0; r < thread_.registers.size(); ++r)
      if (!declarations_.in_place(RegisterId(r)))
        line(style_.level, fmt::format("{} {} = {};", type_word(RegisterId(r)), registers_[r],
                                       first_value(thread_.registers[r])));
    for (const ObjectId object :
         style_.premade ? std::vector<ObjectId>() : objects_in(thread_.body))
      line(style_.level, fmt::format("{} {} = null;", class_word(object), made(object)));
    block(thread_.body, style_.level);
    return std::move(out_);
  }

  /// Without declarations.
  std::string code_of(const Block& statements) {
    declared_.assign(declared_.size(), true);
    block(statements, style_.level);
    return std::move(out_);
  }

 private:
  void line(std::size_t level, std::string_view text) {
    out_.append(2 * level, ' ');
    out_ += text;
    out_ += '\n';
  }

  void block(std::span<const Statement> statements, std::size_t level) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const auto* monitor = std::get_if<MonitorStatement>(&statements[i].node);
      if (!monitor) {
        std::visit([&](const auto& node) { write(node, level); }, statements[i].node);
        continue;
      }
      const std::size_t end = matching_unlock(statements, i);
      line(level, fmt::format("synchronized ({}) {{", monitor_name(monitor->monitor)));
      block(statements.subspan(i + 1, end - i - 1), level + 1);
      line(level, "}");
      i = end;
    }
  }

  std::string field(const std::string& name) const {
    return style_.object == "this" ? name : fmt::format("{}.{}", style_.object, name);
  }
  std::string monitor_name(MonitorId monitor) const {
    return field(names_.monitors[monitor.value]);
  }

  static std::size_t matching_unlock(std::span<const Statement> statements, std::size_t begin) {
    std::vector<MonitorId> held;
    for (std::size_t i = begin; i < statements.size(); ++i) {
      const auto* monitor = std::get_if<MonitorStatement>(&statements[i].node);
      if (!monitor) continue;
      if (monitor->enter) {
        held.push_back(monitor->monitor);
        continue;
      }
      if (held.empty() || held.back() != monitor->monitor) break;
      held.pop_back();
      if (held.empty()) return i;
    }
    throw Unsupported("monitors in Java source that are not entered and left in one block");
  }

  std::string type_word(RegisterId reg) const {
    return java::type_word(program_, names_, thread_.registers[reg.value].type);
  }
  static std::string first_value(const Register& reg) {
    return reg.type.refers() ? "null" : literal(reg.type.kind, reg.initial);
  }
  const std::string& class_word(ObjectId object) const {
    return names_.classes[program_.objects[object.value].of.value];
  }
  const std::string& made(ObjectId object) const { return names_.made[object.value]; }

  void assign(RegisterId target, std::size_t level, const Expression& e) {
    assign(target, level, expressions_.value(e, thread_.registers[target.value].type));
  }
  void assign(RegisterId target, std::size_t level, const std::string& value) {
    const bool declare = declarations_.in_place(target) && !declared_[target.value];
    declared_[target.value] = true;
    line(level, fmt::format("{}{} = {};", declare ? type_word(target) + " " : "",
                            registers_[target.value], value));
  }

  void write(const Assign& node, std::size_t level) { assign(node.target, level, node.value); }

  void write(const Access& node, std::size_t level) {
    if (writes(info(node.method).action)) {
      if (node.field && field_of(program_, thread_, *node.field).is_final)
        return write_final(node, level);
      if (!node.field && program_.locations[node.location.value].is_final)
        throw Unsupported("writes to final fields in Java source");
    }
    auto value = Expression::of(node.method, node.location, node.arguments);
    value.field = node.field;
    if (node.target)
      assign(*node.target, level, value);
    else if (const auto type = type_of(program_, thread_, node.location, node.field);
             style_.results && type.refers() && has_result(info(node.method).action))
      line(level, fmt::format("{{ {0} $result = ({0}) {1}; }}",
                              java::type_word(program_, names_, type), expressions_.call(value)));
    else
      line(level, expressions_.call(value) + ";");
  }

  /// Of what its location holds: not whether it was written.
  static bool has_result(Action action) {
    return reads(action) && action != Action::compare_and_set &&
           action != Action::weak_compare_and_set;
  }

  /// No VarHandle writes one. The program is well-typed: this is its constructor.
  void write_final(const Access& node, std::size_t level) {
    const RegisterId object = node.field->object;
    const auto of = thread_.registers[object.value].type.of;
    line(level, fmt::format("{}.{} = {};", registers_[object.value],
                            names_.class_fields[of.value][node.field->field],
                            expressions_.value(node.arguments[0],
                                               field_of(program_, thread_, *node.field).type)));
  }

  /// A constructor cannot assign the locals of its caller: it gets all that it mentions, and leaves
  /// what they are at its end in an object, from which they are taken.
  void write(const New& node, std::size_t level) {
    if (style_.premade) {
      assign(node.target, level, made(node.object));
      return block(node.body, level);
    }
    if (loops_ > 0) throw Unsupported("a `new` in a loop, in Java source");
    const Object& array = program_.objects[node.object.value];
    if (program_.classes[array.of.value].is_array) {
      const JavaType element = program_.classes[array.of.value].fields[0].type;
      assign(node.target, level,
             fmt::format("new {}[{}]", java::type_word(program_, names_, element), array.length));
      line(level, fmt::format("{} = {};", made(node.object), registers_[node.target.value]));
      return;
    }
    const std::string as = constructor_class(node.object);
    const std::string& left = names_.left[node.object.value];
    const bool leaves = !registers_left_by(node).empty() || !objects_in(node.body).empty();
    if (leaves) line(level, fmt::format("final {0} {1} = new {0}();", as, left));
    std::string call = fmt::format("new {}({}, {}", class_word(node.object), style_.object,
                                   leaves ? left : fmt::format("({}) null", as));
    for (const RegisterId given : registers_in(node)) call += ", " + registers_[given.value];
    assign(node.target, level, call + ")");
    for (const RegisterId reg : registers_left_by(node))
      line(level, fmt::format("{0} = {1}.{0};", registers_[reg.value], left));
    for (const ObjectId object : objects_in(node.body))
      line(level, fmt::format("{0} = {1}.{0};", made(object), left));
    line(level, fmt::format("{} = {};", made(node.object), registers_[node.target.value]));
  }

  void write(const FenceStatement& node, std::size_t level) {
    line(level, fmt::format("VarHandle.{}();", info(node.fence).name));
  }

  void write(const If& node, std::size_t level) {
    line(level, fmt::format("if ({}) {{", expressions_.condition(node.condition).text));
    block(node.then_block, level + 1);
    if (!node.else_block.empty()) {
      line(level, "} else {");
      block(node.else_block, level + 1);
    }
    line(level, "}");
  }

  /// Behind `while (true)`, and within `while (false)`, javac refuses what cannot be reached (JLS
  /// 14.22). A method's result is no constant to it.
  std::string condition_of(const Loop& loop) const {
    const std::string text = expressions_.condition(loop.condition).text;
    return is_constant(loop.condition) ? fmt::format("Boolean.valueOf({})", text) : text;
  }

  void write(const Loop& node, std::size_t level) {
    const std::string test = fmt::format("while ({})", condition_of(node));
    line(level, node.test_first ? test + " {" : "do {");
    ++loops_;
    block(node.body, level + 1);
    --loops_;
    line(level, node.test_first ? "}" : fmt::format("}} {};", test));
  }

  void write(const ExternalStatement& node, std::size_t level) {
    const std::string value = expressions_.number(node.value).text;
    line(level, style_.prints ? fmt::format("System.out.println({});", value)
                              : fmt::format("{} = {};", field(names_.printed[number_]), value));
  }

  void write(const ThreadStatement& node, std::size_t level) {
    if (!style_.lifetimes) throw Unsupported("start and join in Java source");
    const bool start = node.kind == ThreadStatement::Kind::start;
    line(level, (start ? start_code : join_code)(names_, node.thread.value, style_.object));
  }
  void write(const Cut&, std::size_t) {
    bug(__FILE__, __LINE__, "Java source of an unrolled loop");
  }
  void write(const MonitorStatement&, std::size_t) {
    bug(__FILE__, __LINE__, "a monitor is written with what it encloses");
  }

  const Program& program_;
  const std::size_t number_;
  const Thread& thread_;
  const Names& names_;
  const std::vector<std::string>& registers_;
  const CodeStyle& style_;
  const Declarations declarations_;
  std::vector<bool> declared_;
  std::size_t loops_ = 0; // around what is written
  const ExpressionCoder expressions_;
  std::string out_;
};

} // namespace

std::string thread_code(const Program& program, std::size_t thread, const Names& names,
                        const CodeStyle& style) {
  if (!style.objects && !style.premade) refuse_objects(program, "in Java source");
  return BodyCoder(program, thread, names, style).code();
}

std::string block_code(const Program& program, std::size_t thread, const Block& block,
                       const Names& names, const CodeStyle& style) {
  return BodyCoder(program, thread, names, style).code_of(block);
}

std::string java_string(std::string_view text) {
  constexpr std::size_t longest = 65'535;
  std::string out = "\"";
  for (const char c : text) {
    if (out.size() > longest - 5) return out + "...\"";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c >= 0x20 && c < 0x7f ? c : '?';
    }
  }
  return out + "\"";
}

std::string handle_code(const Program& program, const Names& names, const std::string& class_name) {
  std::vector<std::string> handles;
  std::string found;
  const auto add = [&](const std::string& handle, const std::string& of, const std::string& field,
                       JavaType type) {
    handles.push_back(handle);
    found += fmt::format("      {} = lookup.findVarHandle({}.class, \"{}\", {}.class);\n", handle,
                         of, field, type_word(program, names, type));
  };
  for (std::size_t i = 0; i < program.locations.size(); ++i)
    add(names.handles[i], class_name, names.fields[i], program.locations[i].type);
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    if (program.classes[c].is_array) {
      handles.push_back(names.class_handles[c][0]);
      found += fmt::format("      {} = MethodHandles.arrayElementVarHandle({}.class);\n",
                           handles.back(), names.classes[c]);
      continue;
    }
    for (std::size_t f = 0; f < program.classes[c].fields.size(); ++f)
      add(names.class_handles[c][f], names.classes[c], names.class_fields[c][f],
          program.classes[c].fields[f].type);
  }
  if (handles.empty()) return {};
  return fmt::format("  static final VarHandle {};\n\n  static {{\n    try {{\n",
                     fmt::join(handles, ", ")) +
         "      MethodHandles.Lookup lookup = MethodHandles.lookup();\n" + found +
         "    } catch (ReflectiveOperationException e) {\n"
         "      throw new ExceptionInInitializerError(e);\n    }\n  }\n\n";
}

std::string field_code(const Program& program, const Names& names) {
  std::string out;
  for (std::size_t i = 0; i < program.locations.size(); ++i) {
    const Location& location = program.locations[i];
    const bool initialized = location.initial != 0 || location.is_final;
    out += fmt::format("  {}{} {}{};\n", location.is_final ? "final " : "",
                       type_word(program, names, location.type), names.fields[i],
                       initialized ? " = " + literal(location.type.kind, location.initial) : "");
  }
  for (const std::string& monitor : names.monitors)
    out += fmt::format("  final Object {} = new Object();\n", monitor);
  return out;
}

std::string print_code(const Program& program, const Names& names) {
  std::string out;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::optional<TypeKind> widest;
    for_each_statement(program.threads[t].body, [&](const Statement& statement) {
      const auto* print = std::get_if<ExternalStatement>(&statement.node);
      if (print == nullptr) return;
      const TypeKind kind = type_of(program, program.threads[t], print->value).kind;
      const bool number = kind != TypeKind::boolean && kind != TypeKind::reference;
      widest = working_type(add, widest.value_or(TypeKind::int_), number ? kind : TypeKind::int_);
    });
    if (widest)
      out += fmt::format("  {} {}; // what thread {} prints\n", info(*widest).word,
                         names.printed[t], t);
  }
  return out;
}

} // namespace thinair::litmus::java
