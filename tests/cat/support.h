// What the tests of the cat room share: models from texts, and what becomes of them.
#pragma once

#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/cat/print.h"

#include <string>
#include <string_view>

namespace thinair::cat {

inline Plan load(std::string_view text, Architecture architecture = Architecture::java,
                 const LoadOptions& options = {}) {
  return load_model(text::Source{"m.cat", std::string(text)}, architecture, options);
}

/// The expression that `e` compiles to.
inline std::string compiled(std::string_view e, Architecture architecture = Architecture::java) {
  const Plan plan = load("\nempty " + std::string(e) + " as e", architecture);
  return expression(plan, plan.axioms.at(0).node);
}

/// What loading the text says is wrong with it; "" when nothing is.
inline std::string error(std::string_view text, Architecture architecture = Architecture::java,
                         const LoadOptions& options = {}) {
  try {
    load(text, architecture, options);
    return {};
  } catch (const std::exception& e) {
    return e.what();
  }
}

} // namespace thinair::cat
