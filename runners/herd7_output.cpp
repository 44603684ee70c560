// Reads herd7's output line by line.
#include "runners/herd7_output.h"

#include <fmt/format.h>

#include <charconv>

namespace thinair::runners {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> found;
  while (!line.empty()) {
    const std::size_t end = line.find(' ');
    if (end != 0) found.push_back(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return found;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class BlockReader {
 public:
  /// From the line behind `Test NAME …`; absent if the text ends within the block.
  static std::optional<ParsedBlock> read(std::string_view name, std::string_view& text) {
    BlockReader reader(name);
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      if (line.starts_with("Hash=")) return reader.finish();
      reader.take(line, text);
    }
    return std::nullopt;
  }

 private:
  explicit BlockReader(std::string_view name) { parsed_.block.name = name; }

  void complain(std::string_view about) {
    if (parsed_.complaint.empty()) parsed_.complaint = about;
  }

  void take(std::string_view line, std::string_view& text) {
    const auto parts = words(line);
    if (parts.empty()) return;
    if (parts[0] == "States") {
      take_states(parts, text);
    } else if (parts[0] == "Loop") {
      parsed_.block.loop_cut = true;
    } else if (parts[0] == "Positive:") {
      take_counts(parts);
    } else if (parts[0] == "Flag" && parts.size() == 2) {
      parsed_.block.flags.emplace_back(parts[1]);
    } else if (parts[0] == "Observation") {
      take_observation(parts);
    } else if (parts[0] == "Time" && parts.size() == 3) {
      parsed_.block.seconds = number<double>(parts[2]).value_or(0);
    } else if (!counted_ && line.ends_with(';')) {
      complain("more states than announced");
    }
  }

  void take_states(const std::vector<std::string_view>& parts, std::string_view& text) {
    const auto count = parts.size() == 2 ? number<std::uint64_t>(parts[1]) : std::nullopt;
    if (!count) return complain("a number of states that is none");
    states_ = count;
    for (std::uint64_t i = 0; i < *count && !text.empty(); ++i) {
      const std::string_view line = next_line(text);
      auto& state = parsed_.block.states.emplace_back();
      for (const std::string_view item : words(line)) {
        const std::size_t equal = item.find('=');
        if (equal == std::string_view::npos || !item.ends_with(';'))
          return complain(fmt::format("a state `{}`", line));
        state.emplace_back(item.substr(0, equal), item.substr(equal + 1, item.size() - equal - 2));
      }
    }
  }

  void take_counts(const std::vector<std::string_view>& parts) {
    const auto positive = parts.size() == 4 ? number<std::uint64_t>(parts[1]) : std::nullopt;
    const auto negative = parts.size() == 4 ? number<std::uint64_t>(parts[3]) : std::nullopt;
    if (!positive || !negative) return complain("counts that are none");
    counted_ = true;
    parsed_.block.positive = *positive;
    parsed_.block.negative = *negative;
  }

  void take_observation(const std::vector<std::string_view>& parts) {
    if (parts.size() != 5 || parts[1] != parsed_.block.name)
      return complain("an observation of another test");
    observation_ = parts[2];
    const HerdBlock& block = parsed_.block;
    if (number<std::uint64_t>(parts[3]) != block.positive ||
        number<std::uint64_t>(parts[4]) != block.negative)
      complain("two different counts");
  }

  ParsedBlock finish() {
    const HerdBlock& block = parsed_.block;
    if (!states_ || !counted_ || observation_.empty()) complain("an answer that lacks a part");
    if (states_ && *states_ != block.states.size()) complain("fewer states than announced");
    if (block.states.empty() != (block.positive + block.negative == 0))
      complain("states that no execution has");
    const std::string_view expected = block.positive == 0   ? "Never"
                                      : block.negative == 0 ? "Always"
                                                            : "Sometimes";
    if (observation_ != expected)
      complain(fmt::format("{} of {} positive and {} negative", observation_, block.positive,
                           block.negative));
    return std::move(parsed_);
  }

  ParsedBlock parsed_;
  std::optional<std::uint64_t> states_;
  bool counted_ = false;
  std::string observation_;
};

/// `t12` of `Warning: File "some/where/t12.litmus", line 3 …`.
std::string file_of(std::string_view line) {
  constexpr std::string_view opening = "File \"", ending = ".litmus";
  const std::size_t at = line.find(opening);
  if (at == std::string_view::npos) return {};
  std::string_view path = line.substr(at + opening.size());
  path = path.substr(0, path.find('"'));
  if (!path.ends_with(ending)) return {};
  path.remove_suffix(ending.size());
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

} // namespace

std::map<std::string, ParsedBlock> parse_herd_output(std::string_view text) {
  std::map<std::string, ParsedBlock> blocks;
  while (!text.empty()) {
    const auto parts = words(next_line(text));
    if (parts.size() < 2 || parts[0] != "Test") continue;
    auto parsed = BlockReader::read(parts[1], text);
    if (!parsed) break;
    const std::string name(parts[1]);
    if (blocks.contains(name)) parsed->complaint = "two answers";
    blocks[name] = std::move(*parsed);
  }
  return blocks;
}

std::map<std::string, std::vector<std::string>> parse_herd_messages(std::string_view text) {
  std::map<std::string, std::vector<std::string>> messages;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.empty()) messages[file_of(line)].emplace_back(line);
  }
  return messages;
}

} // namespace thinair::runners
