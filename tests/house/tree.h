// The source tree as the house tests see it: files, their lines, their includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::house {

/// A text file of the tree.
struct File {
  std::string path; // relative to the root, with '/'
  std::string text;

  bool in(std::string_view folder) const { return path.starts_with(std::string(folder) + "/"); }
  bool has_extension(std::string_view extension) const { return path.ends_with(extension); }
  bool is_cpp() const { return has_extension(".cpp") || has_extension(".h"); }
};

std::filesystem::path root();

/// Every file that belongs to the project, sorted by path: what a build makes and what starts with
/// a dot is left out, `.ci` and `.github` aside.
const std::vector<File>& files();

std::vector<std::string_view> lines(std::string_view text);

/// What `#include` lines name, with their delimiters: `"litmus/ids.h"`, `<vector>`.
std::vector<std::string> includes(const File& file);

/// The text with comments, string and character literals and preprocessor lines blanked; line
/// breaks stay where they were.
std::string code_only(std::string_view text);

/// A function body at namespace or class scope, by braces.
struct Function {
  std::string signature; // its last line before the brace
  std::size_t line = 0;  // of its first line, from 1
  std::size_t length = 0;
};
std::vector<Function> functions(std::string_view text);

} // namespace thinair::house
