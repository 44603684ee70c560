// Reads listings line by line.
#include "runners/jit/listing.h"

#include "litmus/text/error.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <map>
#include <optional>

namespace thinair::runners::jit {
namespace {

using lower::jit::Method;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!(text = without_blanks(text)).empty()) {
    out.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(out.back().size());
  }
  return out;
}

class Reader {
 public:
  std::vector<Method> read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      ++number_;
      take(line);
    }
    return std::move(methods_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("Compiled method ")) return head(line);
    if (line.starts_with("[")) in_constants_ = line.starts_with("[Constant Pool]") && next_;
    if (in_constants_ && !line.starts_with("[")) return constant(without_blanks(line));
    if (line.starts_with("[MachCode]") && next_) inside_ = true;
    if (!inside_) return;
    if (line.starts_with("[/MachCode]")) return finish();
    if (line.starts_with("[Verified Entry Point]")) entry_ = next_->code.size();
    if (line.starts_with("[")) return;
    line = without_blanks(line);
    if (line.starts_with("# parm")) return parameter(line);
    if (line.starts_with("0x")) return at_address(line);
    if (line.starts_with(";") && noted_) next_->notes[*noted_] += fmt::format(" {}", line);
  }

  /// "Compiled method (c1) 2178   60       1       Batch::m_0_0 (14 bytes)"
  void head(std::string_view line) {
    next_.emplace();
    inside_ = in_constants_ = false;
    constants_.clear();
    entry_.reset();
    noted_.reset();
    for (const auto word : words(line)) {
      const auto colons = word.find("::");
      if (word.starts_with('(') && word.ends_with(')') && next_->compiler.empty())
        next_->compiler = word.substr(1, word.size() - 2);
      if (word.size() == 1 && word >= "1" && word <= "4") next_->level = word[0] - '0';
      if (colons != std::string_view::npos && next_->name.empty())
        next_->name = word.substr(colons + 2);
    }
    if (next_->name.empty() || next_->compiler.empty()) refuse(line);
  }

  /// "# parm0:    rsi:rsi   = 'State'"
  void parameter(std::string_view line) {
    const auto parts = words(line);
    if (parts.size() < 3) refuse(line);
    next_->parameters.emplace_back(parts[2]);
  }

  /// A word of 32 bits, "0x00007f0c10497b80:   0x00000000      0x4004000000000000", in front of
  /// the code. The other number is that of 64 bits.
  void constant(std::string_view line) {
    const auto parts = words(line);
    if (parts.size() < 2 || !parts[0].starts_with("0x") || !parts[0].ends_with(':')) return;
    const auto number = [&](std::string_view digits) {
      std::uint64_t out = 0;
      const auto [end, error] =
          std::from_chars(digits.data() + 2, digits.data() + digits.size(), out, 16);
      if (error != std::errc() || end != digits.data() + digits.size()) refuse(line);
      return out;
    };
    constants_[number(parts[0].substr(0, parts[0].size() - 1))] =
        static_cast<std::uint32_t>(number(parts[1]));
  }

  /// Bytes, "0x00007f233547f300: 8984 2400 | c0fe ff55", or a note, "0x00007f233547f30c: ; …".
  void at_address(std::string_view line) {
    const auto colon = line.find(':');
    std::uint64_t address = 0;
    const auto [end, error] =
        std::from_chars(line.data() + 2, line.data() + std::min(colon, line.size()), address, 16);
    if (colon == std::string_view::npos || error != std::errc() || end != line.data() + colon)
      refuse(line);
    const std::string_view rest = without_blanks(line.substr(colon + 1));
    if (next_->code.empty() && !rest.starts_with(";")) next_->address = address;
    if (rest.starts_with(";"))
      note(address, rest);
    else if (address != next_->address + next_->code.size())
      refuse(line);
    else
      bytes(rest, line);
  }

  /// A note may come before the first byte.
  void note(std::uint64_t address, std::string_view text) {
    if (next_->code.empty()) next_->address = address;
    noted_ = address - next_->address;
    next_->notes[*noted_] += fmt::format(" {}", text);
  }

  void bytes(std::string_view text, std::string_view line) {
    std::string digits;
    for (const char c : text)
      if (c != ' ' && c != '|') digits += c;
    if (digits.size() % 2 != 0) refuse(line);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      std::uint8_t byte = 0;
      const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
      if (error != std::errc() || end != digits.data() + i + 2) refuse(line);
      next_->code.push_back(byte);
    }
  }

  void finish() {
    if (!entry_ || next_->code.empty())
      throw Unsupported(fmt::format("a listing of {} without a verified entry point (line {})",
                                    next_->name, number_));
    next_->entry = *entry_;
    for (const auto& [address, word] : constants_)
      next_->constants[static_cast<std::int64_t>(address - next_->address)] = word;
    methods_.push_back(*std::move(next_));
    next_.reset();
    inside_ = false;
  }

  [[noreturn]] void refuse(std::string_view line) const {
    throw Unsupported(fmt::format("a listing of compiled code with this line {}: \"{}\"", number_,
                                  text::printable_word(std::string(line.substr(0, 80)))));
  }

  std::vector<Method> methods_;
  std::optional<Method> next_;
  std::optional<std::uint64_t> entry_, noted_;
  bool inside_ = false, in_constants_ = false;
  std::map<std::uint64_t, std::uint32_t> constants_; // by their addresses
  std::size_t number_ = 0;
};

} // namespace

std::vector<Method> read_listing(std::string_view text) { return Reader().read(text); }

} // namespace thinair::runners::jit
