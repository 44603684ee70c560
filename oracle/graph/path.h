// Stage 1 (jMT §3): what each thread may do by itself, as straight lines of events with symbolic
// values.
#pragma once

#include "litmus/condition.h"
#include "litmus/constructs.h"
#include "litmus/test.h"
#include "oracle/graph/front_end.h"
#include "oracle/graph/term.h"
#include "oracle/graph/variable_sets.h"
#include "oracle/graph/vocabulary.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::graph {

/// What an event is; a bit each, since a Java read-modify-write is one event that reads and writes.
using Kinds = std::uint32_t;
enum : Kinds {
  k_read = 1U << 0,
  k_write = 1U << 1,
  k_fence = 1U << 2,
  k_rmw = 1U << 3,
  k_plain = 1U << 4,
  k_opaque = 1U << 5,
  k_acquire = 1U << 6,
  k_release = 1U << 7,
  k_volatile = 1U << 8,
  k_initial = 1U << 13,
  k_lock = 1U << 14,
  k_unlock = 1U << 15,
  k_start = 1U << 16,
  k_end = 1U << 17,
  k_join = 1U << 18,
  k_external = 1U << 19,
  k_begin = 1U << 20,
  k_open = 1U << 21,        // a read: nothing is said of the write that it sees
  k_failed = 1U << 22,      // a read: of an update that does not write
  k_load_load = 1U << 23,   // a fence, besides k_acquire: of loads with loads only
  k_store_store = 1U << 24, // a fence, besides k_release: of stores with stores only
  /// A write: the variable in `read` stands for the register that says whether it was done. What
  /// depends on that register depends on the write. No term has the variable.
  k_status = 1U << 25,
  k_freeze = 1U << 26, // of an object's final fields, at the end of its constructor (JLS 17.5.1)
  k_final = 1U << 27,  // an access: to a final field
};

struct PathEvent {
  Kinds kinds = 0;
  litmus::LocationId location; // of reads and writes
  /// Of locks and unlocks the MonitorId, of start and join the ThreadId, of a freeze the ObjectId.
  std::uint32_t object = 0;
  Variable read;  // its variable, if it reads
  TermId written; // its value, if it writes
  /// Events of one machine instruction share it: iico orders its read before its write.
  std::uint32_t instruction = 0;
  std::uint32_t source = 0; // byte offset in the test, for drawings
  /// By place in the path: of a lock, the unlock that undoes it; of a machine's atomic update, of
  /// its write the read.
  std::uint32_t partner = no_partner;
  /// What the address comes from; of a write, what the value comes from, where its term does not
  /// say so (a processor keeps dependencies that arithmetic would fold away: `eor w1,w0,w0`).
  SetId address = no_variables, data = by_term;
  /// What chose the address, or the value: the condition of a conditional select on the way.
  SetId picked_address = no_variables, picked_data = no_variables;
  Tags tags = 0; // of a machine (front_end.h)
  litmus::Construct construct =
      litmus::Construct::plain; // of accesses and fences: what it is one of
  /// References as they are kept: the object whose field is accessed or that is frozen, the one
  /// that the read sees, the one that is written. 0: none.
  std::uint8_t base = 0, seen = 0, given = 0;
  /// Of a thread that did not make the object: the place in the path of the read from which it has
  /// the address of `base`, and of `given` (JLS 17.5.1: dereferences, and the memory chain).
  std::uint32_t base_from = no_partner, given_from = no_partner;
  static constexpr std::uint32_t no_partner = 0xffffffff;
};

/// A branch taken: what its condition must be (also among the constraints), and how many events
/// come before it.
struct Branch {
  TermId condition;
  std::uint32_t position = 0;
  SetId from = by_term;        // what the condition comes from, where its term does not say so
  SetId picked = no_variables; // what chose it
};

/// "lock", "start", …: what an event is that is neither an access nor a fence; empty: one of those.
std::string_view action_name(Kinds kinds);

/// One control path of a thread.
struct Path {
  std::vector<PathEvent> events;   // in program order
  std::vector<TermId> constraints; // each must be non-zero: the branches taken, CAS outcomes
  std::vector<Branch> branches;    // those of the constraints that control dependencies start from
  std::vector<TermId>
      must_divide; // each must have a value: an execution that divides by zero is none
  std::vector<TermId>
      final_registers; // by RegisterId (Java) or the place of a register in its machine's table
  /// Objects, a bit each: those that the path makes, and those that it reads or writes references
  /// to.
  std::uint64_t makes = 0, mentions = 0;
  bool runs = true; // false: the thread is never started
  /// The thread gets no further: it waits for ever, or an exception ends it (PathLimits::stopped).
  bool stops = false;
  std::string_view strays = {}; // at its end: what the program does there that is not done here
};

struct ThreadPaths {
  std::vector<Path> paths;
  bool cut = false;               // the loop bound ended some path: it is not among `paths`
  std::vector<Path> cut_off;      // those, as far as they went; none where they are too many
  std::vector<Path> strayed;      // paths that end where the program does what is not done here
  bool idle = false;              // idle rounds were left out
  bool may_stop = false;          // it may wait for ever, or end in an exception
  bool started_by_others = false; // some start names it: it runs from then on
};

/// A program as the search sees it. Locations keep the program's ids. The n-th reads of two paths
/// of one thread have the same variable: no execution holds both.
struct ProgramPaths {
  Architecture architecture = Architecture::java;
  TermPool terms;
  VariableSets sets;          // that dependencies are from
  std::vector<Value> initial; // by LocationId, sign-extended from the location's width
  std::vector<std::string> location_names;
  std::vector<std::uint8_t> location_bits; // by LocationId: what reads return fits
  std::vector<std::string> monitor_names;
  std::vector<std::string> object_names; // by ObjectId
  std::vector<ThreadPaths> threads;
  /// By LocationId: every statement that writes it, reached or not, does so in volatile mode.
  std::vector<char> volatile_writes;
  bool cut = false;        // some path was, and may go on
  bool idle = false;       // of some thread idle rounds were left out
  bool may_stop = false;   // some thread may get no further
  bool strays = false;     // some thread has paths that stray
  bool lifetimes = false;  // some thread starts or joins another
  litmus::Constructs uses; // that a model must give a meaning to (oracle/graph/meaning.h)
  Tags tags = 0;           // of the events of all paths
};

/// The monitor, or the thread, that an action is about ("m", "Thread1"); empty: about none.
std::string object_name(const ProgramPaths& program, Kinds kinds, std::uint32_t object);

/// A register by its place in Path::final_registers.
struct AskedRegister {
  std::uint32_t thread = 0, index = 0;
};

struct PathLimits {
  std::uint32_t loop_bound = 4;
  std::size_t paths_per_thread = 16384;
  std::size_t events_per_path = 256;
  std::size_t cut_paths = 512;   // of a thread, that are kept
  bool close_awaits = true;      // leave out rounds of loops that only look (await.h),
  std::uint32_t idle_rounds = 0; // but for so many of each run of a loop; they do not count
  /// A plain access to a long or a double is two, one to each half (JLS 17.7).
  bool tearing = false;
  /// Also the paths on which a thread stops before its end: in a loop that it may never leave,
  /// before a monitor, a join or a start that it may wait for in vain or that throws, at a division
  /// by zero, between the read and the write of an update. An execution may have them (JLS 17.4.9),
  /// though it reaches no final state.
  bool stopped = false;
  /// A machine's registers that somebody asks about at the end; absent: all. What a round of a loop
  /// leaves in others does not make it another one.
  std::optional<std::vector<AskedRegister>> asked = {};
  Watch* watch = nullptr; // of the question that the paths are for; it outlives them
};

/// Whether threads can go these ways at once (`chosen[t]` is a path of thread t): one runs if some
/// start names it, and only once (JLS 17.4.2; IllegalThreadStateException); a join waits for a
/// thread that runs to its end; references are to objects that some path makes.
bool compatible(const ProgramPaths& program, std::span<const std::uint32_t> chosen);

/// Throws Unsupported for final variables and objects made in loops, LimitReached for too many
/// paths or events.
ProgramPaths paths_of(const litmus::Test& test, const PathLimits& limits = {});

/// Of a Java program (java_paths.cpp).
ProgramPaths paths_of(const litmus::Program& program, const PathLimits& limits = {});

} // namespace thinair::graph
