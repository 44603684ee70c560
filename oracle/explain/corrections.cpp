// A set of parts is enough only if it meets every core, so only parts of cores are tried (Reiter
// 1987: diagnoses are hitting sets of conflicts).
#include "oracle/explain/corrections.h"

#include "oracle/explain/core.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace thinair::explain {
namespace {

using Parts = std::vector<ModelPart>;
using Kind = ModelPart::Kind;

class Corrections {
 public:
  Corrections(const litmus::Test& test, const cat::Plan& model,
              const litmus::Proposition& proposition, const oracle::Options& options)
      : test_(test), model_(model), proposition_(proposition), options_(options) {}

  std::vector<Parts> all() const {
    for (const bool axioms : {false, true}) {
      const auto first = parts_of_core({}, axioms);
      auto found = enough({}, first);
      if (found.empty()) found = pairs(first, axioms);
      for (auto& parts : found) std::ranges::sort(parts);
      std::ranges::sort(found);
      found.erase(std::ranges::unique(found).begin(), found.end());
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  /// Less of a definition may forbid more, where a model subtracts it: so a part that is in the
  /// core of what is left, and not in the first, may be enough alone.
  std::vector<Parts> pairs(const Parts& first, bool axioms) const {
    std::vector<Parts> single, both;
    for (const auto& part : first) {
      const auto second = parts_of_core({part}, axioms);
      std::ranges::move(enough({}, second), std::back_inserter(single));
      std::ranges::move(enough({part}, second), std::back_inserter(both));
    }
    return single.empty() ? both : single;
  }

  std::pair<cat::Plan, oracle::Options> left_without(const Parts& parts) const {
    std::pair<cat::Plan, oracle::Options> left{model_, options_};
    for (const auto& part : parts) {
      left.first = without(left.first, part);
      if (part.kind == Kind::rules) left.second.rule_set = oracle::rule_set_named("none");
    }
    return left;
  }

  Parts parts_of_core(const Parts& gone, bool axioms) const {
    const auto [model, options] = left_without(gone);
    const auto core = core_of(test_, model, proposition_, options);
    Parts out;
    if (!core.rules.empty()) out.push_back({Kind::rules, core.rules});
    for (const auto& name : core.definitions) out.push_back({Kind::definition, name});
    if (axioms)
      for (const auto& name : core.axioms) out.push_back({Kind::axiom, name});
    return out;
  }

  /// `gone` with each of `more` that makes it enough.
  std::vector<Parts> enough(const Parts& gone, const Parts& more) const {
    std::vector<Parts> out;
    for (const auto& part : more) {
      Parts parts = gone;
      parts.push_back(part);
      const auto [model, options] = left_without(parts);
      if (oracle::Oracle(test_, model, options).allows(proposition_) == oracle::Answer::allowed)
        out.push_back(std::move(parts));
    }
    return out;
  }

  const litmus::Test& test_;
  const cat::Plan& model_;
  const litmus::Proposition& proposition_;
  const oracle::Options& options_;
};

} // namespace

std::vector<Parts> corrections(const litmus::Test& test, const cat::Plan& model,
                               const litmus::Proposition& proposition,
                               const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  oracle::Options with = options;
  with.limits.watch = watch.get();
  auto found = Corrections(test, model, proposition, with).all();
  return watch->stopped() ? std::vector<Parts>() : found;
}

} // namespace thinair::explain
