// Keys to text and back.
#include "campaign/coverage_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::campaign {
namespace {

using Kind = CoverageKey::Kind;

/// How stores call the kinds; in the order of Kind.
constexpr std::array<std::string_view, 8> kind_words{"axiom",   "com",      "drawn",   "let",
                                                     "po-diff", "po-fence", "po-same", "worth"};

/// The first word, which is cut off with the blank behind it.
std::string_view take_word(std::string_view& text) {
  const auto word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

constexpr std::array<gen::Strategy, 5> all_strategies{
    gen::Strategy::cycle, gen::Strategy::mutation, gen::Strategy::noise, gen::Strategy::publication,
    gen::Strategy::exhaustive};

} // namespace

bool CoverageKey::is_pair() const {
  return kind == Kind::communication || kind == Kind::different_locations ||
         kind == Kind::beside_a_fence || kind == Kind::same_location;
}

std::string to_string(const CoverageKey& key) {
  const auto word = kind_words[static_cast<std::size_t>(key.kind)];
  if (key.is_pair()) return fmt::format("{} {} {}", word, name(key.first), name(key.second));
  return fmt::format("{} {}", word,
                     key.is_part() ? std::string_view(key.part) : gen::name(key.strategy));
}

std::optional<CoverageKey> coverage_key_in(std::string_view text) {
  const auto word = std::ranges::find(kind_words, take_word(text));
  if (word == kind_words.end()) return std::nullopt;
  CoverageKey key{static_cast<Kind>(word - kind_words.begin())};
  if (key.is_part()) {
    key.part = text;
    return key;
  }
  if (key.is_pair()) {
    const auto first = litmus::operation_named(take_word(text));
    const auto second = litmus::operation_named(text);
    if (!first || !second) return std::nullopt;
    key.first = *first;
    key.second = *second;
    return key;
  }
  const auto strategy = std::ranges::find(all_strategies, text, gen::name);
  if (strategy == all_strategies.end()) return std::nullopt;
  key.strategy = *strategy;
  return key;
}

} // namespace thinair::campaign
