// Puts code, executions and reasons of a mismatch together.
#include "campaign/explanation.h"

#include "litmus/java/source.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "oracle/explain/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::campaign {
namespace {

using litmus::Behaviour;
using runners::SoundnessResult;

constexpr std::string_view model_prefix = "model:";
constexpr std::uint64_t most_candidates = 1'000'000; // a report is no place to wait for

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
  if (found.forbidden.empty())
    throw InputError(fmt::format("error: {} is forbidden no more: the campaign was judged by "
                                 "another version of thinair\n  hint: --json and --ids work "
                                 "without; a new campaign finds what is wrong now",
                                 text));
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

template <class Number>
Number number_in(std::string_view text, std::string_view behaviour) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("error: \"{}\" in the store is no behaviour", behaviour));
  return number;
}

/// The proposition of a behaviour's text, "0:r0=1; [x]=2".
litmus::Proposition stated(const std::string_view behaviour) {
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

std::string_view as_plain(const Identity& identity) {
  return identity.as_plain ? " --as-plain" : "";
}

/// `jvm:17:c1` is --jdk 17 --mode c1.
std::string jvm_command_for(const std::string& program, const Identity& identity,
                            const std::string& target) {
  const std::string rest = target.substr(target.find(':') + 1);
  const auto colon = rest.rfind(':');
  const std::string mode = colon == std::string::npos ? "" : " --mode " + rest.substr(colon + 1);
  return fmt::format("thinair jcstress run - --jdk {}{} --time 5 --expect {}{} <<'END'\n{}END\n",
                     shell_quoted(rest.substr(0, colon)), mode, shell_quoted(identity.model),
                     as_plain(identity), program);
}

} // namespace

std::string command_for(const std::string& program, const Identity& identity,
                        const std::string& target) {
  const bool of_model = target.starts_with(model_prefix); // sound is about code
  return fmt::format("thinair {} - --model {} --target {}{} <<'END'\n{}END\n",
                     of_model ? "reduce" : "sound", shell_quoted(identity.model),
                     shell_quoted(target), as_plain(identity), program);
}

Explainer::Explainer(const Identity& identity, const cat::Plan& model, Judges& judges,
                     const cat::LoadOptions& load)
    : identity_(identity), model_(model), judges_(judges), load_(load) {}

Explanation Explainer::operator()(const MismatchRow& row, const std::string& target) const {
  Explanation out;
  const auto test = litmus::parse({"minimal", row.minimal});
  out.java = java_of(test);
  if (is_jvm_target(target)) {
    explain_jvm(out, test, row, target);
  } else {
    explain_code(out, test, row, target);
  }
  return out;
}

/// A JVM shows what it likes: what it showed is in the row.
void Explainer::explain_jvm(Explanation& out, const litmus::Test& test, const MismatchRow& row,
                            const std::string& target) const {
  out.command = jvm_command_for(row.minimal, identity_, target);
  refuse(out, test, stated(row.minimal_finding.behaviour));
}

void Explainer::explain_code(Explanation& out, const litmus::Test& test, const MismatchRow& row,
                             const std::string& target) const {
  out.command = command_for(row.minimal, identity_, target);
  const auto [judge, place] = judges_.code(row.target);
  const auto found = judge->look(test.java(), place);
  const auto& behaviour = forbidden_one(found, row.minimal_finding.behaviour);
  executions::Limits limits;
  limits.candidates = most_candidates;
  const auto asked = explain::exactly(found.observables, behaviour);
  if (target.starts_with(model_prefix)) {
    const auto other = target.substr(model_prefix.size());
    const auto plan = cat::load_model(other, cat::Architecture::java, load_);
    out.drawings.push_back(drawn("An execution that " + other + " allows",
                                 explain::example(test, plan, asked, limits), ""));
  } else {
    out.lowered = litmus::print(found.code);
    const auto hardware = cat::load_model("x86-tso", cat::Architecture::x86);
    out.drawings.push_back(
        drawn("The execution of the code",
              explain::example(found.code, hardware,
                               lower::in_target(asked, found.lowered.restoration), limits),
              ""));
  }
  refuse(out, test, asked);
}

void Explainer::refuse(Explanation& out, const litmus::Test& test,
                       const litmus::Proposition& asked) const {
  causality::Options options;
  options.executions.candidates = most_candidates;
  const auto refusal = explain::why_not(test, model_, asked, options);
  out.drawings.push_back(
      drawn("Why " + identity_.model + " forbids it", refusal.drawing, as_text(refusal)));
}

} // namespace thinair::campaign
