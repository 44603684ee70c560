// What a campaign found and what it could not decide, grouped.
#pragma once

#include "campaign/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::campaign {

/// Mismatches of one target with one minimal program.
struct Group {
  MismatchRow first;           // the earliest found
  std::uint64_t originals = 0; // how many were reduced to it
};

/// Distinct minimal mismatches, by target then order of finding; `known` ones (content hashes of
/// minimal programs) left out.
std::vector<Group> groups(const Store& store, const std::vector<litmus::ContentHash>& known = {});

/// Mismatches that the model forbids for one reason.
struct ReasonGroup {
  std::optional<explain::Core> reason;
  std::vector<std::size_t> members; // of the groups it was made of, in their order
  std::uint64_t originals = 0;
};

/// The reasons of some groups, those of the most minimal programs first.
std::vector<ReasonGroup> by_reason(const std::vector<Group>& found);

/// The first of its members with the fewest accesses.
std::size_t smallest(const ReasonGroup& group, const std::vector<Group>& found);

/// Programs without a verdict on a target, for one reason.
struct UndecidedGroup {
  std::uint32_t target = 0;
  Verdict verdict = Verdict::unknown;
  std::string reason;
  std::uint64_t programs = 0;
  std::string example; // the shortest, as a litmus test
};

/// By target, then the most frequent first.
std::vector<UndecidedGroup> undecided(const Store& store);

/// "x86:table2", "riscv:cxx and riscv:zabha", "8 targets": what a campaign is about, in a title.
std::string targets_in_title(const Identity& identity);

/// ", beyond what x86:table2 does": what the finds of a campaign with a baseline are.
std::string beyond(const Identity& identity);

/// That the baseline is itself unsound, with the smallest program that was met; empty where
/// none was met.
std::string baseline_fault_of(const Store& store);

/// The accesses and fences that no tested program had next to another access: of what a target does
/// with them the campaign says nothing.
std::vector<litmus::Operation> never_exercised(const Store& store);
/// In words, whole families by their names: "getOpaque, setOpaque, all updates, all fences".
std::string in_families(const std::vector<litmus::Operation>& operations);

} // namespace thinair::campaign
