// Fuzzes x86 tests in both syntaxes, from the initial state on: what is read prints to a text that
// reads the same, is written again for herd7 where that can be, and runs on the machine.
#include "machine/x86/code/store_buffers.h"
#include "machine/x86/format.h"
#include "machine/x86/herd_export.h"
#include "tests/fuzz/machine_fuzz.h"

namespace {

using namespace thinair;
using fuzz::require;

void write_for_herd(const litmus::Test& test) {
  try {
    const x86::HerdExport out = x86::herd_export(test);
    const auto syntax = x86::syntax_of(out.test);
    require(!x86::beyond_herd(x86::program_of(out.test), syntax));
    const auto again = fuzz::read(print(out.test));
    require(again && again->program == out.test.program);
  } catch (const Unsupported&) {
  }
}

void run(const litmus::Test& test) {
  try {
    const auto result = runners::x86_machine(test, {.states = 300, .bytes = 1 << 20});
    for (const auto& behaviour : result.behaviours)
      require(!to_string(test, result.observables, behaviour).empty() ||
              result.observables.empty());
  } catch (const Unsupported&) { // mixed sizes, computed addresses
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* syntax : {"X86_64", "X86"}) {
    const auto test = fuzz::read_again(syntax, data, size);
    if (!test) continue;
    write_for_herd(*test);
    run(*test);
  }
  return 0;
}
