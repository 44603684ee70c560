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

/// Of "unknown: LIMIT reached (OPTION)", what was reached.
std::string reason_of(const LimitReached& limit) {
  const std::string text = limit.what();
  return text.substr(text.find(' ') + 1);
}

} // namespace

Analysis::Analysis(const ProgramPaths& paths, std::vector<RegisterPlace> observed,
                   Producer producer, const AnalysisOptions& options)
    : paths_(paths), observed_(std::move(observed)), producer_(std::move(producer)),
      options_(options) {}

Analysis::~Analysis() = default;

/// Produces executions; true: stopped at a well-behaved one with a wanted behaviour, the last of
/// the set.
bool Analysis::build(const Wanted* stop_at) {
  set_ = std::make_unique<GraphSet>(paths_, observed_, options_.switches, options_.graphs);
  writes_.reset();
  justifier_.reset();
  incomplete_.clear();
  bool stopped = false;
  try {
    const auto missing = producer_([&](const GraphView& view) {
      const auto before = set_->graphs().size();
      set_->add(view);
      if (stop_at == nullptr || set_->graphs().size() == before) return false;
      const Graph& added = set_->graphs().back();
      stopped = added.racy.empty() && (*stop_at)(set_->behaviours()[added.behaviour]);
      return stopped;
    });
    complete_ = !stopped;
    if (!stopped) incomplete_ = missing;
  } catch (const LimitReached& limit) {
    incomplete_ = reason_of(limit);
    complete_ = true; // as far as it goes
  }
  if (paths_.cut && incomplete_.empty()) incomplete_ = "loop bound reached (--unroll)";
  return stopped;
}

/// All executions, those whose values depend on themselves included; targets by behaviour, the
/// likeliest to be justified first.
void Analysis::prepare() {
  if (!complete_) build(nullptr);
  if (justifier_ != nullptr) return;
  try {
    if (!set_->undetermined().empty()) {
      if (!confined(options_.rules.rules) && incomplete_.empty())
        incomplete_ = "values out of thin air are not all looked at";
      writes_ = std::make_unique<WriteSet>(*set_, options_.switches.identity);
    }
  } catch (const LimitReached& limit) {
    incomplete_ = reason_of(limit);
  }
  justifier_ =
      std::make_unique<Justifier>(*set_, options_.rules.rules, options_.switches, options_.search);
  targets_.assign(set_->behaviours().size(), {});
  for (std::uint32_t g = 0; g < set_->graphs().size(); ++g)
    targets_[set_->graphs()[g].behaviour].push_back(g);
  for (auto& same : targets_)
    std::ranges::stable_sort(same, {},
                             [&](std::uint32_t g) { return set_->graphs()[g].racy.size(); });
}

Answer Analysis::justified(std::uint32_t target) {
  const Graph& graph = set_->graphs()[target];
  if (!options_.rules.justified) return Answer::yes;
  if (!graph.racy.empty() && options_.jpr_filter && confined(options_.rules.rules) &&
      incomplete_.empty()) {
    if (writes_ == nullptr) writes_ = std::make_unique<WriteSet>(*set_, options_.switches.identity);
    if (!writes_->admits(graph)) {
      ++outside_jpr_;
      return Answer::no;
    }
  }
  auto answer = Answer::unknown;
  try {
    answer = justifier_->justify(target);
  } catch (const LimitReached& limit) {
    incomplete_ = reason_of(limit);
  }
  if (answer == Answer::unknown && incomplete_.empty())
    incomplete_ = "limit of committed sets reached (--max-states)";
  return answer;
}

Answer Analysis::behaviour_justified(std::uint32_t behaviour) {
  auto answer = Answer::no;
  for (const auto target : targets_[behaviour]) {
    const auto here = justified(target);
    if (here == Answer::yes) {
      last_ = target;
      return here;
    }
    if (here == Answer::unknown) answer = here;
  }
  return answer;
}

Answer Analysis::allows(const Wanted& wanted) {
  if (!complete_ && options_.rules.justified && build(&wanted)) {
    last_ = static_cast<std::uint32_t>(set_->graphs().size() - 1);
    return Answer::yes;
  }
  prepare();
  auto answer = Answer::no;
  for (std::uint32_t b = 0; b < targets_.size(); ++b) {
    if (!wanted(set_->behaviours()[b])) continue;
    const auto here = behaviour_justified(b);
    if (here == Answer::yes) return here;
    if (here == Answer::unknown) answer = here;
  }
  return incomplete_.empty() ? answer : Answer::unknown;
}

std::vector<Behaviour> Analysis::behaviours(const Wanted& wanted) {
  prepare();
  std::vector<Behaviour> all;
  for (std::uint32_t b = 0; b < targets_.size(); ++b)
    if (wanted(set_->behaviours()[b]) && behaviour_justified(b) == Answer::yes)
      all.push_back(set_->behaviours()[b]);
  std::ranges::sort(all);
  return all;
}

Answer Analysis::jpr_allows(const Wanted& wanted) {
  if (!jpr_behaviours(wanted).empty()) return Answer::yes;
  return incomplete_.empty() ? Answer::no : Answer::unknown;
}

std::vector<Behaviour> Analysis::jpr_behaviours(const Wanted& wanted) {
  prepare();
  if (writes_ == nullptr) writes_ = std::make_unique<WriteSet>(*set_, options_.switches.identity);
  std::vector<Behaviour> all;
  for (std::uint32_t b = 0; b < targets_.size(); ++b) {
    const bool admitted = std::ranges::any_of(
        targets_[b], [&](std::uint32_t g) { return writes_->admits(set_->graphs()[g]); });
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
