// Fuzzes AArch64 tests from the initial state on: what is read prints to a text that reads the
// same, and has paths.
#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/watch.h"
#include "machine/aarch64/front_end.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

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

void walk(const litmus::Test& test) {
  Watch watch({.steps = 100'000, .bytes = 1 << 24});
  graph::PathLimits limits;
  limits.paths_per_thread = 64;
  limits.watch = &watch;
  try {
    for (const auto& thread : graph::paths_of(test, limits).threads)
      for (const auto& path : thread.paths) require(path.strays.empty());
  } catch (const Unsupported&) {
  } catch (const LimitReached&) {
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto test = read("AArch64 t\n" + std::string(reinterpret_cast<const char*>(data), size));
  if (!test) return 0;
  const std::string printed = print(*test);
  const auto again = read(printed);
  require(again && again->program == test->program && print(*again) == printed);
  require(!to_json(*test).empty());
  walk(*test);
  return 0;
}
