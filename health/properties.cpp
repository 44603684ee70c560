// The table of properties, and the forms that most of them have.
#include "health/property.h"

#include <algorithm>

namespace thinair::health {
namespace {

using Answer = Finding::Answer;

Finding unknown(std::string why) { return {Answer::unknown, "", std::nullopt, std::move(why)}; }

/// The states of a variant, in terms of the original's registers.
Allowed in_terms_of_original(Allowed allowed, const Variant& variant) {
  if (variant.moved.empty()) return allowed;
  std::set<State> out;
  for (State state : allowed.states) {
    for (const auto& [original, place] : variant.moved) state[original] = state[place];
    for (const auto& [original, place] : variant.moved) state.erase(place);
    out.insert(std::move(state));
  }
  allowed.states = std::move(out);
  return allowed;
}

bool has_meaning(const Lab& lab, const litmus::Program& program) {
  const auto& meaning = lab.settings().model->meaning;
  return meaning.as_plain || (litmus::constructs_of(program) - meaning.known).empty();
}

std::function<Finding(const litmus::Program&, Lab&)> compared(Variants variants, bool adds) {
  return [variants, adds](const litmus::Program& program, Lab& lab) {
    Finding whole;
    for (auto& variant : variants(program)) {
      if (!has_meaning(lab, variant.program)) continue; // what the model says nothing of
      const Allowed after = in_terms_of_original(lab.allowed(variant.program), variant);
      const Allowed& before = lab.allowed(program);
      Finding found = adds ? included(after, before,
                                      "the program after the change allows it, and the program "
                                      "before does not")
                           : included(before, after,
                                      "the program before the change allows it, and the program "
                                      "after does not");
      if (found.answer == Answer::fails) {
        found.other = std::move(variant.program);
        return found;
      }
      if (whole.answer != Answer::unknown) whole = std::move(found);
    }
    return whole;
  };
}

} // namespace

Finding included(const Allowed& left, const Allowed& right, std::string_view sentence) {
  for (const auto& state :
       left.states) // all of them are allowed, known or not whether there are more
    if (!right.states.contains(state)) {
      if (!right.known) return unknown(right.reason);
      return {Answer::fails, to_string(state), std::nullopt, std::string(sentence)};
    }
  if (!left.known) return unknown(left.reason);
  return {Answer::holds, "", std::nullopt, ""};
}

std::function<Finding(const litmus::Program&, Lab&)> adds_nothing(Variants variants) {
  return compared(variants, true);
}

std::function<Finding(const litmus::Program&, Lab&)> loses_nothing(Variants variants) {
  return compared(variants, false);
}

std::vector<Property> properties(const Settings& settings) {
  std::vector<Property> out;
  add_basics(out, settings);
  add_monotony(out, settings);
  add_reorderings(out, settings);
  add_eliminations(out, settings);
  add_inlining(out, settings);
  add_implementations(out, settings);
  return out;
}

} // namespace thinair::health
