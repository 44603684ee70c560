// The report as one HTML file.
#include "campaign/coverage.h"
#include "campaign/page.h"
#include "campaign/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace thinair::campaign {
namespace {

std::string cell(std::string_view name, std::string_view html, bool number = false) {
  return fmt::format("<td{} data-name=\"{}\">{}</td>", number ? " class=\"n\"" : "", name, html);
}

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", escape_html(text));
}

std::string summary(const Store& store, const std::vector<Group>& found) {
  const double seconds = store.elapsed_s();
  const auto programs = store.program_count();
  std::string out = "<div class=\"facts\">";
  out += fact("programs", grouped_digits(programs));
  out += fact("distinct minimal mismatches", grouped_digits(found.size()));
  out += fact("time", duration(seconds));
  out += fact("programs a second", grouped_digits(static_cast<std::uint64_t>(
                                       seconds > 0 ? static_cast<double>(programs) / seconds : 0)));
  out += fact("combinations covered", grouped_digits(combinations_covered(store.coverage())));
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
      out += cell(name(v), grouped_digits(counts[t].at(static_cast<std::size_t>(v))), true);
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
           cell("programs", grouped_digits(group.programs), true) + "</tr>\n";
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
  return "<div>" + picture + note_block(drawn.note) + "</div>\n";
}

std::string contents(const std::vector<Group>& found, const Identity& identity) {
  if (found.empty()) return "<p>No mismatch was found.</p>\n";
  std::string out = "<h2>Mismatches</h2><table class=\"cards\"><tr><th class=\"n\">#</th><th>target"
                    "</th><th class=\"n\">accesses</th><th>forbidden behaviour</th><th>reason</th>"
                    "<th class=\"n\">programs</th></tr>";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& row = found[i].first;
    out += "<tr>" + cell("#", fmt::format("<a href=\"#m{0}\">{0}</a>", i + 1), true) +
           cell("target", code(identity.targets.at(row.target))) +
           cell("accesses", std::to_string(row.minimal_accesses), true) +
           cell("behaviour", code(row.minimal_finding.behaviour)) +
           cell("reason", escape_html(row.minimal_finding.reason)) +
           cell("programs", grouped_digits(found[i].originals), true) + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string reasons(const std::vector<Group>& found) {
  if (found.empty()) return "";
  std::string out = "<h2>Reasons</h2><table class=\"cards\"><tr><th>forbidden by</th><th "
                    "class=\"n\">minimal programs</th><th class=\"n\">programs</th><th "
                    "class=\"n\">smallest</th></tr>";
  for (const auto& reason : by_reason(found)) {
    const auto example = smallest(reason, found) + 1;
    out += "<tr>" + cell("forbidden by", code(reason.reason)) +
           cell("minimal programs", grouped_digits(reason.members.size()), true) +
           cell("programs", grouped_digits(reason.originals), true) +
           cell("smallest", fmt::format("<a href=\"#m{0}\">{0}</a>", example), true) + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string article(std::size_t number, const Group& group, const Identity& identity,
                    const Explain& explain) {
  const auto& row = group.first;
  const auto& target = identity.targets.at(row.target);
  const auto more = explain(row);
  std::string out = fmt::format("<article id=\"m{0}\"><h2>{0}. {1} accesses on {2}</h2>\n", number,
                                row.minimal_accesses, code(target));
  out += fmt::format("<p>{} does <code class=\"bad\">{}</code>, which {} forbids ({}).</p>\n",
                     code(target), escape_html(row.minimal_finding.behaviour), code(identity.model),
                     code(row.minimal_finding.reason));
  if (!row.minimal_finding.seen.empty())
    out += fmt::format("<p>Seen in {}.</p>\n", escape_html(row.minimal_finding.seen));
  out += "<div class=\"columns\">" + code_block("The smallest program", row.minimal) +
         code_block("The code that runs", more.lowered) + "</div>\n<div class=\"columns\">";
  for (const auto& drawn : more.drawings) out += drawing(drawn);
  out += "</div>\n" + code_block("To see it again", more.command);
  if (!more.java.empty()) out += folded("As Java", code_block("", more.java));
  const auto origin = fmt::format(
      "Where it came from: {} program{}, the first {} into the campaign, reduced in {} steps "
      "({} programs tried)",
      group.originals, group.originals == 1 ? "" : "s", duration(row.found_after_s), row.steps,
      row.tried);
  return out + folded(origin, code_block("", row.original)) + "</article>\n";
}

std::string pair_table(const std::map<std::string, std::uint64_t>& coverage) {
  struct Row {
    std::string_view kind, title;
  };
  constexpr auto rows = std::to_array<Row>({{"com", "two threads on one location"},
                                            {"po-same", "neighbours on one location"},
                                            {"po-diff", "neighbours on different locations"},
                                            {"po-fence", "beside a fence"}});
  std::string out =
      "<table class=\"cards\"><tr><th>pairs of accesses</th><th class=\"n\">combinations "
      "of methods</th><th class=\"n\">programs with the rarest</th></tr>";
  for (const auto& row : rows) {
    std::uint64_t combinations = 0, least = 0;
    for (const auto& [key, programs] : coverage) {
      if (!key.starts_with(std::string(row.kind) + " ")) continue;
      least = combinations++ == 0 ? programs : std::min(least, programs);
    }
    out += "<tr>" + cell("pairs", row.title) +
           cell("combinations", grouped_digits(combinations), true) +
           cell("programs with the rarest", grouped_digits(least), true) + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string model_table(const std::map<std::string, std::uint64_t>& coverage,
                        const std::vector<std::string>& parts) {
  const auto met = [&](const std::string& part) { return coverage.contains(part); };
  if (std::ranges::none_of(parts, met)) return ""; // not looked at
  std::string out = "<h3>Parts of the model</h3><p class=\"dim\">Of the programs looked at: in how "
                    "many a definition was not empty in some execution, and in how many an axiom "
                    "was decisive (without it, more behaviours).</p><table class=\"cards\"><tr><th>"
                    "part</th><th class=\"n\">programs</th></tr>";
  for (const auto& part : parts) {
    const auto found = coverage.find(part);
    const bool never = found == coverage.end();
    out += "<tr>" + cell("part", code(part)) +
           cell("programs",
                never ? "<span class=\"tag unknown\">never</span>" : grouped_digits(found->second),
                true) +
           "</tr>\n";
  }
  return out + "</table>\n";
}

std::string strategy_table(const Counts& coverage) {
  std::string out = "<h3>Strategies</h3><table class=\"cards\"><tr><th>strategy</th>"
                    "<th class=\"n\">programs drawn</th></tr>";
  const auto before = out.size();
  for (const auto& [key, programs] : coverage)
    if (key.starts_with("drawn "))
      out += "<tr>" + cell("strategy", escape_html(key.substr(6))) +
             cell("programs drawn", grouped_digits(programs), true) + "</tr>\n";
  return out.size() == before ? "" : out + "</table>\n";
}

std::string coverage_section(const Store& store, const std::vector<std::string>& parts) {
  const auto coverage = store.coverage();
  return "<h2>Coverage</h2>\n" + pair_table(coverage) + model_table(coverage, parts) +
         strategy_table(coverage);
}

} // namespace

std::string html(const Store& store, const std::vector<Group>& found, const Explain& explain,
                 const std::vector<std::string>& model_parts) {
  const auto& identity = store.identity();
  const auto title =
      fmt::format("{} mismatch{} of {} against {}", found.size(), found.size() == 1 ? "" : "es",
                  fmt::join(identity.targets, ", "), identity.model);
  std::string out = fmt::format("<h1>{}</h1>\n<p class=\"dim\">seed {}, {}</p>\n",
                                escape_html(title), identity.seed, escape_html(identity.version));
  out += summary(store, found) + reasons(found) + contents(found, identity);
  for (std::size_t i = 0; i < found.size(); ++i) out += article(i + 1, found[i], identity, explain);
  out += verdict_table(store) + undecided_table(store) + plots(store) +
         coverage_section(store, model_parts);
  return page("thinair: " + title, out);
}

} // namespace thinair::campaign
