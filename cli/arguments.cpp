// Reads a command line with Boost.Program_options, from the table of the command's options.
#include "cli/arguments.h"

#include "cli/command.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::cli {
namespace {

namespace po = boost::program_options;

InputError wrong_use(const Command& command, std::string_view what, std::string_view hint = {}) {
  std::string text = fmt::format("thinair {}: error: {}", command.name, what);
  if (!hint.empty()) text += fmt::format("\n  hint: {}", hint);
  return InputError(text);
}

/// What `word` may have been meant for: what it abbreviates, else the nearest in spelling.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view prefix) {
  const auto begins = [&](std::string_view candidate) { return candidate.starts_with(word); };
  const auto longer = std::ranges::find_if(candidates, begins);
  const bool abbreviates = !word.empty() && longer != candidates.end();
  const auto meant = abbreviates ? std::optional(*longer) : nearest(word, candidates);
  return meant ? fmt::format("did you mean '{}{}'?", prefix, *meant) : std::string();
}

po::options_description description_of(const std::vector<Option>& options) {
  po::options_description description;
  for (const auto& option : options) {
    std::string names(option.name);
    if (option.letter != '\0') names += fmt::format(",{}", option.letter);
    if (option.takes == Takes::nothing) {
      description.add_options()(names.c_str(), "");
    } else {
      description.add_options()(names.c_str(), po::value<std::string>(), "");
    }
  }
  return description;
}

/// Not guessed from a prefix: a script that writes `--js` today must not change its meaning
/// tomorrow.
int style_of(const Command& command) {
  namespace style = po::command_line_style;
  const int base = style::unix_style & ~style::allow_guessing;
  return command.herd_style ? base | style::allow_long_disguise : base;
}

InputError unknown_option(const Command& command, const std::vector<Option>& options,
                          const std::string& written) {
  std::vector<std::string_view> names;
  for (const auto& option : options) names.push_back(option.name);
  const auto word =
      std::string_view(written).substr(std::min(written.find_first_not_of('-'), written.size()));
  std::string hint = suggestion(word, names, "--");
  if (hint.empty()) hint = fmt::format("'thinair {} --help' lists the options", command.name);
  return wrong_use(command, fmt::format("unknown option '{}'", text::printable_word(written)),
                   hint);
}

std::vector<po::option> split(const Command& command, const std::vector<Option>& options,
                              std::span<const std::string> words) {
  try {
    const std::vector<std::string> all(words.begin(), words.end());
    const auto description = description_of(options);
    return po::command_line_parser(all).options(description).style(style_of(command)).run().options;
  } catch (const po::unknown_option& e) {
    throw unknown_option(command, options, e.get_option_name());
  } catch (const po::error& e) {
    throw wrong_use(command, e.what());
  }
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void check_value(const Command& command, const Option& option, const std::string& value) {
  const auto expected = [&](std::string_view what, std::string_view hint = {}) {
    return wrong_use(
        command,
        fmt::format("--{} takes {}, found '{}'", option.name, what, text::printable_word(value)),
        hint);
  };
  if (value.empty() && option.takes != Takes::nothing)
    throw wrong_use(
        command, fmt::format("--{} needs a value, found nothing between the quotes", option.name),
        fmt::format("it takes {}", option.value));
  switch (option.takes) {
  case Takes::count:
    if (!whole<std::uint64_t>(value)) throw expected("a whole number");
    break;
  case Takes::seconds:
    if (const auto number = whole<double>(value); !number || !(*number >= 0 && *number < 1e9))
      throw expected("a number of seconds");
    break;
  case Takes::word:
    if (std::ranges::find(option.words, value) == option.words.end())
      throw expected(fmt::format("one of {}", fmt::join(option.words, ", ")),
                     suggestion(value, option.words, ""));
    break;
  case Takes::nothing:
  case Takes::text:
  case Takes::file:
  case Takes::directory:
  case Takes::model:
  case Takes::target:
  case Takes::any_target:
  case Takes::profile: break;
  }
}

/// The first operand, where it is one of a few words.
void check_word(const Command& command, const std::vector<std::string>& operands,
                const std::vector<std::string_view>& words) {
  if (operands.empty() || std::ranges::find(words, operands[0]) != words.end()) return;
  throw wrong_use(command,
                  fmt::format("expected one of {}, found '{}'", fmt::join(words, ", "),
                              text::printable_word(operands[0])),
                  suggestion(operands[0], words, ""));
}

void check_operands(const Command& command, const std::vector<std::string>& operands) {
  if (std::ranges::find(operands, "") != operands.end())
    throw wrong_use(command, "an operand is empty: it names nothing");
  std::vector<std::string_view> words(command.words.begin(), command.words.end());
  std::size_t most = std::string::npos;
  switch (command.operands) {
  case Operands::none: most = 0; break;
  case Operands::inputs:
    if (operands.empty())
      throw wrong_use(command, fmt::format("expected {}", command.usage),
                      fmt::format("for example: {}", command.example));
    break;
  case Operands::words: check_word(command, operands, words); break;
  case Operands::command:
    for (const Command* other : commands()) words.push_back(other->name);
    check_word(command, operands, words);
    most = 1;
    break;
  }
  if (operands.size() > most)
    throw wrong_use(command,
                    fmt::format("unexpected operand '{}'", text::printable_word(operands[most])));
}

} // namespace

bool Arguments::has(std::string_view option) const { return values_.contains(option); }

std::optional<std::string> Arguments::text(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::nullopt : std::optional(found->second.back());
}

std::string Arguments::text(std::string_view option, std::string_view fallback) const {
  return text(option).value_or(std::string(fallback));
}

std::vector<std::string> Arguments::texts(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::uint64_t Arguments::count(std::string_view option, std::uint64_t fallback) const {
  const auto value = text(option);
  if (!value) return fallback;
  const auto number = whole<std::uint64_t>(*value);
  THINAIR_CHECK(number, "an option's number was not checked");
  return *number;
}

double Arguments::seconds(std::string_view option, double fallback) const {
  const auto value = text(option);
  if (!value) return fallback;
  const auto number = whole<double>(*value);
  THINAIR_CHECK(number, "an option's number was not checked");
  return *number;
}

Arguments Arguments::parse(const Command& command, std::span<const std::string> words) {
  const auto options = options_of(command);
  Arguments arguments;
  for (const auto& parsed : split(command, options, words)) {
    if (parsed.string_key.empty()) {
      arguments.operands_.insert(arguments.operands_.end(), parsed.value.begin(),
                                 parsed.value.end());
      continue;
    }
    const auto row = std::ranges::find(options, parsed.string_key, &Option::name);
    THINAIR_CHECK(row != options.end(), "an option that is not in the table");
    auto& values = arguments.values_[parsed.string_key];
    if (!values.empty() && !row->repeats)
      throw wrong_use(command, fmt::format("--{} is given twice", row->name));
    if (row->takes != Takes::nothing) check_value(command, *row, parsed.value.front());
    values.push_back(parsed.value.empty() ? std::string() : parsed.value.front());
  }
  if (arguments.has("help")) return arguments;
  check_operands(command, arguments.operands_);
  for (const auto& option : options)
    if (option.required && !arguments.has(option.name))
      throw wrong_use(command, fmt::format("--{} {} is missing", option.name, option.value),
                      fmt::format("for example: {}", command.example));
  return arguments;
}

} // namespace thinair::cli
