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
  std::optional<std::vector<Verdict>> verdicts(const litmus::ContentHash& hash) const;

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
  /// 92 bits of the hash and the verdicts as digits of one number: a campaign of millions of
  /// programs fits in memory.
  struct Entry {
    std::uint64_t high = 0;
    std::uint64_t low : 28 = 0;
    std::uint64_t taken : 1 = 0;
    std::uint64_t verdicts : 35 = 0;
  };
  struct Part { // workers seldom meet in one
    std::mutex mutex;
    std::vector<Entry> table = std::vector<Entry>(256); // open addressing, a power of two
    std::size_t used = 0;
    std::size_t targets = 0;
  };

  static Entry entry_of(const litmus::ContentHash& hash);
  static Entry* find(std::vector<Entry>& table, const Entry& wanted);
  static void grow(Part& part);
  Part& part(const litmus::ContentHash& hash) const {
    return parts_[hash.words[1] % parts_.size()];
  }

  mutable std::array<Part, 64> parts_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::uint32_t, litmus::ContentHash>, MismatchRow> minimal_;
  std::map<std::pair<std::uint32_t, litmus::ContentHash>, UndecidedRow> undecided_;
};

} // namespace thinair::campaign
