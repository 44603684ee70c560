// Flattens threads and judges what a program does with its values.
#include "litmus/flatten.h"

#include "litmus/walk.h"

#include <algorithm>

namespace thinair::litmus {
namespace {

/// Literal tokens: what they open or say, and a number with it.
enum class Shape : std::uint32_t {
  assign,
  access,
  fence,
  branch,
  loop,
  monitor,
  thread,
  external,
  cut,
  otherwise,
  end,
  bound,
  method,
  op,
  constant,
  old_register,
  new_register,
  target,
  no_target,
  choice,
  made,
  field,
  type,
  wide,    // sixteen bits of a value that 32 do not hold
  element, // then the array and the index
  length,  // of the array that is made
};

class Flattener {
 public:
  Flattener(const Program& program, const Thread& thread)
      : program_(program), thread_(thread), number_(thread.registers.size(), 0) {
    flat_.tokens.reserve(64);
    block(thread.body);
  }

  FlatThread take() { return std::move(flat_); }

 private:
  void shape(Shape shape, std::uint32_t number = 0) {
    flat_.tokens.push_back(
        {FlatToken::Kind::shape, static_cast<std::uint32_t>(shape) << 24 | number});
  }
  void shape(Shape kind, auto enumerator) { shape(kind, static_cast<std::uint32_t>(enumerator)); }
  void put(FlatToken::Kind kind, std::uint32_t payload) { flat_.tokens.push_back({kind, payload}); }
  /// A value of more than 32 bits keeps its name, which is literal.
  void value(Value v) {
    if (v != static_cast<std::int32_t>(v)) {
      for (int at = 48; at >= 0; at -= 16)
        shape(Shape::wide,
              static_cast<std::uint32_t>(static_cast<std::uint64_t>(v) >> at & 0xFFFF));
      return;
    }
    put(FlatToken::Kind::value, static_cast<std::uint32_t>(v));
  }

  /// Bounds may need more bits than a shape has to spare.
  void bound(std::uint32_t b) {
    shape(Shape::bound, b >> 16);
    shape(Shape::bound, b & 0xFFFF);
  }

  void reg(RegisterId id) {
    std::uint32_t& number = number_[id.value];
    if (number != 0) return shape(Shape::old_register, number - 1);
    flat_.registers.push_back(id);
    number = static_cast<std::uint32_t>(flat_.registers.size());
    shape(Shape::new_register);
    value(thread_.registers[id.value].initial);
    type(thread_.registers[id.value].type);
  }

  /// Nothing for int: programs of ints have the hashes that they always had.
  void type(JavaType of) {
    if (!of.is_int()) shape(Shape::type, number_of(of) - 1);
  }

  void expression(const Expression& e) {
    if (e.op == Operator::constant) {
      shape(Shape::constant);
      type(e.type);
      value(e.constant);
    } else if (e.op == Operator::reg) {
      reg(e.reg);
    } else if (e.op == Operator::access) {
      call(e.method, e.location, e.field, e.arguments);
    } else {
      shape(Shape::op, e.op);
      type(e.type);
      for (const Expression& argument : e.arguments) expression(argument);
    }
  }

  void call(Method method, LocationId location, const std::optional<FieldOf>& field,
            const std::vector<Expression>& arguments) {
    shape(Shape::method, method);
    if (field) {
      field->element ? shape(Shape::element) : shape(Shape::field, field->field);
      reg(field->object);
    } else {
      put(FlatToken::Kind::location, location.value);
    }
    for (const Expression& argument : arguments) expression(argument);
  }

  /// Nothing for the first: programs without choices have the hashes that they always had.
  void choice(Choice by) {
    if (by != 0) shape(Shape::choice, by);
  }

  void block(const Block& statements) {
    for (const Statement& statement : statements)
      std::visit([this](const auto& node) { write(node); }, statement.node);
    shape(Shape::end);
  }

  void write(const Assign& node) {
    shape(Shape::assign);
    expression(node.value);
    reg(node.target);
  }
  void write(const Access& node) {
    shape(Shape::access);
    choice(node.by);
    call(node.method, node.location, node.field, node.arguments);
    shape(node.target ? Shape::target : Shape::no_target);
    if (node.target) reg(*node.target);
  }
  void write(const FenceStatement& node) {
    shape(Shape::fence, node.fence);
    choice(node.by);
  }
  void write(const If& node) {
    shape(Shape::branch);
    expression(node.condition);
    block(node.then_block);
    shape(Shape::otherwise);
    block(node.else_block);
  }
  void write(const Loop& node) {
    shape(Shape::loop, (node.test_first ? 1U : 0U) | (node.bound ? 2U : 0U));
    if (node.bound) bound(*node.bound);
    expression(node.condition);
    block(node.body);
  }
  void write(const MonitorStatement& node) {
    shape(Shape::monitor, node.enter ? 1U : 0U);
    put(FlatToken::Kind::monitor, node.monitor.value);
  }
  void write(const ThreadStatement& node) {
    shape(Shape::thread, node.kind);
    put(FlatToken::Kind::thread, node.thread.value);
  }
  void write(const ExternalStatement& node) {
    shape(Shape::external);
    expression(node.value);
  }
  /// Its class is that of the register.
  void write(const New& node) {
    shape(Shape::made);
    const Object& made = program_.objects[node.object.value];
    if (program_.classes[made.of.value].is_array) shape(Shape::length, made.length);
    reg(node.target);
    block(node.body);
  }
  void write(const Cut&) { shape(Shape::cut); }

  const Program& program_;
  const Thread& thread_;
  std::vector<std::uint32_t> number_; // by RegisterId; 0: not met yet
  FlatThread flat_;
};

bool yields_truth(Action action) {
  return action == Action::compare_and_set || action == Action::weak_compare_and_set;
}

/// Whether an expression is 0 or 1 whatever the values.
bool is_truth(const Expression& e) {
  switch (e.op) {
  case Operator::equal:
  case Operator::not_equal:
  case Operator::logical_not: return true;
  case Operator::access: return yields_truth(info(e.method).action);
  case Operator::logical_and:
  case Operator::logical_or:
  case Operator::bit_and:
  case Operator::bit_or:
  case Operator::bit_xor: return std::ranges::all_of(e.arguments, is_truth);
  case Operator::constant:
  case Operator::reg:
  case Operator::add:
  case Operator::subtract:
  case Operator::multiply:
  case Operator::divide:
  case Operator::remainder:
  case Operator::bit_not:
  case Operator::less:
  case Operator::less_equal:
  case Operator::greater:
  case Operator::greater_equal:
  case Operator::shift_left:
  case Operator::shift_right:
  case Operator::shift_right_unsigned:
  case Operator::negate:
  case Operator::cast: return false;
  }
  return false;
}

class ValueJudge {
 public:
  ValueUse judge(const Program& program) {
    for (const Location& location : program.locations) look_at(location.type);
    for (const Thread& thread : program.threads)
      for (const Register& reg : thread.registers) look_at(reg.type);
    for (const Thread& thread : program.threads)
      for_each_statement(thread.body, [this](const Statement& statement) { look_at(statement); });
    return use_;
  }

 private:
  void at_least(ValueUse use) { use_ = std::max(use_, use); }

  /// 0.0 is equal to -0.0, and 1 as a float to 1.0f: names of such values would have to follow.
  void look_at(JavaType type) {
    if (type.kind == TypeKind::boolean) at_least(ValueUse::pins_one);
    if (is_floating(type.kind)) at_least(ValueUse::computed);
  }

  void look_at(const Statement& statement) {
    const bool tested =
        std::holds_alternative<If>(statement.node) || std::holds_alternative<Loop>(statement.node);
    if (std::holds_alternative<ExternalStatement>(statement.node)) at_least(ValueUse::computed);
    const auto* access = std::get_if<Access>(&statement.node);
    if (access != nullptr && element_index(*access) != nullptr) at_least(ValueUse::computed);
    for_each_expression(statement, [&](const Expression& e) { tested ? test(e) : data(e); });
    if (const auto* node = std::get_if<Access>(&statement.node)) {
      look_at(info(node->method).action);
      if (node->target && yields_truth(info(node->method).action)) at_least(ValueUse::pins_one);
    }
  }

  void look_at(Action action) {
    const bool copies = action == Action::get || action == Action::set ||
                        action == Action::get_and_set || action == Action::compare_and_exchange ||
                        yields_truth(action);
    if (!copies) at_least(ValueUse::computed);
  }

  /// The value goes on as data.
  void data(const Expression& e) {
    if (is_truth(e)) at_least(ValueUse::pins_one);
    test(e);
  }

  /// Only whether the value is zero matters.
  void test(const Expression& e) {
    look_at(e.type);
    if (e.op == Operator::constant || e.op == Operator::reg) return;
    if (e.op == Operator::access) {
      if (element_index(e) != nullptr) at_least(ValueUse::computed); // of the address
      look_at(info(e.method).action);
      for (const Expression& argument : e.arguments) data(argument);
    } else if (e.op == Operator::equal || e.op == Operator::not_equal) {
      for (const Expression& argument : e.arguments) data(argument);
    } else if (is_truth(e)) {
      for (const Expression& argument : e.arguments) test(argument);
    } else {
      at_least(ValueUse::computed);
    }
  }

  ValueUse use_ = ValueUse::compared;
};

} // namespace

FlatThread flatten(const Program& program, const Thread& thread) {
  return Flattener(program, thread).take();
}

ValueUse value_use(const Program& program) { return ValueJudge().judge(program); }

} // namespace thinair::litmus
