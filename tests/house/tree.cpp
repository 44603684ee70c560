// Reads the tree, and just enough of C++ to find includes and the extent of functions.
#include "tests/house/tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace thinair::house {
namespace {

constexpr std::array<std::string_view, 13> text_extensions = {
    ".cpp", ".h",   ".cat",  ".litmus", ".md",   ".txt", ".cmake",
    ".sh",  ".dot", ".json", ".inc",    ".yaml", ".yml"};

bool is_text(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension.empty() ||
         std::ranges::find(text_extensions, extension) != text_extensions.end();
}

bool is_ours(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name == ".ci" || name == ".github") return true;
  return !name.starts_with(".") && name != "build" && !name.starts_with("build-");
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<File> walk() {
  std::vector<File> found;
  std::filesystem::recursive_directory_iterator it(root()), end;
  for (; it != end; ++it) {
    if (!is_ours(it->path())) {
      if (it->is_directory()) it.disable_recursion_pending();
      continue;
    }
    if (!it->is_regular_file() || !is_text(it->path())) continue;
    found.push_back({it->path().lexically_relative(root()).generic_string(), read(it->path())});
  }
  std::ranges::sort(found, {}, &File::path);
  return found;
}

/// Reads one lexical element of C++ at a time and blanks those that are not code.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  bool looking_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (looking_at("//")) return blank(text_.find('\n', at_));
    if (looking_at("/*")) return blank(after("*/", at_ + 2));
    if (looking_at("R\"") && !in_word()) return raw_string();
    if (text_[at_] == '"') return quoted('"');
    if (text_[at_] == '\'' && !in_word()) return quoted('\'');
    if (text_[at_] == '#' && line_is_blank()) return directive();
    out_ += text_[at_++];
  }

  bool in_word() const {
    return !out_.empty() && (std::isalnum(static_cast<unsigned char>(out_.back())) != 0);
  }
  bool line_is_blank() const {
    const auto begin = out_.find_last_of('\n') + 1;
    return out_.find_first_not_of(" \t", begin) == std::string::npos;
  }
  std::size_t after(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string_view::npos ? found : found + what.size();
  }
  void raw_string() {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return blank(open);
    blank(after(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"", open));
  }
  void quoted(char quote) {
    auto end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    blank(end + 1);
  }
  void directive() {
    auto end = text_.find('\n', at_);
    while (end != std::string_view::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    blank(end);
  }
  void blank(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_)
      out_ += text_[at_] == '\n' ? '\n' : ' ';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string without_parentheses(std::string_view statement) {
  std::string out;
  int depth = 0;
  for (const char c : statement) {
    if (c == ')') --depth;
    if (depth == 0) out += c;
    if (c == '(') ++depth;
  }
  return out;
}

enum class Brace { scope, function, other };

/// What a brace opens, from the text since the last `;`, `{` or `}`.
Brace kind_of(const std::string& statement) {
  static const std::regex scope(R"(\b(namespace|class|struct|union|enum|extern)\b)");
  static const std::regex operators(R"(operator\s*[^\s\w(]+)");
  const std::string flat =
      std::regex_replace(without_parentheses(statement), operators, "operator");
  if (flat.find('=') != std::string::npos) return Brace::other;
  if (flat.find('(') != std::string::npos) return Brace::function;
  return std::regex_search(flat, scope) ? Brace::scope : Brace::other;
}

} // namespace

std::filesystem::path root() { return THINAIR_SOURCE_DIR; }

const std::vector<File>& files() {
  static const std::vector<File> all = walk();
  return all;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::vector<std::string> includes(const File& file) {
  static const std::regex directive(R"(^\s*#\s*include\s*(["<][^">]+[">]))");
  std::vector<std::string> out;
  for (const auto line : lines(file.text)) {
    std::match_results<std::string_view::const_iterator> match;
    if (std::regex_search(line.begin(), line.end(), match, directive)) out.push_back(match[1]);
  }
  return out;
}

std::string code_only(std::string_view text) { return Blanker(text).run(); }

std::vector<Function> functions(std::string_view text) {
  struct Open {
    Brace kind;
    std::size_t line;
    std::string signature;
  };
  const std::string code = code_only(text);
  std::vector<Open> stack;
  std::vector<Function> found;
  std::string statement;
  std::size_t line = 1, first = 1;
  const auto in_scope = [&] {
    return std::ranges::all_of(stack, [](const Open& o) { return o.kind == Brace::scope; });
  };
  for (const char c : code) {
    if (c == '\n') ++line;
    if (c == '{') {
      stack.push_back({in_scope() ? kind_of(statement) : Brace::other, first, statement});
    } else if (c == '}' && !stack.empty()) {
      const Open open = stack.back();
      stack.pop_back();
      if (open.kind == Brace::function)
        found.push_back({open.signature, open.line, line - open.line + 1});
    }
    if (c == '{' || c == '}' || c == ';') {
      statement.clear();
    } else if (!statement.empty() || std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (statement.empty()) first = line;
      statement += c == '\n' ? ' ' : c;
    }
  }
  return found;
}

} // namespace thinair::house
