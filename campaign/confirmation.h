// What a JIT's code may do, handed to jcstress: does a JVM of this machine show it?
#pragma once

#include "campaign/judge.h"
#include "litmus/text/watch.h"
#include "runners/jcstress/jvm.h"

#include <cstdint>
#include <string>

namespace thinair::campaign {

/// A JVM, how it compiles, and for how long each run is.
struct Confirming {
  runners::jcstress::Jvm jvm;
  runners::jcstress::Mode mode = runners::jcstress::Mode::c2;
  std::uint64_t seed = 1; // of mode stress
  std::uint32_t milliseconds = 3000;
};

/// "1,598 of 3,000,000 samples, on Debian 17.0.15 c2", or "may happen: not seen in …", or "may
/// happen:" and why nothing could be run. What the JVM compiles is the same program by the same
/// compiler, in a loop of jcstress's: it may be other code than what was judged.
std::string confirmed(const litmus::Program& program, const litmus::State& behaviour,
                      const Confirming& by, const Deadline& deadline = {});

} // namespace thinair::campaign
