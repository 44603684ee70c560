// Tells where the search for a justification ends, and asks for programs that are nearly the same.
#include "oracle/explain/obstacle.h"

#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "litmus/text/wrap.h"
#include "oracle/explain/deed.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thinair::explain {
namespace {

using causality::Impasse;
using causality::Rule;

const EvidenceEvent* named(const EvidenceStage& stage, const std::string& name) {
  const auto found = std::ranges::find(stage.events, name, &EvidenceEvent::name);
  return found == stage.events.end() ? nullptr : &*found;
}

std::string in_words(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// One execution as the stage that commits `action` next, beside the target.
class Failing {
 public:
  Failing(const EvidenceStage& here, const EvidenceStage& target, const std::string& action)
      : here_(here), target_(target), action_(action) {}

  std::string words(Rule rule) const {
    switch (rule) {
    case Rule::occurrence: return "it does not happen there";
    case Rule::values: return other_values();
    case Rule::well_behaved: return early_reads();
    case Rule::reads_from: return other_writes();
    case Rule::stage_write_first: return unseen(here_, "there");
    case Rule::target_write_first: return unseen(target_, "in the outcome");
    case Rule::happens_before: return "happens-before orders what is committed otherwise there";
    case Rule::read_happens_before:
      return "happens-before orders a committed read and its write otherwise there";
    case Rule::synchronization:
      return "the synchronization order of what is committed is another one there";
    case Rule::synchronizes_with:
      return "it follows from a synchronization there that not all later stages have";
    case Rule::external_first: return "an external action happens before it and is not committed";
    case Rule::external_last: return "what happens before it is not all committed";
    case Rule::stage_axioms:
    case Rule::in_order: break; // permissions, which nothing breaks
    }
    bug(__FILE__, __LINE__, "a stage that breaks a permission");
  }

 private:
  bool committed(const EvidenceEvent& event) const {
    const auto* there = named(target_, event.name);
    return there != nullptr && there->committed;
  }

  std::string other_values() const {
    std::vector<std::string> all;
    for (const auto& event : here_.events) {
      const auto* there = named(target_, event.name);
      if (there == nullptr || !(there->committed || event.name == action_)) continue;
      if (event.written && event.written != there->written)
        all.push_back(fmt::format("{} writes {} there, and {} in the outcome",
                                  event.name == action_ ? "it" : event.name, event.written_as,
                                  there->written_as));
    }
    return in_words(all);
  }

  std::string early_reads() const {
    std::vector<std::string> all;
    for (const auto& event : here_.events)
      if (event.racy && !committed(event))
        all.push_back(fmt::format("{} ({}) sees {}, which does not happen before it, and is not "
                                  "committed yet",
                                  event.name, event.label, here_.events[event.reads_from].name));
    return in_words(all);
  }

  std::string other_writes() const {
    std::vector<std::string> all;
    for (const auto& event : here_.events) {
      const auto* there = named(target_, event.name);
      if (!event.read || there == nullptr || !there->committed) continue;
      const auto& mine = here_.events[event.reads_from].name;
      const auto& theirs = target_.events[there->reads_from].name;
      if (mine != theirs)
        all.push_back(
            fmt::format("{} is committed, and sees {} there, not {}", event.name, mine, theirs));
    }
    return in_words(all);
  }

  std::string unseen(const EvidenceStage& where, std::string_view place) const {
    const auto* event = named(where, action_);
    THINAIR_CHECK(event != nullptr && event->read, "rule 7 of what does not read");
    return fmt::format("it sees {} {}, which is not committed yet",
                       where.events[event->reads_from].name, place);
  }

  const EvidenceStage& here_;
  const EvidenceStage& target_;
  const std::string& action_;
};

/// "c has read it": the read before a write of its thread that sees one of `sources`.
const EvidenceEvent* read_behind(const EvidenceStage& target, std::size_t write,
                                 const std::set<std::size_t>& sources) {
  for (std::size_t i = write; i-- > 0;) {
    if (target.events[i].thread != target.events[write].thread) break;
    if (target.events[i].read && sources.contains(target.events[i].reads_from))
      return &target.events[i];
  }
  return nullptr;
}

std::string origin_of(const EvidenceStage& target, const Impasse& impasse) {
  const std::set<std::size_t> sources(impasse.unfounded.begin(), impasse.unfounded.end());
  std::set<causality::Value> values;
  std::vector<std::string> steps;
  bool same = !impasse.written_otherwise;
  for (const auto write : sources) {
    const auto& event = target.events[write];
    values.insert(event.written.value_or(0));
    const auto* read = read_behind(target, write, sources);
    if (read == nullptr) return ""; // it waits for an order, and not for a value
    same = same && read->read == event.written;
    steps.push_back(fmt::format("{} writes {} after {} has read {} from {}", event.name,
                                event.written_as, read->name, read->read_as,
                                target.events[read->reads_from].name));
  }
  if (steps.empty()) return "";
  const auto how = fmt::format("{}", fmt::join(steps, "; "));
  if (same && values.size() == 1)
    return fmt::format("{} is written only by threads that read it: it comes out of thin air ({})",
                       *values.begin(), how);
  return fmt::format("a value has no origin: {}", how);
}

class ObstacleTeller {
 public:
  ObstacleTeller(const litmus::Test& test, oracle::Oracle& asked, const Impasse& impasse)
      : test_(test), asked_(asked), impasse_(impasse) {}

  Obstacle tell() {
    choose();
    tell_stages();
    out_.origin = origin_of(out_.target, impasse_);
    if (stuck_ == nullptr) return std::move(out_);
    out_.action = name_of(stuck_->action);
    const auto* event = named(out_.target, out_.action);
    THINAIR_CHECK(event != nullptr, "an action that the target lacks");
    out_.deed = told(*event);
    for (std::size_t i = 0; i < ways_.size(); ++i) add_failure(stuck_->ways[i].broken, ways_[i]);
    return std::move(out_);
  }

  /// Statements whose actions are to blame, then what each store writes in the outcome.
  std::vector<StatementNumber> blamed() const {
    std::vector<StatementNumber> all;
    for (const auto write : impasse_.unfounded) all.push_back(out_source(write));
    for (const auto& stuck : impasse_.stuck)
      for (const auto& event : blamed_stage_.events)
        if (event.name == name_of(stuck.action)) all.push_back(event.source);
    return all;
  }

  std::map<StatementNumber, litmus::Value> written() const {
    std::map<StatementNumber, litmus::Value> all;
    for (const auto& event : blamed_stage_.events)
      if (event.written && event.thread >= 0) all.emplace(event.source, *event.written);
    return all;
  }

 private:
  StatementNumber out_source(std::size_t event) const { return blamed_stage_.events[event].source; }

  /// Of the actions that cannot be committed one that fails for the fewest reasons, a write if
  /// there is one: a read waits for the write that it sees.
  void choose() {
    const auto& set = asked_.graphs();
    const auto& target = set.graphs()[impasse_.target];
    const auto& skeleton = set.skeleton_of(target);
    const auto badness = [&](const Impasse::Stuck& stuck) {
      const auto event = skeleton.labellings.front().event(stuck.action);
      const auto reasons = stuck.ways.empty() ? 99 : stuck.ways.front().broken.size();
      return std::pair{reasons, skeleton.events[event].reads()};
    };
    const auto least = std::ranges::min_element(impasse_.stuck, {}, badness);
    if (least != impasse_.stuck.end() && !least->ways.empty()) stuck_ = &*least;
  }

  std::string name_of(causality::ActionIndex action) const {
    const auto& set = asked_.graphs();
    const auto& skeleton = set.skeleton_of(set.graphs()[impasse_.target]);
    return blamed_stage_.events[skeleton.labellings.front().event(action)].name;
  }

  void tell_stages() {
    causality::Justification all{impasse_.target, impasse_.stages};
    const auto committed = impasse_.stages.empty() ? std::vector<causality::ActionIndex>()
                                                   : impasse_.stages.back().committed;
    all.stages.push_back({impasse_.target, 0, committed});
    if (stuck_ != nullptr)
      for (const auto& way : stuck_->ways)
        all.stages.push_back({way.graph, way.labelling, committed});
    auto told = explain::tell(test_, asked_.graphs(), all);
    const auto prefix = static_cast<std::ptrdiff_t>(impasse_.stages.size());
    ways_.assign(told.begin() + prefix + 1, told.end());
    out_.target = blamed_stage_ = told[impasse_.stages.size()];
    out_.stages.assign(told.begin(), told.begin() + prefix);
  }

  void add_failure(const std::vector<Rule>& rules, const EvidenceStage& way) {
    const Failing failing(way, out_.target, out_.action);
    const bool absent = std::ranges::find(rules, Rule::occurrence) != rules.end();
    std::vector<std::string> words;
    for (const auto rule : rules) {
      const bool follows = absent && (rule == Rule::happens_before ||
                                      rule == Rule::synchronization); // of what is not there
      if (follows) continue;
      words.push_back(
          fmt::format("{} ({}: {})", failing.words(rule), info(rule).source, info(rule).name));
    }
    out_.failures.push_back({rules, fmt::format("{}", fmt::join(words, "; and "))});
  }

  std::string told(const EvidenceEvent& event) const {
    const auto deed = deed_of(test_, static_cast<std::size_t>(event.thread), event.source);
    return fmt::format("{} ({}, {})", event.name, event.label, deed);
  }

  const litmus::Test& test_;
  oracle::Oracle& asked_;
  const Impasse& impasse_;
  const Impasse::Stuck* stuck_ = nullptr;
  EvidenceStage blamed_stage_; // the target
  std::vector<EvidenceStage> ways_;
  Obstacle out_;
};

/// "the initial writes", "the initial writes, then b and c".
std::string progress(const EvidenceStage& target) {
  std::vector<std::string> names;
  for (const auto& event : target.events)
    if (event.committed && event.thread >= 0)
      names.push_back(fmt::format("{} ({})", event.name, event.label));
  return names.empty() ? "the initial writes" : "the initial writes, then " + in_words(names);
}

/// What goes on over several lines is indented by two columns more.
void add_line(std::string& out, const std::string& text, std::size_t width) {
  out += text::wrapped(text, 2, 2, width) + "\n";
}

void add_item(std::string& out, const std::string& text, std::size_t width) {
  out += "  - " + text::wrapped(text, 4, 4, width) + "\n";
}

bool allows(const litmus::Test& test, const cat::Plan& model,
            const litmus::Proposition& proposition, const oracle::Options& options) {
  try {
    return oracle::Oracle(test, model, options).allows(proposition) == oracle::Answer::allowed;
  } catch (const Unsupported&) { // an access that the model has no meaning for
    return false;
  }
}

} // namespace

std::optional<Obstacle> obstacle_of(const litmus::Test& test, const cat::Plan& model,
                                    const litmus::Proposition& proposition,
                                    const oracle::Options& options) {
  if (!test.is_java()) return std::nullopt;
  const auto places = numbered(test);
  try {
    oracle::Oracle asked(places, model, options);
    if (asked.allows(proposition) != oracle::Answer::forbidden) return std::nullopt;
    const auto impasse = asked.impasse(proposition);
    if (!impasse) return std::nullopt;
    ObstacleTeller teller(places, asked, *impasse);
    auto out = teller.tell();
    for (auto& change : single_changes(places, teller.written(), teller.blamed())) {
      if (!allows(change.test, model, proposition, options)) continue;
      out.change = std::move(change);
      break;
    }
    return out;
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

std::string as_text(const Obstacle& obstacle, std::size_t width) {
  std::string out;
  const auto line = [&](const std::string& words) { add_line(out, words, width); };
  if (!obstacle.origin.empty()) line(obstacle.origin);
  if (!obstacle.action.empty()) {
    line("commitments get as far as " + progress(obstacle.target));
    line(obstacle.deed + " cannot be committed next. In the executions that come nearest to it:");
    for (const auto& failure : obstacle.failures) add_item(out, failure.words, width);
  }
  if (obstacle.change) line("it would be allowed if " + obstacle.change->words);
  return out;
}

} // namespace thinair::explain
