// One program under one rule set: which of its behaviours are justified.
#pragma once

#include "litmus/condition.h"
#include "oracle/causality/impasse.h"
#include "oracle/causality/jpr.h"
#include "oracle/causality/justify.h"
#include "oracle/values/solver.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace thinair::causality {

/// Which executions somebody needs: all, or
struct Request {
  const litmus::Proposition* shows = nullptr; // those that end like this
  const std::set<Race>* races = nullptr;      // those with no other races
};

/// Hands out all executions of a program that its single-execution model allows and that are asked
/// for (others, too, if it likes), until the visitor returns true. Returns why some may be missing;
/// empty: none is.
using Visit = std::function<bool(const GraphView&)>;
using Producer = std::function<Reason(const Request&, const Visit&)>;

using Wanted = std::function<bool(const Behaviour&)>;

struct Statistics {
  std::uint64_t executions = 0;   // consistent ones, with values
  std::uint64_t undetermined = 0; // whose values depend on themselves
  std::uint64_t outside_jpr = 0;  // targets that the over-approximation excluded
  SearchStatistics search;
  values::Statistics values; // the engine's questions about values, and who answered
};

struct AnalysisOptions {
  RuleSet rules;
  Switches switches;
  GraphLimits graphs;
  SearchLimits search;
  bool jpr_filter = true; // off: to compare
  /// Executions that may be stages, where these are more than the producer's.
  Producer stages = {};
};

/// Executions are produced once, when the first question needs them all; where they are many, for
/// each question those that it is about (docs/causality.md).
class Analysis {
 public:
  /// `paths` outlives this.
  Analysis(const ProgramPaths& paths, std::vector<RegisterPlace> observed, Producer producer,
           const AnalysisOptions& options);
  ~Analysis();

  /// So many questions are to come: the more, the sooner all executions are worth building.
  void expect(std::size_t questions) { expected_ = std::max<std::size_t>(questions, 1); }

  /// Values to try where values depend on themselves, if the rules do not say which there can be
  /// (docs/causality.md): what is found with them is there. What is not may be, unless they are
  /// `enough`: all others are like one of them.
  void try_values(const std::set<Value>& values, bool enough);

  /// Whether some justified execution has a wanted behaviour. Stops at the first; does not build
  /// the whole set if a well-behaved execution comes by. `shows` says the same as `wanted`, for the
  /// producer.
  Answer allows(const Wanted& wanted, const litmus::Proposition* shows = nullptr);

  /// All justified behaviours among the wanted, sorted. `unknown` says why there may be more.
  std::vector<Behaviour> behaviours(const Wanted& wanted);

  /// JPR's over-approximation of the same.
  std::vector<Behaviour> jpr_behaviours(const Wanted& wanted);
  Answer jpr_allows(const Wanted& wanted);

  /// Why the last answer may be incomplete; empty: it is not.
  const Reason& incomplete() const { return incomplete_; }

  /// After allows() said yes: why, over graphs().
  Justification evidence() const;
  const GraphSet& graphs() const;

  /// After allows() said no: why, over graphs(). Absent: no execution is wanted, with values that
  /// depend on themselves among those to try, or rules of causality are not why. Throws
  /// LimitReached.
  std::optional<Impasse> impasse(const Wanted& wanted);

  Statistics statistics() const;

 private:
  enum class Built : std::uint8_t { whole, stopped, too_many };
  void clear();
  bool shows(const Graph& graph, const Wanted& wanted) const;
  Built produce(const Request& request, const Wanted* stop_at, std::size_t most);
  Built produce_with(const Producer& producer, bool showing, const Request& request,
                     const Wanted* stop_at, std::size_t most);
  Built build(const Wanted* stop_at, std::size_t most);
  void prepare();
  void find_targets();
  void guess_values();
  Answer one_justified(const Wanted& wanted);
  Answer allows_alone(const Wanted& wanted, const litmus::Proposition* shows);
  WriteSet& jpr();
  bool late();
  Answer justified(std::uint32_t target);
  Answer behaviour_justified(std::uint32_t behaviour);

  const ProgramPaths& paths_;
  std::vector<RegisterPlace> observed_;
  Producer producer_;
  AnalysisOptions options_;
  std::unique_ptr<GraphSet> set_;
  std::unique_ptr<WriteSet> writes_;
  std::unique_ptr<Justifier> justifier_;
  std::vector<std::vector<std::uint32_t>> targets_; // by behaviour
  std::optional<std::uint32_t> last_;               // the target last found justified
  std::set<Value> guesses_;
  bool enough_guesses_ = false;
  bool complete_ = false;
  std::size_t expected_ = 1;
  bool large_ = false; // more executions than are worth building
  Reason incomplete_;
  std::uint64_t outside_jpr_ = 0;
};

} // namespace thinair::causality
