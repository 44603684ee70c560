// What JVMs printed of a few programs, kept as files: lifting is tested where there is no JVM.
#pragma once

#include "runners/jit/capture.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

/// A file below tests/runners/jit: "x86-25-c2.listing".
struct Recording {
  std::string_view name;
  lower::Machine machine;
  Compiler compiler;
  std::string_view jdk;
};
/// Of the programs of some test, by all compilers that have compiled them: "objects".
std::vector<Recording> recordings_of(std::string_view what);
/// Of recorded_programs().
std::vector<Recording> recordings();

/// The programs of every recording.
std::vector<litmus::Program> recorded_programs();
enum class Recorded : std::size_t { store_buffering, message_passing, branch, updates };

std::string listing_of(const Recording& recording);

/// Lines of a listing that carry code, without addresses of this machine's objects.
std::string shortened(std::string_view listing);

/// The bytes of every fence, and of what has one inside, become those of nothing like it.
void forget_fences(lower::jit::Method& method, lower::Machine machine);

} // namespace thinair::runners::jit
