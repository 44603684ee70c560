// The smallest program that tells two models apart, in both directions.
#pragma once

#include "campaign/judge.h"
#include "gen/exhaustive.h"
#include "gen/profile.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace thinair::campaign {

struct DistinguishSettings {
  gen::Space space;     // first all of it, smaller programs first
  gen::Profile profile; // then random programs
  /// What is drawn and shown is made of the space's modes alone; else random programs may go beyond
  /// them.
  bool within_modes = false;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> programs; // random ones
  std::optional<double> seconds;         // where `programs` is open, at most half for the space
  std::uint32_t jobs = 1;
  std::uint64_t max_tries = 20'000; // a reduction's
};

/// A program that one side allows what the other forbids.
struct Separation {
  litmus::Program program; // canonical, 1-minimal
  Finding finding;
  bool smallest = false; // no program of the space with fewer accesses separates
};

/// What is known of one direction.
struct Direction {
  std::optional<Separation> separation;
  std::uint64_t undecided = 0;
  /// Programs of the space with at most so many accesses and fences were all judged, and none
  /// separates.
  std::uint32_t agreed_size = 0;
};

struct Distinction {
  std::array<Direction, 2> directions;
  std::uint64_t enumerated = 0; // programs of the space that were judged
  std::uint64_t random = 0;     // programs drawn after that
};

/// `judge(program, d)` compares in direction d, 0 or 1: unsound where that direction separates.
/// Without a limit of time the result does not depend on the number of jobs; with neither limit the
/// random part never ends.
Distinction distinguish(const DistinguishSettings& settings, const Judge& judge,
                        const std::atomic<bool>& stop);

} // namespace thinair::campaign
