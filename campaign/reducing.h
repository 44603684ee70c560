// Makes a program that a target gets wrong small, as campaigns do it.
#pragma once

#include "campaign/campaign.h"
#include "campaign/known.h"
#include "campaign/run_clock.h"
#include "gen/reduce.h"

namespace thinair::campaign {

/// Thrown when a program is to be judged or reduced by a later run.
struct Interrupted {};

/// Asks what is not known yet. One for all workers; what it is given outlives it.
class Reducing {
 public:
  Reducing(const Settings& settings, const Judge& judge, const Events& events,
           const RunClock& clock, const Known& known)
      : settings_(settings), judge_(judge), events_(events), clock_(clock), known_(known) {}

  /// Reduces `program`, which `row` is about, and adds what it comes to. Begins with what `pending`
  /// has of an earlier run; what is reduced stays there until the program is stored. Throws
  /// Interrupted.
  void operator()(MismatchRow& row, const litmus::Program& program,
                  PendingReduction& pending) const;

  /// What the judge found first, asked again where `judgement` is known by its verdict alone.
  Finding first_finding(Judgement judgement, const litmus::Program& program,
                        std::uint32_t target) const;

 private:
  /// Where a reduction begins.
  struct Beginning {
    litmus::Program program;
    std::uint64_t steps = 0, tried = 0; // that led there
  };

  /// The last program that was judged to be wrong.
  struct Judged {
    litmus::ContentHash hash;
    Judgement judgement;
  };

  bool is_spoken_of(const litmus::Program& program) const;
  gen::Interest interest(const litmus::Program& program, std::uint32_t target, Judged& last) const;
  bool still_shows(const litmus::Program& smaller, std::uint32_t target, Judged& last) const;
  Beginning beginning(const MismatchRow& row, const litmus::Program& program,
                      const PendingReduction& pending, Judged& last) const;
  gen::Reduction reduce(const MismatchRow& row, const litmus::Program& program,
                        PendingReduction& pending, Judged& last) const;

  const Settings& settings_;
  const Judge& judge_;
  const Events& events_;
  const RunClock& clock_;
  const Known& known_;
};

} // namespace thinair::campaign
