// What a campaign finds of one program: verdicts, mismatches and their reductions.
#pragma once

#include "campaign/known.h"
#include "campaign/reducing.h"
#include "campaign/run_clock.h"
#include "campaign/stream.h"

#include <atomic>
#include <optional>
#include <vector>

namespace thinair::campaign {

/// Judges each program once in a campaign, whichever streams have it. One for all workers; what it
/// is given outlives it.
class Judging {
 public:
  Judging(const Settings& settings, const Judge& judge, const Events& events, const RunClock& clock)
      : settings_(settings), judge_(judge), clock_(clock),
        reduce_(settings, judge, events, clock, known_) {}

  /// What earlier runs learnt.
  void recall(const Store& store);

  struct Found {
    std::vector<Verdict> verdicts; // by target
    std::vector<MismatchRow> wrong;
    std::vector<UndecidedRow> undecided;
    bool fresh = false; // no other stream had it
  };
  /// Of the stream's next program, in its canonical form; none, where the run was over before it
  /// was judged and reduced. Then the stream is spent, but for `pending`.
  std::optional<Found> found(Stream& stream, const litmus::Program& canonical,
                             const litmus::ContentHash& hash, Place place);

  /// Of this and earlier runs.
  struct Counts {
    std::uint64_t unknown = 0, unsupported = 0, vacuous = 0;
    std::uint64_t skipped = 0; // of this run: programs that were known
  };
  Counts counts() const { return {unknown_, unsupported_, vacuous_, skipped_}; }

 private:
  std::vector<Judgement> judged(const litmus::Program& program, const litmus::ContentHash& hash,
                                bool& fresh);
  MismatchRow mismatch(Stream& stream, const litmus::Program& program, MismatchRow row,
                       Judgement judgement);
  bool may_reduce(Stream& stream) const;

  const Settings& settings_;
  const Judge& judge_;
  const RunClock& clock_;
  Known known_;
  const Reducing reduce_;
  std::atomic<std::uint64_t> unknown_ = 0, unsupported_ = 0, vacuous_ = 0, skipped_ = 0;
};

} // namespace thinair::campaign
