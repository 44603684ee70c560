// Drawing a stream's next program.
#include "campaign/stream.h"

#include "campaign/coverage.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <limits>

namespace thinair::campaign {
namespace {

constexpr std::size_t most_offers = 256;

} // namespace

std::uint64_t share(std::uint64_t programs, std::uint32_t stream, std::uint32_t streams) {
  return programs / streams + (stream < programs % streams ? 1 : 0);
}

Stream::Stream(const Settings& settings, std::optional<std::uint64_t> programs, const Store& store,
               StreamRow found)
    : row(found), steering(store.coverage(found.stream), settings.steer),
      limit_(programs ? share(*programs, found.stream, settings.identity.streams)
                      : std::numeric_limits<std::uint64_t>::max()),
      streams_(settings.identity.streams),
      candidates_(settings.steer ? std::max(1U, settings.candidates) : 1),
      promise_(settings.promise), profile_(settings.profile),
      generator_(settings.profile, settings.identity.seed, found.stream) {
  for (const auto& reduction : store.pending(found.stream)) pending[reduction.target] = reduction;
  if (settings.space) {
    space_.emplace(*settings.space);
    return;
  }
  generator_.set_choices(settings.choices);
  for (const auto& seed : settings.seeds) generator_.offer(seed);
  for (const auto& text : store.offered(found.stream)) offer(litmus::parse({"store", text}).java());
  generator_.resume_at(row.next_index * candidates_);
}

bool Stream::offer(const litmus::Program& program) {
  if (space_ || offers_ >= most_offers) return false;
  ++offers_;
  generator_.offer(program);
  forget_ahead();
  return true;
}

void Stream::learn_find(gen::Strategy strategy,
                        std::pair<std::uint32_t, litmus::ContentHash> minimal, Counts& stored) {
  if (!finds_.insert(minimal).second) return;
  steering.learn_find(strategy, stored);
  forget_ahead();
}

gen::Generated Stream::draw() {
  if (ahead_.empty()) return draw_now();
  auto made = std::move(ahead_.front());
  ahead_.pop_front();
  return made;
}

/// What was drawn ahead would be drawn otherwise now. A space stays what it is.
void Stream::forget_ahead() {
  if (ahead_.empty() || space_) return;
  ahead_.clear();
  generator_.resume_at(row.next_index * candidates_);
}

/// With a steering that learns of each what it will learn when it is judged.
std::vector<litmus::Program> Stream::look_ahead(std::uint64_t count) {
  std::vector<litmus::Program> programs;
  if (!ahead_.empty()) return programs;
  const Steering now = steering;
  const std::uint64_t next = row.next_index;
  Counts not_stored;
  for (; row.next_index < std::min(limit_, next + count); ++row.next_index) {
    const auto& made = ahead_.emplace_back(draw_now());
    steering.learn(made.strategy, coverage_keys(made.program), not_stored);
    programs.push_back(made.program);
  }
  row.next_index = next;
  steering = now;
  return programs;
}

gen::Generated Stream::draw_now() { return space_ ? draw_from_space() : draw_random(); }

/// Programs are dealt out one to each stream in turn.
gen::Generated Stream::draw_from_space() {
  const std::uint64_t wanted = row.stream + row.next_index * streams_;
  bool there = space_->next();
  while (there && space_->index() != wanted) there = space_->next();
  THINAIR_CHECK(there, "a stream has more programs than the space");
  return {space_->program(), gen::Strategy::exhaustive, wanted};
}

double Stream::score(const litmus::Program& program) const {
  const auto novelty = static_cast<double>(steering.novelty(coverage_keys(program)));
  return promise_ ? novelty + promise_(program) * Steering::unit : novelty;
}

gen::Generated Stream::draw_random() {
  generator_.set_profile(steering.steered(profile_));
  auto best = generator_.next();
  if (candidates_ == 1) return best;
  double best_score = score(best.program);
  for (std::uint32_t i = 1; i < candidates_; ++i) {
    auto made = generator_.next();
    const double made_score = score(made.program);
    if (made_score <= best_score) continue;
    best_score = made_score;
    best = std::move(made);
  }
  return best;
}

} // namespace thinair::campaign
