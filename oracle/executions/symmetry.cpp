// Equality of threads up to a renaming of variables, found while comparing.
#include "oracle/executions/symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace thinair::executions {
namespace {

using graph::Path;
using graph::PathEvent;
using graph::TermId;
using graph::Variable;

class Comparison {
 public:
  explicit Comparison(const graph::ProgramPaths& program)
      : terms_(program.terms), sets_(program.sets) {}

  bool same(const graph::ThreadPaths& a, const graph::ThreadPaths& b) {
    return std::ranges::equal(a.paths, b.paths,
                              [&](const Path& x, const Path& y) { return same(x, y); });
  }

 private:
  const graph::TermPool& terms_;
  const graph::VariableSets& sets_;
  std::map<Variable, Variable> variables_; // the n-th read of one thread: of the other
  std::map<TermId, TermId> equal_;         // found so far

  bool same(const Path& a, const Path& b) {
    terms_.watch().demand(1 + a.events.size());
    if (a.events.size() != b.events.size() || a.runs != b.runs) return false;
    for (std::size_t i = 0; i < a.events.size(); ++i)
      if (!same(a.events[i], b.events[i])) return false;
    const auto terms = [&](const std::vector<TermId>& x, const std::vector<TermId>& y) {
      return std::ranges::equal(x, y, [&](TermId p, TermId q) { return same(p, q); });
    };
    const auto branch = [&](const graph::Branch& x, const graph::Branch& y) {
      return x.position == y.position && same(x.condition, y.condition) && same(x.from, y.from) &&
             same(x.picked, y.picked);
    };
    return terms(a.constraints, b.constraints) && terms(a.must_divide, b.must_divide) &&
           std::ranges::equal(a.branches, b.branches, branch);
  }

  bool same(const PathEvent& a, const PathEvent& b) {
    if (a.kinds != b.kinds || a.location != b.location || a.instruction != b.instruction)
      return false;
    if (a.object != b.object || a.partner != b.partner) return false; // monitors, threads
    if (a.tags != b.tags) return false;
    if (a.base != b.base || a.seen != b.seen || a.given != b.given) return false; // objects
    if (a.base_from != b.base_from || a.given_from != b.given_from) return false;
    if (!same(a.address, b.address) || !same(a.picked_address, b.picked_address)) return false;
    if (!same(a.data, b.data) || !same(a.picked_data, b.picked_data)) return false;
    if ((a.kinds & (graph::k_read | graph::k_status)) != 0) {
      const auto [known, fresh] = variables_.try_emplace(a.read, b.read);
      if (!fresh && known->second != b.read) return false;
    }
    return (a.kinds & graph::k_write) == 0 || same(a.written, b.written);
  }

  /// What dependencies are from: of reads before, which are known.
  bool same(graph::SetId a, graph::SetId b) {
    if (a == graph::by_term || b == graph::by_term) return a == b;
    const auto x = sets_[a], y = sets_[b];
    terms_.watch().demand(1 + x.size());
    return x.size() == y.size() && std::ranges::all_of(x, [&](Variable v) {
             const auto known = variables_.find(v);
             return known != variables_.end() && std::ranges::binary_search(y, known->second);
           });
  }

  bool same(TermId a, TermId b) {
    if (const auto known = equal_.find(a); known != equal_.end()) return known->second == b;
    terms_.watch().demand();
    const auto& x = terms_[a];
    const auto& y = terms_[b];
    if (terms_.levels(a) > graph::TermPool::most_levels) return false; // for all that we know
    if (x.op != y.op || x.bits != y.bits || x.constant != y.constant) return false;
    if (x.op == graph::TermOp::variable) {
      const auto known = variables_.find(x.variable);
      return known != variables_.end() && known->second == y.variable;
    }
    const auto operands = graph::arity(x.op);
    if ((operands > 0 && !same(x.a, y.a)) || (operands > 1 && !same(x.b, y.b)) ||
        (operands > 2 && !same(x.c, y.c)))
      return false;
    equal_.emplace(a, b);
    return true;
  }
};

} // namespace

std::vector<std::uint32_t> twins_of(const graph::ProgramPaths& program,
                                    std::span<const Observed> observed) {
  const auto n = static_cast<std::uint32_t>(program.threads.size());
  std::vector<std::uint32_t> result(n);
  std::iota(result.begin(), result.end(), 0U);
  const auto seen = [&](std::uint32_t thread) {
    return std::ranges::any_of(observed, [&](const Observed& o) { return o.thread == thread; });
  };
  for (std::uint32_t t = 1; t < n; ++t) {
    if (seen(t)) continue;
    for (std::uint32_t first = 0; first < t; ++first) {
      if (result[first] != first || seen(first)) continue;
      if (!Comparison(program).same(program.threads[first], program.threads[t])) continue;
      result[t] = first;
      break;
    }
  }
  return result;
}

} // namespace thinair::executions
