// The edits that the reducer's passes propose, by what they touch.
#pragma once

#include "litmus/program.h"

#include <vector>

namespace thinair::gen::pass {

using Proposals = std::vector<litmus::Program>;

// structure (passes_structure.cpp)
Proposals drop_threads(const litmus::Program& program);
Proposals merge_threads(const litmus::Program& program);
Proposals drop_statements(const litmus::Program& program);
Proposals flatten_branches(const litmus::Program& program);
Proposals merge_locations(const litmus::Program& program);

// monitors (passes_monitors.cpp)
Proposals drop_monitors(const litmus::Program& program);
Proposals join_sections(const litmus::Program& program);
Proposals merge_monitors(const litmus::Program& program);

// accesses and fences (passes_accesses.cpp)
Proposals simplify_actions(const litmus::Program& program);
Proposals drop_results(const litmus::Program& program);
Proposals weaken_modes(const litmus::Program& program);
Proposals weaken_fences(const litmus::Program& program);
Proposals lower_choices(const litmus::Program& program);

// one thing less, another one changed (passes_trades.cpp)
Proposals initial_values_for_writes(const litmus::Program& program);
Proposals strength_for_statements(const litmus::Program& program);

// objects (passes_objects.cpp)
Proposals drop_allocations(const litmus::Program& program);
Proposals drop_fields(const litmus::Program& program);
Proposals drop_freezes(const litmus::Program& program);
Proposals shorten_arrays(const litmus::Program& program);
Proposals ints_for_references(const litmus::Program& program);

// expressions and values (passes_values.cpp)
Proposals inline_assignments(const litmus::Program& program);
Proposals simplify_expressions(const litmus::Program& program);
Proposals rename_constants(const litmus::Program& program);
Proposals shrink_constants(const litmus::Program& program);
Proposals zero_initial_values(const litmus::Program& program);

// types (types.cpp)
Proposals narrow_types(const litmus::Program& program);

} // namespace thinair::gen::pass
