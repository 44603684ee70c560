// What tests of compiled code with fields of its own share: listings of C2 that are recorded, JDKs
// that are installed, and the verdict on what either has compiled.
#pragma once

#include "litmus/test.h"
#include "lower/jit/lift.h"
#include "runners/jit/jdk.h"
#include "runners/soundness.h"
#include "tests/runners/jit_recordings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

std::vector<litmus::Test> tests_of(std::span<const std::string_view> texts);
std::vector<litmus::Program> programs_of(const std::vector<litmus::Test>& tests);
/// With a question that all executions answer.
std::vector<litmus::Test> drawn_tests(const char* profile, std::uint64_t count);

std::vector<lower::jit::Compilation> compilations(const Recording& recording,
                                                  const std::vector<litmus::Test>& tests);
/// Makes them anew where THINAIR_RECORD_JITS is a part of their names. Whether it is set.
bool record(const std::vector<Recording>& recordings, const std::vector<litmus::Test>& tests);

lower::Lowered lifted(const lower::jit::Compilation& compilation);
/// Under `java`, by the machine's model.
SoundnessResult judged(const litmus::Test& test, const lower::Lowered& code,
                       lower::Machine machine);

/// The code shows what the scheme shows that its compiler is meant to follow, no more and no less:
/// how many behaviours.
std::size_t expect_what_a_scheme_shows(const lower::jit::Compilation& code,
                                       const litmus::Test& test, const Recording& recording);
/// Each recording of tests `from` on shows what the scheme shows that its compiler is meant to
/// follow, no more and no less.
void expect_what_schemes_show(const std::vector<Recording>& recordings,
                              const std::vector<litmus::Test>& tests, std::size_t from = 0);

/// JDKs with C2: those of this machine, and those for AArch64.
std::vector<Jdk> jdks_with_c2();
/// All is lifted, but for what `excused` says of an Unsupported's message, computes what its source
/// does, and shows nothing that `java` forbids; half of it has a choice, and of two thirds the
/// verdict is not `unknown`. What is excused is at most half.
void expect_sound(const std::vector<litmus::Test>& tests, const Jdk& jdk,
                  Compiler compiler = Compiler::c2, std::span<const std::string_view> excused = {});

} // namespace thinair::runners::jit
