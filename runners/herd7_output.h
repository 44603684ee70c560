// What herd7 prints for one test, checked before it is believed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::runners {

/// One `Test NAME …` to `Hash=…`.
struct HerdBlock {
  std::string name;
  std::vector<std::vector<std::pair<std::string, std::string>>> states; // 0:rax -> 1
  std::uint64_t positive = 0, negative = 0;
  std::vector<std::string> flags;
  bool loop_cut = false;
  double seconds = 0;
};

/// A block that is whole and agrees with itself, or what is wrong with it.
struct ParsedBlock {
  HerdBlock block;
  std::string complaint; // empty: none
};

/// Blocks by the test's name. Text before the first block and an unfinished last one are left out.
std::map<std::string, ParsedBlock> parse_herd_output(std::string_view text);

/// Messages on stderr by the file they speak of (its name without folder and `.litmus`), and those
/// that speak of none under the empty name.
std::map<std::string, std::vector<std::string>> parse_herd_messages(std::string_view text);

} // namespace thinair::runners
