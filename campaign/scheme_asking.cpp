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

} // namespace

std::vector<bool> operations_of(const litmus::Program& program) {
  std::vector<bool> has(lower::operation_count, false);
  for (const auto& operation : operations_in(program)) has[lower::index_of(operation)] = true;
  return has;
}

Asked::Asked(litmus::Program of) : program(std::move(of)), has(operations_of(program)) {}

Following::Following(const SchemeAsking& asking, const SchemeText& candidate,
                     const std::vector<SchemeText>& asked) {
  for (const auto& before : asked) {
    auto& from = from_.emplace_back(lower::operation_count);
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = asking.follows(before, candidate, lower::operation_at(i));
  }
}

bool Following::shows_nothing(const std::vector<bool>& has) const {
  return std::ranges::any_of(from_, [&](const std::vector<bool>& from) {
    for (std::size_t i = 0; i < has.size(); ++i)
      if (has[i] && !from[i]) return false;
    return true;
  });
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
  less_shows_more_ = text_.peepholes().empty();
  for (const auto& name : settings.with)
    less_shows_more_ = less_shows_more_ && lower::Target::named(name).scheme().peepholes().empty();
  if (held == Held::beside_the_scheme) good_.push_back(text_);
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

bool SchemeAsking::follows(const SchemeText& asked, const SchemeText& from_it,
                           Operation operation) const {
  const auto &less = asked.code(operation), &more = from_it.code(operation);
  return less == more || (less_shows_more_ && lower::stands_below(machine_, less, more));
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

SchemeAsking::Shows SchemeAsking::shows(Candidate& candidate, Asked& asked,
                                        litmus::State& behaviour) {
  auto limits = oracle::watch_limits(against_.with.oracle.limits);
  limits.deadline = Deadline::first(limits.deadline, deadline_);
  Watch watch(limits);
  auto options = against_.with;
  options.oracle.limits.watch = &watch;
  options.same = &asked.same;
  runners::HardwareLimits hardware_limits{options.oracle.limits, {}, against_.herd7};
  hardware_limits.operational.watch = &watch;
  const auto hardware = [&](const litmus::Test& code) {
    return asked.same.shown(
        code, [&](const litmus::Test& fresh) { return processor_.run(fresh, hardware_limits); });
  };
  try {
    if (held_ == Held::beside_the_scheme)
      options.baseline = [&](const litmus::Test& same) -> runners::Judged {
        auto plain = options;
        plain.baseline = {};
        return runners::check_soundness(same, against_.model, *scheme_, hardware, plain);
      };
    const auto found = runners::check_soundness(as_test(asked.program, "program"), against_.model,
                                                candidate.target, hardware, options);
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

void SchemeAsking::ask(Candidate& candidate, Asked& asked) {
  litmus::State behaviour;
  switch (shows(candidate, asked, behaviour)) {
  case Shows::nothing: return;
  case Shows::unknown: ++candidate.extent.undecided; return;
  case Shows::something: break;
  }
  candidate.witness = SchemeWitness{asked.program, behaviour};
  learn(asked);
}

void SchemeAsking::learn(const Asked& asked) {
  if (std::ranges::find(known_, asked.program, &Asked::program) == known_.end())
    known_.push_front(asked);
}

void SchemeAsking::reduce(Candidate& candidate) {
  constexpr std::uint64_t most_tries = 2000;
  const SchemeWitness found = *candidate.witness;
  const auto undecided = candidate.extent.undecided;
  std::erase_if(known_, [&](const Asked& asked) { return asked.program == found.program; });
  const auto shows_it = [&](const litmus::Program& program) {
    if (over()) return gen::Interest::unknown;
    litmus::State behaviour;
    Asked asked(program);
    switch (shows(candidate, asked, behaviour)) {
    case Shows::something: return gen::Interest::yes;
    case Shows::nothing: return gen::Interest::no;
    case Shows::unknown: break;
    }
    return gen::Interest::unknown;
  };
  const auto reduced = gen::reduce(found.program, shows_it,
                                   {.max_tries = most_tries, .stop = [this] { return over(); }});
  candidate.witness.reset();
  Asked small(litmus::canonical(reduced.program));
  ask(candidate, small);
  candidate.extent.undecided = undecided;
  if (candidate.witness) return;
  candidate.witness = found; // the time was over meanwhile
  learn(Asked(found.program));
}

void SchemeAsking::ask_known(Candidate& candidate) {
  const Following following(*this, candidate.scheme, good_);
  for (auto at = known_.begin(); at != known_.end();) {
    if (candidate.witness || over()) return;
    auto& asked = *at++; // asking may add to it, in front
    if (!following.shows_nothing(asked.has)) ask(candidate, asked);
  }
  candidate.asked_known = !over() && candidate.extent.undecided == 0;
}

Extent SchemeAsking::each_small(Operation operation, std::uint32_t accesses, const Skip& skip,
                                const Visit& visit) const {
  Extent out;
  if (!has_small_programs(operation)) return out;
  auto space = around(operation);
  space.max_accesses = accesses;
  gen::Enumerator programs(space, [this] { return over(); });
  std::uint32_t size = 0;
  while (!over() && programs.next()) {
    if (programs.accesses() != size) out.accesses = size;
    size = programs.accesses();
    auto has = programs.operations();
    if (!has[lower::index_of(operation)]) continue;
    has.resize(lower::operation_count);
    if (!skip(has)) {
      Asked asked(programs.program(), std::move(has));
      if (!visit(asked)) return out;
    }
    ++out.programs;
  }
  out.late = programs.stopped() || over();
  if (!out.late) out.accesses = accesses;
  return out;
}

void SchemeAsking::ask_small(std::vector<Candidate*>& alive, Operation operation,
                             std::uint32_t accesses) {
  if (!has_small_programs(operation)) return;
  auto before = asked_[{lower::index_of(operation), accesses}];
  before.insert(before.end(), good_.begin(), good_.end());
  std::map<const Candidate*, Following> following;
  std::map<Candidate*, std::uint64_t> undecided;
  for (Candidate* candidate : alive) {
    following.emplace(candidate, Following(*this, candidate->scheme, before));
    undecided[candidate] = candidate->extent.undecided;
  }
  const auto follows = [&](const Candidate* candidate, const std::vector<bool>& has) {
    return following.at(candidate).shows_nothing(has);
  };
  const auto skip = [&](const std::vector<bool>& has) {
    return std::ranges::all_of(alive, [&](const Candidate* c) { return follows(c, has); });
  };
  const auto extent = each_small(operation, accesses, skip, [&](Asked& asked) {
    for (Candidate* candidate : alive)
      if (!over() && !follows(candidate, asked.has)) ask(*candidate, asked);
    drop_dead(alive);
    return !alive.empty();
  });
  for (Candidate* candidate : alive) {
    candidate->extent.accesses = extent.accesses;
    candidate->extent.programs += extent.programs;
    candidate->extent.late |= extent.late;
    if (!extent.late && candidate->extent.undecided == undecided[candidate])
      asked_[{lower::index_of(operation), accesses}].push_back(candidate->scheme);
  }
}

bool SchemeAsking::may_have(Operation of, Operation other) const {
  const auto space = around(of);
  const auto* method = std::get_if<litmus::Method>(&other);
  const auto* fence = std::get_if<litmus::Fence>(&other);
  return (method != nullptr && std::ranges::find(space.methods, *method) != space.methods.end()) ||
         (fence != nullptr && std::ranges::find(space.fences, *fence) != space.fences.end());
}

bool SchemeAsking::is_asked_about(const Asked& asked) const {
  return settings_.operations.empty() ||
         std::ranges::any_of(settings_.operations,
                             [&](Operation each) { return asked.has[lower::index_of(each)]; });
}

namespace {

constexpr std::uint64_t draws_for_one = 50;

/// Of the profiles in turn.
class Draws {
 public:
  Draws(const SchemeSearch& settings, const litmus::Choices& choices, std::uint64_t stream) {
    for (const auto& profile : settings.profiles) {
      generators_.emplace_back(profile, settings.seed, stream);
      generators_.back().set_choices(choices);
    }
  }

  std::uint64_t drawn() const { return drawn_; }
  Asked next() { return Asked(generators_[drawn_++ % generators_.size()].next().program); }

 private:
  std::vector<gen::Generator> generators_;
  std::uint64_t drawn_ = 0;
};

} // namespace

/// Programs with each of these operations, beside whatever else they have where nothing keeps them
/// `within` the space: what an ordering is for may be another access than those of small programs.
std::vector<Asked> SchemeAsking::draw(const std::vector<Operation>& operations) const {
  const auto space = around(std::nullopt);
  const auto most =
      draws_for_one * settings_.programs * std::max<std::size_t>(1, settings_.operations.size());
  std::vector<std::uint64_t> missing(lower::operation_count, 0);
  for (const auto operation : operations) missing[lower::index_of(operation)] = settings_.programs;
  std::vector<Asked> out;
  Draws draws(settings_, space.choices, lower::operation_count);
  while (draws.drawn() < most && !over() && std::ranges::count(missing, 0) != std::ssize(missing)) {
    Asked asked = draws.next();
    if (settings_.within && !gen::within_modes(space, asked.program)) continue;
    bool wanted = false;
    for (std::size_t i = 0; i < missing.size(); ++i)
      if (asked.has[i] && missing[i] > 0) {
        wanted = true;
        --missing[i];
      }
    if (wanted) out.push_back(std::move(asked));
  }
  return out;
}

void SchemeAsking::ask_random(std::vector<Candidate*>& alive) {
  const auto space = around(std::nullopt);
  Draws draws(settings_, space.choices, lower::operation_count);
  for (std::uint64_t judged = 0; judged < settings_.programs && !alive.empty() && !over() &&
                                 draws.drawn() < draws_for_one * settings_.programs;) {
    Asked asked = draws.next();
    if (!is_asked_about(asked)) continue;
    // of a scheme that is wrong elsewhere, too, what may not change is not asked about
    if (!settings_.operations.empty() && !gen::within_modes(space, asked.program)) continue;
    ++judged;
    for (Candidate* candidate : alive) {
      ask(*candidate, asked);
      if (candidate->witness) reduce(*candidate);
      ++candidate->extent.random;
    }
    drop_dead(alive);
  }
  for (Candidate* candidate : alive) candidate->extent.late |= over();
}

} // namespace thinair::campaign
