// Building a mutant, noticing it, and timing that.
#include "gen/generator.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"
#include "runners/soundness.h"
#include "tests/mutants/mutants.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <string>

namespace thinair::mutants {
namespace {

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

litmus::Test as_test(const litmus::Program& program) {
  litmus::Test test;
  test.name = "program";
  test.program = program;
  return test;
}

gen::Profile profile_of(const Mutant& mutant) {
  auto profile = gen::load_profile(mutant.profile);
  profile.wide = mutant.wide;
  return profile;
}

} // namespace

lower::Scheme scheme_of(const Mutant& mutant) {
  const auto machine = mutant.of.substr(0, mutant.of.find(':'));
  return lower::parse_scheme(
      {std::string(mutant.name), fmt::format("scheme {}:mutant \"{}\" like {}\n{}\n", machine,
                                             mutant.mistake, mutant.of, mutant.rules)});
}

Detector::Detector(const Mutant& mutant, const cat::Plan& model)
    : mutant_(mutant), model_(model), target_(scheme_of(mutant)),
      right_(lower::Target::named(mutant.of)), processor_(target_.machine()) {}

gen::Interest Detector::operator()(const litmus::Program& program) try {
  const auto hardware = [&](const litmus::Test& code) { return processor_.run(code, {}); };
  const auto test = as_test(program);
  auto lowered = target_.lower(mutant_.rewrite ? mutant_.rewrite(program) : program);
  const auto wrong =
      runners::check_soundness(test, model_, std::move(lowered), mutant_.name, hardware);
  if (wrong.verdict == runners::Soundness::unknown) return gen::Interest::unknown;
  if (wrong.verdict == runners::Soundness::sound) return gen::Interest::no;
  const auto right = runners::check_soundness(test, model_, right_, hardware);
  const auto of_the_right_one = [&](const auto& b) {
    return std::ranges::find(right.behaviours, b) != right.behaviours.end();
  };
  return std::ranges::all_of(wrong.forbidden, of_the_right_one) ? gen::Interest::no
                                                                : gen::Interest::yes;
} catch (const Unsupported&) {
  return gen::Interest::unknown;
} catch (const LimitReached&) {
  return gen::Interest::unknown;
}

std::optional<Catch> hunt(const Mutant& mutant, const cat::Plan& model, std::uint64_t seed,
                          double seconds) {
  Detector detector(mutant, model);
  gen::Generator generator(profile_of(mutant), seed, 0);
  const double began = processor_seconds();
  Catch caught;
  while (processor_seconds() - began < seconds) {
    const auto program = generator.next().program;
    ++caught.programs;
    if (detector(program) != gen::Interest::yes) continue;
    const double found = processor_seconds();
    caught.seconds = found - began;
    caught.program = litmus::canonical(gen::reduce(program, std::ref(detector)).program);
    caught.reduce_seconds = processor_seconds() - found;
    return caught;
  }
  return std::nullopt;
}

} // namespace thinair::mutants
