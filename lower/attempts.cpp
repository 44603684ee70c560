// Looks at what stands between a label and the jump back to it.
#include "lower/attempts.h"

#include "litmus/language.h"
#include "litmus/text/ascii.h"

#include <algorithm>
#include <string>

namespace thinair::lower {
namespace {

bool begins_with_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

bool accesses_memory(std::string_view text) {
  return text.find('[') != std::string_view::npos || text.find('(') != std::string_view::npos;
}

} // namespace

bool only_retries(const AttemptWords& words, const litmus::Test& test, std::size_t thread,
                  std::size_t from, std::size_t jump) {
  const auto line = [&](std::size_t at) {
    return text::lower_case(test.language->assembly(test.code(), thread, at, ""));
  };
  if (jump == from || !begins_with_one_of(line(jump - 1), words.attempts)) return false;
  for (std::size_t at = from; at + 1 < jump; ++at)
    if (const auto text = line(at); accesses_memory(text) && !begins_with_one_of(text, words.loads))
      return false;
  return true;
}

} // namespace thinair::lower
