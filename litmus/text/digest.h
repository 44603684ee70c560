// A stable 128-bit digest: the same on every machine and compiler, and no secret.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace thinair::text {

class Digest {
 public:
  void add(std::uint64_t word);
  /// Its length first, so that "ab", "c" is not "a", "bc".
  void add(std::string_view text);

  const std::array<std::uint64_t, 2>& words() const { return words_; }
  std::string hex() const; // 32 digits

 private:
  std::array<std::uint64_t, 2> words_{0x243F6A8885A308D3U, 0x13198A2E03707344U}; // digits of pi
};

} // namespace thinair::text
