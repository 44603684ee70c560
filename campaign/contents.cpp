// Reading the files again, and comparing.
#include "campaign/contents.h"

#include "campaign/jvm_judge.h"
#include "litmus/text/digest.h"
#include "litmus/text/error.h"
#include "lower/backend.h"
#include "runners/find_target.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

constexpr std::string_view model_prefix = "model:";

/// Empty where a name says it all.
std::string content_of_target(const std::string& name, const cat::LoadOptions& load) {
  if (is_jvm_target(name)) return "";
  if (name.starts_with(model_prefix))
    return cat::load_model(name.substr(model_prefix.size()), cat::Architecture::java, load).content;
  if (name.find('@') != std::string::npos) return ""; // opt and llc of the user's
  auto target = runners::find_target(name);
  if (target.compiler() != nullptr) return fmt::format("LLVM {}", lower::backend_version());
  text::Digest digest;
  digest.add(print(*target.scheme())); // as it is understood: comments do not count
  return digest.hex();
}

} // namespace

Contents contents_of(const Identity& identity, const cat::Plan& model,
                     const cat::LoadOptions& load) {
  Contents contents{model.content, {}};
  for (const auto& target : identity.targets)
    contents.targets.push_back(content_of_target(target, load));
  return contents;
}

void require_unchanged(const Store& store, const Contents& now, const std::string& directory) {
  const auto changed = changed_since(store.identity(), now);
  if (!changed.empty())
    throw InputError(fmt::format("{}: error: {} has changed since this campaign: what was found "
                                 "cannot be explained any more\n  hint: put back what it was; "
                                 "--json and --ids work without",
                                 directory, changed));
}

} // namespace thinair::campaign
