// Fuzzes lists of known mismatches: any bytes are read or refused, and what is read are the ids
// that stand there.
#include "campaign/known_list.h"
#include "litmus/text/error.h"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace thinair;

std::optional<std::vector<litmus::ContentHash>> read(const std::string& text) {
  try {
    return campaign::parse_known({"fuzz", text});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const auto known = read(text);
  if (!known) return 0;
  std::string list;
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::size_t at = 0;
  for (const auto& hash : *known) {
    const auto id = litmus::to_string(hash);
    at = text.find(id, at);
    require(at != std::string::npos);
    at += id.size();
    list += id + "\n";
  }
  const auto again = read(list);
  require(again && *again == *known);
  return 0;
}
