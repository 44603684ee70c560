// Code for x86, on the store-buffer machine unless another engine is asked for.
#include "campaign/code_target.h"

#include "campaign/judged_target.h"
#include "campaign/pool.h"
#include "litmus/text/digest.h"
#include "litmus/text/error.h"
#include "lower/backend.h"
#include "lower/lowered_test.h"
#include "oracle/explain/examples.h"
#include "runners/find_target.h"
#include "runners/herd_hardware.h"
#include "runners/x86_machine.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

class CodeTarget : public JudgedTarget {
 public:
  CodeTarget(const std::string& name, const Against& against)
      : JudgedTarget(name, against),
        hardware_model_(cat::load_model("x86-tso", cat::Architecture::x86)),
        targets_([name] { return runners::find_target(name); }) {
    targets_.with_one([](const lower::Target&) {}); // is it there?
  }

  std::string content() const override {
    if (name().find('@') != std::string::npos) return ""; // opt and llc of the user's
    auto target = runners::find_target(name());
    if (target.compiler() != nullptr) return fmt::format("LLVM {}", lower::backend_version());
    text::Digest digest;
    digest.add(print(*target.scheme())); // as it is understood: comments do not count
    return digest.hex();
  }

  Look look(const litmus::Test& test) override {
    return in_time([&](const runners::SoundnessOptions& options) {
      const auto found = check(test, options);
      Look out;
      out.judged = found;
      out.side_by_side = lower::side_by_side(found.lowered);
      out.restoration = found.lowered.restoration;
      out.code = litmus::print(found.code);
      out.lowered = found.code;
      if (found.witness)
        if (auto steps = runners::x86_trace(found.code, *found.witness, machine(options)))
          out.trace = std::move(*steps);
      return out;
    });
  }

 protected:
  runners::Judged judged(const litmus::Test& test,
                         const runners::SoundnessOptions& options) override {
    return check(test, options);
  }

  void show(Explanation& out, const litmus::Test& /*test*/, const Look& look,
            const litmus::Proposition& asked) override {
    out.lowered = look.code;
    out.drawings.push_back(
        drawn("The execution of the code",
              explain::example(*look.lowered, hardware_model_,
                               lower::in_target(asked, look.restoration), explaining_limits()),
              ""));
  }

 private:
  runners::SoundnessResult check(const litmus::Test& test,
                                 const runners::SoundnessOptions& options) {
    return targets_.with_one([&](lower::Target& target) {
      return runners::check_soundness(test, model(), target, hardware(options), options);
    });
  }

  static runners::MachineOptions machine(const runners::SoundnessOptions& options) {
    runners::MachineOptions out;
    out.watch = options.oracle.limits.watch;
    return out;
  }

  runners::Hardware hardware(const runners::SoundnessOptions& options) const {
    if (against().engine == "herd7") return runners::herd_x86(against().herd7);
    if (against().engine == "builtin")
      return [this, limits = options.oracle.limits](const litmus::Test& code) {
        return oracle::Oracle(code, hardware_model_, {.rules = "none", .limits = limits})
            .behaviours();
      };
    return [with = machine(options)](const litmus::Test& code) {
      return runners::x86_machine(code, with);
    };
  }

  const cat::Plan hardware_model_;
  Pool<lower::Target> targets_;
};

} // namespace

std::vector<std::string> code_names(lower::Machine machine) {
  std::vector<std::string> out;
  for (const auto& target : lower::targets())
    if (target.machine == machine) out.push_back(target.name);
  return out;
}

const TargetKind x86_kind = {
    .prefix = "x86:",
    .form = "x86:NAME[@DIR]",
    .help = "x86 code, by a scheme or by LLVM, on a machine with store buffers; @DIR: with the opt "
            "and llc of that folder",
    .names = [] { return code_names(lower::Machine::x86); },
    .make = [](const std::string& name, const Against& against) -> std::unique_ptr<Target> {
      return std::make_unique<CodeTarget>(name, against);
    },
};

} // namespace thinair::campaign
