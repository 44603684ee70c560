// What a campaign is about: who continues it must mean the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thinair::campaign {

/// Digests of the files behind the names of an identity (campaign/contents.h); empty where that is
/// not known, or the name says it all.
struct Contents {
  std::string model;
  std::vector<std::string> targets; // in the order of the campaign's
  std::string baseline = {};
  friend bool operator==(const Contents&, const Contents&) = default;
};

/// What a campaign is about; one that differs cannot continue in the same directory.
struct Identity {
  static constexpr std::size_t most_targets = 15;
  static constexpr std::uint32_t most_streams = 65'536;

  std::uint64_t seed = 0;
  std::uint32_t streams = 64;
  std::string model;
  std::vector<std::string> targets;
  std::string profile;      // as print(Profile) gives it
  std::string version = {}; // of the program
  Contents contents = {};
  std::string baseline = {};                // a target; empty: none
  std::string engine = {};                  // who says what code does; empty: the machine's own
  bool as_plain = false;                    // models take what they say nothing of for plain
  std::string causality = {}, actions = {}; // rules, identity of actions; empty: as the model says
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// The model or target of a campaign that is not what it was, as "model my.cat"; empty where all
/// is, as far as both sides know.
std::string changed_since(const Identity& then, const Contents& now);

} // namespace thinair::campaign
