// The parts of explanations: Java, drawings, commands.
#include "campaign/explanation.h"

#include "campaign/target.h"
#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "oracle/explain/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::campaign {
namespace {

constexpr std::uint64_t most_candidates = 1'000'000;

template <class Number>
Number number_in(std::string_view text, std::string_view behaviour) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("error: \"{}\" in the store is no behaviour", behaviour));
  return number;
}

} // namespace

std::string shell_quoted(std::string_view text) {
  const bool plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-./:=,+") == std::string_view::npos;
  if (plain && !text.empty()) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shell_command(std::string_view command_and_options, std::string_view program) {
  return fmt::format("{} <<'END'\n{}END\n", command_and_options, program);
}

litmus::Proposition stated(std::string_view behaviour) {
  litmus::Proposition whole;
  whole.kind = litmus::Proposition::Kind::all;
  for (std::string_view text = behaviour; !text.empty();) {
    const auto part = text.substr(0, text.find("; "));
    text.remove_prefix(std::min(part.size() + 2, text.size()));
    const auto equals = part.find('='), colon = part.find(':');
    const auto left = part.substr(0, equals);
    litmus::Proposition atom;
    atom.kind = litmus::Proposition::Kind::equal;
    if (left.starts_with('[') && left.ends_with(']')) {
      atom.left.name = left.substr(1, left.size() - 2);
    } else {
      atom.left.thread =
          litmus::ThreadId(number_in<std::uint32_t>(left.substr(0, colon), behaviour));
      atom.left.name = left.substr(std::min(colon, left.size() - 1) + 1);
    }
    atom.constant =
        number_in<std::int64_t>(part.substr(std::min(equals, part.size() - 1) + 1), behaviour);
    whole.parts.push_back(std::move(atom));
  }
  return whole.parts.size() == 1 ? whole.parts.front() : whole;
}

std::string java_of(const litmus::Test& test) {
  try {
    return litmus::java::plain_source(test);
  } catch (const Unsupported&) {
    return "";
  }
}

Drawing drawn(std::string title, const std::optional<explain::Drawing>& drawing, std::string note) {
  if (!drawing) return {std::move(title), "", "", std::move(note)};
  return {std::move(title), explain::as_svg(*drawing, explain::Svg::part),
          explain::as_text(*drawing), std::move(note)};
}

oracle::Limits explaining_limits() {
  oracle::Limits limits;
  limits.candidates = most_candidates;
  return limits;
}

std::string model_options(const Against& against) {
  const auto& with = against.with.oracle;
  std::string out = against.load.as_plain ? " --as-plain" : "";
  if (!with.rules.empty()) out += " --causality " + shell_quoted(with.rules);
  if (with.identity) out += fmt::format(" --identity {}", causality::name(*with.identity));
  return out;
}

Drawing refusal_drawn(const Against& against, const litmus::Test& test,
                      const litmus::Proposition& asked) {
  auto options = against.with.oracle;
  options.limits = explaining_limits();
  const auto refusal = explain::why_not(test, against.model, asked, options);
  return drawn("Why " + against.model_name + " forbids it", refusal.drawing, as_text(refusal));
}

} // namespace thinair::campaign
