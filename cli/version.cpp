// Reads the version that the build wrote down, and hashes the embedded models.
#include "cli/version.h"

#include "cli/commit.inc"
#include "models/library.h"

#include <fmt/format.h>

namespace thinair::cli {
namespace {

/// FNV-1a, 64 bits.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(std::uint8_t{0});
  }
  std::uint64_t value() const { return value_; }

 private:
  void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

} // namespace

Version version() {
  Hash hash;
  for (const auto& file : models::files()) {
    hash.add(file.name);
    hash.add(file.text);
  }
  return {THINAIR_VERSION, commit, fmt::format("{:016x}", hash.value())};
}

std::string to_string(const Version& version) {
  std::string text = "thinair " + version.number;
  if (!version.commit.empty()) text += " (" + version.commit + ")";
  return text + ", models " + version.models;
}

} // namespace thinair::cli
