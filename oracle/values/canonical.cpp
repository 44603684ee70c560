// Serialisation of terms, with variables numbered as they appear.
#include "oracle/values/canonical.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace thinair::values {
namespace {

using graph::arity;
using graph::Term;
using graph::TermOp;

std::array<TermId, 3> operands(const Term& t) { return {t.a, t.b, t.c}; }

/// Hashes that do not tell variables apart: conditions are sorted by them before variables get
/// numbers.
class Shapes {
 public:
  explicit Shapes(const TermPool& pool) : pool_(pool) {}

  std::uint64_t of(TermId id) {
    if (const auto known = known_.find(id.value); known != known_.end()) return known->second;
    const Term& t = pool_[id];
    std::uint64_t h = static_cast<std::uint64_t>(t.op) * 64 + t.bits;
    h = mixed(h, static_cast<std::uint64_t>(t.constant));
    const auto children = operands(t);
    for (std::uint32_t i = 0; i < arity(t.op); ++i) h = mixed(h, of(children[i]));
    known_.emplace(id.value, h);
    return h;
  }

 private:
  static std::uint64_t mixed(std::uint64_t h, std::uint64_t v) {
    h = (h ^ v) * 0x9fb21c651e98df25U;
    return h ^ (h >> 29);
  }

  const TermPool& pool_;
  std::unordered_map<std::uint32_t, std::uint64_t> known_;
};

class Writer {
 public:
  Writer(const TermPool& pool, Canonical& out) : pool_(pool), out_(out) {}

  void number(std::uint64_t v) {
    do {
      out_.key.push_back(static_cast<char>((v & 0x7fU) | (v > 0x7fU ? 0x80U : 0U)));
      v >>= 7;
    } while (v != 0);
  }

  void term(TermId id) {
    if (const auto [at, fresh] = written_.try_emplace(id.value, written_.size()); !fresh) {
      number(repeated);
      number(at->second);
      return;
    }
    const Term& t = pool_[id];
    number(static_cast<std::uint64_t>(t.op));
    number(t.bits);
    if (t.op == TermOp::constant) number(static_cast<std::uint64_t>(t.constant));
    if (t.op == TermOp::variable) out_.variables.push_back(t.variable);
    const auto children = operands(t);
    for (std::uint32_t i = 0; i < arity(t.op); ++i) term(children[i]);
  }

 private:
  static constexpr std::uint64_t repeated = 0x7f; // no operator has this number

  const TermPool& pool_;
  Canonical& out_;
  std::unordered_map<std::uint32_t, std::size_t> written_;
};

} // namespace

Canonical canonical(const TermPool& pool, const Residue& residue,
                    std::span<const TermId> interest) {
  Shapes shapes(pool);
  std::vector<std::pair<std::uint64_t, TermId>> sorted;
  for (const auto id : residue.nonzero) sorted.emplace_back(shapes.of(id), id);
  std::sort(sorted.begin(), sorted.end());

  Canonical result;
  Writer writer(pool, result);
  writer.number(residue.variable_bits);
  writer.number(sorted.size());
  for (const auto& [shape, id] : sorted) writer.term(id);
  for (const auto id : interest) writer.term(id);
  return result;
}

} // namespace thinair::values
