// What of a model cannot be compiled to nodes, as a small tree in an array: recursion over sets,
// functions that return sets of relations, and the like.
#pragma once

#include <cstdint>
#include <vector>

namespace thinair::cat {

/// One node of a routine. Children are indices into Routine::terms; variables are numbered slots.
struct RoutineTerm {
  enum class Kind : std::uint8_t {
    operand,        // the value of operand `index`
    local,          // the value in slot `index` of the environment
    empty,          // 0 and {}
    unite,          // children: two or more of set, relation
    intersect,      // two
    subtract,       // two
    compose,        // two or more
    product,        // two
    complement,     // one, like those that follow
    inverse,        //
    plus,           //
    star,           //
    optional_,      //
    identity_on,    //
    domain,         //
    range,          //
    insert,         // e ++ S
    set_of,         // {a, b, …}
    tuple,          // (a, b, …)
    lambda,         // slots: the parameter pattern; child: the body
    apply,          // function, argument
    let,            // children: bound values, then the body; slots: one pattern a value
    let_rec,        // the same for functions and monotone sets and relations
    match_set,      // children: the set, the value for {}, the value for e ++ rest; slots: e, rest
    linearisations, // child: (set, order)
    classes_loc,    // child: the set; `index`: the operand that is `loc`
    classes,        // child: an equivalence relation
  };
  Kind kind = Kind::empty;
  std::uint32_t index = 0;
  std::vector<std::uint32_t> children;
  /// Slots bound by this term; a pattern of several is a tuple. `no_slot` binds nothing.
  std::vector<std::vector<std::uint32_t>> slots;
};

/// What one run of a routine may spend.
struct RunLimits {
  std::uint64_t steps = 2'000'000; // some 100 bytes each, until the run ends
  std::uint32_t depth = 1500;
};

constexpr std::uint32_t no_slot = 0xffffffff;

/// A tree; `root` is evaluated in an empty environment of `slot_count` slots.
struct Routine {
  std::vector<RoutineTerm> terms;
  std::uint32_t root = 0;
  std::uint32_t slot_count = 0;
};

} // namespace thinair::cat
