// The .cat files that are part of the program: models by name, and the library files they include.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace thinair::models {

struct File {
  std::string_view name; // relative to models/: "jls04.cat", "library/cos.cat"
  std::string_view text;
};

/// All embedded files, sorted by name.
std::span<const File> files();

/// A model by its short name ("jls04") or file name ("jls04.cat").
std::optional<File> find_model(std::string_view name);

/// A file that `include "NAME"` may ask for: a library file or another model.
std::optional<File> find_include(std::string_view name);

} // namespace thinair::models
