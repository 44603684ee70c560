// Soundness of the compilers and schemes that there are: what they do is allowed.
#include "campaign/target.h"
#include "health/property.h"
#include "oracle/explain/core.h"
#include "oracle/unfit_model.h"

namespace thinair::health {
namespace {

using Answer = Finding::Answer;

Finding judged(campaign::Target& target, const litmus::Program& program) {
  const auto judgement = target.judge(program);
  switch (judgement.verdict) {
  case campaign::Verdict::sound: return {Answer::holds, "", std::nullopt, ""};
  case campaign::Verdict::unsupported: return {};
  case campaign::Verdict::unknown:
  case campaign::Verdict::vacuous:
    return {Answer::unknown, "", std::nullopt, judgement.reason.text};
  case campaign::Verdict::unsound: break;
  }
  return {Answer::fails, litmus::to_string(judgement.findings.front().behaviour), std::nullopt,
          target.name() +
              " does it, and the model forbids it: " + as_text(target.why(program, false).reason)};
}

Finding is_sound(campaign::Target& target, const litmus::Program& program) {
  try {
    return judged(target, program);
  } catch (const oracle::UnfitModel& unfit) { // which is another property's failure
    return {Answer::unknown, "", std::nullopt, unfit.what()};
  }
}

/// The axioms and definitions that forbid it.
std::string cause_of(campaign::Target& target, const litmus::Program& program) {
  const auto reason = target.why(program, false).reason;
  return reason.kind == explain::Core::Kind::unknown ? "" : as_text(reason);
}

} // namespace

void add_implementations(std::vector<Property>& out, const Settings& settings) {
  for (campaign::Target* target : settings.targets)
    out.push_back(
        {"sound-on-" + target->name(), "Implementations",
         "all that " + target->name() + " does is allowed", "docs/lowering.md: what the target is",
         [target](const litmus::Program& program, Lab&) { return is_sound(*target, program); }, 1,
         [target](const litmus::Program& program) { return cause_of(*target, program); }});
}

} // namespace thinair::health
