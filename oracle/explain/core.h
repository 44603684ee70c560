// A minimal core: the axioms and definitions of a model that are together enough to forbid a
// behaviour (MemSAT, section 2.3, for models in cat).
#pragma once

#include "oracle/answer.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::explain {

struct Core {
  enum class Kind : std::uint8_t {
    model,   // the parts listed forbid it
    values,  // nothing of the model is needed: no execution ends so
    unknown, // it is allowed, or a limit was reached
  };
  Kind kind = Kind::unknown;
  std::vector<std::string> axioms;
  std::vector<std::string> definitions; // relations; not those that only build on others of these,
                                        // nor where `rules` are needed, which use them too
  std::string rules;                    // of causality, where it takes them
  std::string order;                    // that the model chooses and cannot, with no axiom needed
  friend bool operator==(const Core&, const Core&) = default;
};

/// Leaves out the rules of causality, axioms and definitions (then empty relations), the last ones
/// first, as long as the behaviour stays forbidden: with any one more left out it is allowed.
/// Throws as the oracle does.
Core core_of(const litmus::Test& test, const cat::Plan& model,
             const litmus::Proposition& proposition, const oracle::Options& options = {});

/// With what is left of the model then.
struct Reduced {
  Core core;
  cat::Plan model;
};
Reduced reduced_core(const litmus::Test& test, const cat::Plan& model,
                     const litmus::Proposition& proposition, const oracle::Options& options = {});

/// "coherence: coinit, volint"; in words where nothing of the model is to be named. Stores keep it.
std::string as_text(const Core& core);
/// What `as_text` made the text of; another text is taken for the names of axioms.
Core core_in(std::string_view text);

} // namespace thinair::explain
