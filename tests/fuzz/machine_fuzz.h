// What fuzzers of machines' tests have in common: what is read prints to a text that reads the
// same.
#pragma once

#include "litmus/json.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/watch.h"
#include "oracle/graph/path.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace thinair::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline std::optional<litmus::Test> read(const std::string& text) {
  try {
    return litmus::parse({"fuzz", text});
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// Whatever a fuzzer was given, behind a header in its machine's word; none where it is no test.
inline std::optional<litmus::Test> read_again(const char* word, const std::uint8_t* data,
                                              std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  auto test = read(std::string(word) + " fuzz\n" + body);
  if (!test) return std::nullopt;
  const std::string printed = print(*test);
  const auto again = read(printed);
  require(again && *again == *test && print(*again) == printed);
  require(to_json(*test).starts_with('{'));
  return test;
}

/// Every thread has its paths, and none of them reads what nobody has written.
inline void walk(const litmus::Test& test) {
  Watch watch({.steps = 100'000, .bytes = 1 << 24});
  graph::PathLimits limits;
  limits.loop_bound = 1;
  limits.paths_per_thread = 64;
  limits.watch = &watch;
  try {
    const auto paths = graph::paths_of(test, limits);
    require(paths.threads.size() == test.code().threads());
    for (const auto& thread : paths.threads)
      for (const auto& path : thread.paths) require(path.strays.empty());
  } catch (const Unsupported&) { // mixed sizes, addresses of no cell
  } catch (const LimitReached&) {
  }
}

} // namespace thinair::fuzz
