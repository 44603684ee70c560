// The search of the reducer: which proposal to take next.
#include "gen/reduce.h"

#include "gen/measure.h"
#include "gen/tidy.h"
#include "gen/types.h"
#include "litmus/canonical.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/typed.h"

#include <map>
#include <optional>

namespace thinair::gen {
namespace {

/// Asks about each program once, up to names.
class Judge {
 public:
  Judge(const Interesting& interesting, const ReduceOptions& options, Reduction& result)
      : interesting_(interesting), options_(options), result_(result) {}

  bool keeps(const litmus::Program& program) {
    ++asked_;
    const auto [known, fresh] = answers_.try_emplace(litmus::content_hash(program), Interest::no);
    if (!fresh) return known->second == Interest::yes;
    ++result_.tried;
    known->second = interesting_(program);
    if (known->second == Interest::unknown) ++result_.unknown;
    return known->second == Interest::yes;
  }

  /// The budget of a program's proposals begins.
  void begin() { asked_ = 0; }

  bool exhausted() {
    if (options_.stop && options_.stop()) result_.interrupted = true;
    if (result_.interrupted || asked_ >= options_.max_tries) result_.complete = false;
    return !result_.complete;
  }

 private:
  const Interesting& interesting_;
  const ReduceOptions& options_;
  Reduction& result_;
  std::map<litmus::ContentHash, Interest> answers_;
  std::uint64_t asked_ = 0;
};

/// The proposals of one pass that are smaller than `program`, tidied.
std::vector<litmus::Program> smaller(const Pass& pass, const litmus::Program& program) {
  const Measure bound = measure(program);
  const bool typed = litmus::features(program).types;
  std::vector<litmus::Program> kept;
  for (const auto& proposal : pass.propose(program)) {
    if (!litmus::well_typed(proposal)) continue; // a constant in the place of a reference
    auto tidied = tidy(proposal);
    if (measure(tidied) < bound && (!typed || types_fit(tidied))) kept.push_back(std::move(tidied));
  }
  return kept;
}

std::optional<litmus::Program> first_kept(const litmus::Program& program, Judge& judge) {
  judge.begin();
  for (const auto& pass : passes()) {
    for (auto& proposal : smaller(pass, program)) {
      if (judge.exhausted()) return std::nullopt;
      if (judge.keeps(proposal)) return std::move(proposal);
    }
  }
  return std::nullopt;
}

} // namespace

Reduction reduce(const litmus::Program& program, const Interesting& interesting,
                 const ReduceOptions& options) {
  Reduction result;
  result.program = tidy(program);
  Judge judge(interesting, options, result);
  if (!judge.keeps(result.program)) {
    THINAIR_CHECK(judge.exhausted(), "a reduction must start from an interesting program");
    result.program = program; // which is known to be: there was no time to ask again
    return result;
  }
  while (auto next = first_kept(result.program, judge)) {
    result.program = *std::move(next);
    ++result.steps;
  }
  return result;
}

std::vector<litmus::Program> proposals(const litmus::Program& program) {
  std::vector<litmus::Program> all;
  const auto tidied = tidy(program);
  for (const auto& pass : passes())
    for (auto& proposal : smaller(pass, tidied)) all.push_back(std::move(proposal));
  return all;
}

} // namespace thinair::gen
