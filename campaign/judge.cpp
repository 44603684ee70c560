// Names of verdicts, and programs as the tests that judges look at.
#include "campaign/judge.h"

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

litmus::Test as_test(const litmus::Program& program, std::string name) {
  litmus::Test test;
  test.name = std::move(name);
  test.program = program;
  return test;
}

} // namespace thinair::campaign
