// thinair scheme list|show|check: the compilation schemes there are, and files of users.
#include "cli/campaign_options.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/question.h"
#include "cli/scheme_actions.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "litmus/text/wrap.h"
#include "lower/scheme.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto scheme_words =
    std::to_array<std::string_view>({"list", "show", "check", "diff", "relax", "repair"});

constexpr auto scheme_options = std::to_array<Option>({
    judging_model_option,
    {.name = "with",
     .takes = Takes::target,
     .value = "T",
     .help = "relax, repair: a scheme whose code the same threads may run, access by access",
     .repeats = true},
    {.name = "operations",
     .takes = Takes::text,
     .value = "LIST",
     .help =
         "relax, repair: change the rules of these alone, named as for --modes; all by default"},
    max_accesses_option,
    threads_option,
    locations_option,
    {.name = "modes",
     .takes = Takes::text,
     .value = "LIST",
     .help =
         "relax, repair: what programs are made of beside the operation that is asked about, as "
         "for 'thinair fuzz'; by default small ones of plain,volatile and random ones of "
         "everything"},
    no_mixed_option,
    {.name = "programs",
     .letter = 'n',
     .takes = Takes::count,
     .value = "N",
     .help =
         "relax: random programs for each operation, after all within the bounds (default: 1000); "
         "repair: for a whole scheme, before them (default: 10000)"},
    seed_option,
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "relax, repair: end after S seconds, 60 by default, and say how far it went"},
    {.name = "costs",
     .takes = Takes::file,
     .value = "FILE",
     .help = "relax, repair: what instructions cost, `dmb ish 20` or `ldar * 3` a line (default: "
             "what was measured and published, or an order where nothing was; docs/lowering.md)"},
    {.name = "output",
     .letter = 'o',
     .takes = Takes::file,
     .value = "FILE",
     .help = "relax, repair: write the scheme that was found there"},
    timeout_option,
    max_steps_option,
    max_memory_option,
    causality_option,
    identity_option,
    as_plain_option,
    include_option,
});

/// A scheme's file as it is, comments and all.
text::Source scheme_source(const std::string& name) {
  if (const auto shipped = lower::shipped_file(name)) return source_of(*shipped);
  if (name.find('/') == std::string::npos && !name.ends_with(".scheme"))
    lower::no_such_target(name);
  return read_input(name);
}

/// Throws InputError for what is wrong with it.
lower::SchemeText check(const text::Source& source) { return lower::parse_scheme(source).text(); }

/// How many operations it has code for.
std::size_t operations_of(const lower::SchemeText& scheme) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < lower::operation_count; ++i)
    out += scheme.code(lower::operation_at(i)).find(lower::no_code) == std::string::npos ? 1 : 0;
  return out;
}

Exit list_schemes(const Arguments& arguments, Console& console) {
  std::size_t widest = 0;
  for (const auto& target : lower::targets()) widest = std::max(widest, target.name.size());
  for (const auto& target : lower::targets()) {
    json::Object object;
    object.string("target", target.name).string("title", target.title);
    console.out.write(arguments.json()
                          ? object.text() + "\n"
                          : fmt::format("{:{}}  {}\n", target.name, widest,
                                        text::wrapped(target.title, widest + 2, widest + 2)));
  }
  return Exit::clean;
}

std::string checked(const text::Source& source, bool as_json) {
  const lower::SchemeText scheme = check(source);
  if (!as_json)
    return fmt::format("{}: {}: {} operations\n", source.name, scheme.name(),
                       operations_of(scheme));
  json::Object object;
  object.string("file", source.name).string("status", "ok").string("scheme", scheme.name());
  object.string("title", scheme.title());
  return object.text() + "\n";
}

Exit scheme(const Arguments& arguments, Console& console) {
  const auto& words = arguments.operands();
  if (words.size() > 1 && words[0] == "list")
    throw InputError(fmt::format("thinair scheme: error: unexpected operand '{}'",
                                 text::printable_word(words[1])));
  if (words.empty() || words[0] == "list") return list_schemes(arguments, console);
  if (words[0] == "diff") return diff_schemes(arguments, console);
  if (words[0] == "relax") return relax_scheme(arguments, console);
  if (words[0] == "repair") return repair_scheme(arguments, console);
  if (words[0] != "show" && words[0] != "check")
    throw InputError(fmt::format("thinair scheme: error: expected {}, found \"{}\"",
                                 fmt::join(scheme_words, ", "), text::printable_word(words[0])));
  if (words.size() < 2)
    throw InputError(fmt::format("thinair scheme: error: expected a scheme to {}\n  hint: for "
                                 "example: thinair scheme {} x86:table2",
                                 words[0], words[0]));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const text::Source source = scheme_source(words[i]);
    if (words[0] == "check")
      console.out.write(checked(source, arguments.json()));
    else if (check(source); arguments.json())
      console.out.write(
          json::Object().string("file", source.name).string("text", source.text).text() + "\n");
    else
      console.out.write(source.text);
  }
  return Exit::clean;
}

} // namespace

extern constinit const Command scheme_command = {
    .name = "scheme",
    .summary = "list, show, check and compare compilation schemes, and search around them",
    .usage = "list | ACTION SCHEME…",
    .description =
        "A scheme is a file that says for each VarHandle operation which "
        "instructions implement it; docs/lowering.md describes the format.\n"
        "Take a shipped one, change it, and hand it to thinair lower and thinair sound "
        "with --target.\n"
        "list, show SCHEME…, check FILE…: what is shipped, its text, whether a file is a scheme.\n"
        "diff A B: what differs, rule by rule; exit code 1 where something does.\n"
        "relax SCHEME: which orderings nothing needs: each single weakening with a program that "
        "needs what it takes away, or how far the search for one went, and the schemes without all "
        "that can go together, the cheapest first.\n"
        "repair SCHEME: the cheapest change that the model has nothing against, as a scheme, with "
        "a program that needs each change: more ordering, or other schemes' code where ordering "
        "does not help. Exit code 1 where something had to be changed, 3 where there is no repair. "
        "What ends at --time, or is undecided, has exit code 3.",
    .example = "thinair scheme show x86:table2",
    .operands = Operands::words,
    .words = scheme_words,
    .options = scheme_options,
    .run = scheme,
};

} // namespace thinair::cli
