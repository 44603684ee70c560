// Terms as z3 bit-vectors, enumeration by blocking.
#include "oracle/values/bitvectors.h"

#include "litmus/floating.h"
#include "litmus/text/error.h"

#include <z3++.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_set>
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
    case TermOp::float_equal: return z3::fp_eq(number(t.a, t.bits), number(t.b, t.bits));
    case TermOp::float_less: return number(t.a, t.bits) < number(t.b, t.bits);
    case TermOp::float_less_equal: return number(t.a, t.bits) <= number(t.b, t.bits);
    case TermOp::float_add:
    case TermOp::float_subtract:
    case TermOp::float_multiply:
    case TermOp::float_divide:
    case TermOp::float_remainder:
    case TermOp::float_of_integer:
    case TermOp::float_to_integer:
    case TermOp::float_resize:
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
    return resized(graph::is_floating(t.op) ? bits_of(t) : computed(t), t.bits, bits);
  }

  z3::sort sort_of(unsigned bits) {
    return bits == 32 ? context_.fpa_sort<32>() : context_.fpa_sort<64>();
  }
  /// A term's low bits as a float or double.
  z3::expr number(TermId id, unsigned bits) { return low(id, bits).mk_from_ieee_bv(sort_of(bits)); }

  /// Of a floating-point operator that is no comparison.
  z3::expr bits_of(const Term& t) {
    if (t.op == TermOp::float_to_integer) return to_integer(number(t.a, 64), t.bits);
    const z3::expr value = floating(t);
    // z3 leaves open which NaN it is
    return z3::ite(value.mk_is_nan(), constant(litmus::floating::canonical_nan(t.bits), t.bits),
                   value.mk_to_ieee_bv());
  }

  z3::expr floating(const Term& t) {
    if (t.op == TermOp::float_of_integer) return z3::sbv_to_fpa(low(t.a, 64), sort_of(t.bits));
    if (t.op == TermOp::float_resize)
      return z3::fpa_to_fpa(number(t.a, 96 - t.bits), sort_of(t.bits));
    const auto a = number(t.a, t.bits), b = number(t.b, t.bits);
    if (t.op == TermOp::float_add) return a + b;
    if (t.op == TermOp::float_subtract) return a - b;
    if (t.op == TermOp::float_multiply) return a * b;
    if (t.op == TermOp::float_divide) return a / b;
    THINAIR_CHECK(t.op == TermOp::float_remainder, "a floating-point operator");
    throw z3::exception("z3 knows IEEE's remainder alone, which rounds"); // unknown then
  }

  /// JLS 5.1.3: towards zero, and the nearest value where it is out of range.
  z3::expr to_integer(const z3::expr& value, unsigned bits) {
    const auto least = static_cast<Value>(~std::uint64_t{0} << (bits - 1));
    const auto end = [&](Value at) {
      const Value of_double = litmus::floating::of_integer(64, at);
      return constant(of_double, 64).mk_from_ieee_bv(sort_of(64));
    };
    context_.set_rounding_mode(z3::RTZ);
    const z3::expr truncated = z3::fpa_to_sbv(value, bits);
    context_.set_rounding_mode(z3::RNE);
    // as doubles, the greatest long is one too many, and the greatest int is not
    const z3::expr within = z3::ite(value >= -end(least), constant(~least, bits),
                                    z3::ite(value < end(least), constant(least, bits), truncated));
    return z3::ite(value.mk_is_nan(), constant(0, bits), within);
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
    case TermOp::select:
    case TermOp::float_add:
    case TermOp::float_subtract:
    case TermOp::float_multiply:
    case TermOp::float_divide:
    case TermOp::float_remainder:
    case TermOp::float_equal:
    case TermOp::float_less:
    case TermOp::float_less_equal:
    case TermOp::float_of_integer:
    case TermOp::float_to_integer:
    case TermOp::float_resize: break;
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

/// Whether one of these needs more than the theory of bit-vectors.
bool needs_floating(const TermPool& pool, std::span<const TermId> terms) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<TermId> open(terms.begin(), terms.end());
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    const Term& t = pool[id];
    if (graph::is_floating(t.op)) return true;
    if (!seen.insert(id.value).second) continue;
    const std::array<TermId, 3> children{t.a, t.b, t.c};
    open.insert(open.end(), children.begin(), children.begin() + graph::arity(t.op));
  }
  return false;
}

} // namespace

struct Bitvectors::State {
  explicit State(std::uint32_t most) : solver(context, "QF_BV"), effort(most) {}

  /// The one that knows what the terms need.
  z3::solver& solver_for(const TermPool& pool, const Residue& residue,
                         std::span<const TermId> interest) {
    if (!needs_floating(pool, residue.nonzero) && !needs_floating(pool, interest)) return solver;
    if (!with_floating) with_floating.emplace(context, "QF_FPBV");
    return *with_floating;
  }

  /// z3 looks at a clock and counts work of its own: both get what the watch has left. True: it may
  /// do less than usual.
  bool hurry(z3::solver& by, const Watch& watch) {
    const auto left_steps = watch.limits().steps - std::min(watch.steps(), watch.limits().steps);
    const auto most = std::min<std::uint64_t>(
        effort, effort / units_a_step < left_steps ? effort : 1 + left_steps * units_a_step);
    const auto left = watch.deadline().left();
    constexpr double longest = 4e6; // seconds; z3 counts milliseconds in 32 bits
    z3::params params(context);
    params.set("timeout", left && *left < longest ? static_cast<unsigned>(*left * 1000) + 1
                                                  : ~0U); // z3's word for none
    params.set("rlimit", static_cast<unsigned>(most));
    by.set(params);
    return most < effort;
  }

  /// Units of z3's work since the last time.
  std::uint64_t worked(const z3::solver& by) {
    const z3::stats statistics = by.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count")
        return statistics.uint_value(i) - std::exchange(units, statistics.uint_value(i));
    return 0;
  }

  z3::context context;
  z3::solver solver;
  std::optional<z3::solver> with_floating; // made when it is needed
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
  z3::solver& solver = state_->solver_for(pool, residue, interest);
  solver.push();
  Status status = Status::unknown;
  try {
    status = among(pool, residue, variables, interest, known, found);
  } catch (const z3::exception&) { // out of memory, or its own limits
    status = Status::unknown;
  } catch (const LimitReached&) { // what was asked must not restrain the next question
    solver.pop();
    throw;
  }
  solver.pop();
  return status;
}

Status Bitvectors::among(const TermPool& pool, const Residue& residue,
                         std::span<const Variable> variables, std::span<const TermId> interest,
                         std::span<const std::vector<Value>> known,
                         const std::function<bool(const std::vector<Value>&)>& found) {
  auto& context = state_->context;
  auto& solver = state_->solver_for(pool, residue, interest);
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
    const bool hurried = state_->hurry(solver, pool.watch());
    const auto answer = solver.check();
    pool.watch().demand(state_->worked(solver) / units_a_step);
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
