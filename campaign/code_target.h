// x86:NAME and its like for other machines, and scheme files: code, by a scheme or a compiler.
#pragma once

#include "campaign/judged_target.h"
#include "runners/hardware.h"

#include <vector>

namespace thinair::campaign {

/// A kind for each machine.
std::vector<TargetKind> code_kinds();

/// Code by a scheme, a compiler or a mix. Throws InputError for a name that is not there.
std::unique_ptr<Target> make_code_target(const std::string& name, const Against& against);

/// The shipped targets of a machine, by name.
std::vector<std::string> code_names(lower::Machine machine);

/// A target that makes machine code of programs, on the fastest engine that there is for the
/// machine unless another is asked for.
class CodeTarget : public JudgedTarget {
 public:
  CodeTarget(const std::string& name, const Against& against, lower::Machine machine);

  Tuning tuning() const override;
  void ready() override;
  Look look(const litmus::Test& test) override;

 protected:
  /// Throws Unsupported. Several threads may call it at once.
  virtual lower::Lowered lowered(const litmus::Program& program, std::uint32_t loop_bound) = 0;
  /// The same where one program has several codes, any of which may run: it is as right as the
  /// worst of them.
  virtual std::vector<lower::Lowered> codes(const litmus::Program& program,
                                            std::uint32_t loop_bound);

  runners::Judged judged(const litmus::Test& test,
                         const runners::SoundnessOptions& options) override;
  void show(Explanation& out, const litmus::Test& test, const Look& look,
            const litmus::Proposition& asked) override;

  runners::SoundnessResult check(const litmus::Test& test, lower::Lowered lowered,
                                 const runners::SoundnessOptions& options) const;

 private:
  runners::SoundnessResult check_all(const litmus::Test& test,
                                     const runners::SoundnessOptions& options);
  runners::HardwareLimits limits_of(const runners::SoundnessOptions& options) const;

  const lower::Machine machine_;
  const runners::Processor processor_;
};

} // namespace thinair::campaign
