// Fuzzes the readers of tests: any bytes are read or refused, and what is read prints to a text
// that reads the same.
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

/// The test, or nothing where the reader refuses the text as it should.
std::optional<thinair::litmus::Test> read(const std::string& text) {
  try {
    return thinair::litmus::parse({"fuzz", text});
  } catch (const thinair::InputError&) {
    return std::nullopt;
  } catch (const thinair::Unsupported&) {
    return std::nullopt;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto test = read(text);
  if (!test) return 0;
  const auto again = read(print(*test));
  if (!again || *again != *test) std::abort();
  return 0;
}
