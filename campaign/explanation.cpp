// The parts of explanations: Java, drawings, commands.
#include "campaign/explanation.h"

#include "campaign/target.h"
#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "litmus/text/wrap.h"
#include "oracle/explain/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace thinair::campaign {
namespace {

constexpr std::uint64_t most_candidates = 1'000'000;

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
  auto told = explain::told(refusal, text::no_width);
  auto out = drawn("Why " + against.model_name + " forbids it", refusal.drawing,
                   told.words.empty() ? std::exchange(told.terms, {}) : std::move(told.words));
  out.terms = std::move(told.terms);
  return out;
}

} // namespace thinair::campaign
