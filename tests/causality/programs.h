// Small programs for tests, and questions about them.
#pragma once

#include "litmus/test.h"
#include "oracle/causality/analysis.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace thinair::causality {

/// A Java test over x, y, z (initially 0; handles X, Y, Z), a body a thread.
litmus::Test java(const std::vector<std::string>& threads);

/// A test with its paths and all of its registers as observables.
class Subject {
 public:
  explicit Subject(litmus::Test test, const graph::PathLimits& limits = {});

  /// Under the happens-before model of JLS 17.4.5.
  std::unique_ptr<Analysis> analysis(const AnalysisOptions& options) const;

  /// Whether an outcome such as "0:r0=1 /\ 1:r1=2" is allowed.
  Answer allows(const std::string& outcome, const AnalysisOptions& options) const;
  std::vector<Behaviour> behaviours(const AnalysisOptions& options) const;

  const std::vector<litmus::Observable>& observables() const { return observables_; }
  const ProgramPaths& paths() const { return paths_; }
  const std::vector<RegisterPlace>& places() const { return places_; }
  std::string text(const Behaviour& behaviour) const;

 private:
  litmus::Test test_;
  ProgramPaths paths_;
  std::vector<litmus::Observable> observables_;
  std::vector<RegisterPlace> places_;
};

AnalysisOptions options(const std::string& rule_set, const Switches& switches = {});

} // namespace thinair::causality
