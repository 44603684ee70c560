// Files that operands stand for: lists, folders, and what is neither.
#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace thinair::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t list_depth = 16;
constexpr std::size_t list_bytes = 64U << 20U;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class Expander {
 public:
  std::vector<std::string> run(const std::vector<std::string>& operands) {
    for (const auto& operand : operands) add(operand, 0);
    return std::move(files_);
  }

 private:
  void add(const std::string& operand, std::size_t depth) {
    std::error_code ignored;
    if (operand.starts_with('@')) {
      list(operand.substr(1), depth);
    } else if (fs::is_directory(operand, ignored)) {
      folder(operand);
    } else {
      files_.push_back(operand);
    }
  }

  void list(const std::string& path, std::size_t depth) {
    if (depth >= list_depth)
      throw InputError::in(path, fmt::format("lists nest deeper than {}", list_depth));
    litmus::Limits limits;
    limits.bytes = list_bytes;
    const auto source = litmus::read_file(path, limits);
    std::string_view rest = source.text;
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      entry(rest.substr(0, end), path, depth);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void entry(std::string_view line, const std::string& list_path, std::size_t depth) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const bool is_list = line.starts_with('@');
    const fs::path relative(is_list ? trimmed(line.substr(1)) : line);
    const std::string path = (fs::path(list_path).parent_path() / relative).string();
    add(is_list ? "@" + path : path, depth + 1);
  }

  void folder(const std::string& path) {
    const std::size_t before = files_.size();
    try {
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.path().extension() == ".litmus" && entry.is_regular_file())
          files_.push_back(entry.path().string());
    } catch (const fs::filesystem_error& e) {
      throw InputError::in(path, e.code().message());
    }
    if (files_.size() == before) throw InputError::in(path, "no .litmus file in this folder");
    std::sort(files_.begin() + static_cast<std::ptrdiff_t>(before), files_.end());
  }

  std::vector<std::string> files_;
};

} // namespace

std::vector<std::string> expand(const std::vector<std::string>& operands) {
  return Expander().run(operands);
}

} // namespace thinair::cli
