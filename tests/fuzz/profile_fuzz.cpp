// Fuzzes profiles: any bytes are read or refused; what is read prints to a text that reads the same
// and draws programs within its bounds.
#include "gen/generator.h"
#include "litmus/text/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace thinair;

std::optional<gen::Profile> read(const std::string& text) {
  try {
    return gen::parse_profile({"fuzz", text});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto profile = read({reinterpret_cast<const char*>(data), size});
  if (!profile) return 0;
  const auto again = read(print(*profile));
  require(again && *again == *profile);
  gen::Generator generator(*profile, size, 0);
  for (int i = 0; i < 3; ++i) {
    const auto program = generator.next().program;
    require(program.threads.size() <= profile->max_threads);
    require(program.locations.size() <= profile->max_locations);
  }
  return 0;
}
