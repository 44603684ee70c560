// Mixed code is code: which scheme compiles what is part of the program (litmus/choices.h).
#include "campaign/mix_target.h"

#include "campaign/code_target.h"

namespace thinair::campaign {
namespace {

/// Each machine's compilers of one JVM; any other list is a mix, too.
std::vector<std::string> mix_names() {
  return {"mix:x86:hotspot-c1,x86:hotspot-c2", "mix:aarch64:hotspot-c1,aarch64:hotspot-c2",
          "mix:riscv:hotspot-c1,riscv:hotspot-c2"};
}

} // namespace

const TargetKind mix_kind = {
    .prefix = "mix:",
    .form = "mix:A,B[,C]",
    .help = "code in which each access may be compiled by any of these schemes, which are of one "
            "machine: @2 in front of an access says by the second",
    .names = mix_names,
    .make = make_code_target,
};

} // namespace thinair::campaign
