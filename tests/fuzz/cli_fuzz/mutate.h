// Mistakes in texts: of bytes, of words, of lines, of numbers.
#pragma once

#include "litmus/random.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::fuzz {

/// What mutations are made with.
struct Material {
  std::vector<std::string> words;  // of the formats
  std::vector<std::string> donors; // whole texts to take parts of
};

/// `text` with a few mistakes, more often one than many. The same for the same generator.
std::string mutated(std::string text, const Material& material, litmus::Random& random);

/// A value that no option should trip over: empty, long, a number at some edge, bytes that are no
/// text.
std::string nasty_value(litmus::Random& random);

/// Bytes that a terminal would obey, or that are no UTF-8.
std::string hostile_bytes(litmus::Random& random);

} // namespace thinair::fuzz
