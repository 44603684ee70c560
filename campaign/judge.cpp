// Names of verdicts, and programs as the tests that judges look at.
#include "campaign/judge.h"

#include <fmt/format.h>

namespace thinair::campaign {

std::string_view name(Verdict verdict) {
  switch (verdict) {
  case Verdict::sound: return "sound";
  case Verdict::unsupported: return "unsupported";
  case Verdict::unknown: return "unknown";
  case Verdict::unsound: return "unsound";
  case Verdict::vacuous: return "vacuous";
  }
  return "";
}

bool is_undecided(Verdict verdict) {
  return verdict != Verdict::sound && verdict != Verdict::unsound;
}

gen::Interest interest_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::unsound: return gen::Interest::yes;
  case Verdict::sound: return gen::Interest::no;
  case Verdict::unsupported:
  case Verdict::vacuous:
  case Verdict::unknown: return gen::Interest::unknown;
  }
  return gen::Interest::unknown;
}

std::string as_text(const BaselineFault& fault, std::string_view baseline, std::string_view model) {
  return fmt::format("the baseline {} is itself unsound for {}: it shows {}, too, of\n{}", baseline,
                     model, litmus::to_string(fault.behaviour), fault.program);
}

litmus::Test as_test(const litmus::Program& program, std::string name) {
  litmus::Test test;
  test.name = std::move(name);
  test.program = program;
  return test;
}

std::string as_text(const std::optional<explain::Core>& reason) {
  return reason ? explain::as_text(*reason) : "";
}

std::string as_sentence(std::string_view seen) {
  if (!seen.starts_with(may_happen)) return fmt::format("Seen in {}", seen);
  return fmt::format("M{}", seen.substr(1));
}

std::string in_a_row(std::string_view seen) {
  if (seen.empty()) return {};
  return fmt::format(", {}{}", seen.starts_with(may_happen) ? "" : "seen in ", seen);
}

} // namespace thinair::campaign
