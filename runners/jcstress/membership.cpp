// Puts the test back as it was and hands the question to the oracle.
#include "runners/jcstress/membership.h"

#include "litmus/text/error.h"
#include "runners/jcstress/expect.h"

#include <algorithm>

namespace thinair::runners::jcstress {
namespace {

/// Without sentinels and clauses, everything observed under `locations`.
litmus::Test question(const Prepared& test) {
  litmus::Test asked = test.test;
  asked.clauses.clear();
  asked.filter.reset();
  asked.locations = observables_of(test);
  for (const Slot& slot : test.slots) {
    if (!slot.sentinel) continue;
    auto& thread = std::get<litmus::Program>(asked.program).threads[slot.observable.thread->value];
    const auto found =
        std::ranges::find(thread.registers, slot.observable.name, &litmus::Register::name);
    found->initial = slot.unwritten;
  }
  return asked;
}

} // namespace

Membership::Membership(const Prepared& test, const cat::Plan& model, const oracle::Options& options)
    : observables_(observables_of(test)),
      test_(std::make_unique<const litmus::Test>(question(test))), model_(model), options_(options),
      oracle_(std::make_unique<oracle::Oracle>(*test_, model_, options_)) {
  THINAIR_CHECK(oracle_->observables() == observables_, "the oracle shows other things than asked");
}

oracle::Answer Membership::allows(const litmus::Behaviour& behaviour) {
  return oracle_->allows(behaviour);
}

oracle::Answer Membership::allows_anything() { return oracle_->allows_anything(); }

explain::Core Membership::why_forbidden(const litmus::Behaviour& behaviour) const {
  return jcstress::why_forbidden(*test_, behaviour, observables_, model_, options_);
}

} // namespace thinair::runners::jcstress
