// Causes: the finds of a campaign, grouped by what would mend them.
//
// A find is held against the scheme where some other scheme of the machine is right on its program:
// then the fewest rules are looked for whose strengthening removes it, which is tried, not guessed
// (scheme_mending.h). A compiler has no rules: fences are put into the source that it compiles
// (compiler_fault.h). Otherwise everything that compiles this way shows it, and the model is asked:
// which definitions forbid it that it could do without (oracle/explain/corrections.h)? Of all these
// possible changes as few are taken as cover all finds.
#pragma once

#include "campaign/finds.h"
#include "campaign/target.h"
#include "oracle/explain/parts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thinair::campaign {

struct Cause {
  enum class Side : std::uint8_t {
    target,    // rules of the scheme
    model,     // definitions of the model
    undecided, // no change that was tried mends these
  };
  Side side = Side::undecided;
  std::vector<std::string> parts;   // "setVolatile"; "definition volint"
  std::string kind;                 // of a target's fault (fault.h): "left out"; may be empty
  std::string place;                // "mine.scheme:9"; empty where it is no file of the user's
  std::string sentence;             // what is wrong, in words, with the place in front
  std::string change;               // what mends it
  std::vector<std::string> targets; // that show it, where there are several to choose from
  std::vector<std::size_t> members; // of the groups, in their order
  std::uint64_t originals = 0;      // programs that were reduced to them
  std::size_t smallest = 0;         // the first of its members with the fewest accesses
  std::string shape;                // of the smallest: "SB"; may be empty
};

/// The causes of groups, those that explain the most first; every group belongs to one.
std::vector<Cause> causes_of(const std::vector<Group>& groups, const Targets& targets,
                             const Against& against);

/// A line: the sentence, how many programs, the smallest.
std::string as_text(const Cause& cause, const std::vector<Group>& groups);
std::string to_json(const Cause& cause, const std::vector<Group>& groups);

} // namespace thinair::campaign
