// Puts code, executions and reasons of a mismatch together.
#include "campaign/explanation.h"

#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "oracle/explain/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

using litmus::Behaviour;
using runners::SoundnessResult;

constexpr std::string_view model_prefix = "model:";

/// For a POSIX shell.
std::string shell_quoted(std::string_view text) {
  const bool plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-./:=,+") == std::string_view::npos;
  if (plain && !text.empty()) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What the row says was found; else the first.
const Behaviour& forbidden_one(const SoundnessResult& found, const std::string& text) {
  for (const auto& behaviour : found.forbidden)
    if (litmus::to_string(found.observables, behaviour) == text) return behaviour;
  THINAIR_CHECK(!found.forbidden.empty(), "a mismatch that is none any more");
  return found.forbidden.front();
}

/// Empty where Java source has no form for something in the test.
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

} // namespace

std::string command_for(const std::string& program, const std::string& model,
                        const std::string& target) {
  return fmt::format("thinair sound - --model {} --target {} <<'END'\n{}END\n", shell_quoted(model),
                     shell_quoted(target), program);
}

Explainer::Explainer(const Identity& identity, const cat::Plan& model, SoundnessJudge& judge,
                     const cat::LoadOptions& load)
    : identity_(identity), model_(model), judge_(judge), load_(load) {}

Explanation Explainer::operator()(const MismatchRow& row, const std::string& target) const {
  Explanation out;
  const auto test = litmus::parse({"minimal", row.minimal});
  out.command = command_for(row.minimal, identity_.model, target);
  out.java = java_of(test);
  const auto found = judge_.look(test.java(), row.target);
  const auto& behaviour = forbidden_one(found, row.minimal_finding.behaviour);
  causality::Options options;
  options.executions.candidates = 1'000'000; // a report is no place to wait for
  const auto asked = explain::exactly(found.observables, behaviour);
  if (target.starts_with(model_prefix)) {
    const auto other = target.substr(model_prefix.size());
    const auto plan = cat::load_model(other, cat::Architecture::java, load_);
    out.drawings.push_back(drawn("An execution that " + other + " allows",
                                 explain::example(test, plan, asked, options.executions), ""));
  } else {
    out.lowered = litmus::print(found.code);
    const auto hardware = cat::load_model("x86-tso", cat::Architecture::x86);
    out.drawings.push_back(drawn(
        "The execution of the code",
        explain::example(found.code, hardware, lower::in_target(asked, found.lowered.restoration),
                         options.executions),
        ""));
  }
  const auto refusal = explain::why_not(test, model_, asked, options);
  out.drawings.push_back(
      drawn("Why " + identity_.model + " forbids it", refusal.drawing, as_text(refusal)));
  return out;
}

} // namespace thinair::campaign
