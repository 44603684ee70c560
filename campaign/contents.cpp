// Reading the files again, and comparing.
#include "campaign/contents.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::campaign {

Contents contents_of(const cat::Plan& model, const Targets& targets) {
  Contents contents{model.content, {}, {}};
  for (const auto& target : targets) {
    contents.targets.push_back(target->content());
    contents.baseline = target->baseline_content(); // one for all targets
  }
  return contents;
}

void require_unchanged(const Store& store, const Contents& now, const std::string& directory) {
  const auto changed = changed_since(store.identity(), now);
  if (!changed.empty())
    throw InputError(fmt::format("{}: error: {} has changed since this campaign: what was found "
                                 "cannot be explained any more\n  hint: put back what it was; "
                                 "its rows and ids are there without",
                                 directory, changed));
}

} // namespace thinair::campaign
