// One page: a line a property, then each failure with its smallest program.
#include "health/report.h"

#include "campaign/page.h"
#include "litmus/canonical.h"
#include "litmus/text/counted.h"
#include "litmus/text/json.h"
#include "litmus/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::health {
namespace {

using campaign::code_block;
using campaign::escape_html;

litmus::Test as_test(const litmus::Program& program, std::string name) {
  litmus::Test test;
  test.name = std::move(name);
  test.program = program;
  return test;
}

std::string printed(const litmus::Program& program, const std::string& name) {
  return litmus::print(as_test(program, name));
}

std::string_view verdict(const Row& row) {
  if (row.example) return "fails";
  if (row.programs == 0) return "silent";
  return row.undecided > 0 ? "unknown" : "holds";
}

std::string accesses(std::uint64_t n) { return text::counted(n, "access", "accesses"); }

/// "1,204 programs, all up to 3 accesses", "with 4 accesses, as few as can be"
std::string extent_of(const Row& row) {
  if (row.programs == 0) return "no program was drawn that it speaks of";
  std::string out;
  if (row.example) {
    out = "with " + accesses(litmus::count_accesses(*row.example));
    if (row.smallest) out += ", as few as can be";
  } else {
    out = text::counted(row.programs, "program", "programs");
    if (row.holds_up_to > 0) out += ", all up to " + accesses(row.holds_up_to);
  }
  if (row.undecided > 0) out += fmt::format("; {} undecided", text::grouped(row.undecided));
  return out;
}

/// Each reason once, with the properties that it keeps open.
std::vector<std::pair<std::string, std::string>> undecided(const Checkup& checkup) {
  std::map<std::string, std::string> by_reason;
  for (const auto& row : checkup.rows)
    if (row.undecided > 0) {
      auto& names = by_reason[row.why_undecided];
      names += (names.empty() ? "" : ", ") + row.property.name;
    }
  return {by_reason.begin(), by_reason.end()};
}

/// Not every failure is about a behaviour.
std::string what_is_wrong(const Finding& finding) {
  return (finding.behaviour.empty() ? "" : finding.behaviour + ": ") + finding.sentence;
}

std::string failure_text(const Row& row) {
  std::string out = text::wrapped(row.property.name + ": " + row.property.claim) + "\n" +
                    text::wrapped(what_is_wrong(row.finding)) + "\n\n" +
                    printed(*row.example, row.property.name);
  if (row.finding.other)
    out += "becomes\n" + printed(*row.finding.other, row.property.name + "-after");
  for (const auto& other : row.others)
    out += "\n" + text::wrapped("For another reason, too: " + what_is_wrong(other.finding)) +
           "\n\n" + printed(other.program, row.property.name);
  return out + text::wrapped("(" + row.property.source + ")") + "\n\n";
}

std::string axioms_text(const Page& page) {
  if (page.axioms.empty()) return "";
  std::string out = fmt::format("Axioms by the questions of the corpus that they decide (of {}):\n",
                                text::grouped(page.questions));
  for (const auto& row : page.axioms)
    out += fmt::format("  {:<28} {}{}\n", row.axiom, text::grouped(row.decides.size()),
                       row.decides.empty() ? "  nothing in the corpus needs it"
                                           : "  " + row.decides.front());
  return out + "\n";
}

std::string other_json(const Failure& other, const std::string& name) {
  return json::Object()
      .string("cause", other.cause)
      .string("behaviour", other.finding.behaviour)
      .string("sentence", other.finding.sentence)
      .string("id", litmus::to_string(litmus::content_hash(other.program)))
      .string("program", printed(other.program, name))
      .text();
}

std::string finding_json(const Row& row) {
  json::Object object;
  object.string("behaviour", row.finding.behaviour)
      .string("sentence", row.finding.sentence)
      .string("id", litmus::to_string(litmus::content_hash(*row.example)))
      .integer("accesses", static_cast<std::int64_t>(litmus::count_accesses(*row.example)))
      .boolean("smallest", row.smallest)
      .string("program", printed(*row.example, row.property.name));
  if (row.finding.other)
    object.string("after", printed(*row.finding.other, row.property.name + "-after"));
  std::vector<std::string> others;
  for (const auto& other : row.others) others.push_back(other_json(other, row.property.name));
  object.raw("other_causes", json::array(others));
  return object.text();
}

std::string row_json(const Row& row) {
  json::Object object;
  object.string("property", row.property.name)
      .string("group", row.property.group)
      .string("claim", row.property.claim)
      .string("source", row.property.source)
      .string("verdict", verdict(row))
      .integer("programs", static_cast<std::int64_t>(row.programs))
      .integer("undecided", static_cast<std::int64_t>(row.undecided))
      .integer("holds_up_to", row.holds_up_to);
  if (row.undecided > 0) object.string("why_undecided", row.why_undecided);
  if (row.example) object.raw("failure", finding_json(row));
  return object.text();
}

std::string table_html(const Checkup& checkup) {
  std::string out = "<table class=\"cards\"><tr><th>property</th><th>claim</th><th>verdict</th>"
                    "<th>looked at</th></tr>";
  for (const auto& row : checkup.rows) {
    const auto word = verdict(row);
    const auto style = word == "fails" ? "fail" : word == "holds" ? "pass" : "unknown";
    const auto name = escape_html(row.property.name);
    out += fmt::format("<tr><td data-name=\"property\">{}</td><td data-name=\"claim\">{}</td>"
                       "<td data-name=\"verdict\"><span class=\"tag {}\">{}</span></td>"
                       "<td data-name=\"looked at\">{}</td></tr>\n",
                       row.example ? fmt::format("<a href=\"#{0}\">{0}</a>", name) : name,
                       escape_html(row.property.claim), style, word, escape_html(extent_of(row)));
  }
  return out + "</table>\n";
}

std::string failure_html(const Row& row) {
  const auto behaviour =
      row.finding.behaviour.empty()
          ? ""
          : fmt::format("<code class=\"bad\">{}</code>: ", escape_html(row.finding.behaviour));
  std::string out =
      fmt::format("<article id=\"{0}\"><h2>{0}</h2><p>{1}. <span class=\"dim\">({2})</span></p>"
                  "<p>{3}{4}.</p><div class=\"columns\">",
                  escape_html(row.property.name), escape_html(row.property.claim),
                  escape_html(row.property.source), behaviour, escape_html(row.finding.sentence));
  out += code_block(row.finding.other ? "Before" : "The smallest program",
                    printed(*row.example, row.property.name));
  if (row.finding.other)
    out += code_block("After", printed(*row.finding.other, row.property.name + "-after"));
  out += "</div>";
  for (const auto& other : row.others)
    out += fmt::format("<p>For another reason, too: <code class=\"bad\">{}</code>: {}.</p>{}",
                       escape_html(other.finding.behaviour), escape_html(other.finding.sentence),
                       code_block("", printed(other.program, row.property.name)));
  return out + "</article>\n";
}

std::string axioms_html(const Page& page) {
  if (page.axioms.empty()) return "";
  std::string out =
      fmt::format("<h2>Axioms</h2><p>Without the axiom, so many of {} questions of the corpus have "
                  "another answer.</p><table class=\"cards\"><tr><th>axiom</th>"
                  "<th class=\"n\">decides</th><th>for example</th></tr>",
                  text::grouped(page.questions));
  for (const auto& row : page.axioms)
    out += fmt::format("<tr><td data-name=\"axiom\"><code>{}</code></td><td class=\"n\" "
                       "data-name=\"decides\">{}</td><td data-name=\"for example\">{}</td></tr>\n",
                       escape_html(row.axiom), text::grouped(row.decides.size()),
                       row.decides.empty() ? "nothing in the corpus needs it"
                                           : escape_html(row.decides.front()));
  return out + "</table>\n";
}

std::size_t failures(const Checkup& checkup) {
  return static_cast<std::size_t>(
      std::ranges::count_if(checkup.rows, [](const Row& row) { return row.example.has_value(); }));
}

std::string looked_at(const Page& page) {
  return fmt::format("{} programs with {}; {} drawn at random",
                     text::grouped(page.checkup.enumerated), page.space,
                     text::grouped(page.checkup.random));
}

} // namespace

std::string text_of(const Page& page) {
  const auto& rows = page.checkup.rows;
  std::string out =
      fmt::format("{}: {} of {} properties fail\n{}\n", page.model, failures(page.checkup),
                  rows.size(), text::wrapped(looked_at(page)));
  constexpr std::size_t indent = 38;
  std::string group;
  for (const auto& row : rows) {
    if (group != row.property.group) out += fmt::format("\n{}\n", group = row.property.group);
    out += fmt::format("  {:<26} {:<8} {}\n", row.property.name, verdict(row),
                       text::wrapped(extent_of(row), indent, indent));
  }
  for (const auto& [reason, names] : undecided(page.checkup))
    out += "\n" + text::wrapped(fmt::format("Undecided: {} ({})", reason, names)) + "\n";
  out += "\n";
  for (const auto& row : rows)
    if (row.example) out += failure_text(row);
  return out + axioms_text(page);
}

std::string json_of(const Page& page) {
  std::vector<std::string> rows, axioms;
  for (const auto& row : page.checkup.rows) rows.push_back(row_json(row));
  for (const auto& row : page.axioms) {
    std::vector<std::string> names;
    for (const auto& name : row.decides) names.push_back(json::quote(name));
    axioms.push_back(
        json::Object().string("axiom", row.axiom).raw("decides", json::array(names)).text());
  }
  return json::Object()
             .string("model", page.model)
             .string("space", page.space)
             .integer("enumerated", static_cast<std::int64_t>(page.checkup.enumerated))
             .integer("whole_up_to", page.checkup.whole_up_to)
             .integer("random", static_cast<std::int64_t>(page.checkup.random))
             .raw("properties", json::array(rows))
             .raw("axioms", json::array(axioms))
             .text() +
         "\n";
}

std::string html_of(const Page& page) {
  std::string body = fmt::format("<h1>{}</h1><p class=\"dim\">{}. {}.</p><div class=\"facts\">",
                                 escape_html("Health of " + page.model), escape_html(page.title),
                                 escape_html(looked_at(page)));
  body += campaign::fact("properties", text::grouped(page.checkup.rows.size()));
  body += campaign::fact("fail", text::grouped(failures(page.checkup))) + "</div>\n";
  body += table_html(page.checkup);
  for (const auto& [reason, names] : undecided(page.checkup))
    body += fmt::format("<p class=\"dim\">Undecided: {} ({}).</p>\n", escape_html(reason),
                        escape_html(names));
  body += axioms_html(page);
  for (const auto& row : page.checkup.rows)
    if (row.example) body += failure_html(row);
  return campaign::page("Health of " + page.model, body);
}

} // namespace thinair::health
