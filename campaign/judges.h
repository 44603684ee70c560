// One judge for targets of every kind: code under a hardware model, and JVMs.
#pragma once

#include "campaign/jvm_judge.h"
#include "campaign/soundness_judge.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thinair::campaign {

class Judges {
 public:
  /// Throws InputError for a target that is not there; JVMs are looked for only with settings.
  Judges(const cat::Plan& model, const std::vector<std::string>& targets,
         const std::optional<JvmSettings>& jvms = {}, const cat::LoadOptions& load = {});

  /// `target` is a place in the campaign's list, here and below.
  Judgement operator()(const litmus::Program& program, std::size_t target);
  Why reason(const litmus::Program& program, std::size_t target, bool official);

  /// SoundnessJudge::set_deadline and JvmJudge::set_deadline.
  void set_deadline(std::chrono::steady_clock::time_point deadline) {
    if (code_) code_->set_deadline(Deadline(deadline));
    if (jvms_) jvms_->set_deadline(Deadline(deadline));
  }

  /// JvmJudge::promise; 0 without JVMs.
  double promise(const litmus::Program& program) { return jvms_ ? jvms_->promise(program) : 0; }

  /// JvmJudge::shortcut and ::ask_about_edits; nothing where the target is no JVM.
  std::optional<litmus::Program> shortcut(const litmus::Program& program, std::size_t target);
  void reducing(const litmus::Program& program, std::size_t target);

  /// The judge of code, and the target's place in its list; null where the target is a JVM.
  std::pair<SoundnessJudge*, std::size_t> code(std::size_t target);

 private:
  struct Place {
    bool is_jvm = false;
    std::size_t index = 0;
  };
  std::vector<Place> places_;
  std::optional<SoundnessJudge> code_;
  std::optional<JvmJudge> jvms_;
};

} // namespace thinair::campaign
