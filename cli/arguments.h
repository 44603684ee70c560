// The command line of one command, checked against its options.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::cli {

struct Command;

/// Options by long name, and operands. Values are checked when parsed: what is asked of the wrong
/// type here is a bug.
class Arguments {
 public:
  bool has(std::string_view option) const;
  bool json() const { return has("json"); }
  std::optional<std::string> text(std::string_view option) const;
  std::string text(std::string_view option, std::string_view fallback) const;
  std::vector<std::string> texts(std::string_view option) const;
  std::uint64_t count(std::string_view option, std::uint64_t fallback) const;
  double seconds(std::string_view option, double fallback) const;

  const std::vector<std::string>& operands() const { return operands_; }

  /// Throws InputError that names the option, with the nearest one there is.
  static Arguments parse(const Command& command, std::span<const std::string> words);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> operands_;
};

} // namespace thinair::cli
