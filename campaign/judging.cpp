// From memory where another stream had the same program.
#include "campaign/judging.h"

#include "litmus/test.h"
#include "runners/same_program.h"

#include <utility>

namespace thinair::campaign {

void Judging::recall(const Store& store) {
  store.each_program([this](const ProgramRow& row) { known_.learn(row.hash, row.verdicts); });
  for (const auto& row : store.mismatches())
    if (!row.minimal.empty()) known_.learn_minimal(row);
  for (const auto& counts : store.verdict_counts()) {
    unsupported_ += counts.at(static_cast<std::size_t>(Verdict::unsupported));
    unknown_ += counts.at(static_cast<std::size_t>(Verdict::unknown));
    vacuous_ += counts.at(static_cast<std::size_t>(Verdict::vacuous));
  }
}

auto Judging::found(Stream& stream, const litmus::Program& canonical,
                    const litmus::ContentHash& hash, Place place) -> std::optional<Found> {
  Found out;
  try {
    auto judgements = judged(canonical, hash, out.fresh);
    for (std::uint32_t t = 0; t < judgements.size(); ++t) {
      out.verdicts.push_back(judgements[t].verdict);
      if (judgements[t].verdict == Verdict::unsound) {
        MismatchRow row;
        row.hash = hash;
        row.place = place;
        row.target = t;
        out.wrong.push_back(mismatch(stream, canonical, std::move(row), std::move(judgements[t])));
      } else if (auto row = known_.undecided(t, hash)) {
        row->program = litmus::print(as_test(canonical, "undecided"));
        out.undecided.push_back(*std::move(row));
      }
    }
  } catch (const Interrupted&) {
    return std::nullopt;
  }
  return out;
}

/// On each target; verdicts alone where another stream had the same program, else it is `fresh`.
std::vector<Judgement> Judging::judged(const litmus::Program& program,
                                       const litmus::ContentHash& hash, bool& fresh) {
  std::vector<Judgement> judgements;
  if (const auto verdicts = known_.verdicts(hash)) {
    ++skipped_;
    for (const auto verdict : *verdicts) judgements.push_back({verdict, {}, {}});
    return judgements;
  }
  std::vector<Verdict> verdicts;
  runners::SameProgram same;
  for (std::size_t t = 0; t < settings_.identity.targets.size(); ++t) {
    const auto& judgement = judgements.emplace_back(judge_(program, t, &same));
    if (judgement.verdict == Verdict::unknown && clock_.late())
      throw Interrupted(); // a want of time
    verdicts.push_back(judgement.verdict);
    unknown_ += judgement.verdict == Verdict::unknown ? 1 : 0;
    unsupported_ += judgement.verdict == Verdict::unsupported ? 1 : 0;
    vacuous_ += judgement.verdict == Verdict::vacuous ? 1 : 0;
    if (is_undecided(judgement.verdict))
      known_.learn_undecided(
          {static_cast<std::uint32_t>(t), hash, judgement.verdict, judgement.reason, {}});
  }
  fresh = known_.learn(hash, verdicts);
  return judgements;
}

/// A stream reduces its first mismatches and then so many that reducing does not eat the campaign
/// (an exhaustive one reduces them all); counted whether or not another stream has done the work
/// already, so that the result does not depend on timing.
bool Judging::may_reduce(Stream& stream) const {
  ++stream.row.mismatches;
  const bool enough = !settings_.space && stream.row.reductions >= 4 + stream.row.next_index / 16;
  if (!settings_.reduce || enough) return false;
  ++stream.row.reductions;
  return true;
}

MismatchRow Judging::mismatch(Stream& stream, const litmus::Program& program, MismatchRow row,
                              Judgement judgement) {
  row.original =
      litmus::print(as_test(program, "original-" + litmus::to_string(row.hash).substr(0, 8)));
  row.found_after_s = clock_.elapsed_s();
  const bool reduce = may_reduce(stream);
  if (const auto done = known_.minimal(row.target, row.hash)) {
    row.finding = done->finding;
    if (reduce) known_.copy_minimal(*done, row);
    return row;
  }
  row.finding = reduce_.first_finding(std::move(judgement), program, row.target);
  if (!reduce) return row;
  reduce_(row, program, stream.pending[row.target]);
  known_.learn_minimal(row);
  return row;
}

} // namespace thinair::campaign
