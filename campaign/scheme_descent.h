// The weakest scheme below a scheme that shows nothing new: by one pass over all programs.
//
// It begins with the weakest that known programs do not speak against. Each program that shows
// something new gives ordering back to the rules that it uses, what costs least first, until it
// shows nothing. What came before need not be asked again: a scheme with more ordering shows no
// more (lower/lattice.h: stands_below). At the end each ordering that is left is taken away once
// more, since a later program may have made an earlier one's remedy idle.
#pragma once

#include "campaign/scheme_asking.h"

#include <map>

namespace thinair::campaign {

class Descent {
 public:
  /// What is asked, what counts, and what to save: by `costs`, and where these are equal by
  /// `order`.
  struct Setting {
    SchemeAsking& asking;
    const std::vector<lower::Operation>& operations; // that may change
    const std::vector<Asked>& random;                // programs, beside all small ones
    const lower::Costs &costs, &order;
  };

  /// `begin` is taken before all else. The setting outlives it.
  Descent(const Setting& setting, const std::optional<lower::Step>& begin);

  /// False: `begin` alone shows something new, of the latest known program, or there was no time.
  bool run();

  const lower::SchemeText& scheme() const { return now_->scheme; }
  /// What makes it of the scheme, by operation.
  std::vector<lower::Step> changes() const;
  /// How far programs with an operation were asked.
  Extent extent(lower::Operation operation) const;

 private:
  using Holds = std::function<bool(const lower::SchemeText&, const lower::Step&)>;
  /// A step that may be taken, and what it saves.
  struct Open {
    lower::Step step;
    std::pair<std::uint64_t, std::uint64_t> saved;
  };

  void add_open(std::vector<Open>& open, const lower::SchemeText& from,
                const lower::SchemeText& floor, lower::Operation operation) const;
  lower::SchemeText floor_of(lower::SchemeText scheme) const;
  lower::SchemeText lowered(lower::SchemeText from, const lower::SchemeText& floor,
                            const Holds& holds) const;
  bool is_known_to_show(const lower::SchemeText& scheme, lower::Operation operation);
  void become(lower::SchemeText scheme);
  bool pass(Asked& asked, std::uint64_t& undecided);
  bool give_back(Asked& asked, std::uint64_t& undecided);
  bool pass_over_all();
  void press();
  bool stands(Candidate& candidate, lower::Operation changed);

  const Setting& setting_;
  SchemeAsking& asking_;
  lower::SchemeText top_; // the scheme, and what is taken before all else
  std::unique_ptr<Candidate> now_;
  std::optional<Following> follows_; // of now_
  std::map<lower::Operation, Extent> extents_;
};

} // namespace thinair::campaign
