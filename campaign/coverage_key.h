// What a campaign counts, as values and as the text that stores have of them.
#pragma once

#include "gen/generator.h"
#include "litmus/modes.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::campaign {

/// Something that a campaign counts.
struct CoverageKey {
  enum class Kind : std::uint8_t {
    axiom,               // of the model
    communication,       // two threads' accesses to one location
    drawn,               // programs that a strategy drew
    definition,          // of the model
    different_locations, // neighbours in a thread
    beside_a_fence,      // neighbours, one of them a fence
    same_location,       // neighbours in a thread
    worth,               // how much what a strategy drew was worth
  };
  Kind kind = Kind::axiom;
  litmus::Operation first = litmus::Method::get, second = litmus::Method::get; // of a pair
  gen::Strategy strategy = gen::Strategy::cycle;                               // of drawn and worth
  std::string part = {}; // of the model: its name

  bool is_pair() const;
  bool is_part() const { return kind == Kind::axiom || kind == Kind::definition; }
  friend auto operator<=>(const CoverageKey&, const CoverageKey&) = default;
};

/// As stores have it: "po-diff setVolatile get", "com get set", "let co", "drawn cycle".
std::string to_string(const CoverageKey& key);
/// What this is the text of; absent: nothing.
std::optional<CoverageKey> coverage_key_in(std::string_view text);

using Counts = std::map<CoverageKey, std::uint64_t>;

} // namespace thinair::campaign
