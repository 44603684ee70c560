// thinair store check: whether what campaigns keep is as they wrote it.
#include "campaign/store.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace thinair::cli {
namespace {

constexpr auto store_words = std::to_array<std::string_view>({"check"});

campaign::Store opened(const std::string& operand) {
  std::error_code ignored;
  return std::filesystem::is_directory(operand, ignored) ? campaign::Store::open_existing(operand)
                                                         : campaign::Store::open_file(operand);
}

Done check(const std::string& operand, bool as_json) {
  const auto store = opened(operand);
  store.examine();
  const bool sealed = store.has_checksums();
  const auto programs = store.program_count(), mismatches = store.mismatches().size();
  if (as_json)
    return {.out = json::Object()
                       .string("file", operand)
                       .string("status", "ok")
                       .integer("version", store.version())
                       .boolean("checksums", sealed)
                       .integer("programs", programs)
                       .integer("mismatches", mismatches)
                       .text() +
                   "\n"};
  return {.out = fmt::format("{}: whole: store version {}{}, {} programs, {} mismatches\n", operand,
                             store.version(), sealed ? "" : " (without checksums)", programs,
                             mismatches)};
}

Exit run_store(const Arguments& arguments, Console& console) {
  const auto& words = arguments.operands();
  if (words.size() < 2)
    throw InputError("thinair store: error: expected 'check FILE…'\n  hint: for example: thinair "
                     "store check campaign");
  return for_each(
      {words.begin() + 1, words.end()}, arguments, console,
      [&](const std::string& operand, Progress&) { return check(operand, arguments.json()); });
}

} // namespace

extern constinit const Command store_command = {
    .name = "store",
    .summary = "check that a campaign's store is whole",
    .usage = "check FILE…",
    .description =
        "Reads everything that a campaign keeps, and says whether it is as it was written: a FILE "
        "is a campaign's directory or the campaign.db in it.\n"
        "All commands check a store before they use it, and refuse one that was damaged; 'check' "
        "reads the programs in it, too. Stores of versions before 4 have no checksums: a changed "
        "value that could be right is not noticed there.",
    .example = "thinair store check campaign",
    .operands = Operands::words,
    .words = store_words,
    .run = run_store,
};

} // namespace thinair::cli
