// What a compiler does wrong in a program: between which of its statements the code keeps no order.
//
// A compiler has no rules that could be exchanged, as a scheme has (scheme_mending.h). So full
// fences are put between statements of the source, and compiled with it, until the code shows
// nothing that the model forbids the program *without* them. Where no scheme of the machine is
// right, either, the model is asked.
#pragma once

#include "campaign/fault.h"
#include "campaign/scheme_mending.h"
#include "litmus/program.h"

#include <functional>
#include <optional>
#include <string>

namespace thinair::campaign {

class CompilerFault {
 public:
  /// What the model says of a program and the code of another one, which has the same registers.
  using JudgeCodeOf =
      std::function<Verdict(const litmus::Program& asked, const litmus::Program& compiled)>;

  /// `machine`: "riscv", one that has a scheme called NAME:fenced. `with`: what a program would
  /// show by another target.
  CompilerFault(const std::string& machine, JudgeWith with, JudgeCodeOf judge);

  /// Told by what comes before the missing order, and otherwise by what comes behind. Absent: it is
  /// the model's, as far as schemes can tell.
  std::optional<Fault> of(const litmus::Program& program) const;

 private:
  std::string machine_;
  SchemeMending schemes_; // of the machine
  JudgeCodeOf judge_;
};

} // namespace thinair::campaign
