// Asks candidates about programs: known ones, all small ones, random ones.
#include "campaign/scheme_asking.h"

#include "campaign/program_rules.h"
#include "gen/generator.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

using lower::Operation;
using lower::SchemeText;

/// Everything by any of them: a candidate may differ where the scheme itself does not.
litmus::Choices any_of(std::size_t schemes) {
  litmus::Choices out;
  if (schemes == 1) return out;
  out.schemes = static_cast<litmus::Choice>(schemes);
  std::vector<litmus::Choice> all;
  for (litmus::Choice i = 0; i < out.schemes; ++i) all.push_back(i);
  out.of_method.assign(litmus::methods().size(), all);
  out.of_fence.assign(litmus::fences().size(), all);
  return out;
}

void drop_dead(std::vector<Candidate*>& alive) {
  std::erase_if(alive, [](const Candidate* c) { return c->witness.has_value(); });
}

/// Whether two schemes have the same code for all that a program does.
bool alike(const SchemeText& a, const SchemeText& b, const std::vector<bool>& has) {
  for (std::size_t i = 0; i < has.size(); ++i)
    if (has[i] && a.code(lower::operation_at(i)) != b.code(lower::operation_at(i))) return false;
  return true;
}

} // namespace

std::vector<bool> operations_of(const litmus::Program& program) {
  std::vector<bool> has(lower::operation_count, false);
  for (const auto& operation : operations_in(program)) has[lower::index_of(operation)] = true;
  return has;
}

SchemeAsking::SchemeAsking(const Against& against, const SchemeSearch& settings, Held held,
                           const std::atomic<bool>& stop)
    : against_(against), settings_(settings), held_(held), stop_(stop),
      machine_(lower::machine_named(settings.scheme)), processor_(machine_, against.engine),
      text_(lower::Target::named(settings.scheme).scheme()),
      scheme_(std::make_unique<lower::Target>(target_of(text_))) {
  if (text_.tells_types_apart())
    throw Unsupported("rules for one type alone, in a search around a scheme");
  settings_.space.choices = any_of(settings.with.size() + 1);
  if (settings.seconds)
    deadline_ =
        *settings.seconds > 0 ? Deadline::in(*settings.seconds) : Deadline(Deadline::Clock::now());
}

bool SchemeAsking::may_change(Operation operation) const {
  if (std::holds_alternative<lower::RuntimeAction>(operation))
    return held_ == Held::against_everything && settings_.operations.empty();
  return settings_.operations.empty() ||
         std::ranges::find(settings_.operations, operation) != settings_.operations.end();
}

/// The scheme with other rules, mixed with what it is to be mixed with.
lower::Target SchemeAsking::target_of(const SchemeText& scheme) const {
  auto own = lower::Target::of_scheme({"scheme", print(scheme)});
  if (settings_.with.empty()) return own;
  std::vector<lower::Target> all;
  std::vector<std::string> names{text_.name()};
  all.push_back(std::move(own));
  for (const auto& name : settings_.with) {
    all.push_back(lower::Target::named(name));
    names.push_back(name);
  }
  return lower::Target::mix(std::move(all), std::move(names));
}

std::unique_ptr<Candidate> SchemeAsking::candidate(SchemeText scheme) {
  std::vector<bool> changed(lower::operation_count);
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const Operation operation = lower::operation_at(i);
    changed[i] = scheme.code(operation) != text_.code(operation);
  }
  auto target = target_of(scheme);
  return std::make_unique<Candidate>(std::move(scheme), std::move(target), std::move(changed));
}

/// The accesses and fences around an operation that is asked about, or around all of those, and
/// itself.
gen::Space SchemeAsking::around(std::optional<Operation> operation) const {
  gen::Space space = settings_.space;
  const auto add = [](auto& to, auto what) {
    const auto at = std::ranges::lower_bound(to, what);
    if (at == to.end() || *at != what) to.insert(at, what);
  };
  for (const auto& each : operation ? std::vector{*operation} : settings_.operations) {
    if (const auto* method = std::get_if<litmus::Method>(&each)) add(space.methods, *method);
    if (const auto* fence = std::get_if<litmus::Fence>(&each)) add(space.fences, *fence);
  }
  return space;
}

SchemeAsking::Shows SchemeAsking::ask(lower::Target& target, const litmus::Program& program,
                                      litmus::State& behaviour) {
  auto limits = oracle::watch_limits(against_.with.oracle.limits);
  limits.deadline = Deadline::first(limits.deadline, deadline_);
  Watch watch(limits);
  auto options = against_.with;
  options.oracle.limits.watch = &watch;
  runners::HardwareLimits hardware_limits{options.oracle.limits, {}, against_.herd7};
  hardware_limits.operational.watch = &watch;
  const auto hardware = [&](const litmus::Test& code) {
    return processor_.run(code, hardware_limits);
  };
  const litmus::Test test = as_test(program, "program");
  try {
    if (held_ == Held::beside_the_scheme)
      options.baseline = [&](const litmus::Test& same) -> runners::Judged {
        auto plain = options;
        plain.baseline = {};
        return runners::check_soundness(same, against_.model, *scheme_, hardware, plain);
      };
    const auto found = runners::check_soundness(test, against_.model, target, hardware, options);
    switch (found.verdict) {
    case runners::Soundness::sound:
    case runners::Soundness::vacuous: return Shows::nothing; // threads that wait for ever, say
    case runners::Soundness::unknown: return Shows::unknown;
    case runners::Soundness::unsound: break;
    }
    behaviour = litmus::state_of(found.observables, found.forbidden.front());
    return Shows::something;
  } catch (const Unsupported&) {
    return Shows::unknown;
  } catch (const LimitReached&) {
    return Shows::unknown;
  }
}

void SchemeAsking::ask(Candidate& candidate, const litmus::Program& program) {
  litmus::State behaviour;
  switch (ask(candidate.target, program, behaviour)) {
  case Shows::nothing: return;
  case Shows::unknown: ++candidate.extent.undecided; return;
  case Shows::something: break;
  }
  candidate.witness = SchemeWitness{program, behaviour};
  if (std::ranges::find(known_, program) == known_.end()) known_.insert(known_.begin(), program);
}

/// A program drawn at random is larger than what it shows needs.
void SchemeAsking::reduce(Candidate& candidate) {
  constexpr std::uint64_t most_tries = 2000;
  const SchemeWitness found = *candidate.witness;
  const auto undecided = candidate.extent.undecided;
  std::erase(known_, found.program);
  const auto shows = [&](const litmus::Program& program) {
    if (over()) return gen::Interest::unknown;
    litmus::State behaviour;
    switch (ask(candidate.target, program, behaviour)) {
    case Shows::something: return gen::Interest::yes;
    case Shows::nothing: return gen::Interest::no;
    case Shows::unknown: break;
    }
    return gen::Interest::unknown;
  };
  const auto reduced = gen::reduce(found.program, shows,
                                   {.max_tries = most_tries, .stop = [this] { return over(); }});
  candidate.witness.reset();
  ask(candidate, litmus::canonical(reduced.program));
  candidate.extent.undecided = undecided;
  if (candidate.witness) return;
  candidate.witness = found; // the time was over meanwhile
  known_.insert(known_.begin(), found.program);
}

void SchemeAsking::ask_known(Candidate& candidate) {
  const auto known = known_; // asking may add to it
  for (const auto& program : known) {
    if (candidate.witness || over()) return;
    // of what is not changed a candidate shows what the scheme does
    if (held_ == Held::against_everything ||
        !alike(candidate.scheme, text_, operations_of(program)))
      ask(candidate, program);
  }
  candidate.asked_known = !over() && candidate.extent.undecided == 0;
}

bool SchemeAsking::has_answer(const Candidate& candidate, const litmus::Program& program,
                              const std::vector<SchemeText>& before) const {
  const auto has = operations_of(program);
  if (held_ == Held::beside_the_scheme && alike(candidate.scheme, text_, has)) return true;
  return std::ranges::any_of(
      before, [&](const SchemeText& asked) { return alike(candidate.scheme, asked, has); });
}

void SchemeAsking::ask_small(std::vector<Candidate*>& alive, Operation operation,
                             std::uint32_t accesses) {
  if (!has_small_programs(operation)) return;
  auto space = around(operation);
  space.max_accesses = accesses;
  auto& before = asked_[{lower::index_of(operation), accesses}];
  std::map<Candidate*, std::uint64_t> undecided;
  for (Candidate* candidate : alive) undecided[candidate] = candidate->extent.undecided;
  gen::Enumerator programs(space, [this] { return over(); });
  std::uint32_t size = 0;
  const auto whole = [&](std::uint32_t n) {
    for (Candidate* candidate : alive) candidate->extent.accesses = n;
  };
  while (!alive.empty() && !over() && programs.next()) {
    if (programs.accesses() != size) whole(size);
    size = programs.accesses();
    const auto program = programs.program();
    if (!operations_of(program)[lower::index_of(operation)]) continue;
    for (Candidate* candidate : alive) {
      if (over()) break;
      if (!has_answer(*candidate, program, before)) ask(*candidate, program);
      ++candidate->extent.programs;
    }
    drop_dead(alive);
  }
  if (!programs.stopped() && !over()) {
    whole(accesses);
    for (Candidate* candidate : alive)
      if (candidate->extent.undecided == undecided[candidate]) before.push_back(candidate->scheme);
  }
  for (Candidate* candidate : alive) candidate->extent.late |= over();
}

bool SchemeAsking::is_asked_about(const litmus::Program& program,
                                  std::optional<Operation> operation) const {
  const auto has = operations_of(program);
  if (operation) return has[lower::index_of(*operation)];
  return settings_.operations.empty() ||
         std::ranges::any_of(settings_.operations,
                             [&](Operation each) { return has[lower::index_of(each)]; });
}

/// Where some operations alone may change, random programs have no others but the space's.
void SchemeAsking::ask_random(std::vector<Candidate*>& alive, std::optional<Operation> operation) {
  constexpr std::uint64_t draws_for_one = 50;
  const auto space = around(operation);
  std::vector<gen::Generator> generators;
  for (const auto& profile : settings_.profiles) {
    generators.emplace_back(profile, settings_.seed,
                            operation ? lower::index_of(*operation) : lower::operation_count);
    generators.back().set_choices(space.choices);
  }
  std::uint64_t judged = 0;
  for (std::uint64_t drawn = 0; judged < settings_.programs && !alive.empty() && !over() &&
                                drawn < draws_for_one * settings_.programs;
       ++drawn) {
    const auto program = generators[drawn % generators.size()].next().program;
    if (!is_asked_about(program, operation)) continue;
    if (!settings_.operations.empty() && !gen::within_modes(space, program)) continue;
    ++judged;
    for (Candidate* candidate : alive) {
      ask(*candidate, program);
      if (candidate->witness) reduce(*candidate);
      ++candidate->extent.random;
    }
    drop_dead(alive);
  }
  for (Candidate* candidate : alive) candidate->extent.late |= over();
}

} // namespace thinair::campaign
