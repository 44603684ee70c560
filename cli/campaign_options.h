// What the commands around campaigns have in common on the command line.
#pragma once

#include "cli/command.h"
#include "gen/exhaustive.h"
#include "litmus/canonical.h"
#include "litmus/constructs.h"
#include "oracle/cat/model.h"

#include <atomic>
#include <span>
#include <string>
#include <vector>

namespace thinair::cli {

/// The number that an option has, from 1 to `most`. Throws InputError.
std::uint32_t bounded(const Arguments& arguments, std::string_view option, std::uint32_t fallback,
                      std::uint64_t most);

inline constexpr Option max_accesses_option = {
    .name = "max-accesses",
    .takes = Takes::count,
    .value = "N",
    .help = "programs of at most N accesses, 1 to 12 (default: 4)"};
inline constexpr Option threads_option = {.name = "threads",
                                          .takes = Takes::count,
                                          .value = "N",
                                          .help = "in at most N threads (default: 2)"};
inline constexpr Option locations_option = {.name = "locations",
                                            .takes = Takes::count,
                                            .value = "N",
                                            .help = "over at most N locations (default: 2)"};
inline constexpr Option modes_option = {
    .name = "modes",
    .takes = Takes::text,
    .value = "LIST",
    .help = "made of these, with commas: all (every get and set), plain, opaque, acquire, release, "
            "volatile, rmw, or methods by name; fences (or some by name): one of them or none "
            "between two accesses of a thread; default: all that the model gives a meaning to"};
inline constexpr Option no_mixed_option = {
    .name = "no-mixed",
    .help = "only programs in which the accesses of each location are equally strong: plain, "
            "opaque, acquire or "
            "release, or volatile"};
inline constexpr Option random_programs_option = {
    .name = "programs",
    .letter = 'n',
    .takes = Takes::count,
    .value = "N",
    .help = "draw N random programs after all within the bounds"};
/// Of a search through a space and then at random.
inline constexpr Option search_time_option = {
    .name = "time",
    .takes = Takes::seconds,
    .value = "S",
    .help = "end after S seconds: half for all programs within the bounds, the rest for random "
            "ones; 60 where --programs is not given"};
/// Which programs are drawn; `help` says what where none is named.
constexpr Option profile_option(std::string_view help) {
  return {.name = "profile",
          .letter = 'p',
          .takes = Takes::profile,
          .value = "NAME|FILE",
          .help = help};
}
inline constexpr Option seed_option = {.name = "seed",
                                       .letter = 's',
                                       .takes = Takes::count,
                                       .value = "S",
                                       .help = "of what is drawn (default: 1)"};
inline constexpr Option many_jobs_option = {.name = "jobs",
                                            .letter = 'j',
                                            .takes = Takes::count,
                                            .value = "N",
                                            .help = "programs at a time (default: all cores)"};
inline constexpr Option known_option = {
    .name = "known",
    .takes = Takes::file,
    .value = "FILE",
    .help = "mismatches that are no news: the ids of minimal programs, one a line"};

/// What all of these models give a meaning to; everything with --as-plain.
litmus::Constructs meant_by(std::span<const std::string> models, const cat::LoadOptions& load);

/// From --max-accesses, --threads, --locations, --modes; where no modes are named, those that the
/// models give a meaning to.
gen::Space space_of(const Arguments& arguments, litmus::Constructs meant);

/// From --jobs; at most `most`.
std::uint32_t jobs_of(const Arguments& arguments, std::uint32_t most = 256);

/// From --known.
std::vector<litmus::ContentHash> known_of(const Arguments& arguments);

/// Set by an interrupt or a request to end while it exists.
class StopOnSignal {
 public:
  StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();

  const std::atomic<bool>& flag() const;
};

} // namespace thinair::cli
