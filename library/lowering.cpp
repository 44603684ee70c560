// What targets make of programs, and whether models allow it.
#include "library/guard.h"
#include "library/hidden.h"
#include "litmus/language.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "runners/find_target.h"
#include "runners/hardware.h"
#include "runners/soundness.h"

namespace thinair {
namespace {

const litmus::Test& java_of(const Program& program) {
  const litmus::Test& test = program.hidden().test;
  litmus::require_java(test, "to lower: they are machine code already");
  return test;
}

std::uint32_t loop_bound(const Limits& limits) {
  return limits.unroll.value_or(oracle::Limits().loop_bound);
}

Code lowered(const litmus::Test& test, const std::string& name, const Limits& limits) {
  auto target = runners::find_target(name);
  const auto code = target.lower(test.java(), loop_bound(limits));
  return {target.name(), annotated_assembly(code), side_by_side(code), to_string(code.restoration)};
}

runners::HardwareLimits hardware_limits(const oracle::Limits& of_model, const Limits& limits) {
  runners::HardwareLimits out{of_model, {}, {}};
  out.operational.seconds = limits.seconds.value_or(out.operational.seconds);
  out.operational.states = limits.states.value_or(out.operational.states);
  return out;
}

Soundness::Answer answer_of(runners::Soundness verdict) {
  switch (verdict) {
  case runners::Soundness::sound: return Soundness::Answer::sound;
  case runners::Soundness::unsound: return Soundness::Answer::mismatches;
  case runners::Soundness::unknown: return Soundness::Answer::unknown;
  case runners::Soundness::vacuous: return Soundness::Answer::vacuous;
  }
  return Soundness::Answer::unknown;
}

std::vector<State> states_of(const runners::Judged& judged,
                             const std::vector<litmus::Behaviour>& behaviours) {
  std::vector<State> out;
  for (const auto& behaviour : behaviours)
    out.push_back(
        {{behaviour.begin(), behaviour.end()}, litmus::to_string(judged.observables, behaviour)});
  return out;
}

Soundness as_soundness(const runners::Judged& judged) {
  Soundness out;
  out.answer = answer_of(judged.verdict);
  out.reason = judged.reason.text;
  for (const auto& observable : judged.observables) out.names.push_back(to_string(observable));
  out.behaviours = states_of(judged, judged.behaviours);
  out.forbidden = states_of(judged, judged.forbidden);
  return out;
}

/// The answer of a check, or that a limit kept it from one.
template <class Check>
Soundness checked(Check&& check) {
  try {
    return as_soundness(check());
  } catch (const LimitReached& limit) {
    Soundness out;
    out.reason = limit.what();
    return out;
  }
}

} // namespace

std::string_view to_string(Soundness::Answer answer) {
  switch (answer) {
  case Soundness::Answer::sound: return "sound";
  case Soundness::Answer::mismatches: return "mismatches";
  case Soundness::Answer::unknown: return "unknown";
  case Soundness::Answer::vacuous: return "vacuous";
  }
  return "";
}

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (auto& target : lower::targets()) names.push_back(std::move(target.name));
  return names;
}

Result<Code> lower_to(const std::string& target, const Program& program, const Limits& limits) {
  return guarded([&] { return lowered(java_of(program), target, limits); });
}

Result<Soundness> sound(const Program& program, const Model& model, const std::string& target,
                        const Limits& limits) {
  return guarded([&] {
    const auto& test = java_of(program);
    const auto& plan = model.hidden().loaded.plan(test);
    const runners::SoundnessOptions options{oracle_options(model.hidden(), limits)};
    return checked([&]() -> runners::Judged {
      const runners::Processor processor(lower::machine_named(target));
      auto compiler = runners::find_target(target);
      const auto hardware = [&](const litmus::Test& code) {
        return processor.run(code, hardware_limits(options.oracle.limits, limits));
      };
      return check_soundness(test, plan, compiler, hardware, options);
    });
  });
}

Result<Soundness> sound(const Program& program, const Model& model, const Model& implementation,
                        const Limits& limits) {
  return guarded([&] {
    const auto& test = program.hidden().test;
    litmus::require_java(test, "in a comparison of models");
    if (model.hidden().identity != implementation.hidden().identity)
      throw InputError("two models with different identities of actions cannot be compared");
    const auto& plan = model.hidden().loaded.plan(test);
    cat::Plan other = implementation.hidden().loaded.plan(test);
    if (!implementation.hidden().causality.empty())
      other.causality = implementation.hidden().causality;
    const runners::SoundnessOptions options{oracle_options(model.hidden(), limits)};
    return checked(
        [&]() -> runners::Judged { return check_soundness(test, plan, other, options); });
  });
}

} // namespace thinair
