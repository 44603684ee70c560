// Fuzzes the readers of tests: any bytes are read or refused, and what is read prints to a text
// that reads the same. Java programs also go through their other forms.
#include "litmus/canonical.h"
#include "litmus/json.h"
#include "litmus/normal.h"
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

void require(bool holds) {
  if (!holds) std::abort();
}

void try_forms(const thinair::litmus::Test& test) {
  using namespace thinair::litmus;
  constexpr std::size_t most_threads = 12;
  const Program normal = normalise(test.java());
  require(is_normal(normal));
  if (normal.threads.size() > most_threads) return;
  const Program form = canonical(test.java());
  require(canonical(form) == form && content_hash(form) == content_hash(test.java()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto test = read(text);
  if (!test) return 0;
  const auto again = read(print(*test));
  require(again && *again == *test && print(*again) == print(*test));
  require(to_json(*test).starts_with('{'));
  if (test->is_java()) try_forms(*test);
  return 0;
}
