// Every program up to a size and up to symmetry, each exactly once.
#pragma once

#include "litmus/choices.h"
#include "litmus/constructs.h"
#include "litmus/program.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::gen {

/// The programs of at least one and at most `max_accesses` accesses, in at most `max_threads`
/// threads, over at most `max_locations` locations, made of these methods, with one of these fences
/// or none between two accesses of a thread (at its ends a fence orders nothing).
/// Every read keeps its result; the writes to a location store 1, 2, .. in the order in which the
/// program text has them; a compare-and-set expects the initial value.
struct Space {
  std::uint32_t max_accesses = 4;
  std::uint32_t max_threads = 2;
  std::uint32_t max_locations = 2;
  std::vector<litmus::Method> methods;
  std::vector<litmus::Fence> fences;
  bool mixed = true;            // false: all accesses of a location are equally strong
  litmus::Choices choices = {}; // by which each access is compiled, with the fence before it
};

/// Whether accesses of some location differ in strength: plain, opaque, acquire or release,
/// volatile (an update has that of its stronger half).
bool mixes_modes(const litmus::Program& program);

/// Whether the program is made of methods and fences of the space, mixed only where the space is;
/// whatever its size.
bool within_modes(const Space& space, const litmus::Program& program);

/// Adds what a comma-separated list names: modes (plain, opaque, acquire, release, volatile: get
/// and set in that mode; all: all of these), `rmw` (every updating method), `fences`, and single
/// methods and fences as Java calls them. Each is there once, in the order of litmus::methods() and
/// fences(). Throws InputError with the nearest word.
void add_modes(Space& space, std::string_view list);

/// The space without methods and fences that are none of `constructs`.
Space restricted(Space space, litmus::Constructs constructs);

/// "at most 4 accesses in at most 2 threads over at most 2 locations, of get, set", and which
/// fences may stand between them.
std::string to_string(const Space& space);

/// One program after the other, smaller ones first; of each class of programs that differ in the
/// order of threads and in the names of locations only, one. The order is the same on every
/// machine.
class Enumerator {
 public:
  /// Throws InputError for a space without methods, threads or locations. `enough` is asked now and
  /// then: from one program to the next it may be far.
  explicit Enumerator(Space space, std::function<bool()> enough = {});

  /// Goes to the next program; false when there is none, or it was enough.
  bool next();
  bool stopped() const { return stopped_; } // it was enough: there may be more

  std::uint64_t index() const { return visited_ - 1; } // of the program at hand, from 0
  std::uint32_t accesses() const { return size_; }     // of the program at hand
  litmus::Program program() const;
  /// What the program at hand is made of, by the numbers of operations (litmus::index_of).
  std::vector<bool> operations() const;

 private:
  /// A method on a location, and the fence before it, counted from 1; 0: there is none.
  struct Step {
    std::uint32_t fence = 0;
    std::uint32_t method = 0;
    litmus::Choice choice = 0; // its place among those of fence and method
    std::uint32_t location = 0;
    friend auto operator<=>(const Step&, const Step&) = default;
  };

  bool go_on();
  bool next_shape();
  bool next_filling();
  std::uint32_t known_before(std::size_t slot) const;
  const std::vector<litmus::Choice>& choices_of(const Step& step) const;
  bool least();
  bool smaller_when_reordered(const std::vector<std::size_t>& order);
  std::size_t begin_of(std::size_t thread) const { return begins_[thread]; }
  std::size_t length_of(std::size_t thread) const { return shape_[thread]; }

  Space space_;
  std::vector<std::vector<litmus::Choice>> choices_; // by fence (or none), then method
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> shape_; // lengths of threads, none longer than the one before it
  std::vector<std::size_t> begins_;  // where each thread begins in `slots_`
  std::vector<bool> is_first_;       // of its thread, by slot
  std::vector<Step> slots_;          // all threads one behind the other
  std::vector<std::uint32_t> names_; // scratch of `least`
  std::uint64_t visited_ = 0;
  bool fresh_shape_ = false;
  std::function<bool()> enough_;
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
};

/// Builds the program at hand; only called for those that are wanted.
using MakeProgram = std::function<litmus::Program()>;

/// Calls `visit(index, make)` for each until it returns false. Returns how many were visited.
std::uint64_t
enumerate(const Space& space,
          const std::function<bool(std::uint64_t index, const MakeProgram& make)>& visit);

/// How many there are; absent: it was enough before all were counted.
std::optional<std::uint64_t> count(const Space& space, const std::function<bool()>& enough);
std::uint64_t count(const Space& space);

} // namespace thinair::gen
