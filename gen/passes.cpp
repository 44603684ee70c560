// The table of passes, in the order in which the reducer tries them.
#include "gen/passes.h"

#include "gen/reduce.h"

#include <array>

namespace thinair::gen {

std::span<const Pass> passes() {
  static constexpr auto table = std::to_array<Pass>({
      {"drop-threads", "leave out a thread", pass::drop_threads},
      {"merge-threads", "run one thread's statements after another's", pass::merge_threads},
      {"drop-statements", "leave out statements, many at a time first", pass::drop_statements},
      {"drop-monitors", "leave out a lock and what it belongs to", pass::drop_monitors},
      {"join-sections", "leave out an unlock and the lock of the same monitor behind it",
       pass::join_sections},
      {"merge-monitors", "use one monitor for two", pass::merge_monitors},
      {"flatten-branches", "keep one arm of a branch, fewer turns of a loop",
       pass::flatten_branches},
      {"merge-locations", "use one location for two", pass::merge_locations},
      {"drop-allocations", "leave out an object and all that is done with its register",
       pass::drop_allocations},
      {"drop-fields", "leave out the accesses to a field", pass::drop_fields},
      {"drop-freezes", "make a final field one that is not", pass::drop_freezes},
      {"shorten-arrays", "one element less of an array", pass::shorten_arrays},
      {"ints-for-references",
       "numbers for the one object of a class, locations for its fields, or for an array",
       pass::ints_for_references},
      {"simplify-actions", "a read-modify-write to one of its halves", pass::simplify_actions},
      {"drop-results", "do not keep what an access returns", pass::drop_results},
      {"inline-assignments", "put a value where its register is read", pass::inline_assignments},
      {"simplify-expressions", "an expression to a constant or an operand",
       pass::simplify_expressions},
      {"weaken-modes", "towards plain", pass::weaken_modes},
      {"weaken-fences", "towards the one-sided fences", pass::weaken_fences},
      {"lower-choices", "by an earlier scheme of a mix", pass::lower_choices},
      {"rename-constants", "one value for another, everywhere", pass::rename_constants},
      {"shrink-constants", "towards 0 and 1", pass::shrink_constants},
      {"narrow-types", "int for another type", pass::narrow_types},
      {"zero-initial-values", "start from 0", pass::zero_initial_values},
      {"initial-values-for-writes", "start from what is written, without the write",
       pass::initial_values_for_writes},
      {"strength-for-statements",
       "leave out an access or a fence, make a read of its thread volatile",
       pass::strength_for_statements},
  });
  return table;
}

} // namespace thinair::gen
