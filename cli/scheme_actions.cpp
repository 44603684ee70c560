// thinair scheme diff|relax|repair.
#include "cli/scheme_actions.h"

#include "campaign/finds.h"
#include "campaign/scheme_search.h"
#include "campaign/target.h"
#include "cli/campaign_options.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "litmus/text/counted.h"
#include "litmus/text/file.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "litmus/text/wrap.h"
#include "lower/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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
  for (const auto& line : lower::lines_of(rule)) quoted.push_back(json::quote(line));
  return json::array(quoted);
}

/// Rules that differ in the same way.
struct Difference {
  std::vector<std::string> rules;
  std::string first, second;
};

std::vector<Difference> differences(const lower::SchemeText& first,
                                    const lower::SchemeText& second) {
  std::vector<Difference> all;
  std::set<lower::RuleName> rules;
  for (const auto* scheme : {&first, &second})
    for (const auto& rule : scheme->rules()) rules.insert(rule);
  for (const auto& rule : rules) {
    const auto &before = first.code(rule), &now = second.code(rule);
    const lower::RuleName common(rule.operation); // a type that is like the rest says nothing new
    if (before == now || (rule.type && before == first.code(common) && now == second.code(common)))
      continue;
    const auto same = std::ranges::find_if(
        all, [&](const Difference& d) { return d.first == before && d.second == now; });
    auto& row = same != all.end() ? *same : all.emplace_back(Difference{{}, before, now});
    row.rules.push_back(to_string(rule));
  }
  return all;
}

std::string peepholes_of(const lower::SchemeText& scheme) {
  std::string text;
  for (const auto& peephole : scheme.peepholes()) text += print(peephole);
  return text;
}

std::string with_remark(const lower::SchemeText& scheme, const std::string& remark) {
  return fmt::format("# {}\n{}", remark, print(scheme));
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
std::vector<lower::Operation> operations_of(const Arguments& arguments) {
  std::vector<lower::Operation> out;
  if (!arguments.has("operations")) return out;
  gen::Space named;
  gen::add_modes(named, arguments.text("operations", ""));
  out.insert(out.end(), named.methods.begin(), named.methods.end());
  out.insert(out.end(), named.fences.begin(), named.fences.end());
  return out;
}

/// Everything that both searches need, and what it refers to.
/// Throws InputError for a target of a kind that compiles nothing by rules.
void require_scheme(const std::string& name) {
  const auto of_machine = [](const campaign::TargetKind& kind) {
    return std::ranges::any_of(lower::machines(), [&](const lower::Machine& machine) {
      return kind.prefix == std::string(machine->prefix) + ":";
    });
  };
  for (const auto& kind : campaign::target_kinds())
    if (!kind.prefix.empty() && name.starts_with(kind.prefix) && !of_machine(kind))
      throw InputError(fmt::format("error: {} is no scheme", name));
}

class Searching {
 public:
  Searching(const Arguments& arguments, std::uint64_t programs)
      : model_(judging_model(arguments)), load_(load_options(arguments)),
        plan_(cat::load_model(model_, cat::Architecture::java, load_)),
        against_{.model = plan_, .model_name = model_, .load = load_} {
    against_.with.oracle = oracle_options(arguments);
    settings_.scheme = operand(arguments, 1, "a scheme");
    no_more_than(arguments, 2);
    if (arguments.has("with")) settings_.with = arguments.texts("with");
    settings_.space = space_of(arguments, plan_.meaning.known);
    if (!arguments.has("modes")) {
      settings_.space.methods.clear();
      gen::add_modes(settings_.space, "plain,volatile");
    }
    settings_.profiles = profiles(arguments);
    settings_.programs = arguments.count("programs", programs);
    settings_.seed = arguments.count("seed", settings_.seed);
    settings_.seconds = arguments.seconds("time", 60);
    settings_.operations = operations_of(arguments);
    settings_.within = arguments.has("modes");
    require_scheme(settings_.scheme);
    const auto machine = lower::machine_named(settings_.scheme);
    const auto file = arguments.text("costs");
    costs_ =
        file ? lower::Costs(machine, litmus::read_file(*file)) : lower::Costs::measured(machine);
  }

  campaign::Relaxation relax() {
    return campaign::relax(against_, settings_, *costs_, stop_.flag());
  }
  campaign::Repair repair() { return campaign::repair(against_, settings_, *costs_, stop_.flag()); }

  /// What weakenings are asked about.
  std::string programs() const {
    std::vector<litmus::Operation> around(settings_.space.methods.begin(),
                                          settings_.space.methods.end());
    around.insert(around.end(), settings_.space.fences.begin(), settings_.space.fences.end());
    return fmt::format("Asked: all programs of up to {} accesses, of {} and the operation in "
                       "question (--modes); random ones {}.",
                       settings_.space.max_accesses, campaign::in_families(around),
                       settings_.within ? "of the same"
                                        : fmt::format("of all that {} gives a meaning to", model_));
  }

  const std::string& scheme() const { return settings_.scheme; }
  const std::string& model() const { return model_; }
  const lower::Costs& costs() const { return *costs_; }

 private:
  /// Everything that the model gives a meaning to; some constants have high bits, which code may
  /// lose.
  /// A repair looks at monitors and threads as well, which small programs do not have.
  std::vector<gen::Profile> profiles(const Arguments& arguments) const {
    std::vector<std::string_view> names{"rmw", "varhandle"};
    if (operand(arguments, 0, "an action") == "repair" && !arguments.has("operations"))
      names.emplace_back("monitors");
    std::vector<gen::Profile> out;
    for (const auto name : names) {
      out.push_back(gen::restricted(gen::load_profile(name), plan_.meaning.known));
      out.back().wide = 10;
    }
    return out;
  }

  std::string model_;
  cat::LoadOptions load_;
  cat::Plan plan_;
  campaign::Against against_;
  campaign::SchemeSearch settings_;
  std::optional<lower::Costs> costs_;
  StopOnSignal stop_;
};

std::string operation_of(const lower::Step& step) {
  return std::string(lower::name(step.operation));
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

std::string json_of(const campaign::MinimalScheme& scheme, const std::string& text) {
  std::vector<std::string> taken;
  for (const auto& each : scheme.taken) taken.push_back(json_of(each));
  json::Object object;
  object.integer("cost", static_cast<std::int64_t>(scheme.cost)).raw("taken", json::array(taken));
  add(object, scheme.extent);
  return object.string("scheme", text).text();
}

/// Operations whose rules are the same, before and after a step.
struct Alike {
  std::vector<std::string> operations;
  const campaign::Weakened* first = nullptr;
  campaign::Extent extent; // as far as all of them were asked

  std::string head() const {
    return fmt::format("{}, {}", fmt::join(operations, ", "), first->step.what);
  }
  void add(const campaign::Weakened& each) {
    operations.push_back(operation_of(each.step));
    extent.accesses = std::min(extent.accesses, each.extent.accesses);
    extent.programs = std::min(extent.programs, each.extent.programs);
    extent.random = std::min(extent.random, each.extent.random);
    extent.undecided = std::max(extent.undecided, each.extent.undecided);
    extent.late = extent.late || each.extent.late;
  }
};

std::vector<Alike> alike(const std::vector<campaign::Weakened>& all, bool needed) {
  std::vector<Alike> out;
  for (const auto& each : all) {
    if (each.witness.has_value() != needed) continue;
    const auto same = std::ranges::find_if(out, [&](const Alike& other) {
      return other.first->step.what == each.step.what && other.first->step.rule == each.step.rule;
    });
    auto& row = same != out.end() ? *same : out.emplace_back(Alike{{}, &each, each.extent});
    row.add(each);
  }
  return out;
}

/// What it does without; of another one than the cheapest only where that is something else.
std::string text_of(const campaign::MinimalScheme& scheme,
                    const campaign::MinimalScheme& cheapest) {
  auto changes = scheme.taken;
  const auto is_first = [&](const campaign::Weakened& each) {
    return std::ranges::any_of(cheapest.taken, [&](const campaign::Weakened& first) {
      return first.step.operation == each.step.operation && first.step.rule == each.step.rule;
    });
  };
  if (&scheme != &cheapest) std::erase_if(changes, is_first);
  std::string out;
  for (const auto& each : alike(changes, false)) out += "  " + each.head() + "\n";
  for (const auto& first : cheapest.taken)
    if (std::ranges::none_of(scheme.taken, [&](const campaign::Weakened& each) {
          return first.step.operation == each.step.operation;
        }))
      out += fmt::format("  {} as it is\n", operation_of(first.step));
  return out;
}

/// What keeps each ordering, and what nothing keeps.
std::string text_of(const campaign::Relaxation& found, const lower::Costs& costs) {
  std::string needed, free;
  for (const auto& each : alike(found.single, true)) {
    const auto& witness = *each.first->witness;
    needed += fmt::format("{}: {} would be shown by\n{}", each.head(),
                          litmus::to_string(witness.behaviour), indented(text_of(witness)));
  }
  for (const auto& each : alike(found.single, false))
    free += fmt::format("{}: needed by {}\n", each.head(), to_string(each.extent));
  std::string out = "Needed:\n" + (needed.empty() ? "  nothing\n" : needed);
  out += "Not known to be needed:\n" + (free.empty() ? "  nothing\n" : free);
  if (found.minimal.empty()) return out + "Together:\n  nothing\n";
  out += fmt::format("Costs: {}.\n", costs.source());
  for (std::size_t i = 0; i < found.minimal.size(); ++i) {
    const auto& scheme = found.minimal[i];
    out += i == 0 ? "Together:\n" : fmt::format("Or, number {}, the same but for\n", i + 1);
    out += text_of(scheme, found.minimal.front());
    out +=
        fmt::format("cost {} instead of {}; of all of these together anything new is shown by {}\n",
                    scheme.cost, found.cost_before, to_string(scheme.extent));
  }
  return out;
}

void write_scheme(const Arguments& arguments, Console& console, const std::string& text) {
  if (const auto path = arguments.text("output"))
    text::write_file(*path, text);
  else if (!arguments.json())
    console.out.write("\n" + text);
}

bool any_late(const campaign::Relaxation& found) {
  const auto short_of = [](const campaign::Extent& e) { return e.late || e.undecided > 0; };
  return std::ranges::any_of(
             found.single,
             [&](const auto& each) { return !each.witness && short_of(each.extent); }) ||
         std::ranges::any_of(found.minimal,
                             [&](const auto& scheme) { return short_of(scheme.extent); });
}

} // namespace

Exit diff_schemes(const Arguments& arguments, Console& console) {
  const auto first = lower::Target::named(operand(arguments, 1, "a scheme"));
  const auto second = lower::Target::named(operand(arguments, 2, "another scheme"));
  no_more_than(arguments, 3);
  const auto all = differences(first.scheme(), second.scheme());
  const auto before = peepholes_of(first.scheme()), after = peepholes_of(second.scheme());
  const bool same = all.empty() && before == after;
  if (arguments.json()) {
    std::vector<std::string> rows;
    for (const auto& each : all) {
      std::vector<std::string> names;
      for (const auto& rule : each.rules) names.push_back(json::quote(rule));
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
  std::set<std::string_view> operations; // without types
  for (const auto& each : all)
    for (const std::string_view rule : each.rules)
      operations.insert(rule.substr(0, rule.find(' ')));
  std::string out = fmt::format("{} | {}: {} of {} operations differ\n", first.name(),
                                second.name(), operations.size(), lower::operation_count);
  for (const auto& each : all)
    out += "\n" + lower::beside(fmt::format("{}", fmt::join(each.rules, ", ")),
                                lines_of(each.first), lines_of(each.second));
  if (before != after) out += "\n" + lower::beside("peepholes", lines_of(before), lines_of(after));
  console.out.write(out);
  return same ? Exit::clean : Exit::finding;
}

Exit relax_scheme(const Arguments& arguments, Console& console) {
  Searching searching(arguments, 1000);
  const auto found = searching.relax();
  const auto text_with = [&](const campaign::MinimalScheme& scheme) {
    return with_remark(scheme.scheme, fmt::format("{} with less ordering", searching.scheme()));
  };
  if (arguments.json()) {
    std::vector<std::string> single, minimal;
    for (const auto& each : found.single) single.push_back(json_of(each));
    for (const auto& each : found.minimal) minimal.push_back(json_of(each, text_with(each)));
    json::Object object;
    object.string("scheme", searching.scheme()).string("model", searching.model());
    object.raw("weakenings", json::array(single)).raw("minimal", json::array(minimal));
    object.integer("cost_before", static_cast<std::int64_t>(found.cost_before));
    object.string("costs", searching.costs().source()).string("asked", searching.programs());
    console.out.write(object.text() + "\n");
  } else {
    console.out.write(text::wrapped(searching.programs()) + "\n" +
                      text_of(found, searching.costs()));
  }
  if (!found.minimal.empty()) write_scheme(arguments, console, text_with(found.minimal.front()));
  return any_late(found) ? Exit::undecided : Exit::clean;
}

namespace {

std::string json_of(const campaign::Repair& found, const Searching& searching,
                    const std::string& scheme) {
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
  object.integer("cost_before", static_cast<std::int64_t>(found.cost_before));
  object.integer("cost_after", static_cast<std::int64_t>(found.cost_after));
  object.string("costs", searching.costs().source());
  object.integer("accesses_of_changed", found.accesses_of_changed);
  add(object, found.extent);
  if (found.found) object.string("result", scheme);
  return object.text();
}

/// `of_operations`: " with LIST" where --operations says which may change.
std::string text_of(const campaign::Repair& found, const Searching& searching,
                    const std::string& of_operations) {
  if (!found.found)
    return fmt::format("{}: {} ({} schemes tried)\n", searching.scheme(),
                       found.extent.late ? "no repair was found in time (--time)"
                                         : fmt::format("no repair: of all changes{} that could "
                                                       "mend a program none is sound",
                                                       of_operations),
                       found.candidates);
  std::string out = fmt::format(
      "{} for {}: {}, cost {} instead of {}, {} tried; {} shows what is forbidden{}{}\n",
      searching.scheme(), searching.model(),
      text::counted(found.changes.size(), "change", "changes"), found.cost_after, found.cost_before,
      text::counted(found.candidates, "scheme", "schemes"), to_string(found.extent),
      found.accesses_of_changed > found.extent.accesses
          ? fmt::format(", none of up to {} where what was changed has part",
                        found.accesses_of_changed)
          : "",
      of_operations.empty() ? "" : "; only programs" + of_operations + " were asked");
  for (const auto& each : found.changes) {
    out += fmt::format("{}, {}", operation_of(each.step), each.step.what);
    out += each.needed_by ? fmt::format(": without, {} is shown by\n{}",
                                        litmus::to_string(each.needed_by->behaviour),
                                        indented(text_of(*each.needed_by)))
                          : "\n";
  }
  return out;
}

} // namespace

Exit repair_scheme(const Arguments& arguments, Console& console) {
  Searching searching(arguments, 10'000);
  const auto found = searching.repair();
  const auto scheme = with_remark(
      found.scheme, fmt::format("{}, made sound for {}", searching.scheme(), searching.model()));
  const auto operations = arguments.text("operations", "");
  console.out.write(arguments.json() ? json_of(found, searching, scheme) + "\n"
                                     : text_of(found, searching,
                                               operations.empty() ? "" : " with " + operations));
  if (found.found && !found.changes.empty()) write_scheme(arguments, console, scheme);
  if (!found.found || found.extent.late || found.extent.undecided > 0) return Exit::undecided;
  // other programs were not asked: that nothing was to be changed says nothing of the scheme
  if (found.changes.empty() && !operations.empty()) return Exit::undecided;
  return found.changes.empty() ? Exit::clean : Exit::finding;
}

} // namespace thinair::cli
