// Reads the golden answers kept outside of the tree; a test without them skips itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::golden {

/// The folder of golden data: $THINAIR_GOLDEN, or shared/golden beside the tree. May not exist.
std::filesystem::path folder();

/// The files of a folder below it, sorted; none where it does not exist.
std::vector<std::filesystem::path> files(std::string_view below);

std::string read(const std::filesystem::path& file);

/// A JSON value, as far as golden data needs it: numbers are doubles, objects keep no duplicates.
struct Json {
  enum class Kind { null, boolean, number, string, array, object } kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<Json> array;
  std::map<std::string, Json> object;

  /// A member of an object; a null value where there is none.
  const Json& operator[](const std::string& key) const;
};

/// Throws std::runtime_error on malformed text.
Json parse_json(std::string_view text);

/// herd's answer to one test, in canonical state strings, sorted.
struct Answer {
  std::vector<std::string> states;
  std::string observation; // "Sometimes", "Always", "Never"
  std::uint64_t positive = 0, negative = 0;
};

/// The answers of a file as `x86/x86-tso.json`, by test; empty where it does not exist.
std::map<std::string, Answer> answers(std::string_view file);

} // namespace thinair::golden
