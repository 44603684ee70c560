// From an earlier run's smallest program, or a shortcut, edit by edit.
#include "campaign/reducing.h"

#include "litmus/test.h"
#include "litmus/text/error.h"

#include <utility>

namespace thinair::campaign {

Finding Reducing::first_finding(Judgement judgement, const litmus::Program& program,
                                std::uint32_t target) const {
  if (judgement.findings.empty()) judgement = judge_(program, target);
  if (judgement.findings.empty() && clock_.late()) throw Interrupted();
  THINAIR_CHECK(!judgement.findings.empty(), "an unsound program with nothing found");
  return std::move(judgement.findings.front());
}

/// What is shown stays within the modes that were asked for.
bool Reducing::is_spoken_of(const litmus::Program& program) const {
  if (settings_.space) return gen::within_modes(*settings_.space, program);
  return settings_.profile.mixed_modes > 0 || !gen::mixes_modes(program);
}

/// Of the canonical form, as of every program of a campaign: what is remembered is of that, and an
/// implementation may tell other constants apart. What is judged as wrong goes to `last`.
gen::Interest Reducing::interest(const litmus::Program& program, std::uint32_t target,
                                 Judged& last) const {
  if (!is_spoken_of(program)) return gen::Interest::no;
  const auto canonical = litmus::canonical(program);
  const auto hash = litmus::content_hash(canonical);
  if (const auto known = known_.verdicts(hash)) return interest_of(known->at(target));
  auto judgement = judge_(canonical, target);
  const auto found = interest_of(judgement.verdict);
  if (found == gen::Interest::yes) last = {hash, std::move(judgement)};
  return found;
}

/// Whether a smaller program shows it too: a JVM may not, even where it did before.
bool Reducing::still_shows(const litmus::Program& smaller, std::uint32_t target,
                           Judged& last) const {
  const auto shows = interest(smaller, target, last);
  if (shows != gen::Interest::yes && clock_.late()) throw Interrupted();
  return shows == gen::Interest::yes;
}

/// Where an earlier run was interrupted, or at a shortcut.
auto Reducing::beginning(const MismatchRow& row, const litmus::Program& program,
                         const PendingReduction& pending, Judged& last) const -> Beginning {
  if (pending.hash == row.hash) {
    auto smaller = litmus::parse({"store", pending.program}).java();
    if (still_shows(smaller, row.target, last))
      return {std::move(smaller), pending.steps, pending.tried};
  } else if (events_.shortcut) {
    auto smaller = events_.shortcut(program, row.target);
    if (smaller && still_shows(*smaller, row.target, last)) return {*std::move(smaller), 1, 1};
  }
  return {program};
}

gen::Reduction Reducing::reduce(const MismatchRow& row, const litmus::Program& program,
                                PendingReduction& pending, Judged& last) const {
  const auto begin = beginning(row, program, pending, last);
  bool is_begin = true; // known to show it
  const auto keeps = [&](const litmus::Program& p) {
    const auto shows =
        std::exchange(is_begin, false) ? gen::Interest::yes : interest(p, row.target, last);
    if (shows == gen::Interest::yes && events_.reducing) events_.reducing(p, row.target);
    return shows;
  };
  auto reduction =
      gen::reduce(begin.program, keeps, {settings_.max_tries, [this] { return clock_.late(); }});
  reduction.steps += begin.steps;
  reduction.tried += begin.tried;
  pending = {row.place.stream, row.target,
             row.hash,         litmus::print(as_test(reduction.program, "pending")),
             reduction.steps,  reduction.tried};
  if (reduction.interrupted || clock_.late()) throw Interrupted(); // or its last answers came late
  return reduction;
}

void Reducing::operator()(MismatchRow& row, const litmus::Program& program,
                          PendingReduction& pending) const {
  Judged last;
  const auto reduction = reduce(row, program, pending, last);
  const auto minimal = litmus::canonical(reduction.program);
  row.minimal_hash = litmus::content_hash(minimal);
  row.minimal = litmus::print(
      as_test(minimal, "minimal-" + litmus::to_string(row.minimal_hash).substr(0, 8)));
  if (last.hash != row.minimal_hash) last.judgement = {};
  row.minimal_finding = first_finding(std::move(last.judgement), minimal, row.target);
  if (events_.reason) {
    auto why = events_.reason(minimal, row.target);
    row.minimal_finding.reason = std::move(why.reason);
    row.minimal_finding.seen = std::move(why.seen);
  }
  if (clock_.late()) throw Interrupted(); // what is said of it was asked too late, too
  row.minimal_accesses = static_cast<std::uint32_t>(litmus::count_accesses(minimal));
  row.steps = reduction.steps;
  row.tried = reduction.tried;
}

} // namespace thinair::campaign
