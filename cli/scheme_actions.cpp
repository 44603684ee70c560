// thinair scheme diff|relax|repair.
#include "cli/scheme_actions.h"

#include "campaign/scheme_search.h"
#include "cli/campaign_options.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/file.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "lower/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string array_of(const std::string& rule) {
  std::vector<std::string> quoted;
  for (const auto& line : lines_of(rule)) {
    const auto begin = std::min(line.find_first_not_of(' '), line.size());
    quoted.push_back(json::quote(line.substr(begin)));
  }
  return json::array(quoted);
}

/// Operations whose rules differ in the same way.
struct Difference {
  std::vector<std::string_view> operations;
  std::string first, second;
};

std::vector<Difference> differences(const lower::RuleTexts& first, const lower::RuleTexts& second) {
  std::vector<Difference> all;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) continue;
    const auto same = std::ranges::find_if(
        all, [&](const Difference& d) { return d.first == first[i] && d.second == second[i]; });
    auto& row = same != all.end() ? *same : all.emplace_back(Difference{{}, first[i], second[i]});
    row.operations.push_back(lower::name(lower::operation_at(i)));
  }
  return all;
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ""));
}

std::string operand(const Arguments& arguments, std::size_t at, std::string_view what) {
  const auto& words = arguments.operands();
  if (words.size() <= at)
    throw InputError(
        fmt::format("thinair scheme: error: expected {} after {}\n  hint: for example: "
                    "thinair scheme {} x86:table2{}",
                    what, words.back(), words[0], words[0] == "diff" ? " x86:jam21" : ""));
  return words[at];
}

void no_more_than(const Arguments& arguments, std::size_t most) {
  if (arguments.operands().size() > most)
    throw InputError(fmt::format("thinair scheme: error: unexpected operand '{}'",
                                 text::printable_word(arguments.operands()[most])));
}

/// The operations of --operations; all where there are none.
std::vector<std::size_t> operations_of(const Arguments& arguments) {
  std::vector<std::size_t> out;
  if (!arguments.has("operations")) return out;
  gen::Space named;
  gen::add_modes(named, arguments.text("operations", ""));
  for (const auto method : named.methods) out.push_back(lower::index_of(method));
  for (const auto fence : named.fences) out.push_back(lower::index_of(fence));
  return out;
}

/// Everything that both searches need, and what it refers to.
class Searching {
 public:
  explicit Searching(const Arguments& arguments)
      : name_(judging_model(arguments)), load_(load_options(arguments)),
        plan_(cat::load_model(name_, cat::Architecture::java, load_)),
        against_{.model = plan_, .model_name = name_, .load = load_} {
    against_.with.oracle = oracle_options(arguments);
    campaign::SchemeSearch settings;
    settings.scheme = operand(arguments, 1, "a scheme");
    no_more_than(arguments, 2);
    if (arguments.has("with")) settings.with = arguments.texts("with");
    settings.space = space_of(arguments, plan_.meaning.known);
    if (!arguments.has("modes")) {
      settings.space.methods.clear();
      gen::add_modes(settings.space, "plain,volatile");
    }
    constexpr auto usual = std::to_array<std::string_view>({"rmw", "varhandle", "java5"});
    settings.profile = gen::profile_for(plan_.meaning.known, usual);
    settings.programs = arguments.count("programs", settings.programs);
    settings.seed = arguments.count("seed", settings.seed);
    settings.seconds = arguments.seconds("time", 60);
    settings.operations = operations_of(arguments);
    const auto machine = lower::machine_named(settings.scheme);
    const auto costs = arguments.text("costs");
    searcher_.emplace(against_, settings,
                      costs ? lower::Costs(machine, litmus::read_file(*costs))
                            : lower::Costs(machine),
                      stop_.flag());
    scheme_ = settings.scheme;
  }

  campaign::SchemeSearcher& searcher() { return *searcher_; }
  const std::string& scheme() const { return scheme_; }
  const std::string& model() const { return name_; }

 private:
  std::string name_, scheme_;
  cat::LoadOptions load_;
  cat::Plan plan_;
  campaign::Against against_;
  StopOnSignal stop_;
  std::optional<campaign::SchemeSearcher> searcher_;
};

std::string operation_of(const lower::Step& step) {
  return std::string(lower::name(lower::operation_at(step.operation)));
}

std::string text_of(const campaign::SchemeWitness& witness) {
  litmus::Test test = campaign::as_test(witness.program, "needs-it");
  litmus::Clause clause;
  clause.proposition = litmus::exactly(witness.behaviour);
  test.clauses.push_back(std::move(clause));
  return litmus::print(test);
}

std::string indented(const std::string& text) {
  std::string out;
  for (const auto& line : lines_of(text)) out += "    " + line + "\n";
  return out;
}

json::Object object_of(const lower::Step& step) {
  json::Object object;
  object.string("operation", operation_of(step)).string("change", step.what);
  object.raw("rule", array_of(step.rule));
  return object;
}

void add(json::Object& object, const campaign::Extent& extent) {
  object.integer("accesses", extent.accesses)
      .integer("programs", static_cast<std::int64_t>(extent.programs))
      .integer("random", static_cast<std::int64_t>(extent.random))
      .integer("undecided", static_cast<std::int64_t>(extent.undecided))
      .boolean("complete", !extent.late);
}

std::string json_of(const campaign::Weakened& each) {
  auto object = object_of(each.step);
  if (each.witness)
    object.string("needed_by", text_of(*each.witness))
        .string("behaviour", litmus::to_string(each.witness->behaviour));
  else
    add(object, each.extent);
  return object.text();
}

/// What keeps each ordering, and what nothing keeps.
std::string text_of(const campaign::Relaxation& found) {
  std::string needed, free;
  for (const auto& each : found.single) {
    const auto head = fmt::format("{}, {}", operation_of(each.step), each.step.what);
    if (each.witness)
      needed +=
          fmt::format("{}: {} would be shown by\n{}", head,
                      litmus::to_string(each.witness->behaviour), indented(text_of(*each.witness)));
    else
      free += fmt::format("{}: {} needs it\n", head, to_string(each.extent));
  }
  std::string out = "Needed:\n" + (needed.empty() ? "  nothing\n" : needed);
  out += "Not known to be needed:\n" + (free.empty() ? "  nothing\n" : free);
  out += "Together:\n";
  for (const auto& each : found.taken)
    out += fmt::format("  {}, {}\n", operation_of(each.step), each.step.what);
  if (found.taken.empty()) return out + "  nothing\n";
  return out +
         fmt::format("cost {} instead of {}; of all of these together: {} shows anything new\n",
                     found.cost_after, found.cost_before, to_string(found.extent));
}

void write_scheme(const Arguments& arguments, Console& console, const std::string& text) {
  if (const auto path = arguments.text("output"))
    text::write_file(*path, text);
  else if (!arguments.json())
    console.out.write("\n" + text);
}

bool any_late(const campaign::Relaxation& found) {
  return found.extent.late || found.extent.undecided > 0 ||
         std::ranges::any_of(found.single, [](const auto& each) {
           return !each.witness && (each.extent.late || each.extent.undecided > 0);
         });
}

} // namespace

Exit diff_schemes(const Arguments& arguments, Console& console) {
  const auto first = lower::Target::named(operand(arguments, 1, "a scheme"));
  const auto second = lower::Target::named(operand(arguments, 2, "another scheme"));
  no_more_than(arguments, 3);
  const auto all = differences(first.rules(), second.rules());
  const auto before = joined(first.peepholes()), after = joined(second.peepholes());
  const bool same = all.empty() && before == after;
  if (arguments.json()) {
    std::vector<std::string> rows;
    for (const auto& each : all) {
      std::vector<std::string> names;
      for (const auto operation : each.operations) names.push_back(json::quote(operation));
      rows.push_back(json::Object()
                         .raw("operations", json::array(names))
                         .raw("first", array_of(each.first))
                         .raw("second", array_of(each.second))
                         .text());
    }
    json::Object object;
    object.string("first", first.name()).string("second", second.name());
    object.boolean("same", same).raw("rules", json::array(rows));
    object.raw("peepholes_of_first", array_of(before)).raw("peepholes_of_second", array_of(after));
    console.out.write(object.text() + "\n");
    return same ? Exit::clean : Exit::finding;
  }
  std::size_t operations = 0;
  for (const auto& each : all) operations += each.operations.size();
  std::string out = fmt::format("{} | {}: {} of {} operations differ\n", first.name(),
                                second.name(), operations, lower::operation_count);
  for (const auto& each : all)
    out += "\n" + lower::beside(fmt::format("{}", fmt::join(each.operations, ", ")),
                                lines_of(each.first), lines_of(each.second));
  if (before != after) out += "\n" + lower::beside("peepholes", lines_of(before), lines_of(after));
  console.out.write(out);
  return same ? Exit::clean : Exit::finding;
}

Exit relax_scheme(const Arguments& arguments, Console& console) {
  Searching searching(arguments);
  const auto found = searching.searcher().relax();
  const auto scheme = searching.searcher().text_of(
      found.rules, fmt::format("{} with less ordering", searching.scheme()));
  if (arguments.json()) {
    std::vector<std::string> single, taken;
    for (const auto& each : found.single) single.push_back(json_of(each));
    for (const auto& each : found.taken) taken.push_back(json_of(each));
    json::Object object;
    object.string("scheme", searching.scheme()).string("model", searching.model());
    object.raw("weakenings", json::array(single)).raw("taken", json::array(taken));
    object.integer("cost_before", static_cast<std::int64_t>(found.cost_before));
    object.integer("cost_after", static_cast<std::int64_t>(found.cost_after));
    object.string("result", scheme);
    console.out.write(object.text() + "\n");
  } else {
    console.out.write(text_of(found));
  }
  if (!found.taken.empty()) write_scheme(arguments, console, scheme);
  return any_late(found) ? Exit::undecided : Exit::clean;
}

Exit repair_scheme(const Arguments& arguments, Console& console) {
  Searching searching(arguments);
  const auto found = searching.searcher().repair();
  const auto scheme = searching.searcher().text_of(
      found.rules, fmt::format("{}, made sound for {}", searching.scheme(), searching.model()));
  const auto operations = arguments.text("operations", "");
  const auto of_operations = operations.empty() ? "" : " with " + operations;
  if (arguments.json()) {
    std::vector<std::string> changes;
    for (const auto& each : found.changes) {
      auto object = object_of(each.step);
      if (each.needed_by)
        object.string("needed_by", text_of(*each.needed_by))
            .string("behaviour", litmus::to_string(each.needed_by->behaviour));
      changes.push_back(object.text());
    }
    json::Object object;
    object.string("scheme", searching.scheme()).string("model", searching.model());
    object.boolean("found", found.found).raw("changes", json::array(changes));
    object.integer("candidates", static_cast<std::int64_t>(found.candidates));
    add(object, found.extent);
    if (found.found) object.string("result", scheme);
    console.out.write(object.text() + "\n");
  } else if (!found.found) {
    console.out.write(fmt::format("{}: {} ({} schemes tried)\n", searching.scheme(),
                                  found.extent.late ? "no repair was found in time (--time)"
                                                    : fmt::format("none of the strengthenings that "
                                                                  "were tried{} is sound",
                                                                  of_operations),
                                  found.candidates));
  } else {
    std::string out =
        fmt::format("{} for {}: {} change{}, cost {} instead of {}, {} schemes tried; {} "
                    "shows what is forbidden{}\n",
                    searching.scheme(), searching.model(), found.changes.size(),
                    found.changes.size() == 1 ? "" : "s", found.cost_after, found.cost_before,
                    found.candidates, to_string(found.extent),
                    of_operations.empty() ? "" : "; only programs" + of_operations + " were asked");
    for (const auto& each : found.changes) {
      out += fmt::format("{}, {}", operation_of(each.step), each.step.what);
      out += each.needed_by ? fmt::format(": without, {} is shown by\n{}",
                                          litmus::to_string(each.needed_by->behaviour),
                                          indented(text_of(*each.needed_by)))
                            : "\n";
    }
    console.out.write(out);
  }
  if (found.found && !found.changes.empty()) write_scheme(arguments, console, scheme);
  if (!found.found || found.extent.late || found.extent.undecided > 0) return Exit::undecided;
  // other programs were not asked: that nothing was to be changed says nothing of the scheme
  if (found.changes.empty() && !operations.empty()) return Exit::undecided;
  return found.changes.empty() ? Exit::clean : Exit::finding;
}

} // namespace thinair::cli
