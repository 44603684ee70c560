// Builds the executions, then asks for justifications target by target, the likeliest first.
#include "oracle/causality/analysis.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <numeric>

namespace thinair::causality {
namespace {

/// Rules under which a justification's values are among JPR's (docs/causality.md).
bool confined(const Rules& rules) {
  return rules.has(Rule::occurrence) && rules.has(Rule::values) && rules.has(Rule::reads_from) &&
         rules.has(Rule::well_behaved) && rules.has(Rule::target_write_first);
}

} // namespace

Analysis::Analysis(const ProgramPaths& paths, std::vector<RegisterPlace> observed,
                   Producer producer, const AnalysisOptions& options)
    : paths_(paths), observed_(std::move(observed)), producer_(std::move(producer)),
      options_(options) {}

Analysis::~Analysis() = default;

void Analysis::clear() {
  set_ = std::make_unique<GraphSet>(paths_, observed_, options_.switches, options_.graphs);
  writes_.reset();
  justifier_.reset();
  incomplete_ = {};
  complete_ = false;
}

bool Analysis::shows(const Graph& graph, const Wanted& wanted) const {
  return graph.behaviour != Graph::no_behaviour && wanted(set_->behaviours()[graph.behaviour]);
}

/// Adds executions. `stopped`: at a well-behaved one with a wanted behaviour, the last of the set.
/// `too_many`: there are more than `most`.
auto Analysis::produce(const Request& request, const Wanted* stop_at, std::size_t most) -> Built {
  const auto built = produce_with(producer_, true, request, stop_at, most);
  if (!options_.stages || built != Built::whole || request.shows != nullptr) return built;
  return produce_with(options_.stages, false, request, nullptr, most);
}

/// Those of one producer, that show their behaviours or may be stages only.
auto Analysis::produce_with(const Producer& producer, bool showing, const Request& request,
                            const Wanted* stop_at, std::size_t most) -> Built {
  auto built = Built::whole;
  try {
    const auto missing = producer(request, [&](GraphView view) {
      view.shows = showing;
      const auto before = set_->graphs().size();
      set_->add(view);
      if (set_->graphs().size() + set_->undetermined().size() > most) built = Built::too_many;
      if (stop_at == nullptr || set_->graphs().size() == before) return built != Built::whole;
      const Graph& added = set_->graphs().back();
      if (added.racy.empty() && shows(added, *stop_at)) built = Built::stopped;
      return built != Built::whole;
    });
    if (built == Built::whole && incomplete_.empty()) incomplete_ = missing;
  } catch (const LimitReached& limit) {
    incomplete_ = limit.reason();
  }
  if (paths_.cut && incomplete_.empty()) incomplete_ = Reason::reached(Limit::loop_bound);
  return built;
}

/// All executions, as far as limits go.
auto Analysis::build(const Wanted* stop_at, std::size_t most) -> Built {
  clear();
  const auto built = produce({}, stop_at, most);
  complete_ = built == Built::whole;
  return built;
}

/// All executions, those whose values depend on themselves included.
void Analysis::prepare() {
  if (!complete_) build(nullptr, options_.graphs.graphs);
  if (justifier_ == nullptr) find_targets();
}

/// Targets by behaviour, the likeliest to be justified first.
void Analysis::find_targets() {
  try {
    if (!set_->undetermined().empty()) {
      if (!confined(options_.rules.rules) && !enough_guesses_ && incomplete_.empty())
        incomplete_ = "values out of thin air are not all looked at";
      jpr();
      if (!confined(options_.rules.rules)) guess_values();
    }
  } catch (const LimitReached& limit) {
    incomplete_ = limit.reason();
  }
  try {
    justifier_ = std::make_unique<Justifier>(*set_, options_.rules.rules, options_.switches,
                                             options_.search);
  } catch (const LimitReached& limit) { // nobody asks it, then: late()
    incomplete_ = limit.reason();
  }
  targets_.assign(set_->behaviours().size(), {});
  for (std::uint32_t g = 0; g < set_->graphs().size(); ++g)
    if (const auto shown = set_->graphs()[g].behaviour; shown != Graph::no_behaviour)
      targets_[shown].push_back(g);
  for (auto& same : targets_)
    std::ranges::stable_sort(same, {},
                             [&](std::uint32_t g) { return set_->graphs()[g].racy.size(); });
}

WriteSet& Analysis::jpr() {
  if (writes_ == nullptr) writes_ = std::make_unique<WriteSet>(*set_, options_.switches.identity);
  return *writes_;
}

/// Whether the question's watch has stopped: what is not answered by then is unknown.
bool Analysis::late() {
  if (paths_.terms.watch().step()) return false;
  if (incomplete_.empty()) incomplete_ = paths_.terms.watch().reason();
  return true;
}

Answer Analysis::justified(std::uint32_t target) {
  const Graph& graph = set_->graphs()[target];
  if (!options_.rules.justified) return Answer::allowed;
  Answer answer = Answer::unknown;
  try {
    if (!graph.racy.empty() && options_.jpr_filter && confined(options_.rules.rules) &&
        incomplete_.empty() && !jpr().admits(graph)) {
      ++outside_jpr_;
      return Answer::forbidden;
    }
    answer = justifier_->justify(target);
  } catch (const LimitReached& limit) {
    incomplete_ = limit.reason();
  }
  if (answer == Answer::unknown && incomplete_.empty())
    incomplete_ = Reason::reached(Limit::states, "limit of committed sets");
  return answer;
}

Answer Analysis::behaviour_justified(std::uint32_t behaviour) {
  Answer answer = Answer::forbidden;
  for (const auto target : targets_[behaviour]) {
    if (late()) return Answer::unknown;
    const auto here = justified(target);
    if (here == Answer::allowed) {
      last_ = target;
      return here;
    }
    if (here == Answer::unknown) answer = here;
  }
  return answer;
}

/// Whether some target of the set with a wanted behaviour is justified by executions of the set.
Answer Analysis::one_justified(const Wanted& wanted) {
  Answer answer = Answer::forbidden;
  for (std::uint32_t b = 0; b < targets_.size() && !late(); ++b) {
    if (!wanted(set_->behaviours()[b])) continue;
    const auto here = behaviour_justified(b);
    if (here == Answer::allowed) return here;
    if (here == Answer::unknown) answer = here;
  }
  return incomplete_.empty() ? answer : Answer(Answer::unknown);
}

Answer Analysis::allows(const Wanted& wanted, const litmus::Proposition* shows) {
  if (!complete_ && options_.rules.justified && !large_) {
    const bool alone = shows != nullptr && races_suffice(options_.rules.rules);
    const auto& limits = options_.graphs; // well below its end the rest can be asked about alone
    const auto worth = std::min(limits.whole * expected_, limits.graphs / 10);
    const auto built = build(&wanted, alone ? worth : limits.graphs);
    if (built == Built::stopped) {
      last_ = static_cast<std::uint32_t>(set_->graphs().size() - 1);
      return Answer::allowed;
    }
    large_ = alone && built == Built::too_many;
  }
  if (large_ && !complete_ && shows != nullptr) return allows_alone(wanted, shows);
  prepare();
  return one_justified(wanted);
}

/// With the executions that can take part in a justification of this behaviour: those that show it,
/// and those with no other races than they have. First with well-behaved ones alone, which often
/// do.
Answer Analysis::allows_alone(const Wanted& wanted, const litmus::Proposition* shows) {
  clear();
  if (produce({.shows = shows}, &wanted, options_.graphs.graphs) == Built::stopped) {
    last_ = static_cast<std::uint32_t>(set_->graphs().size() - 1);
    return Answer::allowed;
  }
  const auto missing = incomplete_;
  std::set<Race> races;
  for (const auto& graph : set_->graphs())
    if (this->shows(graph, wanted)) set_->races_of(graph, races);
  for (const auto& graph : set_->undetermined()) set_->races_of(graph, races);
  const std::set<Race> none;
  produce({.races = &none}, nullptr, options_.graphs.graphs);
  if (incomplete_.empty()) incomplete_ = "some executions were left out";
  find_targets();
  if (one_justified(wanted) == Answer::allowed) return Answer::allowed;
  clear();
  produce({.races = &races}, nullptr, options_.graphs.graphs);
  if (incomplete_.empty()) incomplete_ = missing;
  find_targets();
  return one_justified(wanted);
}

std::vector<Behaviour> Analysis::behaviours(const Wanted& wanted) {
  prepare();
  std::vector<Behaviour> all;
  for (std::uint32_t b = 0; b < targets_.size() && !late(); ++b)
    if (wanted(set_->behaviours()[b]) && behaviour_justified(b) == Answer::allowed)
      all.push_back(set_->behaviours()[b]);
  std::ranges::sort(all);
  return all;
}

Answer Analysis::jpr_allows(const Wanted& wanted) {
  if (!jpr_behaviours(wanted).empty()) return Answer::allowed;
  return incomplete_.empty() ? Answer::forbidden : Answer::unknown;
}

std::vector<Behaviour> Analysis::jpr_behaviours(const Wanted& wanted) {
  prepare();
  std::vector<Behaviour> all;
  const WriteSet& writes = jpr();
  for (std::uint32_t b = 0; b < targets_.size() && !late(); ++b) {
    const bool admitted = std::ranges::any_of(targets_[b], [&](std::uint32_t g) {
      paths_.terms.watch().step();
      return writes.admits(set_->graphs()[g]);
    });
    if (admitted && wanted(set_->behaviours()[b])) all.push_back(set_->behaviours()[b]);
  }
  std::ranges::sort(all);
  return all;
}

Justification Analysis::evidence() const {
  THINAIR_CHECK(last_.has_value(), "evidence before an answer");
  Justifier again(*set_, options_.rules.rules, options_.switches, options_.search);
  again.justify(*last_);
  return again.evidence();
}

void Analysis::try_values(const std::set<Value>& values, bool enough) {
  const auto before = guesses_.size();
  enough_guesses_ = enough;
  guesses_.insert(values.begin(), values.end());
  if (guesses_.size() != before && !confined(options_.rules.rules)) justifier_.reset();
}

/// In executions whose values depend on themselves.
void Analysis::guess_values() {
  auto values = guesses_;
  for (const auto& graph : set_->graphs())
    values.insert(graph.written.begin(), graph.written.end());
  for (std::size_t i = 0; i < set_->undetermined().size(); ++i)
    guess(*set_, i, [&](const Graph&, EventIndex) -> const std::set<Value>& { return values; });
}

std::optional<Impasse> Analysis::impasse(const Wanted& wanted) {
  if (set_ == nullptr || !incomplete_.empty() || !confined(options_.rules.rules))
    return std::nullopt;
  jpr(); // before values without an origin are in the set
  guess_values();
  std::vector<std::uint32_t> targets;
  for (std::uint32_t g = 0; g < set_->graphs().size(); ++g)
    if (shows(set_->graphs()[g], wanted)) targets.push_back(g);
  std::ranges::stable_sort(targets, {}, [&](std::uint32_t g) { // without idle rounds, if it can be
    return std::pair{set_->graphs()[g].racy.size(), set_->graphs()[g].size()};
  });
  return impasse_of(*set_, targets, jpr(), options_.rules.rules, options_.switches,
                    options_.search);
}

const GraphSet& Analysis::graphs() const {
  THINAIR_CHECK(set_ != nullptr, "no question has been asked");
  return *set_;
}

Statistics Analysis::statistics() const {
  Statistics s;
  if (set_ != nullptr) {
    s.executions = set_->graphs().size();
    s.undetermined = set_->undetermined().size();
  }
  s.outside_jpr = outside_jpr_;
  if (justifier_ != nullptr) s.search = justifier_->statistics();
  return s;
}

} // namespace thinair::causality
