// Looks at a page in a headless browser, as a phone or a desk would show it.
#pragma once

#include <optional>
#include <string>

namespace thinair::support {

struct Rendered {
  int width = 0;        // of what the page takes up, everything unfolded
  int pictures = 0;     // SVGs
  std::string problems; // SVGs with parts outside their box; empty: none
};

/// The page in a window `width` pixels wide; absent where there is no chromium, or it does not
/// start.
std::optional<Rendered> render(const std::string& html, int width);

} // namespace thinair::support
