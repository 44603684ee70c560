// Final states, in the order of their text.
#include "runners/final_states.h"

#include "oracle/question/text_order.h"

#include <utility>

namespace thinair::runners {

FinalStates::FinalStates(const litmus::Test& test, const MachineOptions& options)
    : test_(test), options_(options), asked_(litmus::observables(test, options.all_registers)),
      own_watch_({Deadline::in(options.seconds), options.steps, options.bytes}),
      watch_(options.watch != nullptr ? *options.watch : own_watch_) {}

bool FinalStates::record(litmus::Behaviour behaviour) {
  if (test_.filter && !litmus::holds(*test_.filter, asked_, behaviour)) return false;
  found_.insert(std::move(behaviour));
  return true;
}

void FinalStates::stop(Reason why) {
  result_.status = oracle::Result::Status::unknown;
  result_.reason = std::move(why);
}

bool FinalStates::limit_reached(const StateSet& seen, std::size_t bytes, std::uint64_t more) {
  const auto reached = [&](Reason why) {
    stop(std::move(why));
    return true;
  };
  if (seen.size() + more > options_.states) return reached(Reason::reached(Limit::states));
  if (seen.bytes() > options_.bytes) return reached(Reason::reached(Limit::memory));
  if (!watch_.step(1 + bytes / 16)) return reached(watch_.reason());
  return false;
}

oracle::Result FinalStates::finish(std::uint64_t states) {
  result_.observables = asked_;
  result_.candidates = states;
  result_.behaviours = oracle::in_text_order(
      found_, [&](const litmus::Behaviour& b) { return litmus::to_string(test_, asked_, b); },
      watch_);
  if (watch_.stopped() && result_.status == oracle::Result::Status::ok) stop(watch_.reason());
  if (!test_.clauses.empty())
    for (const litmus::Behaviour& behaviour : result_.behaviours) {
      const bool yes = litmus::holds(test_.clauses[0].proposition, asked_, behaviour);
      ++(yes ? result_.positive : result_.negative);
    }
  return std::move(result_);
}

} // namespace thinair::runners
