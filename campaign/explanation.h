// What the engines say of a mismatch: the code, the execution that shows it, and why the model
// forbids it.
#pragma once

#include "campaign/judges.h"
#include "campaign/report.h"
#include "oracle/cat/model.h"

namespace thinair::campaign {

/// Explains mismatches of one campaign; `model` and `judges` are its own and outlive this.
class Explainer {
 public:
  Explainer(const Identity& identity, const cat::Plan& model, Judges& judges,
            const cat::LoadOptions& load = {});

  Explanation operator()(const MismatchRow& row, const std::string& target) const;

 private:
  void explain_code(Explanation& out, const litmus::Test& test, const MismatchRow& row,
                    const std::string& target) const;
  void explain_jvm(Explanation& out, const litmus::Test& test, const MismatchRow& row,
                   const std::string& target) const;
  void refuse(Explanation& out, const litmus::Test& test, const litmus::Proposition& asked) const;

  const Identity& identity_;
  const cat::Plan& model_;
  Judges& judges_;
  cat::LoadOptions load_;
};

/// A shell command that shows the mismatch of a program, which it carries with it.
std::string command_for(const std::string& program, const Identity& identity,
                        const std::string& target);

} // namespace thinair::campaign
