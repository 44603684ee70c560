// Fuzzes x86 tests in both syntaxes, from the initial state on: what is read prints to a text that
// reads the same, is written again for herd7 where that can be, and runs on the machine.
#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/x86/format.h"
#include "machine/x86/herd_export.h"
#include "runners/x86_machine.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using namespace thinair;

std::optional<litmus::Test> read(const std::string& text) {
  try {
    return litmus::parse({"fuzz", text});
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

void write_for_herd(const litmus::Test& test) {
  try {
    const x86::HerdExport out = x86::herd_export(test);
    const auto syntax = x86::syntax_of(out.test);
    require(!x86::beyond_herd(x86::program_of(out.test), syntax));
    const auto again = read(print(out.test));
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

void check(const std::string& text) {
  const auto test = read(text);
  if (!test) return;
  const std::string printed = print(*test);
  const auto again = read(printed);
  require(again && *again == *test && print(*again) == printed);
  require(to_json(*test).starts_with('{'));
  write_for_herd(*test);
  run(*test);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  check("X86_64 fuzz\n" + body);
  check("X86 fuzz\n" + body);
  return 0;
}
