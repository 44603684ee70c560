// The last resort: z3 on bit-vectors.
#pragma once

#include "oracle/values/residue.h"

#include <functional>
#include <memory>
#include <optional>

namespace thinair::values {

/// One z3 context and solver; started when constructed.
class Bitvectors {
 public:
  explicit Bitvectors(std::uint32_t effort);
  ~Bitvectors();

  /// Calls `found` with solutions of `nonzero` (values of `variables`, in their order), each
  /// different from all before in the value of some `interest` term and from the tuples of
  /// `known`, until it returns false or there are no more. `satisfiable`: stopped by `found`;
  /// `unsatisfiable`: no more.
  Status each(const TermPool& pool, const Residue& residue, std::span<const Variable> variables,
              std::span<const TermId> interest, std::span<const std::vector<Value>> known,
              const std::function<bool(const std::vector<Value>&)>& found);

  std::uint64_t checks() const;

 private:
  Status among(const TermPool& pool, const Residue& residue, std::span<const Variable> variables,
               std::span<const TermId> interest, std::span<const std::vector<Value>> known,
               const std::function<bool(const std::vector<Value>&)>& found);

  struct State;
  std::unique_ptr<State> state_;
};

} // namespace thinair::values
