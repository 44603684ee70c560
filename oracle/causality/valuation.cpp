// Forward substitution on one execution.
#include "oracle/causality/valuation.h"

#include <algorithm>

namespace thinair::causality {

Valuation::Valuation(const ProgramPaths& paths, const Skeleton& skeleton,
                     std::span<const EventIndex> reads_from)
    : paths_(&paths), skeleton_(&skeleton), reads_from_(reads_from),
      assignment_(paths.terms.variable_count()), known_(paths.terms.variable_count()) {
  open_.reserve(reads_from.size());
  for (const auto e : indices(reads_from.size()))
    if (reads_from[e] != no_event) open_.push_back(e);
}

bool Valuation::known(graph::TermId term) const {
  const auto below = paths_->terms.variables_of(term);
  return std::all_of(below.begin(), below.end(),
                     [this](graph::Variable v) { return known_[v.value] != 0; });
}

std::optional<Value> Valuation::written(EventIndex write) const {
  const Event& event = skeleton_->events[write];
  if (event.what == nullptr) return paths_->initial[event.location.value];
  return paths_->terms.evaluate(event.what->written, assignment_);
}

bool Valuation::settle() {
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < open_.size();) {
      const auto read = open_[i];
      const Event& write = skeleton_->events[reads_from_[read]];
      if (write.what != nullptr && !known(write.what->written)) {
        ++i;
        continue;
      }
      const auto value = written(reads_from_[read]);
      if (!value) return false;
      const auto variable = skeleton_->events[read].what->read.value;
      assignment_[variable] = *value;
      known_[variable] = 1;
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      progress = true;
    }
  }
  return true;
}

EventIndex Valuation::stuck() const { return open_.empty() ? no_event : open_.front(); }

void Valuation::assume(EventIndex read, Value value) {
  const auto variable = skeleton_->events[read].what->read.value;
  assignment_[variable] = value;
  known_[variable] = 1;
  std::erase(open_, read);
}

Value Valuation::read_value(EventIndex read) const {
  return assignment_[skeleton_->events[read].what->read.value];
}

bool Valuation::satisfied() const {
  for (const auto e : indices(reads_from_.size()))
    if (reads_from_[e] != no_event && written(reads_from_[e]) != read_value(e)) return false;
  const auto& terms = paths_->terms;
  for (std::size_t t = 0; t < skeleton_->paths.size(); ++t) {
    const auto& path = paths_->threads[t].paths[skeleton_->paths[t]];
    for (const auto id : path.constraints)
      if (terms.evaluate(id, assignment_).value_or(0) == 0) return false;
    for (const auto id : path.must_divide)
      if (!terms.evaluate(id, assignment_)) return false;
  }
  return true;
}

} // namespace thinair::causality
