// The sentence, from settings and progress.
#include "campaign/statement.h"

#include "litmus/text/counted.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

using text::counted;
using text::grouped;

std::string result_of(const Progress& progress) {
  std::string text =
      progress.mismatches == 0
          ? "no mismatch"
          : fmt::format("{} ({} in all)",
                        counted(progress.distinct, "minimal mismatch", "minimal mismatches"),
                        counted(progress.mismatches, "program", "programs"));
  const auto open = progress.unknown + progress.unsupported + progress.vacuous;
  if (open > 0) text += fmt::format(", {} undecided", grouped(open));
  return text;
}

} // namespace

std::string statement(const Settings& settings, const Progress& progress) {
  THINAIR_CHECK(settings.space && progress.total, "a statement about a campaign without a space");
  const bool whole = progress.drawn >= *progress.total;
  return fmt::format(
      "{}{}{} with {}: {} between {} and {}{}{}",
      whole ? std::string("all ") : fmt::format("{} of ", grouped(progress.drawn)),
      counted(*progress.total, "program", "programs"),
      settings.shards > 1 ? fmt::format(" of part {}/{}", settings.shard, settings.shards) : "",
      gen::to_string(*settings.space), result_of(progress),
      fmt::join(settings.identity.targets, ", "), settings.identity.model,
      settings.identity.baseline.empty()
          ? ""
          : fmt::format(" that {} does not have, too", settings.identity.baseline),
      whole ? "" : " so far");
}

} // namespace thinair::campaign
