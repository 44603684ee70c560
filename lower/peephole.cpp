// Looks for what follows.
#include "lower/peephole.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

bool goes(std::span<const Neighbour> code, const std::vector<bool>& out, std::size_t at,
          std::size_t number) {
  const Peephole& peephole = (*code[at].scheme)[number];
  for (std::size_t next = at + 1; next < code.size(); ++next) {
    const Neighbour& there = code[next];
    if (there.ends_search) return false;
    if (out[next] || there.scheme == nullptr) continue;
    if (there.scheme != code[at].scheme) return false;
    if ((there.mark.before >> number & 1U) != 0) return true;
    if (!peephole.across[there.operation]) return false;
  }
  return false;
}

} // namespace

Mark mark_of(std::span<const Peephole> peepholes, const std::string& instruction) {
  Mark mark;
  for (std::size_t i = 0; i < peepholes.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if (peepholes[i].drop == instruction) mark.drop |= bit;
    if (std::ranges::find(peepholes[i].before, instruction) != peepholes[i].before.end())
      mark.before |= bit;
  }
  return mark;
}

void require_use(const text::Source& source, std::span<const Peephole> peepholes, std::size_t own,
                 std::span<const Mark> marks) {
  for (std::size_t i = peepholes.size() - own; i < peepholes.size(); ++i) {
    const auto has = [&](std::uint32_t Mark::* member) {
      return std::ranges::any_of(marks, [&](const Mark& m) { return (m.*member >> i & 1U) != 0; });
    };
    if (!has(&Mark::drop))
      throw InputError::at(
          source, peepholes[i].place,
          fmt::format("no rule has `{}`, which is to be dropped", peepholes[i].drop));
    if (!has(&Mark::before))
      throw InputError::at(source, peepholes[i].place,
                           fmt::format("no rule has `{}`, which is to follow",
                                       fmt::join(peepholes[i].before, "` or `")));
  }
}

std::vector<bool> left_out(std::span<const Neighbour> code) {
  std::vector<bool> out(code.size(), false);
  for (std::size_t at = code.size(); at-- > 0;)
    for (std::size_t number = 0; number < most_peepholes && code[at].mark.drop >> number != 0;
         ++number)
      if ((code[at].mark.drop >> number & 1U) != 0 && goes(code, out, at, number)) out[at] = true;
  return out;
}

} // namespace thinair::lower
