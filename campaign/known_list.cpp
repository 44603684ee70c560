// Reading and writing lists of known mismatches.
#include "campaign/known_list.h"

#include "campaign/ends.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::campaign {
namespace {

constexpr std::string_view blanks = " \t\r";

/// What stands before a comment, without the blanks around it.
std::string_view content_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

std::optional<litmus::ContentHash> hash_of(std::string_view id) {
  constexpr std::size_t digits = 16; // a word
  litmus::ContentHash hash;
  if (id.size() != digits * hash.words.size()) return std::nullopt;
  for (std::size_t i = 0; i < hash.words.size(); ++i) {
    const char* begin = id.data() + i * digits;
    const auto [end, error] = std::from_chars(begin, begin + digits, hash.words[i], 16);
    if (error != std::errc() || end != begin + digits) return std::nullopt;
  }
  return hash;
}

} // namespace

std::vector<litmus::ContentHash> parse_known(const text::Source& source) {
  std::vector<litmus::ContentHash> known;
  const std::string_view text = source.text;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto id = content_of(text.substr(begin, end - begin));
    if (!id.empty()) {
      const auto hash = hash_of(id);
      const auto at = static_cast<std::uint32_t>(id.data() - text.data());
      if (!hash)
        throw InputError::at(source, {at, at + static_cast<std::uint32_t>(id.size())},
                             "expected the id of a minimal program: 32 hexadecimal digits");
      known.push_back(*hash);
    }
    begin = end + 1;
  }
  return known;
}

std::string print_known(const std::vector<Group>& found, const Identity& identity) {
  std::string text =
      fmt::format("# mismatches with {}: what is listed here is no news\n", identity.model);
  for (const auto& group : found)
    text += fmt::format("{} # {}: {} ({}){}\n", litmus::to_string(group.first.minimal_hash),
                        identity.targets.at(group.first.target), end_of(group.first),
                        as_text(group.first.minimal_finding.reason),
                        in_a_row(group.first.minimal_finding.seen));
  return text;
}

} // namespace thinair::campaign
