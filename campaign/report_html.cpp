// The report as one HTML file.
#include "campaign/coverage.h"
#include "campaign/ends.h"
#include "campaign/page.h"
#include "campaign/report.h"
#include "campaign/report_filter.h"
#include "litmus/shape.h"
#include "litmus/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace thinair::campaign {
namespace {

using text::counted;
using text::grouped;

/// One element, which narrow screens put beside its column's name.
std::string cell(std::string_view name, std::string_view html, bool number = false) {
  return fmt::format("<td{} data-name=\"{}\"><span>{}</span></td>", number ? " class=\"n\"" : "",
                     name, html);
}

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", escape_html(text));
}

std::string summary(const Store& store, const Finds& finds) {
  const double seconds = store.elapsed_s();
  const auto programs = store.program_count();
  std::string out = "<div class=\"facts\">";
  out += fact("programs", grouped(programs));
  out += fact(finds.causes.size() == 1 ? "cause" : "causes", grouped(finds.causes.size()));
  out += fact(finds.groups.size() == 1 ? "minimal mismatch" : "distinct minimal mismatches",
              grouped(finds.groups.size()));
  out += fact("time", duration(seconds));
  out += fact("programs a second", grouped(static_cast<std::uint64_t>(
                                       seconds > 0 ? static_cast<double>(programs) / seconds : 0)));
  out += fact("combinations covered", grouped(combinations_covered(store.coverage())));
  return out + "</div>\n";
}

std::string verdict_table(const Store& store) {
  std::string out =
      "<h2>Verdicts</h2><table class=\"cards\"><tr><th>target</th><th class=\"n\">sound"
      "</th><th class=\"n\">unsound</th><th class=\"n\">unknown</th><th class=\"n\">"
      "unsupported</th><th class=\"n\">vacuous</th></tr>";
  const auto counts = store.verdict_counts();
  for (std::size_t t = 0; t < counts.size(); ++t) {
    out += "<tr>" + cell("target", code(store.identity().targets[t]));
    for (const auto v : {Verdict::sound, Verdict::unsound, Verdict::unknown, Verdict::unsupported,
                         Verdict::vacuous})
      out += cell(name(v), grouped(counts[t].at(static_cast<std::size_t>(v))), true);
    out += "</tr>\n";
  }
  return out +
         "</table><p class=\"dim\">Unknown (a limit was reached), unsupported and vacuous programs "
         "(the model allows them nothing at all) are never counted as sound. Sound means: nothing "
         "forbidden was seen, not that nothing "
         "can be.</p>\n";
}

std::string undecided_table(const Store& store) {
  const auto groups = undecided(store);
  if (groups.empty()) return "";
  std::string out =
      "<h2>Without a verdict</h2><table class=\"cards\"><tr><th>target</th><th>verdict"
      "</th><th>reason</th><th class=\"n\">programs</th></tr>";
  std::string examples;
  for (const auto& group : groups) {
    out += "<tr>" + cell("target", code(store.identity().targets.at(group.target))) +
           cell("verdict", name(group.verdict)) + cell("reason", escape_html(group.reason)) +
           cell("programs", grouped(group.programs), true) + "</tr>\n";
    examples += folded("The shortest program: " + group.reason, code_block("", group.example));
  }
  return out + "</table>\n" + examples;
}

std::string plots(const Store& store) {
  Series programs{"programs", {{0, 0}}}, distinct{"distinct", {{0, 0}}};
  for (const auto& sample : store.samples()) {
    programs.points.emplace_back(sample.elapsed_s, static_cast<double>(sample.programs));
    distinct.points.emplace_back(sample.elapsed_s, static_cast<double>(sample.distinct));
  }
  if (programs.points.size() < 2) return "";
  return "<h2>Over time</h2><div class=\"columns\"><div>" +
         plot("Programs tested", "seconds", {programs}) + "</div><div>" +
         plot("Distinct minimal mismatches", "seconds", {distinct}) + "</div></div>\n";
}

std::string drawing(const Drawing& drawn) {
  const std::string picture =
      drawn.svg.empty() ? code_block(drawn.title, drawn.text) : figure(drawn.title, drawn.svg);
  return "<div>" + picture + note_block(drawn.note) +
         (drawn.terms.empty() ? "" : folded("In the model's own terms", note_block(drawn.terms))) +
         "</div>\n";
}

/// For who knows Java and has read no litmus test. A program of the page is the example.
std::string reading_aid() {
  return folded(
      "How to read this page",
      "<p>A <b>mismatch</b> is a program with an end that its code can come to and the model "
      "forbids. It is <b>minimal</b> where nothing of the program can be left out; programs are "
      "put together whose mismatches have one cause.</p>"
      "<p>In a <b>program</b>, <code>x0 = 0</code> above the threads is a field and its first "
      "value, and <code>0:X0=x0</code> says that Thread0 gets at it by the VarHandle "
      "<code>X0</code>; then come the threads, which run at once. Of an <b>end</b>, "
      "<code>0:r0=0</code> is what Thread0's variable r0 holds, <code>[x0]=1</code> what the field "
      "x0 holds. A <b>shape</b> is the name that tests of this kind have in the literature.</p>"
      "<p>In a <b>drawing</b> each box is an access, threads from left to right and time from top "
      "to bottom: <code>W x0 1</code> writes 1 to x0, <code>R x0 1</code> reads 1 there, "
      "<code>F</code> is a fence. <code>rf</code> leads from a write to the read that sees it, "
      "<code>fr</code> from a read to a write that came too late for it. What is red goes around, "
      "and must not; dashed is what it follows from. Step by step, P0 is Thread0; what it holds is "
      "in its store buffer and not in memory yet.</p>");
}

/// The causes in a line each, before anything else.
std::string contents(const Finds& finds, const ReportFilter& filter) {
  if (finds.groups.empty()) return "<p>No mismatch was found.</p>\n";
  const bool several =
      std::ranges::any_of(finds.causes, [](const Cause& cause) { return !cause.targets.empty(); });
  std::string out = fmt::format("<h2>Causes</h2><table class=\"cards\"><tr><th class=\"n\">#</th>"
                                "<th>cause</th>{}<th>shape</th><th class=\"n\">minimal programs"
                                "</th><th class=\"n\">programs</th></tr>",
                                several ? "<th>targets</th>" : "");
  for (std::size_t i = 0; i < finds.causes.size(); ++i) {
    const auto& cause = finds.causes[i];
    out += fmt::format("<tr class=\"{}\">", filter.classes(cause)) +
           cell("#", fmt::format("<a href=\"#c{0}\">{0}</a>", i + 1), true) +
           cell("cause", escape_sentence(cause.sentence)) +
           (several ? cell("targets", escape_html(text::listed(cause.targets))) : "") +
           cell("shape", fmt::format("<span class=\"tag\">{}</span>", escape_html(cause.shape))) +
           cell("minimal programs", grouped(cause.members.size()), true) +
           cell("programs", grouped(cause.originals), true) + "</tr>\n";
  }
  return out + "</table>\n" + reading_aid() + filter.choices();
}

std::string shown_by(const MismatchRow& row, const Identity& identity) {
  std::string out = fmt::format(
      "<p>On {} the program can end with <code class=\"bad\">{}</code> ({}). {} forbids that <span "
      "class=\"dim\">by {}</span>.</p>\n",
      code(identity.targets.at(row.target)), escape_html(end_of(row)),
      escape_html(end_in_words(row)), code(identity.model),
      code(as_text(row.minimal_finding.reason)));
  if (!row.minimal_finding.seen.empty())
    out += fmt::format("<p>{}.</p>\n", escape_html(as_sentence(row.minimal_finding.seen)));
  return out;
}

/// The minimal programs of a cause but the smallest: without drawings, so that a thousand of them
/// load at once.
std::string others(const Cause& cause, const Finds& finds, const Identity& identity,
                   const ReportFilter& filter) {
  if (cause.members.size() == 1) return "";
  std::string body;
  for (const auto i : cause.members) {
    if (i == cause.smallest) continue;
    body += fmt::format("<div id=\"m{}\" class=\"{}\"><h3>{}</h3>", i + 1, filter.classes(i),
                        escape_html(filter.words(i))) +
            shown_by(finds.groups[i].first, identity) +
            code_block("", finds.groups[i].first.minimal) + "</div>\n";
  }
  return folded(counted(cause.members.size() - 1, "more minimal program", "more minimal programs") +
                    " of this cause",
                body);
}

std::string origin(const Group& group) {
  const auto& row = group.first;
  const auto summary = fmt::format(
      "Where the program came from: {}, the first {} into the campaign, reduced in {} ({} tried)",
      counted(group.originals, "program", "programs"), duration(row.found_after_s),
      counted(row.steps, "step", "steps"), counted(row.tried, "program", "programs"));
  return folded(summary, code_block("", row.original));
}

std::string article(std::size_t number, const Finds& finds, const Identity& identity,
                    const ReportFilter& filter, const Explain& explain) {
  const auto& cause = finds.causes[number - 1];
  const auto& group = finds.groups[cause.smallest];
  const auto& row = group.first;
  const auto more = explain(row);
  std::string out = fmt::format("<article id=\"c{0}\" class=\"{1}\"><h2>{0}. {2}</h2>\n", number,
                                filter.classes(cause), escape_sentence(cause.sentence));
  if (!cause.change.empty())
    out += fmt::format("<p>What mends it: {}.</p>\n", escape_sentence(cause.change));
  if (cause.targets.size() > 1)
    out += fmt::format("<p>Shown by {}.</p>\n", escape_html(text::listed(cause.targets)));
  out += fmt::format("<div id=\"m{}\">", cause.smallest + 1) + shown_by(row, identity) + "</div>";
  if (const auto words = litmus::shape_in_words(cause.shape); !words.empty())
    out += fmt::format("<p>The program's shape is {}: {}.</p>", escape_html(cause.shape),
                       escape_html(words));
  out += "<div class=\"columns\">" + code_block("The smallest program", row.minimal) +
         code_block("The code that runs", more.lowered) + "</div>\n<div class=\"columns\">";
  for (const auto& drawn : more.drawings) out += drawing(drawn);
  out += "</div>\n";
  for (const auto& drawn : more.drawings) out += code_block("Step by step", drawn.steps);
  out += code_block("To see it again", more.command);
  if (!more.java.empty()) out += folded("As Java", code_block("", more.java));
  return out + origin(group) + others(cause, finds, identity, filter) + "</article>\n";
}

std::string never_section(const Store& store) {
  const auto never = never_exercised(store);
  if (never.empty()) return "";
  return fmt::format("<h2>Never exercised</h2><p>No program had these beside another access, so "
                     "nothing is known of what the target does with them: {}.</p>\n",
                     escape_html(in_families(never)));
}

std::string baseline_section(const Store& store) {
  const auto fault = baseline_fault_of(store);
  if (fault.empty()) return "";
  const auto end = fault.find('\n');
  return fmt::format("<h2>The baseline</h2><p>Note: {}:</p>{}", escape_html(fault.substr(0, end)),
                     code_block("", fault.substr(end + 1)));
}

std::string pair_table(const Counts& coverage) {
  struct Row {
    CoverageKey::Kind kind;
    std::string_view title;
  };
  using Kind = CoverageKey::Kind;
  constexpr auto rows =
      std::to_array<Row>({{Kind::communication, "two threads on one location"},
                          {Kind::same_location, "neighbours on one location"},
                          {Kind::different_locations, "neighbours on different locations"},
                          {Kind::beside_a_fence, "beside a fence"}});
  std::string out =
      "<table class=\"cards\"><tr><th>pairs of accesses</th><th class=\"n\">combinations "
      "of methods</th><th class=\"n\">programs with the rarest</th></tr>";
  for (const auto& row : rows) {
    std::uint64_t combinations = 0, least = 0;
    for (const auto& [key, programs] : coverage) {
      if (key.kind != row.kind) continue;
      least = combinations++ == 0 ? programs : std::min(least, programs);
    }
    out += "<tr>" + cell("pairs", row.title) + cell("combinations", grouped(combinations), true) +
           cell("programs with the rarest", grouped(least), true) + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string model_table(const Counts& coverage, const std::vector<CoverageKey>& parts) {
  const auto met = [&](const CoverageKey& part) { return coverage.contains(part); };
  if (std::ranges::none_of(parts, met)) return ""; // not looked at
  std::string out = "<h3>Parts of the model</h3><p class=\"dim\">Of the programs looked at: in how "
                    "many a definition was not empty in some execution, and in how many an axiom "
                    "was decisive (without it, more behaviours).</p><table class=\"cards\"><tr><th>"
                    "part</th><th class=\"n\">programs</th></tr>";
  for (const auto& part : parts) {
    const auto found = coverage.find(part);
    const bool never = found == coverage.end();
    out += "<tr>" + cell("part", code(to_string(part))) +
           cell("programs",
                never ? "<span class=\"tag unknown\">never</span>" : grouped(found->second), true) +
           "</tr>\n";
  }
  return out + "</table>\n";
}

std::string strategy_table(const Counts& coverage) {
  std::string out = "<h3>Strategies</h3><table class=\"cards\"><tr><th>strategy</th>"
                    "<th class=\"n\">programs drawn</th></tr>";
  const auto before = out.size();
  for (const auto& [key, programs] : coverage)
    if (key.kind == CoverageKey::Kind::drawn)
      out += "<tr>" + cell("strategy", gen::name(key.strategy)) +
             cell("programs drawn", grouped(programs), true) + "</tr>\n";
  return out.size() == before ? "" : out + "</table>\n";
}

std::string coverage_section(const Store& store, const std::vector<CoverageKey>& parts) {
  const auto coverage = store.coverage();
  return "<h2>Coverage</h2>\n" + pair_table(coverage) + model_table(coverage, parts) +
         strategy_table(coverage);
}

} // namespace

std::string html(const Store& store, const Finds& finds, const Explain& explain,
                 const std::vector<CoverageKey>& model_parts) {
  const auto& identity = store.identity();
  const auto title =
      finds.causes.empty()
          ? fmt::format("no mismatch of {} against {}", targets_in_title(identity),
                        identity.model + beyond(identity))
          : fmt::format("{} of {} of {} against {}",
                        counted(finds.causes.size(), "cause", "causes"),
                        counted(finds.groups.size(), "mismatch", "mismatches"),
                        targets_in_title(identity), identity.model + beyond(identity));
  std::string out = fmt::format("<h1>{}</h1>\n<p class=\"dim\">{}; seed {}, {}</p>\n",
                                escape_html(title), escape_html(text::listed(identity.targets)),
                                identity.seed, escape_html(identity.version));
  const ReportFilter filter(finds, identity);
  out += contents(finds, filter) + summary(store, finds);
  for (std::size_t i = 0; i < finds.causes.size(); ++i)
    out += article(i + 1, finds, identity, filter, explain);
  out += baseline_section(store) + never_section(store) + verdict_table(store) +
         undecided_table(store) + plots(store) + coverage_section(store, model_parts);
  return page("thinair: " + title, out, filter.style());
}

} // namespace thinair::campaign
