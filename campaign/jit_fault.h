// What a JIT compiler has done wrong in a program: which operation's rule its code does not follow.
//
// HotSpot's compilers are meant to follow a scheme (aarch64:hotspot-c2). Where that scheme is right
// on the program, the compiler deviates from it: full fences are put into its code until the
// outcome is gone, and what stands at their places in the source is what was left out, or moved.
// Where the scheme is wrong, too, its rules are held against it (scheme_mending.h), and where every
// scheme is, the model is asked.
#pragma once

#include "campaign/target.h"
#include "litmus/steps.h"
#include "lower/jit/mend.h"
#include "lower/scheme_text.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::campaign {

/// "x86:hotspot-c2": what the code of a compiler ("c1", "c2", "graal") follows. Graal's has no
/// scheme and is held against C2's. `without_lse`: AArch64's.
std::string scheme_of_jit(lower::Machine machine, int feature, std::string_view compiler,
                          bool without_lse);

class JitFault {
 public:
  using JudgeCode = std::function<Verdict(const litmus::Program&, const lower::Lowered&)>;

  /// `title`: the compiler, for people.
  JitFault(const std::string& scheme, std::string title, const Against& against, JudgeCode judge);

  /// Absent: it is the model's, as far as schemes can tell.
  std::optional<Fault> of(const lower::jit::Compilation& compilation, lower::Backend& decoder);

 private:
  struct Gap;
  struct Blame;
  using Fences = std::vector<lower::jit::AddedFence>;

  std::optional<Fault> by_rules(const litmus::Program& program);
  Fault by_deviation(const lower::jit::Compilation& compilation, lower::Backend& decoder);
  std::vector<Fences> mends(const lower::jit::Compilation& compilation, lower::Backend& decoder,
                            const std::vector<lower::jit::AddedFence>& places);
  Blame blame(const litmus::Program& program, const std::vector<lower::jit::Piece>& pieces,
              const lower::jit::AddedFence& place) const;
  std::string rule_of(litmus::Operation operation) const;

  const std::string scheme_name_, title_, model_name_;
  const lower::SchemeText scheme_;
  std::unique_ptr<Target> reference_;
  JudgeCode judge_;
};

} // namespace thinair::campaign
