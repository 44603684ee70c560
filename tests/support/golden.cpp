// Finds and reads golden data: a small JSON reader and nothing more.
#include "tests/support/golden.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace thinair::golden {
namespace {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  Json read() {
    skip_blanks();
    if (rest_.empty()) throw std::runtime_error("JSON ends early");
    switch (rest_.front()) {
    case '{': return read_object();
    case '[': return read_array();
    case '"': return string_value(read_string());
    default: return read_word();
    }
  }

  void finish() {
    skip_blanks();
    if (!rest_.empty()) throw std::runtime_error("text behind JSON");
  }

 private:
  static Json string_value(std::string text) {
    Json value;
    value.kind = Json::Kind::string;
    value.string = std::move(text);
    return value;
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) throw std::runtime_error(std::string("JSON without ") + c);
  }

  Json read_object() {
    Json value;
    value.kind = Json::Kind::object;
    expect('{');
    if (accept('}')) return value;
    do {
      skip_blanks();
      std::string key = read_string();
      expect(':');
      value.object[std::move(key)] = read();
    } while (accept(','));
    expect('}');
    return value;
  }

  Json read_array() {
    Json value;
    value.kind = Json::Kind::array;
    expect('[');
    if (accept(']')) return value;
    do value.array.push_back(read());
    while (accept(','));
    expect(']');
    return value;
  }

  std::string read_string() {
    expect('"');
    std::string out;
    while (!rest_.empty() && rest_.front() != '"') {
      const bool escape = rest_.front() == '\\' && rest_.size() > 1;
      const char c = rest_[escape ? 1 : 0];
      if (escape && c == 'u') {
        read_code_point();
        out += '?';
        continue;
      }
      out += escape && c == 'n' ? '\n' : escape && c == 't' ? '\t' : c;
      rest_.remove_prefix(escape ? 2 : 1);
    }
    expect('"');
    return out;
  }

  /// `\u` and four digits; nobody here needs to know which.
  void read_code_point() {
    const std::string_view digits = rest_.substr(2, 4);
    if (digits.size() < 4 ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
      throw std::runtime_error("JSON with \\u and no digits");
    rest_.remove_prefix(6);
  }

  Json read_word() {
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n,]}"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    Json value;
    if (word == "null") return value;
    value.kind = word == "true" || word == "false" ? Json::Kind::boolean : Json::Kind::number;
    value.boolean = word == "true";
    if (value.kind == Json::Kind::boolean) return value;
    const auto [stop, error] =
        std::from_chars(word.data(), word.data() + word.size(), value.number);
    if (error != std::errc() || stop != word.data() + word.size())
      throw std::runtime_error("JSON with the word " + std::string(word));
    return value;
  }

  std::string_view rest_;
};

} // namespace

std::filesystem::path folder() {
  if (const char* set = std::getenv("THINAIR_GOLDEN")) return set;
  return std::filesystem::path(THINAIR_SOURCE_DIR).parent_path() / "shared" / "golden";
}

std::vector<std::filesystem::path> files(std::string_view below) {
  std::vector<std::filesystem::path> found;
  const auto where = folder() / below;
  if (!std::filesystem::is_directory(where)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(where))
    if (entry.is_regular_file()) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const Json& Json::operator[](const std::string& key) const {
  static const Json null;
  const auto found = object.find(key);
  return found == object.end() ? null : found->second;
}

Json parse_json(std::string_view text) {
  JsonReader reader(text);
  Json value = reader.read();
  reader.finish();
  return value;
}

std::map<std::string, Answer> answers(std::string_view file) {
  std::map<std::string, Answer> result;
  const auto path = folder() / file;
  if (!std::filesystem::exists(path)) return result;
  for (const auto& [name, entry] : parse_json(read(path)).object) {
    Answer& answer = result[name];
    for (const Json& state : entry["states"].array) answer.states.push_back(state.string);
    std::ranges::sort(answer.states);
    answer.observation = entry["observation"].string;
    answer.positive = static_cast<std::uint64_t>(entry["positive"].number);
    answer.negative = static_cast<std::uint64_t>(entry["negative"].number);
  }
  return result;
}

} // namespace thinair::golden
