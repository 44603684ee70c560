// Two words, each mixed with every word that is added.
#include "litmus/text/digest.h"

#include <fmt/format.h>

namespace thinair::text {
namespace {

/// The finaliser of splitmix64 (Steele, Lea, Flood): a bijection that mixes all bits.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

} // namespace

void Digest::add(std::uint64_t word) {
  words_[0] = mixed((words_[0] ^ word) + 0x9E3779B97F4A7C15U);
  words_[1] = mixed(words_[1] * 0xD1342543DE82EF95U + mixed(word));
}

void Digest::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (std::size_t at = 0; at < text.size(); at += 8) {
    std::uint64_t word = 0;
    for (const char c : text.substr(at, 8)) word = word << 8 | static_cast<unsigned char>(c);
    add(word);
  }
}

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", words_[0], words_[1]); }

} // namespace thinair::text
