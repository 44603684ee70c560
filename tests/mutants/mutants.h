// Compilers with one mistake each: what a fuzzer must notice, how fast, and how small.
#pragma once

#include "gen/profile.h"
#include "gen/reduce.h"
#include "litmus/program.h"
#include "lower/target.h"
#include "oracle/cat/plan.h"
#include "runners/hardware.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::mutants {

/// What an optimizer with a bug does to a program before the right scheme of Table 2 lowers it.
using Rewrite = litmus::Program (*)(const litmus::Program&);

/// A mistake in a scheme, Table 2 where nothing is said: the rules of some operations replaced, or
/// a wrong rewriting before it.
struct Mutant {
  std::string_view name;
  std::string_view mistake;
  std::string_view rules;       // in the format of scheme files; may be empty
  Rewrite rewrite;              // or null
  std::string_view profile;     // what to draw programs from
  std::uint32_t textbook;       // accesses of the smallest litmus test that shows it, by hand
  std::string_view textbook_as; // what that test is called
  std::uint32_t wide = 0;       // of the profile: how many of 100 constants are at an edge
  std::string_view of = "x86:table2";
  std::string_view model = "jam21"; // which the right scheme is sound for, or nearly
};

std::span<const Mutant> mutants();

/// The scheme with the mutant's rules in the place of its own. Throws InputError for rules that are
/// no scheme's.
lower::Scheme scheme_of(const Mutant& mutant);

/// Whether the mutant shows a behaviour that `model` forbids and the right scheme does not show:
/// models differ from schemes in their own right, and that is not the mutant's fault.
class Detector {
 public:
  Detector(const Mutant& mutant, const cat::Plan& model);
  gen::Interest operator()(const litmus::Program& program);

 private:
  const Mutant& mutant_;
  const cat::Plan& model_;
  lower::Target target_;
  lower::Target right_;
  runners::Processor processor_;
};

struct Catch {
  std::uint64_t programs = 0; // drawn until then
  double seconds = 0;         // of processor time until then
  double reduce_seconds = 0;
  litmus::Program program; // minimal
};

/// Draws programs until one is noticed, then reduces it; absent where `seconds` of processor time
/// were not enough.
std::optional<Catch> hunt(const Mutant& mutant, const cat::Plan& model, std::uint64_t seed,
                          double seconds);

} // namespace thinair::mutants
