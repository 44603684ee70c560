// Control paths of Java programs: statements run on symbolic values (JLS 15.7: operands left to
// right; the VarHandle Javadoc for what each access reads and writes).
#include "litmus/modes.h"
#include "litmus/program.h"
#include "litmus/text/error.h"
#include "oracle/graph/decisions.h"
#include "oracle/graph/path.h"

#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::graph {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::LocationId;
using litmus::Mode;
using litmus::Operator;

constexpr std::uint8_t int_bits = 32;

Kinds kind_of(Mode mode) {
  switch (mode) {
  case Mode::plain: return k_plain;
  case Mode::opaque: return k_opaque;
  case Mode::acquire: return k_acquire;
  case Mode::release: return k_release;
  case Mode::volatile_: return k_volatile;
  }
  return k_plain;
}

/// Of the two halves of a read-modify-write: plain only where nothing else is said.
Kinds kind_of(Mode read, Mode write) {
  const auto both = kind_of(read) | kind_of(write);
  return both == k_plain ? both : both & ~k_plain;
}

Kinds kind_of(litmus::Fence fence) {
  switch (fence) {
  case litmus::Fence::full: return k_fence | k_volatile;
  case litmus::Fence::acquire:
  case litmus::Fence::load_load: return k_fence | k_acquire;
  case litmus::Fence::release:
  case litmus::Fence::store_store: return k_fence | k_release;
  }
  return k_fence;
}

class Walk {
 public:
  Walk(const litmus::Thread& thread, PathBuilder& out) : out_(out), terms_(out.terms()) {
    for (const auto& reg : thread.registers) registers_.push_back(terms_.constant(reg.initial));
  }

  void run(const litmus::Block& block);
  std::vector<TermId> take_registers() { return std::move(registers_); }

 private:
  TermId make(TermOp op, TermId a, TermId b = {}) { return terms_.make(op, int_bits, a, b); }
  TermId negated(TermId a) { return make(TermOp::logical_not, a); }

  TermId value(const Expression& e);
  TermId unary(Operator op, TermId a);
  TermId binary(Operator op, TermId a, TermId b);
  TermId quotient(TermOp op, TermId a, TermId b);
  TermId access(litmus::Method method, LocationId location, std::span<const Expression> arguments);
  TermId compare_and(const litmus::MethodInfo& info, PathEvent event, TermId expected,
                     TermId desired);
  TermId updated(Action action, TermId old, TermId operand);

  void run(const litmus::Statement& statement);
  void run_loop(const litmus::Loop& loop);

  PathBuilder& out_;
  TermPool& terms_;
  std::vector<TermId> registers_;
  std::uint32_t source_ = 0;
  std::uint32_t instruction_ = 0;
};

TermId Walk::value(const Expression& e) {
  if (e.op == Operator::constant) return terms_.constant(e.constant);
  if (e.op == Operator::reg) return registers_.at(e.reg.value);
  if (e.op == Operator::access) return access(e.method, e.location, e.arguments);
  const auto a = value(e.arguments.at(0));
  return e.arguments.size() == 1 ? unary(e.op, a) : binary(e.op, a, value(e.arguments[1]));
}

TermId Walk::unary(Operator op, TermId a) {
  if (op == Operator::negate) return make(TermOp::negate, a);
  if (op == Operator::bit_not) return make(TermOp::bit_not, a);
  THINAIR_CHECK(op == Operator::logical_not, "a unary operator");
  return negated(a);
}

/// Java has no value where the divisor is zero: an execution that comes there is none of ours.
TermId Walk::quotient(TermOp op, TermId a, TermId b) {
  const auto term = make(op, a, b);
  const auto divisor = terms_.constant_value(b);
  if (!divisor || *divisor == 0) out_.path().must_divide.push_back(term);
  return term;
}

TermId Walk::binary(Operator op, TermId a, TermId b) {
  switch (op) {
  case Operator::add: return make(TermOp::add, a, b);
  case Operator::subtract: return make(TermOp::subtract, a, b);
  case Operator::multiply: return make(TermOp::multiply, a, b);
  case Operator::divide: return quotient(TermOp::divide, a, b);
  case Operator::remainder: return quotient(TermOp::remainder, a, b);
  case Operator::logical_and:
  case Operator::bit_and: return make(TermOp::bit_and, a, b);
  case Operator::logical_or:
  case Operator::bit_or: return make(TermOp::bit_or, a, b);
  case Operator::bit_xor: return make(TermOp::bit_xor, a, b);
  case Operator::equal: return make(TermOp::equal, a, b);
  case Operator::not_equal: return negated(make(TermOp::equal, a, b));
  case Operator::less: return make(TermOp::less, a, b);
  case Operator::less_equal: return make(TermOp::less_equal, a, b);
  case Operator::greater: return make(TermOp::less, b, a);
  case Operator::greater_equal: return make(TermOp::less_equal, b, a);
  case Operator::shift_left: return make(TermOp::shift_left, a, b);
  case Operator::shift_right: return make(TermOp::shift_right, a, b);
  case Operator::shift_right_unsigned: return make(TermOp::shift_right_unsigned, a, b);
  case Operator::constant:
  case Operator::reg:
  case Operator::access:
  case Operator::bit_not:
  case Operator::logical_not:
  case Operator::negate: break;
  }
  throw Bug("not a binary operator");
}

TermId Walk::updated(Action action, TermId old, TermId operand) {
  switch (action) {
  case Action::get_and_add: return make(TermOp::add, old, operand);
  case Action::get_and_or: return make(TermOp::bit_or, old, operand);
  case Action::get_and_and: return make(TermOp::bit_and, old, operand);
  case Action::get_and_xor: return make(TermOp::bit_xor, old, operand);
  case Action::set:
  case Action::get_and_set: return operand;
  case Action::get:
  case Action::compare_and_set:
  case Action::compare_and_exchange:
  case Action::weak_compare_and_set: break;
  }
  throw Bug("not an access that writes whatever it finds");
}

/// A successful one is one event that reads and writes; a failed one is a read in the mode of its
/// read half. A weak one may fail for no reason.
TermId Walk::compare_and(const litmus::MethodInfo& info, PathEvent event, TermId expected,
                         TermId desired) {
  event.read = out_.next_read();
  const auto old = terms_.variable(event.read);
  const auto same = make(TermOp::equal, old, expected);
  bool success = true;
  if (info.action == Action::weak_compare_and_set) {
    success = out_.decisions().choose(2) == 0;
    if (success) out_.require(same, false);
  } else {
    success = out_.decide(same, false);
  }
  if (success) {
    event.kinds = k_read | k_write | k_rmw | kind_of(info.read, info.write);
    event.written = desired;
  } else {
    event.kinds = k_read | kind_of(info.read);
  }
  out_.add(event);
  return info.action == Action::compare_and_exchange ? old : terms_.constant(success ? 1 : 0);
}

TermId Walk::access(litmus::Method method, LocationId location,
                    std::span<const Expression> arguments) {
  const auto& info = litmus::info(method);
  const auto operand = arguments.empty() ? TermId{} : value(arguments[0]);
  const auto second = arguments.size() < 2 ? TermId{} : value(arguments[1]);
  PathEvent event;
  event.location = location;
  event.instruction = instruction_++;
  event.source = source_;
  if (info.arguments == 2) return compare_and(info, event, operand, second);
  auto result = terms_.constant(0);
  if (litmus::reads(info.action)) {
    event.read = out_.next_read();
    event.kinds |= k_read;
    result = terms_.variable(event.read);
  }
  if (litmus::writes(info.action)) {
    event.kinds |= k_write;
    event.written = updated(info.action, result, operand);
  }
  if (litmus::is_rmw(info.action))
    event.kinds |= k_rmw | kind_of(info.read, info.write);
  else
    event.kinds |= kind_of(litmus::reads(info.action) ? info.read : info.write);
  out_.add(event);
  return result;
}

void Walk::run_loop(const litmus::Loop& loop) {
  const auto bound = loop.bound.value_or(out_.limits().loop_bound);
  for (std::uint32_t round = 0; !out_.is_cut(); ++round) {
    const bool enter = (round == 0 && !loop.test_first) || out_.decide(value(loop.condition), true);
    if (!enter) return;
    if (round == bound) return out_.cut();
    run(loop.body);
  }
}

void Walk::run(const litmus::Statement& statement) {
  source_ = statement.span.begin;
  if (const auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
    registers_.at(assign->target.value) = value(assign->value);
  } else if (const auto* a = std::get_if<litmus::Access>(&statement.node)) {
    const auto result = access(a->method, a->location, a->arguments);
    if (a->target) registers_.at(a->target->value) = result;
  } else if (const auto* fence = std::get_if<litmus::FenceStatement>(&statement.node)) {
    PathEvent event;
    event.kinds = kind_of(fence->fence);
    event.instruction = instruction_++;
    event.source = source_;
    out_.add(event);
  } else if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
    run(out_.decide(value(branch->condition), true) ? branch->then_block : branch->else_block);
  } else if (const auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
    run_loop(*loop);
  } else if (std::holds_alternative<litmus::MonitorStatement>(statement.node)) {
    throw Unsupported("monitors");
  } else if (std::holds_alternative<litmus::ThreadStatement>(statement.node)) {
    throw Unsupported("start and join of threads");
  } else if (std::holds_alternative<litmus::Cut>(statement.node)) {
    out_.cut();
  } else {
    throw Unsupported("external actions");
  }
}

void Walk::run(const litmus::Block& block) {
  for (const auto& statement : block) {
    if (out_.is_cut()) return;
    run(statement);
  }
}

} // namespace

ProgramPaths paths_of(const litmus::Program& program, const PathLimits& limits) {
  ProgramPaths out;
  out.architecture = Architecture::java;
  for (const auto& location : program.locations) {
    if (location.is_final) throw Unsupported("final fields");
    out.initial.push_back(location.initial);
    out.location_names.push_back(location.name);
  }
  for (const auto& thread : program.threads) {
    out.threads.push_back(all_paths(out.terms, limits, [&](PathBuilder& builder) {
      Walk walk(thread, builder);
      walk.run(thread.body);
      builder.path().final_registers = walk.take_registers();
    }));
    out.cut = out.cut || out.threads.back().cut;
  }
  return out;
}

} // namespace thinair::graph
