// Fuzzes compilation schemes of every machine: any bytes are read or refused; what is read
// lowers a program, and a scheme prints to a text that reads the same.
#include "litmus/text/error.h"
#include "lower/lowered.h"
#include "lower/scheme.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace thinair;

void require(bool holds) {
  if (!holds) std::abort();
}

std::optional<lower::Scheme> read(const std::string& text) {
  try {
    return lower::parse_scheme({"fuzz", text});
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// A program with every operation in it.
litmus::Program everything() {
  litmus::Program program;
  program.locations.push_back({"x", 0, false});
  litmus::Thread thread;
  thread.name = "Thread0";
  thread.registers.push_back({"r", 0});
  thread.handles.push_back({"X", litmus::LocationId(0)});
  for (const auto& row : litmus::methods()) {
    litmus::Access access{{}, false, row.method, litmus::LocationId(0), {}};
    for (int i = 0; i < row.arguments; ++i)
      access.arguments.push_back(litmus::Expression::of(litmus::RegisterId(0)));
    if (litmus::reads(row.action)) access.target = litmus::RegisterId(0);
    thread.body.push_back({std::move(access), {}});
  }
  for (const auto& row : litmus::fences())
    thread.body.push_back({litmus::FenceStatement{row.fence}, {}});
  program.threads.push_back(std::move(thread));
  return program;
}

void check(const std::string& text) {
  const auto scheme = read(text);
  if (!scheme) return;
  const auto again = read(print(scheme->text()));
  require(again && print(again->text()) == print(scheme->text()));
  static const auto program = everything();
  try {
    lower::lower_with(*scheme, program);
  } catch (const Unsupported&) { // more registers than there are
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
