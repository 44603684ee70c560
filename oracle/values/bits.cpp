// Depth-first over bits, all variables' least ones first.
#include "oracle/values/bits.h"

#include <algorithm>
#include <unordered_map>

namespace thinair::values {
namespace {

using graph::Term;
using graph::TermOp;

/// Whether each bit of a term depends on no higher bits of its variables.
class Triangular {
 public:
  explicit Triangular(const TermPool& pool) : pool_(pool) {}

  bool operator()(TermId id) {
    if (const auto known = known_.find(id.value); known != known_.end()) return known->second;
    const bool answer = judge(pool_[id]);
    known_.emplace(id.value, answer);
    return answer;
  }

 private:
  bool judge(const Term& t) {
    switch (t.op) {
    case TermOp::constant:
    case TermOp::variable: return true;
    case TermOp::add:
    case TermOp::subtract:
    case TermOp::multiply:
    case TermOp::bit_and:
    case TermOp::bit_or:
    case TermOp::bit_xor: return (*this)(t.a) && (*this)(t.b);
    case TermOp::bit_not:
    case TermOp::negate:
    case TermOp::sign_extend:
    case TermOp::zero_extend: return (*this)(t.a);
    case TermOp::shift_left: return pool_.constant_value(t.b).has_value() && (*this)(t.a);
    case TermOp::divide:
    case TermOp::remainder:
    case TermOp::shift_right:
    case TermOp::shift_right_unsigned:
    case TermOp::equal:
    case TermOp::less:
    case TermOp::less_equal:
    case TermOp::below:
    case TermOp::below_equal:
    case TermOp::logical_not:
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
    case TermOp::float_resize: return false;
    }
    return false;
  }

  const TermPool& pool_;
  std::unordered_map<std::uint32_t, bool> known_;
};

class BitByBit {
 public:
  BitByBit(const TermPool& pool, const std::vector<TermId>& nonzero,
           const std::vector<Variable>& variables, std::uint8_t bits, std::uint64_t limit,
           const std::function<bool(std::span<const Value>)>& found)
      : pool_(pool), nonzero_(nonzero), variables_(variables), bits_(bits), limit_(limit),
        found_(found), assignment_(pool.variable_count()) {
    Triangular triangular(pool);
    for (const auto id : nonzero) {
      const Term& t = pool[id];
      const auto zero = t.op == TermOp::logical_not;
      if (!zero && t.op != TermOp::equal) continue;
      if (triangular(t.a) && (zero || triangular(t.b)))
        equalities_.push_back({t.a, t.b, zero, t.bits});
    }
  }

  Search run() {
    Search result;
    if (equalities_.empty()) { // nothing to go by
      result.limited = true;
      return result;
    }
    result.exhausted = descend(0, 0);
    result.limited = limited_;
    return result;
  }

 private:
  struct Equality {
    TermId a, b;
    bool zero; // instead of b
    std::uint8_t bits;
  };

  bool descend(unsigned bit, std::size_t at) {
    if (at == variables_.size()) {
      if (!agree(bit)) return true;
      return bit + 1 == bits_ ? leaf() : descend(bit + 1, 0);
    }
    auto& value = assignment_[variables_[at].value];
    const auto before = value;
    for (const bool one : {false, true}) {
      pool_.watch().demand(1 + equalities_.size());
      if (visited_++ == limit_) {
        limited_ = true;
        return false;
      }
      if (one) value = with_bit(before, bit);
      if (!descend(bit, at + 1)) return false;
    }
    value = before;
    return true;
  }

  /// The highest bit is the sign.
  Value with_bit(Value value, unsigned bit) const {
    const auto one = std::uint64_t{1} << bit;
    const auto set = bit + 1 == bits_ ? ~(one - 1) : one;
    return static_cast<Value>(static_cast<std::uint64_t>(value) | set);
  }

  /// The equalities, as far as the bits up to `bit` tell.
  bool agree(unsigned bit) const {
    return std::all_of(equalities_.begin(), equalities_.end(), [&](const Equality& e) {
      const auto known = std::min<unsigned>(bit + 1, e.bits);
      const auto a = static_cast<std::uint64_t>(*pool_.evaluate(e.a, assignment_));
      const auto b = e.zero ? 0 : static_cast<std::uint64_t>(*pool_.evaluate(e.b, assignment_));
      return ((a ^ b) << (64 - known)) == 0;
    });
  }

  bool leaf() {
    const bool all = std::all_of(nonzero_.begin(), nonzero_.end(), [&](TermId id) {
      return pool_.evaluate(id, assignment_).value_or(0) != 0;
    });
    return !all || found_(assignment_);
  }

  const TermPool& pool_;
  const std::vector<TermId>& nonzero_;
  const std::vector<Variable>& variables_;
  unsigned bits_;
  std::uint64_t limit_;
  const std::function<bool(std::span<const Value>)>& found_;
  std::vector<Equality> equalities_;
  std::vector<Value> assignment_;
  std::uint64_t visited_ = 0;
  bool limited_ = false;
};

} // namespace

Search search_bits(const TermPool& pool, const std::vector<TermId>& nonzero,
                   const std::vector<Variable>& variables, std::uint8_t bits, std::uint64_t limit,
                   const std::function<bool(std::span<const Value>)>& found) {
  return BitByBit(pool, nonzero, variables, bits, limit, found).run();
}

} // namespace thinair::values
