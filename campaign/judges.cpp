// Sorts targets by kind.
#include "campaign/judges.h"

namespace thinair::campaign {

Judges::Judges(const cat::Plan& model, const std::vector<std::string>& targets,
               const std::optional<JvmSettings>& settings, const cat::LoadOptions& load) {
  std::vector<std::string> code, jvms;
  for (const auto& target : targets) {
    auto& kind = is_jvm_target(target) ? jvms : code;
    places_.push_back({is_jvm_target(target), kind.size()});
    kind.push_back(target);
  }
  if (!code.empty()) code_.emplace(model, code, std::string(), load);
  if (!jvms.empty() && settings) jvms_.emplace(model, jvms, *settings);
}

Judgement Judges::operator()(const litmus::Program& program, std::size_t target) {
  const Place place = places_.at(target);
  return place.is_jvm ? (*jvms_)(program, place.index) : (*code_)(program, place.index);
}

Why Judges::reason(const litmus::Program& program, std::size_t target, bool official) {
  const Place place = places_.at(target);
  if (place.is_jvm) return jvms_->reason(program, place.index, official);
  return {code_->reason(program, place.index), ""};
}

std::optional<litmus::Program> Judges::shortcut(const litmus::Program& program,
                                                std::size_t target) {
  const Place place = places_.at(target);
  return place.is_jvm ? jvms_->shortcut(program, place.index) : std::nullopt;
}

void Judges::reducing(const litmus::Program& program, std::size_t target) {
  const Place place = places_.at(target);
  if (place.is_jvm) jvms_->ask_about_edits(program, place.index);
}

std::pair<SoundnessJudge*, std::size_t> Judges::code(std::size_t target) {
  const Place place = places_.at(target);
  return {place.is_jvm ? nullptr : &*code_, place.index};
}

} // namespace thinair::campaign
