// Searching a space in order of size, then at random.
#include "campaign/distinguish.h"

#include "campaign/parallel.h"
#include "gen/generator.h"
#include "gen/measure.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <vector>

namespace thinair::campaign {
namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

class Search {
 public:
  Search(const DistinguishSettings& settings, const Judge& judge, const std::atomic<bool>& stop)
      : settings_(settings), judge_(judge), stop_(stop) {}

  Distinction run() {
    in_parallel(settings_.jobs, failed_, [this](std::uint32_t worker) { enumerate(worker); });
    conclude_space();
    in_parallel(settings_.jobs, failed_, [this](std::uint32_t worker) { draw(worker); });
    return std::move(result_);
  }

 private:
  bool over(double share) const;
  bool is_spoken_of(const litmus::Program& program) const {
    return !settings_.within_modes || gen::within_modes(settings_.space, program);
  }

  void enumerate(std::uint32_t worker);
  void meet(const gen::Enumerator& at, std::size_t direction);
  void conclude_space();

  void draw(std::uint32_t worker);
  void offer(const litmus::Program& program, std::size_t direction);
  gen::Reduction reduced(const litmus::Program& program, std::size_t direction,
                         const std::function<bool()>& stop) const;
  std::optional<Separation> separation(const litmus::Program& program, std::size_t direction) const;

  const DistinguishSettings& settings_;
  const Judge& judge_;
  const std::atomic<bool>& stop_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();

  struct First { // of the space: the least index that separates
    std::atomic<std::uint64_t> index = none;
    std::uint32_t size = 0;
    litmus::Program program;
  };
  std::array<First, 2> first_;

  std::mutex mutex_; // guards what follows, and programs and sizes of `first_`
  std::atomic<bool> failed_ = false;
  std::array<std::uint32_t, 2> open_{}; // the least size with a program not decided
  Distinction result_;
};

bool Search::over(double share) const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
  return stop_ || failed_ || (settings_.seconds && spent.count() >= *settings_.seconds * share);
}

/// Every `jobs`-th program of the space, as long as it could be the first to separate.
void Search::enumerate(std::uint32_t worker) {
  const std::uint32_t jobs = std::max(1U, settings_.jobs);
  const double share = settings_.programs ? 1 : 0.5; // of the time
  gen::Enumerator at(settings_.space, [&] { return over(share); });
  std::uint64_t judged = 0;
  std::uint32_t cut = settings_.space.max_accesses + 1;
  while (at.next()) {
    if (at.index() % jobs != worker) continue;
    if (at.index() > first_[0].index && at.index() > first_[1].index) break;
    if (over(share)) {
      cut = at.accesses();
      break;
    }
    for (std::size_t d = 0; d < 2; ++d)
      if (at.index() < first_[d].index) meet(at, d);
    ++judged;
  }
  if (at.stopped()) cut = at.accesses();
  const std::scoped_lock guard(mutex_);
  result_.enumerated += judged;
  for (auto& open : open_)
    if (open == 0 || cut < open) open = cut;
}

void Search::meet(const gen::Enumerator& at, std::size_t direction) {
  const auto program = at.program();
  const auto verdict = judge_(program, direction).verdict;
  if (verdict == Verdict::sound) return;
  const std::scoped_lock guard(mutex_);
  if (verdict != Verdict::unsound) {
    ++result_.directions[direction].undecided;
    auto& open = open_[direction];
    if (open == 0 || at.accesses() < open) open = at.accesses();
    return;
  }
  First& first = first_[direction];
  if (at.index() > first.index) return;
  first.index = at.index();
  first.size = at.accesses();
  first.program = program;
}

void Search::conclude_space() {
  for (std::size_t d = 0; d < 2; ++d) {
    Direction& direction = result_.directions[d];
    const First& first = first_[d];
    const bool found = first.index != none;
    direction.agreed_size = (found ? std::min(first.size, open_[d]) : open_[d]) - 1;
    if (!found) continue;
    direction.separation =
        separation(reduced(first.program, d, [this] { return over(1); }).program, d);
    if (direction.separation)
      direction.separation->smallest = direction.agreed_size + 1 == first.size;
  }
}

gen::Reduction Search::reduced(const litmus::Program& program, std::size_t direction,
                               const std::function<bool()>& stop) const {
  return gen::reduce(program,
                     [&](const litmus::Program& p) {
                       return is_spoken_of(p) ? interest_of(judge_(p, direction).verdict)
                                              : gen::Interest::no;
                     },
                     {settings_.max_tries, stop});
}

/// None where there is no time left to ask once more.
std::optional<Separation> Search::separation(const litmus::Program& program,
                                             std::size_t direction) const {
  Separation made;
  made.program = litmus::canonical(program);
  const auto judgement = judge_(made.program, direction);
  if (judgement.verdict == Verdict::unknown && over(1)) return std::nullopt;
  THINAIR_CHECK(!judgement.findings.empty(), "the reduced program does not separate");
  made.finding = judgement.findings.front();
  return made;
}

/// Every `jobs`-th program of a stream.
void Search::draw(std::uint32_t worker) {
  std::array<bool, 2> wanted{};
  for (std::size_t d = 0; d < 2; ++d) wanted[d] = first_[d].index == none;
  if (!wanted[0] && !wanted[1]) return;
  gen::Generator generator(settings_.profile, settings_.seed, 0);
  const std::uint64_t end = settings_.programs.value_or(none);
  for (std::uint64_t index = worker; index < end && !over(1);
       index += std::max(1U, settings_.jobs)) {
    generator.resume_at(index);
    const auto program = generator.next().program;
    if (!is_spoken_of(program)) continue;
    for (std::size_t d = 0; d < 2; ++d)
      if (wanted[d] && judge_(program, d).verdict == Verdict::unsound) offer(program, d);
    const std::scoped_lock guard(mutex_);
    ++result_.random;
  }
}

/// Keeps the smallest, of equally small ones the first in the order of texts.
void Search::offer(const litmus::Program& program, std::size_t direction) {
  const auto reduction = reduced(program, direction, [this] { return over(1); });
  auto made = separation(reduction.program, direction);
  if (!made) return;
  const auto rank = [](const litmus::Program& p) {
    return std::pair(gen::measure(p), litmus::content_hash(p));
  };
  const std::scoped_lock guard(mutex_);
  auto& kept = result_.directions[direction].separation;
  if (!kept || rank(made->program) < rank(kept->program)) kept = std::move(made);
}

} // namespace

Distinction distinguish(const DistinguishSettings& settings, const Judge& judge,
                        const std::atomic<bool>& stop) {
  return Search(settings, judge, stop).run();
}

} // namespace thinair::campaign
