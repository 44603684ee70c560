// What a running campaign knows of programs already judged and reduced, shared by its workers.
#pragma once

#include "campaign/store.h"

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace thinair::campaign {

class Known {
 public:
  std::optional<std::vector<Verdict>> verdicts(const litmus::ContentHash& hash);

  /// False when it was known.
  bool learn(const litmus::ContentHash& hash, const std::vector<Verdict>& verdicts);

  /// Why a program, whose text is left out, has no verdict on a target, whichever stream of this
  /// run judged it (the store has what earlier runs judged); absent: it has one.
  std::optional<UndecidedRow> undecided(std::uint32_t target,
                                        const litmus::ContentHash& hash) const;
  void learn_undecided(const UndecidedRow& row);

  /// The reduction of a mismatch, wherever in the campaign it was done.
  std::optional<MismatchRow> minimal(std::uint32_t target, const litmus::ContentHash& hash) const;
  void learn_minimal(const MismatchRow& row);
  static void copy_minimal(const MismatchRow& from, MismatchRow& to);

 private:
  /// 96 bits of the hash and two bits of verdict a target: a campaign of millions of programs fits
  /// in memory.
  struct Entry {
    std::uint64_t high = 0;
    std::uint32_t low = 0;
    std::uint32_t verdicts = 0; // bit 31: taken
  };
  struct Part { // workers seldom meet in one
    mutable std::mutex mutex;
    std::vector<Entry> table = std::vector<Entry>(256); // open addressing, a power of two
    std::size_t used = 0;
    std::size_t targets = 0;
  };

  static Entry* find(std::vector<Entry>& table, const Entry& wanted);
  static void grow(Part& part);
  Part& part(const litmus::ContentHash& hash) { return parts_[hash.words[1] % parts_.size()]; }

  std::array<Part, 64> parts_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::uint32_t, litmus::ContentHash>, MismatchRow> minimal_;
  std::map<std::pair<std::uint32_t, litmus::ContentHash>, UndecidedRow> undecided_;
};

} // namespace thinair::campaign
