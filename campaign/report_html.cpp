// The report as one HTML file.
#include "campaign/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace thinair::campaign {
namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --line: #d4d8dd; --soft: #f5f6f8; --text: #1c2024; --dim: #616a74; --bad: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --line: #363c44; --soft: #20252b; --text: #e6e9ec; --dim: #99a3ad; --bad: #f97066; }
  body { background: #16191d; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); margin: 0 auto; max-width: 62rem; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; } h3 { font-size: 1rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; margin: .4rem 0; }
code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .dim { color: var(--dim); } .bad { color: var(--bad); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.fact { background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
.fact b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.columns > * { min-width: 0; }
article { border-top: 2px solid var(--line); margin-top: 2.2rem; }
details { margin: .5rem 0; } summary { cursor: pointer; }
svg { max-width: 100%; height: auto; } .drawing { background: #fff; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; overflow-x: auto; }
.plot text { font: 12px system-ui, sans-serif; fill: var(--dim); } .plot .title { font-weight: 600; fill: var(--text); } .plot .grid { stroke: var(--line); }
)css";

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("<div class=\"fact\"><b>{}</b>{}</div>", escape_html(value),
                     escape_html(name));
}

std::string grouped_digits(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
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
  out += fact("combinations covered", grouped_digits(store.coverage().size()));
  return out + "</div>\n";
}

std::string verdict_table(const Store& store) {
  std::string out =
      "<h2>Verdicts</h2><div class=\"scroll\"><table><tr><th>target</th><th "
      "class=\"n\">sound</th><th "
      "class=\"n\">unsound</th><th class=\"n\">unknown</th><th class=\"n\">unsupported</th></tr>";
  const auto counts = store.verdict_counts();
  for (std::size_t t = 0; t < counts.size(); ++t) {
    const auto number = [&](Verdict v) {
      return grouped_digits(counts[t].at(static_cast<std::size_t>(v)));
    };
    out += fmt::format("<tr><td><code>{}</code></td><td class=\"n\">{}</td><td class=\"n "
                       "bad\">{}</td><td class=\"n\">{}"
                       "</td><td class=\"n\">{}</td></tr>",
                       escape_html(store.identity().targets[t]), number(Verdict::sound),
                       number(Verdict::unsound), number(Verdict::unknown),
                       number(Verdict::unsupported));
  }
  return out + "</table></div><p class=\"dim\">Unknown (a limit was reached) and unsupported "
               "programs are never counted as "
               "sound. Sound means: nothing forbidden was seen, not that nothing can be.</p>\n";
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

std::string pre(std::string_view title, std::string_view text) {
  if (text.empty()) return "";
  return fmt::format("<div><h3>{}</h3><pre>{}</pre></div>", escape_html(title), escape_html(text));
}

std::string drawing(const Drawing& drawn) {
  if (drawn.svg.empty()) return pre(drawn.title, drawn.text);
  return fmt::format("<div><h3>{}</h3><div class=\"drawing\">{}</div></div>",
                     escape_html(drawn.title), drawn.svg);
}

std::string contents(const std::vector<Group>& found, const Identity& identity) {
  if (found.empty()) return "<p>No mismatch was found.</p>\n";
  std::string out =
      "<h2>Mismatches</h2><div class=\"scroll\"><table><tr><th "
      "class=\"n\">#</th><th>target</th><th class=\"n\">"
      "accesses</th><th>forbidden behaviour</th><th>reason</th><th class=\"n\">programs</th></tr>";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& row = found[i].first;
    out +=
        fmt::format("<tr><td class=\"n\"><a "
                    "href=\"#m{0}\">{0}</a></td><td><code>{1}</code></td><td class=\"n\">{2}</td>"
                    "<td><code>{3}</code></td><td>{4}</td><td class=\"n\">{5}</td></tr>",
                    i + 1, escape_html(identity.targets.at(row.target)), row.minimal_accesses,
                    escape_html(row.minimal_finding.behaviour),
                    escape_html(row.minimal_finding.reason), grouped_digits(found[i].originals));
  }
  return out + "</table></div>\n";
}

std::string article(std::size_t number, const Group& group, const Identity& identity,
                    const Explain& explain) {
  const auto& row = group.first;
  const auto& target = identity.targets.at(row.target);
  const auto more = explain(row, target);
  std::string out =
      fmt::format("<article id=\"m{0}\"><h2>{0}. {1} accesses on <code>{2}</code></h2>", number,
                  row.minimal_accesses, escape_html(target));
  out += fmt::format("<p><span class=\"bad\">{0}</span> is what {1} does and <code>{2}</code> "
                     "forbids (<code>{3}</code>)."
                     "</p>",
                     escape_html(row.minimal_finding.behaviour), escape_html(target),
                     escape_html(identity.model), escape_html(row.minimal_finding.reason));
  out += "<div class=\"columns\">" + pre("The smallest program", row.minimal) +
         pre("The code that runs", more.lowered) + "</div>\n<div class=\"columns\">";
  for (const auto& drawn : more.drawings) out += drawing(drawn);
  out += "</div>\n";
  if (!more.command.empty()) out += pre("To see it again", more.command);
  if (!more.java.empty())
    out += "<details><summary>As Java</summary><pre>" + escape_html(more.java) + "</pre></details>";
  out += fmt::format("<details><summary>Where it came from: {} program{}, the first {:.1f} s into "
                     "the campaign, reduced in "
                     "{} steps ({} programs tried)</summary><pre>{}</pre></details></article>\n",
                     group.originals, group.originals == 1 ? "" : "s", row.found_after_s, row.steps,
                     row.tried, escape_html(row.original));
  return out;
}

std::string coverage_table(const Store& store) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>
      kinds; // kind -> combinations, least exercised
  for (const auto& [key, programs] : store.coverage()) {
    auto& [combinations, least] =
        kinds.try_emplace(key.substr(0, key.find(' ')), 0, programs).first->second;
    ++combinations;
    least = std::min(least, programs);
  }
  static const std::map<std::string, std::string> titles{
      {"com", "two threads on one location"},
      {"po-same", "neighbours on one location"},
      {"po-diff", "neighbours on different locations"},
      {"po-fence", "beside a fence"}};
  std::string out = "<h2>Coverage</h2><div class=\"scroll\"><table><tr><th>pairs of "
                    "accesses</th><th class=\"n\">combinations "
                    "of methods seen</th><th class=\"n\">programs with the rarest</th></tr>";
  for (const auto& [kind, numbers] : kinds) {
    const auto title = titles.find(kind);
    out += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                       escape_html(title == titles.end() ? kind : title->second),
                       grouped_digits(numbers.first), grouped_digits(numbers.second));
  }
  return out + "</table></div>\n";
}

} // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += c;
    }
  }
  return out;
}

std::string html(const Store& store, const std::vector<Group>& found, const Explain& explain) {
  const auto& identity = store.identity();
  const auto title =
      fmt::format("{} against {}", fmt::join(identity.targets, ", "), identity.model);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>thinair: {}</title><style>{}</style>"
      "</head><body>\n",
      escape_html(title), style);
  out += fmt::format("<h1>{} mismatch{} of {}</h1>\n<p class=\"dim\">seed {}, {}</p>\n",
                     found.size(), found.size() == 1 ? "" : "es", escape_html(title), identity.seed,
                     escape_html(identity.version));
  out += summary(store, found) + contents(found, identity);
  for (std::size_t i = 0; i < found.size(); ++i) out += article(i + 1, found[i], identity, explain);
  out += verdict_table(store) + plots(store) + coverage_table(store);
  return out + "</body></html>\n";
}

} // namespace thinair::campaign
