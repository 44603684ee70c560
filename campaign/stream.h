// One of a campaign's streams of programs, with what it has learnt.
#pragma once

#include "campaign/campaign.h"
#include "campaign/coverage.h"
#include "campaign/store.h"
#include "gen/exhaustive.h"
#include "gen/generator.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thinair::campaign {

/// One worker at a time holds it. What it draws depends on the settings, its number, and what was
/// offered and counted before: not on other streams.
class Stream {
 public:
  /// As the store left it; `programs`: of all streams together, where that is limited.
  Stream(const Settings& settings, std::optional<std::uint64_t> programs, const Store& store,
         StreamRow found);

  bool done() const { return row.next_index >= limit_; }
  std::uint64_t limit() const { return limit_; } // programs of its own

  /// Program `row.next_index`: the most novel of a few candidates (rare coverage keys count for
  /// more), or the next one of the space that is this stream's.
  gen::Generated draw();

  /// The next `count` programs, as draw() will return them unless something is found before. Empty
  /// where there are some already.
  std::vector<litmus::Program> look_ahead(std::uint64_t count);

  /// Keeps a program to make mutants of; false when there are enough.
  bool offer(const litmus::Program& program);
  /// What a reduction ended in moves the weights of strategies, if it is new to this stream.
  void learn_find(gen::Strategy strategy, std::pair<std::uint32_t, litmus::ContentHash> minimal,
                  Counts& stored);
  /// A minimal program of this stream that an earlier run met.
  void recall_find(std::pair<std::uint32_t, litmus::ContentHash> minimal) {
    finds_.insert(minimal);
  }

  StreamRow row;
  Steering steering;                                 // by what was exercised
  std::map<std::uint32_t, PendingReduction> pending; // of program `row.next_index`, by target

 private:
  gen::Generated draw_now();
  void forget_ahead();
  gen::Generated draw_random();
  gen::Generated draw_from_space();
  double score(const litmus::Program& program) const;

  std::uint64_t limit_;
  std::uint32_t streams_, candidates_;
  std::function<double(const litmus::Program&)> promise_;
  gen::Profile profile_; // before it is steered
  gen::Generator generator_;
  std::optional<gen::Enumerator> space_; // exhaustive: instead of the generator
  std::set<std::pair<std::uint32_t, litmus::ContentHash>> finds_; // minimal programs, by target
  std::deque<gen::Generated> ahead_;                              // drawn, and not yet handed out
  std::size_t offers_ = 0;
};

} // namespace thinair::campaign
