// Fuzzes RISC-V tests from the initial state on: what is read prints to a text that reads the same.
#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/graph/path.h"

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
  try {
    const auto paths = graph::paths_of(test, {.loop_bound = 1, .paths_per_thread = 64});
    require(paths.threads.size() == test.code().threads());
  } catch (const Unsupported&) { // mixed sizes, addresses of no cell
  } catch (const LimitReached&) {
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  const auto test = read("RISCV fuzz\n" + body);
  if (!test) return 0;
  const std::string printed = print(*test);
  const auto again = read(printed);
  require(again && *again == *test && print(*again) == printed);
  require(to_json(*test).starts_with('{'));
  walk(*test);
  return 0;
}
