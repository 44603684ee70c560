// Fails on two files of one room that hide different things under one name: such files cannot be
// compiled as one (THINAIR_UNITY).
#include "tests/house/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace thinair::house {
namespace {

/// What a namespace without a name declares.
struct Hidden {
  std::string space; // the namespace around it: "thinair::cli"
  std::string name;
  std::string what; // two that are equal in this, too, may stand in one file: overloads may not
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return std::string(text);
}

/// Without `template <...>` in front.
std::string_view without_template(std::string_view text) {
  if (!text.starts_with("template")) return text;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == '>' && depth == 0) return text.substr(i + 1);
  }
  return text;
}

/// The word that ends before `end`, and empty for a member of something: `A::f`.
std::string word_before(std::string_view text, std::size_t end) {
  while (end > 0 && !is_word(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  if (begin > 0 && (text[begin - 1] == ':' || text[begin - 1] == '~')) return "";
  return std::string(text.substr(begin, end - begin));
}

/// The types of parameters: what is left of each without its name and its default.
std::string types_of(std::string_view parameters) {
  std::string out, one;
  int depth = 0;
  for (const char c : std::string(parameters) + ",") {
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) {
      if (c != ' ' || !one.ends_with(' ')) one += c;
      continue;
    }
    std::string_view type = std::string_view(one).substr(0, one.find('='));
    while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
    std::size_t name = type.size();
    while (name > 0 && is_word(type[name - 1])) --name;
    if (name > 0 && type.substr(0, name).find_first_not_of(' ') != std::string_view::npos &&
        type[name - 1] != ':')
      type = type.substr(0, name);
    out += trimmed(type) + ",";
    one.clear();
  }
  return out;
}

bool is_function(std::string_view statement) {
  const auto open = statement.find('('), equals = statement.find('=');
  return open != std::string_view::npos && open < equals && !statement.starts_with("using ") &&
         !statement.starts_with("static_assert");
}

/// A declaration without its braces; nothing for what declares no name of its own.
std::optional<Hidden> declared(const std::string& space, const std::string& text) {
  const auto statement = trimmed(without_template(trimmed(text)));
  if (statement.empty() || statement.find("operator") != std::string::npos ||
      statement.starts_with("static_assert"))
    return std::nullopt;
  if (statement.starts_with("using ") || statement.starts_with("namespace ")) {
    const auto equals = statement.find('=');
    if (equals == std::string::npos) return std::nullopt; // another's name
    return Hidden{space, word_before(statement, equals), statement};
  }
  for (const std::string_view kind : {"struct ", "class ", "enum class ", "enum "})
    if (statement.starts_with(kind)) {
      const std::size_t begin = kind.size();
      auto end = begin;
      while (end < statement.size() && is_word(statement[end])) ++end;
      return Hidden{space, statement.substr(begin, end - begin), ""};
    }
  if (is_function(statement)) {
    const auto open = statement.find('('), close = statement.rfind(')');
    return Hidden{space, word_before(statement, open),
                  "(" + types_of(statement.substr(open + 1, close - open - 1)) + ")"};
  }
  return Hidden{space,
                word_before(statement, std::min(statement.size(), statement.find_first_of("=[,"))),
                ""};
}

/// Reads a file's braces.
class Reader {
 public:
  std::vector<Hidden> names(std::string_view text) {
    for (const char c : code_only(text)) step(c);
    return std::move(out_);
  }

 private:
  enum class Brace { named, unnamed, body, other };
  bool in_unnamed() const { return !open_.empty() && open_.back().first == Brace::unnamed; }
  bool at_scope() const { return open_.empty() || open_.back().first <= Brace::unnamed; }
  std::string space() const {
    std::string out;
    for (const auto& [brace, name] : open_)
      if (brace == Brace::named) out += (out.empty() ? "" : "::") + name;
    return out;
  }
  void declare() {
    if (in_unnamed())
      if (auto found = declared(space(), statement_); found && !found->name.empty())
        out_.push_back(*std::move(found));
  }
  void open() {
    const auto text = trimmed(statement_);
    if (at_scope() && text.starts_with("namespace")) {
      const auto name = trimmed(std::string_view(text).substr(9));
      open_.emplace_back(name.empty() ? Brace::unnamed : Brace::named, name);
      statement_.clear();
    } else if (at_scope() && text.ends_with(')') && is_function(without_template(text)) &&
               std::ranges::count(text, '(') == std::ranges::count(text, ')')) {
      declare();
      open_.emplace_back(Brace::body, "");
    } else {
      open_.emplace_back(Brace::other, "");
    }
  }
  void close() {
    if (open_.empty()) return;
    const Brace closed = open_.back().first;
    open_.pop_back();
    if (closed != Brace::other) statement_.clear();
  }
  void step(char c) {
    if (c == '{') return open();
    if (c == '}') return close();
    if (!at_scope()) return;
    if (c != ';') return static_cast<void>(statement_ += c == '\n' ? ' ' : c);
    declare();
    statement_.clear();
  }

  std::vector<std::pair<Brace, std::string>> open_;
  std::string statement_;
  std::vector<Hidden> out_;
};

/// As CMake makes libraries of folders; empty for what is compiled file by file.
std::string room_of(std::string_view path) {
  for (const std::string_view alone : {"tests/", "bench/", "examples/", "cmake/"})
    if (path.starts_with(alone)) return "";
  if (path.ends_with("/code/words.cpp")) return "";
  const auto folder = path.substr(0, std::min(path.rfind('/'), path.size()));
  if (folder.starts_with("machine")) return folder.ends_with("code") ? "machine/code" : "machine";
  const auto parts = folder.starts_with("oracle/") ? folder.size() : folder.find('/');
  return std::string(folder.substr(0, parts));
}

TEST(Unity, NoTwoFilesOfARoomHideDifferentThingsUnderOneName) {
  using Key = std::tuple<std::string, std::string, std::string>; // room, namespace, name
  std::map<Key, std::vector<std::pair<std::string, std::string>>> all;
  for (const auto& file : files()) {
    const auto room = room_of(file.path);
    if (room.empty() || !file.has_extension(".cpp")) continue;
    for (const auto& hidden : Reader().names(file.text))
      all[{room, hidden.space, hidden.name}].emplace_back(file.path, hidden.what);
  }
  EXPECT_GT(all.size(), 1000U) << "the measure finds no names any more";
  const auto is_kind = [](std::string_view what, char first) { return what.starts_with(first); };
  for (const auto& [key, places] : all)
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto& [file, what] = places[i];
        const auto& [other, others] = places[j];
        if (file == other) continue;
        const bool overloads = is_kind(what, '(') && is_kind(others, '(') && what != others;
        const bool one_alias = !what.empty() && !is_kind(what, '(') && what == others;
        EXPECT_TRUE(overloads || one_alias)
            << std::get<2>(key) << " stands in " << file << " and in " << other
            << ": give one of them another name, or both the same in a header";
      }
}

TEST(Measure, FindsNamesThatAFileHides) {
  const auto found = Reader().names(R"cpp(
namespace a::b {
int shown(int x) { return x; }
namespace {
namespace fs = std::filesystem;
struct S { int field = 1; void f() { g(); } };
using T = std::vector<int>;
using c::U;
enum class E { one, two };
constexpr auto table = std::to_array<S>({ {1}, {2} });
template <class X>
X f(const X& x, std::map<int, int> y = {}) { if (x) { return y; } }
int g();
void S::h() {}
bool operator==(S, S) { return true; }
} // namespace
} // namespace a::b
)cpp");
  std::vector<std::string> names;
  for (const auto& hidden : found) names.push_back(hidden.name + hidden.what);
  EXPECT_EQ(names, (std::vector<std::string>{"fsnamespace fs = std::filesystem", "S",
                                             "Tusing T = std::vector<int>", "E", "table",
                                             "f(const X&,std::map<int, int>,)", "g(,)"}));
  for (const auto& hidden : found) EXPECT_EQ(hidden.space, "a::b");
}

} // namespace
} // namespace thinair::house
