// Code for machines, on the fastest engine that there is for each unless another is asked for.
#include "campaign/code_target.h"

#include "campaign/compiler_fault.h"
#include "campaign/judged_target.h"
#include "campaign/pool.h"
#include "campaign/scheme_mending.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/text/digest.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "oracle/explain/examples.h"
#include "runners/find_target.h"
#include "runners/hardware.h"
#include "runners/same_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace thinair::campaign {

CodeTarget::CodeTarget(const std::string& name, const Against& against, lower::Machine machine)
    : JudgedTarget(name, against), machine_(machine), processor_(machine, against.engine) {}

/// herd7 is a process a program, which is slow.
Tuning CodeTarget::tuning() const {
  Tuning out;
  const auto* own = runners::operational_of(machine_->prefix);
  if (against().engine != "herd7" || (own != nullptr && own->usual)) return out;
  out.candidates = 8;
  out.chunk = 4;
  out.grace_share = 0.15;
  return out;
}

void CodeTarget::ready() {
  JudgedTarget::ready();
  processor_.ready(against().herd7);
}

Look CodeTarget::look(const litmus::Test& test) {
  return in_time([&](const runners::SoundnessOptions& options) {
    const auto found = check_all(test, options);
    Look out;
    out.judged = found;
    out.side_by_side = lower::side_by_side(found.lowered);
    out.restoration = found.lowered.restoration;
    out.code = litmus::print(found.code);
    out.lowered = found.code;
    if (found.witness)
      out.trace = processor_.trace(found.code, *found.witness, limits_of(options).operational);
    return out;
  });
}

runners::Judged CodeTarget::judged(const litmus::Test& test,
                                   const runners::SoundnessOptions& options) {
  return check_all(test, options);
}

std::vector<lower::Lowered> CodeTarget::codes(const litmus::Program& program,
                                              std::uint32_t loop_bound) {
  std::vector<lower::Lowered> out;
  out.push_back(lowered(program, loop_bound));
  return out;
}

/// The first code that is unsound, else the first that is not known to be sound, with the
/// behaviours of all.
runners::SoundnessResult CodeTarget::check_all(const litmus::Test& test,
                                               const runners::SoundnessOptions& options) {
  const auto badness = [](const runners::SoundnessResult& result) {
    switch (result.verdict) {
    case runners::Soundness::sound: return 0;
    case runners::Soundness::vacuous: return 1;
    case runners::Soundness::unknown: return 2;
    case runners::Soundness::unsound: break;
    }
    return 3;
  };
  std::optional<runners::SoundnessResult> worst;
  for (auto& code : codes(test.java(), options.oracle.limits.loop_bound)) {
    auto found = check(test, std::move(code), options);
    if (!worst) {
      worst = std::move(found);
      continue;
    }
    if (badness(found) > badness(*worst)) std::swap(found, *worst);
    worst->whole = worst->whole && found.whole;
    for (auto& behaviour : found.behaviours)
      if (std::ranges::find(worst->behaviours, behaviour) == worst->behaviours.end())
        worst->behaviours.push_back(std::move(behaviour));
  }
  THINAIR_CHECK(worst, "a program has no code");
  if (worst->lowered.compilers.empty()) return *std::move(worst);
  std::ranges::sort(worst->behaviours, {}, [&](const litmus::Behaviour& behaviour) {
    return litmus::to_string(worst->observables, behaviour);
  });
  return *std::move(worst);
}

void CodeTarget::show(Explanation& out, const litmus::Test& /*test*/, const Look& look,
                      const litmus::Proposition& asked) {
  out.lowered = look.side_by_side;
  const auto goal = lower::in_target(asked, look.restoration);
  const auto steps = in_time([&](const runners::SoundnessOptions& options) {
    return processor_.trace(*look.lowered, goal, limits_of(options).operational);
  });
  out.drawings.push_back(
      drawn("The execution of the code",
            explain::example(*look.lowered, processor_.model(), goal, explaining_limits()), ""));
  out.drawings.back().steps = to_string(*look.lowered, steps);
}

runners::SoundnessResult CodeTarget::check(const litmus::Test& test, lower::Lowered lowered,
                                           const runners::SoundnessOptions& options) const {
  const auto limits = limits_of(options);
  const auto run = [&](const litmus::Test& code) { return processor_.run(code, limits); };
  const auto hardware = [&](const litmus::Test& code) {
    return options.same != nullptr ? options.same->shown(code, run) : run(code);
  };
  return runners::check_soundness(test, model(), std::move(lowered), name(), hardware, options);
}

runners::HardwareLimits CodeTarget::limits_of(const runners::SoundnessOptions& options) const {
  runners::HardwareLimits out{options.oracle.limits, {}, against().herd7};
  out.operational.watch = out.executions.watch;
  if (const auto* watch = out.executions.watch; watch != nullptr)
    out.herd7.seconds =
        std::min(out.herd7.seconds, watch->deadline().left().value_or(out.herd7.seconds));
  return out;
}

namespace {

/// A scheme, or LLVM.
class LoweredTarget : public CodeTarget {
 public:
  LoweredTarget(const std::string& name, const Against& against)
      : CodeTarget(name, against, lower::machine_named(name)), targets_([this, name] {
          auto target = runners::find_target(name);
          target.share(memory_);
          return target;
        }) {
    compiles_ = !targets_.with_one([](const lower::Target& target) { return target.is_scheme(); });
  }

  Tuning tuning() const override {
    Tuning out = CodeTarget::tuning();
    if (!compiles_) return out;
    static constexpr auto profiles = std::to_array<std::string_view>({"compilers"});
    out.ahead = true;
    out.profiles = profiles;
    return out;
  }

  std::string content() const override {
    if (is_outside()) return ""; // opt and llc of the user's
    const auto target = runners::find_target(name());
    if (!target.is_scheme()) return target.content();
    text::Digest digest;
    digest.add(target.content());
    return digest.hex();
  }

  litmus::Choices choices() const override { return runners::find_target(name()).choices(); }

  void coming(std::span<const litmus::Program> programs) override {
    if (compiles_) prepare(programs);
  }

  /// A module of one thread costs as much as a module of four, a process as much as a hundred
  /// threads.
  void reducing(const litmus::Program& program) override {
    if (!compiles_) return;
    const std::size_t most_edits = is_outside() ? 128 : 32;
    std::vector<litmus::Program> edits;
    for (const auto& proposal : gen::proposals(program)) {
      if (edits.size() == most_edits) break;
      edits.push_back(litmus::canonical(proposal));
    }
    prepare(edits);
  }

  const SchemeMending* mending() override {
    const std::scoped_lock guard(mending_mutex_);
    if (!mending_ && runners::find_target(name()).is_scheme() && choices().schemes == 1 &&
        SchemeMending::is_possible(name()))
      mending_ = std::make_unique<const SchemeMending>(
          name(), [this](const litmus::Program& program, lower::Target& target) {
            return verdict_with(program, target);
          });
    return mending_.get();
  }

  /// Of a compiler; schemes have mending().
  std::optional<Fault> fault(const litmus::Program& program) override {
    if (!compiles_ || !SchemeMending::is_possible(name())) return std::nullopt;
    const std::scoped_lock guard(mending_mutex_);
    if (!compiler_fault_)
      compiler_fault_.emplace(
          std::string(lower::machine_named(name())->prefix),
          [this](const litmus::Program& asked, lower::Target& target) {
            return verdict_with(asked, target);
          },
          [this](const litmus::Program& asked, const litmus::Program& compiled) {
            return verdict_of_code(asked, compiled);
          });
    return compiler_fault_->of(program);
  }

 protected:
  lower::Lowered lowered(const litmus::Program& program, std::uint32_t loop_bound) override {
    return targets_.with_one(
        [&](lower::Target& target) { return target.lower(program, loop_bound); });
  }

 private:
  bool is_outside() const { return name().find('@') != std::string::npos; }

  void prepare(std::span<const litmus::Program> programs) {
    targets_.with_one([&](lower::Target& target) {
      target.prepare(programs, against().with.oracle.limits.loop_bound);
    });
  }

  Verdict verdict_with(const litmus::Program& program, lower::Target& target) const {
    return judgement_of([&](const auto& options) {
             return check(as_test(program, "program"),
                          target.lower(program, options.oracle.limits.loop_bound), options);
           })
        .verdict;
  }

  Verdict verdict_of_code(const litmus::Program& asked, const litmus::Program& compiled) {
    return judgement_of([&](const auto& options) {
             return check(as_test(asked, "program"),
                          lowered(compiled, options.oracle.limits.loop_bound), options);
           })
        .verdict;
  }

  std::mutex mending_mutex_;
  std::unique_ptr<const SchemeMending> mending_;
  std::optional<const CompilerFault> compiler_fault_;
  lower::CodeMemory memory_;
  Pool<lower::Target> targets_;
  bool compiles_ = false; // it is no scheme
};

} // namespace

std::unique_ptr<Target> make_code_target(const std::string& name, const Against& against) {
  return std::make_unique<LoweredTarget>(name, against);
}

std::vector<std::string> code_names(lower::Machine machine) {
  std::vector<std::string> out;
  for (const auto& target : lower::targets())
    if (target.machine == machine) out.push_back(target.name);
  return out;
}

std::vector<TargetKind> code_kinds() {
  std::vector<TargetKind> out;
  for (const lower::Machine machine : lower::machines())
    out.push_back({
        .prefix = fmt::format("{}:", machine->prefix),
        .form = machine->form,
        .help = machine->help,
        .names = [machine] { return code_names(machine); },
        .make = make_code_target,
    });
  return out;
}

} // namespace thinair::campaign
