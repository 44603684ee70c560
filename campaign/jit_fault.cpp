// Puts fences into lifted code, and finds what stands at their places in the source.
#include "campaign/jit_fault.h"

#include "campaign/scheme_mending.h"
#include "campaign/subsets.h"
#include "lower/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thinair::campaign {
namespace {

using litmus::Step;
using lower::jit::AddedFence;
using lower::jit::Compilation;
using lower::jit::Piece;

constexpr int first_with_ldar_in_c1 = 28; // JDK-8365147

const litmus::Method* method_of(const Step& step) {
  return std::get_if<litmus::Method>(&step.what);
}

bool matches(const Step& step, const Piece& piece) {
  const auto* method = method_of(step);
  if (method == nullptr || !piece.field || *piece.field != step.location.value) return false;
  const auto action = litmus::info(*method).action;
  return (litmus::reads(action) && piece.reads) || (litmus::writes(action) && piece.writes);
}

/// By piece, the step that it does: as many in the same order as there can be.
std::vector<std::optional<std::size_t>> aligned(const std::vector<Step>& steps,
                                                const std::vector<Piece>& pieces) {
  std::vector<std::vector<std::size_t>> common(pieces.size() + 1,
                                               std::vector<std::size_t>(steps.size() + 1, 0));
  for (std::size_t p = pieces.size(); p-- > 0;)
    for (std::size_t s = steps.size(); s-- > 0;)
      common[p][s] = matches(steps[s], pieces[p])
                         ? std::max(1 + common[p + 1][s + 1], common[p + 1][s])
                         : std::max(common[p + 1][s], common[p][s + 1]);
  std::vector<std::optional<std::size_t>> out(pieces.size());
  for (std::size_t p = 0, s = 0; p < pieces.size() && s < steps.size();) {
    if (matches(steps[s], pieces[p]) && common[p][s] == 1 + common[p + 1][s + 1])
      out[p++] = s++;
    else if (common[p + 1][s] == common[p][s])
      ++p;
    else
      ++s;
  }
  return out;
}

/// Between two accesses of a thread. Behind its last access a fence does nothing.
std::vector<AddedFence> places_in(const std::vector<std::vector<Piece>>& threads) {
  std::vector<AddedFence> out;
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    std::vector<std::size_t> accesses;
    for (std::size_t p = 0; p < threads[t].size(); ++p)
      if (threads[t][p].field) accesses.push_back(p);
    if (!accesses.empty()) accesses.pop_back();
    for (const auto p : accesses) out.push_back({t, p});
  }
  return out;
}

/// A rule's code, a semicolon for each line: "mov [x], arg; lock add [stack], 0".
std::string in_a_line(std::string code) {
  std::string out;
  while (!code.empty()) {
    std::string line = code.substr(0, code.find('\n'));
    code.erase(0, std::min(code.size(), line.size() + 1));
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t") + 1);
    if (line.empty()) continue;
    out += fmt::format("{}{}", out.empty() ? "" : "; ", line);
  }
  return out;
}

} // namespace

/// What is found at the place of a fence.
struct JitFault::Blame {
  int unlikely = 0; // the likelier cause has less
  std::string operation, kind, sentence, change;
};

std::string scheme_of_jit(lower::Machine machine, int feature, std::string_view compiler,
                          bool without_lse) {
  const bool c1 = compiler == "c1";
  std::string name = fmt::format("{}:hotspot-{}", machine->prefix, c1 ? "c1" : "c2");
  if (machine->prefix != "aarch64") return name;
  if (c1 && feature >= first_with_ldar_in_c1) name += "-28";
  if (without_lse) name += "-nolse";
  return name;
}

JitFault::JitFault(const std::string& scheme, std::string title, const Against& against,
                   JudgeCode judge)
    : scheme_name_(scheme), title_(std::move(title)), model_name_(against.model_name),
      scheme_(lower::Target::named(scheme).scheme()), reference_(make_target(scheme, against)),
      judge_(std::move(judge)) {
  reference_->ready();
}

std::optional<Fault> JitFault::of(const Compilation& compilation, lower::Backend& decoder) {
  switch (reference_->judge(compilation.source).verdict) {
  case Verdict::sound: return by_deviation(compilation, decoder);
  case Verdict::unsound: return by_rules(compilation.source);
  case Verdict::unknown:
  case Verdict::unsupported:
  case Verdict::vacuous: break;
  }
  return Fault{{},
               {},
               fmt::format("whether {}, which {} is meant to follow, shows these, too, is not "
                           "known",
                           scheme_name_, title_),
               {}};
}

std::optional<Fault> JitFault::by_rules(const litmus::Program& program) {
  const auto* mending = reference_->mending();
  const auto right = mending == nullptr ? std::nullopt : mending->others_are_right(program);
  if (!right)
    return Fault{{},
                 {},
                 fmt::format("{}, which {} is meant to follow, shows these, too; whether all "
                             "code for the machine does is not known",
                             scheme_name_, title_),
                 {}};
  if (!*right) return std::nullopt;
  const auto all = mending->mends(program);
  if (all.empty())
    return Fault{{},
                 {},
                 fmt::format("{}, which {} is meant to follow, shows these, too, and no rules "
                             "of it that were tried mend them",
                             scheme_name_, title_),
                 {}};
  const auto& rules = all.front();
  const auto least = mending->least_change(rules, {program});
  Fault out;
  for (const auto& rule : rules) out.parts.push_back(to_string(rule));
  out.kind = "rule";
  out.sentence = fmt::format("{} does what {} says, and that is wrong for {}: {}", title_,
                             scheme_name_, model_name_, mending->sentence(rules, least, {program}));
  out.change = mending->change(rules, least);
  return out;
}

std::vector<JitFault::Fences> JitFault::mends(const Compilation& compilation,
                                              lower::Backend& decoder,
                                              const std::vector<AddedFence>& places) {
  for (std::size_t size = 1; size <= std::min(most_fences, places.size()); ++size) {
    std::vector<Fences> out;
    for (auto& fences : subsets(places, size)) {
      const auto code = lower::jit::lift_with(compilation, decoder, fences);
      if (judge_(compilation.source, code) == Verdict::sound) out.push_back(std::move(fences));
    }
    if (!out.empty()) return out;
  }
  return {};
}

std::string JitFault::rule_of(litmus::Operation operation) const {
  return in_a_line(scheme_.code(lower::operation_at(index_of(operation))));
}

/// What the source has between the access in front of a place in the code and the one behind it: a
/// fence first of all, then an access that the code does not have, then one whose rule has more
/// than the access.
JitFault::Blame JitFault::blame(const litmus::Program& program, const std::vector<Piece>& pieces,
                                const AddedFence& place) const {
  const auto steps = litmus::steps_of(program.threads.at(place.thread));
  const auto match = aligned(steps, pieces);
  std::size_t from = 0, to = steps.size();
  for (std::size_t p = 0; p <= place.piece; ++p)
    if (match[p]) from = *match[p] + 1;
  for (std::size_t p = match.size(); p-- > place.piece + 1;)
    if (match[p]) to = *match[p];
  std::string here; // fences of the code at the place
  for (std::size_t p = place.piece + 1; p < pieces.size() && !pieces[p].field; ++p)
    if (pieces[p].is_fence) here += fmt::format("{}{}", here.empty() ? "" : "; ", pieces[p].text);
  const auto named = [&](const Step& step) {
    const auto* method = method_of(step);
    return fmt::format("{}{} (line {} of {})",
                       method == nullptr ? "" : program.locations[step.location.value].name + ".",
                       litmus::name(step.what), step.statement + 1,
                       program.threads[place.thread].name);
  };
  const auto without = [&](const Step& step, std::string_view what) {
    return here.empty() ? fmt::format("{}: {} emits nothing {}, where {} has `{}`", named(step),
                                      title_, what, scheme_name_, rule_of(step.what))
                        : fmt::format("{}: {} emits `{}` {}, where {} has `{}`", named(step),
                                      title_, here, what, scheme_name_, rule_of(step.what));
  };
  for (std::size_t s = from; s < to; ++s)
    if (method_of(steps[s]) == nullptr && !rule_of(steps[s].what).empty())
      return {0, std::string(litmus::name(steps[s].what)), here.empty() ? "left out" : "too weak",
              without(steps[s], "for it here"), ""};
  for (std::size_t s = from; s < to; ++s)
    if (method_of(steps[s]) != nullptr)
      return {
          1, std::string(litmus::name(steps[s].what)), "not done",
          fmt::format("{}: {} has no access for it here and takes the value, or the order, from "
                      "elsewhere",
                      named(steps[s]), title_),
          ""};
  for (const auto s : {from - 1, to})
    if (s < steps.size() && rule_of(steps[s].what).find(';') != std::string::npos)
      return {2, std::string(litmus::name(steps[s].what)), "weakened",
              without(steps[s], "beside the access"), ""};
  return {
      3,
      fmt::format("{}", from > 0 ? litmus::name(steps[from - 1].what) : std::string_view("code")),
      "moved",
      from > 0 ? fmt::format("{}: what follows it in {}'s code is not kept behind it",
                             named(steps[from - 1]), title_)
               : fmt::format("{}'s code of {} has accesses in another order", title_,
                             program.threads[place.thread].name),
      ""};
}

Fault JitFault::by_deviation(const Compilation& compilation, lower::Backend& decoder) {
  const auto threads = lower::jit::pieces(compilation, decoder);
  const auto all = mends(compilation, decoder, places_in(threads));
  if (all.empty())
    return {
        {},
        {},
        fmt::format("{} computes something else than {}, which it is meant to follow: no {} full "
                    "fences in its code mend it",
                    title_, scheme_name_, most_fences),
        {}};
  std::vector<Blame> best;
  int least = 0;
  for (const auto& fences : all) {
    std::vector<Blame> found;
    int unlikely = 0;
    for (const auto& fence : fences) {
      found.push_back(blame(compilation.source, threads.at(fence.thread), fence));
      unlikely += found.back().unlikely;
    }
    if (!best.empty() && unlikely >= least) continue;
    best = std::move(found);
    least = unlikely;
  }
  std::set<std::string> parts;
  std::string sentence;
  for (const auto& each : best) {
    parts.insert(each.operation);
    sentence += fmt::format("{}{}", sentence.empty() ? "" : "; ", each.sentence);
  }
  const auto fence = lower::jit::full_fence(compilation.machine, decoder);
  return {{parts.begin(), parts.end()},
          best.front().kind,
          fmt::format("{}; with `{}` there the outcome is gone", sentence, fence),
          fmt::format("`{}` at {}", fence, fmt::join(parts, " and at "))};
}

} // namespace thinair::campaign
