// Names of other architectures, from their models in herd's library.
#include "oracle/cat/foreign.h"

#include <algorithm>
#include <array>

namespace thinair::cat {
namespace {

constexpr auto sets = std::to_array<std::string_view>({
    // C and C++: memory orders, locks
    "ACQ_REL",
    "CON",
    "LK",
    "LS",
    "RLX",
    "SC",
    "UL",
    // RISC-V
    "AMO",
    "Acq",
    "AcqRel",
    "Fence.r.r",
    "Fence.r.rw",
    "Fence.r.w",
    "Fence.rw.r",
    "Fence.rw.rw",
    "Fence.rw.w",
    "Fence.tso",
    "Fence.w.r",
    "Fence.w.rw",
    "Fence.w.w",
    "RL",
    "Rel",
    "Sc",
    // Power, Arm
    "AQ",
    "BCC",
    "DATA",
    "DC",
    "DC.CVAU",
    "DMB.ISH",
    "DMB.ISHLD",
    "DMB.ISHST",
    "DMB.LD",
    "DMB.OSH",
    "DMB.OSHLD",
    "DMB.OSHST",
    "DMB.ST",
    "DMB.SY",
    "DSB.ISH",
    "DSB.ISHLD",
    "DSB.ISHST",
    "DSB.LD",
    "DSB.OSH",
    "DSB.OSHLD",
    "DSB.OSHST",
    "DSB.ST",
    "DSB.SY",
    "EXC-ENTRY",
    "EXC-RET",
    "Exp",
    "FAULT",
    "IC",
    "IC.IALLU",
    "IC.IALLUIS",
    "IC.IVAU",
    "IF",
    "ISB",
    "L",
    "NExp",
    "NoRet",
    "Q",
    "Rreg",
    "SPEC",
    "T",
    "TLBI",
    "TLBIIS",
    "TLBInXS",
    "TagCheck",
    "Wreg",
    // ASL
    "ASLLocal",
    "WPC",
    "no-loc",
});

constexpr auto relations = std::to_array<std::string_view>({
    "partial_po",
    "rf-reg",
    "same-low-order-bits",
    "same-tag-loc",
});

constexpr auto functions = std::to_array<std::string_view>({
    "as_transitive",
    "at-least-one-writable",
    "check-mixed",
    "delift",
    "different-values",
    "fromto",
    "intervening-write",
    "lift",
    "oa-changes",
    "same-oa",
    "tag2events",
});

} // namespace

std::optional<graph::Type> foreign_type(std::string_view name) {
  if (std::ranges::find(sets, name) != sets.end()) return graph::Type::set;
  if (std::ranges::find(relations, name) != relations.end()) return graph::Type::relation;
  return std::nullopt;
}

bool is_foreign_function(std::string_view name) {
  return std::ranges::find(functions, name) != functions.end();
}

} // namespace thinair::cat
