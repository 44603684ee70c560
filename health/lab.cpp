// Asking the oracle, and the models of interleavings that properties compare with.
#include "health/lab.h"

#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/unfit_model.h"

namespace thinair::health {
namespace {

/// JLS 17.4.5: conflicting accesses that happens-before does not order are a data race; 17.4.4: a
/// volatile write synchronizes with all later volatile reads of its variable, an unlock with all
/// later locks. In an interleaving, "later" is the order of writes and what follows from it.
constexpr const char* races = R"cat("Interleavings with a data race"
(* causality: none *)
(* meaning: everything *)
include "sc.cat"
let synchronizes = ([W & V]; (co? & loc); rf; [R & V]) | turns | life
let happens-before = (po | synchronizes)+
let conflict = (loc & ((W * M) | (M * W)) & ext) \ (V * V) \ (IW * M) \ (M * IW)
~empty (conflict \ happens-before) \ happens-before^-1 as race
)cat";

} // namespace

std::string to_string(const State& state) {
  std::vector<litmus::Observable> observables;
  litmus::Behaviour behaviour;
  for (const auto& [observable, value] : state) {
    observables.push_back(observable);
    behaviour.push_back(value);
  }
  return litmus::to_string(observables, behaviour);
}

Lab::Lab(const Settings& settings, Deadline deadline)
    : settings_(settings), deadline_(deadline), sc_(cat::load_model("sc", cat::Architecture::java)),
      racy_(cat::load_model(text::Source{"races", races}, cat::Architecture::java)) {}

const Allowed& Lab::of(const cat::Plan& model, const litmus::Program& program) {
  litmus::Test test;
  test.name = "program";
  test.program = program;
  const auto [at, fresh] = answers_.try_emplace({&model, litmus::print(test)});
  if (fresh) at->second = asked(model, program);
  return at->second;
}

Allowed Lab::asked(const cat::Plan& model, const litmus::Program& program) const {
  Allowed out;
  try {
    litmus::Test test;
    test.name = "program";
    test.program = program;
    auto options = settings_.options;
    options.all_registers = true;
    auto limits = oracle::watch_limits(options.limits);
    limits.deadline = Deadline::first(limits.deadline, deadline_);
    Watch watch(limits);
    options.limits.watch = &watch;
    if (&model != settings_.model) options.rules.clear();
    const auto found = oracle::Oracle(test, model, options).behaviours();
    out.known = found.status == oracle::Result::Status::ok;
    out.reason = found.reason.text;
    for (const auto& behaviour : found.behaviours) {
      State state;
      for (std::size_t i = 0; i < behaviour.size(); ++i)
        state.emplace(found.observables[i], behaviour[i]);
      out.states.insert(std::move(state));
    }
  } catch (const Unsupported& lacking) {
    out.reason = lacking.what();
  } catch (const LimitReached& limit) {
    out.reason = limit.what();
  } catch (const oracle::UnfitModel& unfit) {
    out.reason = unfit.what();
    out.unfit = true;
  }
  return out;
}

} // namespace thinair::health
