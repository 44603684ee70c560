// The shared memory of a campaign's workers.
#include "campaign/known.h"

#include "litmus/text/error.h"

#include <ranges>

namespace thinair::campaign {

namespace {

/// Digits to base `verdict_count`, the first target's the lowest.
std::uint64_t packed(const std::vector<Verdict>& verdicts) {
  std::uint64_t number = 0;
  for (const auto verdict : verdicts | std::views::reverse)
    number = number * verdict_count + static_cast<std::uint64_t>(verdict);
  return number;
}

constexpr std::uint64_t numbers_of_most_targets() {
  std::uint64_t all = 1;
  for (std::size_t t = 0; t < Identity::most_targets; ++t) all *= verdict_count;
  return all;
}
static_assert(numbers_of_most_targets() <= std::uint64_t{1} << 35U, "Entry::verdicts holds them");

} // namespace

Known::Entry Known::entry_of(const litmus::ContentHash& hash) {
  Entry entry;
  entry.high = hash.words[0];
  entry.low = hash.words[1] >> 36U;
  return entry;
}

/// The entry with the wanted hash, or the free one where it would go.
Known::Entry* Known::find(std::vector<Entry>& table, const Entry& wanted) {
  std::size_t at = wanted.high % table.size();
  while (table[at].taken != 0 && (table[at].high != wanted.high || table[at].low != wanted.low))
    at = (at + 1) % table.size();
  return &table[at];
}

void Known::grow(Part& part) {
  std::vector<Entry> larger(part.table.size() * 2);
  for (const auto& entry : part.table)
    if (entry.taken != 0) *find(larger, entry) = entry;
  part.table = std::move(larger);
}

std::optional<std::vector<Verdict>> Known::verdicts(const litmus::ContentHash& hash) const {
  auto& at = part(hash);
  const std::scoped_lock guard(at.mutex);
  const Entry* entry = find(at.table, entry_of(hash));
  if (entry->taken == 0) return std::nullopt;
  std::vector<Verdict> verdicts;
  std::uint64_t rest = entry->verdicts;
  for (std::size_t t = 0; t < at.targets; ++t, rest /= verdict_count)
    verdicts.push_back(static_cast<Verdict>(rest % verdict_count));
  return verdicts;
}

bool Known::learn(const litmus::ContentHash& hash, const std::vector<Verdict>& verdicts) {
  THINAIR_CHECK(verdicts.size() <= Identity::most_targets, "more targets than a campaign can have");
  auto& at = part(hash);
  const std::scoped_lock guard(at.mutex);
  at.targets = verdicts.size();
  if (4 * (at.used + 1) > 3 * at.table.size()) grow(at);
  Entry wanted = entry_of(hash);
  wanted.taken = 1;
  wanted.verdicts = packed(verdicts) & ((std::uint64_t{1} << 35U) - 1);
  Entry* entry = find(at.table, wanted);
  if (entry->taken != 0) return false;
  *entry = wanted;
  ++at.used;
  return true;
}

std::optional<UndecidedRow> Known::undecided(std::uint32_t target,
                                             const litmus::ContentHash& hash) const {
  const std::scoped_lock guard(mutex_);
  const auto found = undecided_.find({target, hash});
  return found == undecided_.end() ? std::nullopt : std::optional(found->second);
}

void Known::learn_undecided(const UndecidedRow& row) {
  const std::scoped_lock guard(mutex_);
  undecided_.try_emplace({row.target, row.hash}, row);
}

std::optional<MismatchRow> Known::minimal(std::uint32_t target,
                                          const litmus::ContentHash& hash) const {
  const std::scoped_lock guard(mutex_);
  const auto found = minimal_.find({target, hash});
  return found == minimal_.end() ? std::nullopt : std::optional(found->second);
}

void Known::learn_minimal(const MismatchRow& row) {
  const std::scoped_lock guard(mutex_);
  minimal_.try_emplace({row.target, row.hash}, row);
}

void Known::copy_minimal(const MismatchRow& from, MismatchRow& to) {
  to.minimal = from.minimal;
  to.minimal_hash = from.minimal_hash;
  to.minimal_finding = from.minimal_finding;
  to.minimal_accesses = from.minimal_accesses;
  to.steps = from.steps;
  to.tried = from.tried;
}

} // namespace thinair::campaign
