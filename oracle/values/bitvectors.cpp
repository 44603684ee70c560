// Terms as z3 bit-vectors, enumeration by blocking.
#include "oracle/values/bitvectors.h"

#include "litmus/text/error.h"

#include <z3++.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace thinair::values {
namespace {

using graph::Term;
using graph::TermOp;

/// Of z3's work, which make a step: a microsecond or less, as ours.
constexpr std::uint64_t units_a_step = 10;

/// Terms of one pool in one context. `low(t, w)` holds the w low bits of t's value.
class Translation {
 public:
  Translation(z3::context& context, const TermPool& pool, std::uint8_t variable_bits)
      : context_(context), pool_(pool), variable_bits_(variable_bits) {}

  z3::expr low(TermId id, unsigned bits) {
    if (const auto known = low_.find({id.value, bits}); known != low_.end()) return known->second;
    const z3::expr e = translated(id, bits);
    low_.emplace(std::pair{id.value, bits}, e);
    return e;
  }

  z3::expr nonzero(TermId id) {
    const Term& t = pool_[id];
    switch (t.op) {
    case TermOp::equal: return low(t.a, t.bits) == low(t.b, t.bits);
    case TermOp::less: return low(t.a, t.bits) < low(t.b, t.bits);
    case TermOp::less_equal: return low(t.a, t.bits) <= low(t.b, t.bits);
    case TermOp::below: return z3::ult(low(t.a, t.bits), low(t.b, t.bits));
    case TermOp::below_equal: return z3::ule(low(t.a, t.bits), low(t.b, t.bits));
    case TermOp::logical_not: return !nonzero_at(t.a, t.bits);
    case TermOp::constant:
    case TermOp::variable:
    case TermOp::add:
    case TermOp::subtract:
    case TermOp::multiply:
    case TermOp::divide:
    case TermOp::remainder:
    case TermOp::bit_and:
    case TermOp::bit_or:
    case TermOp::bit_xor:
    case TermOp::bit_not:
    case TermOp::negate:
    case TermOp::shift_left:
    case TermOp::shift_right:
    case TermOp::shift_right_unsigned:
    case TermOp::sign_extend:
    case TermOp::zero_extend:
    case TermOp::select: return nonzero_at(id, width(pool_, id, variable_bits_));
    }
    bug(__FILE__, __LINE__, "unknown term operator");
  }

  z3::expr variable(Variable v) {
    return context_.bv_const(("v" + std::to_string(v.value)).c_str(), variable_bits_);
  }

  z3::expr constant(Value value, unsigned bits) {
    return context_.bv_val(static_cast<std::uint64_t>(value), bits);
  }

 private:
  /// logical_not looks at `bits` bits of its operand; a truth value needs no bits.
  z3::expr nonzero_at(TermId id, unsigned bits) {
    if (width(pool_, id, variable_bits_) == 8 && is_truth(id)) return nonzero(id);
    return low(id, bits) != constant(0, bits);
  }

  bool is_truth(TermId id) const { return graph::makes_truth_values(pool_[id].op); }

  z3::expr resized(const z3::expr& e, unsigned from, unsigned to) {
    if (from == to) return e;
    return to < from ? e.extract(to - 1, 0) : z3::sext(e, to - from);
  }

  z3::expr translated(TermId id, unsigned bits) {
    pool_.watch().demand();
    const Term t = pool_[id];
    if (t.op == TermOp::constant) return constant(t.constant, bits);
    if (t.op == TermOp::variable) return resized(variable(t.variable), variable_bits_, bits);
    if (is_truth(id)) return z3::ite(nonzero(id), constant(1, bits), constant(0, bits));
    if (t.op == TermOp::select) return z3::ite(nonzero(t.a), low(t.b, bits), low(t.c, bits));
    if (t.op == TermOp::zero_extend) {
      const auto e = low(t.a, t.bits);
      return t.bits < bits ? z3::zext(e, bits - t.bits) : resized(e, t.bits, bits);
    }
    return resized(computed(t), t.bits, bits);
  }

  /// An operator that works at t.bits.
  z3::expr computed(const Term& t) {
    auto a = low(t.a, t.bits);
    if (t.op == TermOp::negate) return -a;
    if (t.op == TermOp::bit_not) return ~a;
    if (t.op == TermOp::sign_extend) return a;
    const auto b = low(t.b, t.bits);
    const auto distance = [&] { return b & constant(t.bits - 1, t.bits); };
    switch (t.op) {
    case TermOp::add: return a + b;
    case TermOp::subtract: return a - b;
    case TermOp::multiply: return a * b;
    case TermOp::divide: return a / b;
    case TermOp::remainder: return z3::srem(a, b);
    case TermOp::bit_and: return a & b;
    case TermOp::bit_or: return a | b;
    case TermOp::bit_xor: return a ^ b;
    case TermOp::shift_left: return z3::shl(a, distance());
    case TermOp::shift_right: return z3::ashr(a, distance());
    case TermOp::shift_right_unsigned: return z3::lshr(a, distance());
    case TermOp::constant:
    case TermOp::variable:
    case TermOp::bit_not:
    case TermOp::negate:
    case TermOp::equal:
    case TermOp::less:
    case TermOp::less_equal:
    case TermOp::below:
    case TermOp::below_equal:
    case TermOp::logical_not:
    case TermOp::sign_extend:
    case TermOp::zero_extend:
    case TermOp::select: break;
    }
    bug(__FILE__, __LINE__, "an operator translated elsewhere");
  }

  z3::context& context_;
  const TermPool& pool_;
  std::uint8_t variable_bits_;
  std::map<std::pair<std::uint32_t, unsigned>, z3::expr> low_;
};

Value signed_value(const z3::expr& numeral, unsigned bits) {
  std::uint64_t raw = 0;
  THINAIR_CHECK(numeral.is_numeral_u64(raw), "z3's model has no value for a variable");
  return *graph::apply(TermOp::sign_extend, static_cast<std::uint8_t>(bits),
                       static_cast<Value>(raw));
}

} // namespace

struct Bitvectors::State {
  explicit State(std::uint32_t most) : solver(context, "QF_BV"), effort(most) {}

  /// z3 looks at a clock and counts work of its own: both get what the watch has left. True: it may
  /// do less than usual.
  bool hurry(const Watch& watch) {
    const auto left_steps = watch.limits().steps - std::min(watch.steps(), watch.limits().steps);
    const auto most = std::min<std::uint64_t>(
        effort, effort / units_a_step < left_steps ? effort : 1 + left_steps * units_a_step);
    const auto left = watch.deadline().left();
    constexpr double longest = 4e6; // seconds; z3 counts milliseconds in 32 bits
    z3::params params(context);
    params.set("timeout", left && *left < longest ? static_cast<unsigned>(*left * 1000) + 1
                                                  : ~0U); // z3's word for none
    params.set("rlimit", static_cast<unsigned>(most));
    solver.set(params);
    return most < effort;
  }

  /// Units of z3's work since the last time.
  std::uint64_t worked() {
    const z3::stats statistics = solver.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count")
        return statistics.uint_value(i) - std::exchange(units, statistics.uint_value(i));
    return 0;
  }

  z3::context context;
  z3::solver solver;
  std::uint64_t checks = 0;
  std::uint32_t effort;
  unsigned units = 0; // so far
};

Bitvectors::Bitvectors(std::uint32_t effort) : state_(std::make_unique<State>(effort)) {}
Bitvectors::~Bitvectors() = default;
std::uint64_t Bitvectors::checks() const { return state_->checks; }

Status Bitvectors::each(const TermPool& pool, const Residue& residue,
                        std::span<const Variable> variables, std::span<const TermId> interest,
                        std::span<const std::vector<Value>> known,
                        const std::function<bool(const std::vector<Value>&)>& found) {
  state_->solver.push();
  Status status = Status::unknown;
  try {
    status = among(pool, residue, variables, interest, known, found);
  } catch (const z3::exception&) { // out of memory, or its own limits
    status = Status::unknown;
  } catch (const LimitReached&) { // what was asked must not restrain the next question
    state_->solver.pop();
    throw;
  }
  state_->solver.pop();
  return status;
}

Status Bitvectors::among(const TermPool& pool, const Residue& residue,
                         std::span<const Variable> variables, std::span<const TermId> interest,
                         std::span<const std::vector<Value>> known,
                         const std::function<bool(const std::vector<Value>&)>& found) {
  auto& context = state_->context;
  auto& solver = state_->solver;
  Translation terms(context, pool, residue.variable_bits);
  const auto block = [&](const std::vector<Value>& tuple) {
    z3::expr_vector differs(context);
    for (std::size_t i = 0; i < interest.size(); ++i)
      differs.push_back(terms.low(interest[i], 64) != terms.constant(tuple[i], 64));
    solver.add(z3::mk_or(differs));
  };
  const auto values_in = [&](const z3::model& model) {
    std::vector<Value> values;
    for (const auto v : variables)
      values.push_back(signed_value(model.eval(terms.variable(v), true), residue.variable_bits));
    return values;
  };

  for (const auto id : residue.nonzero) solver.add(terms.nonzero(id));
  for (const auto& tuple : known) block(tuple);
  Status status = Status::unknown;
  std::vector<Value> assignment(pool.variable_count());
  for (bool more = true; more;) {
    ++state_->checks;
    pool.watch().demand();
    const bool hurried = state_->hurry(pool.watch());
    const auto answer = solver.check();
    pool.watch().demand(state_->worked() / units_a_step);
    if (answer == z3::unknown && !pool.watch().go_on()) pool.watch().refuse();
    if (answer == z3::unknown && hurried) pool.watch().demand(pool.watch().limits().steps + 1);
    status = answer == z3::sat     ? Status::satisfiable
             : answer == z3::unsat ? Status::unsatisfiable
                                   : Status::unknown;
    if (answer != z3::sat) break;
    const auto values = values_in(solver.get_model());
    more = found(values);
    if (!more) break;
    for (std::size_t i = 0; i < variables.size(); ++i) assignment[variables[i].value] = values[i];
    std::vector<Value> tuple;
    for (const auto id : interest) tuple.push_back(pool.evaluate(id, assignment).value_or(0));
    block(tuple);
  }
  return status;
}

} // namespace thinair::values
