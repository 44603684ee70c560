// Command lines with their files, drawn at random: valid ones with a few mistakes in them.
#pragma once

#include "cli/command.h"
#include "tests/fuzz/cli_fuzz/mutate.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::fuzz {

struct File {
  std::string name; // below the directory that the command runs in
  std::string text;
};

struct Input {
  std::string_view kind;
  std::vector<std::string> words; // of the command line, without the program
  std::vector<File> files;
};

/// What inputs are made from.
struct Seeds {
  std::vector<std::string> tests, models, schemes, profiles, tables; // texts of files
  Material material;
};

/// Those of a source tree. Throws std::runtime_error where it lacks what is needed.
Seeds seeds_of(const std::string& tree);

/// Number `index` of all that `seed` stands for: the same on every machine.
Input make_input(const Seeds& seeds, std::uint64_t seed, std::uint64_t index);

} // namespace thinair::fuzz
