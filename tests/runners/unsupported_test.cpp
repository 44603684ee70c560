// How many programs each target refuses, and because of what: counted, and bounded.
#include "gen/generator.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/target.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace thinair::runners {
namespace {

/// Programs of each profile: few, unless THINAIR_COUNTED_PROGRAMS says how many. Then the corpus is
/// counted too, and lines for the table in docs/lowering.md are printed.
std::size_t program_count() {
  const char* given = std::getenv("THINAIR_COUNTED_PROGRAMS");
  return given ? std::strtoul(given, nullptr, 10) : 24;
}
bool counts_corpus() { return std::getenv("THINAIR_COUNTED_PROGRAMS") != nullptr; }

struct Counts {
  std::size_t programs = 0, unsupported = 0;
  std::map<std::string, std::size_t> because;

  void refused(std::string_view reason) {
    constexpr std::string_view opening = "unsupported: ";
    if (reason.starts_with(opening)) reason.remove_prefix(opening.size());
    ++unsupported;
    const bool instruction = reason.ends_with(']'); // "adcl $0, %ecx [83 d1 00]"
    ++because[std::string(instruction ? reason.substr(0, reason.find(' ')) : reason)];
  }
};

std::string to_string(const Counts& counts) {
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [reason, times] : counts.because) sorted.emplace_back(times, reason);
  std::ranges::sort(sorted, std::greater<>());
  std::string text;
  for (const auto& [times, reason] : sorted)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", times, reason);
  return fmt::format("{} programs, {} unsupported: {}", counts.programs, counts.unsupported,
                     text.empty() ? "none" : text);
}

std::vector<litmus::Program> corpus_programs() {
  const std::filesystem::path corpus = std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus";
  std::vector<litmus::Program> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (entry.path().extension() != ".litmus") continue;
    const auto test = litmus::parse(litmus::read_file(entry.path().string()));
    if (test.is_java()) found.push_back(test.java());
  }
  return found;
}

void count(std::string_view target, const std::vector<litmus::Program>& programs, Counts& counts) {
  counts.programs += programs.size();
  lower::Target compiler = lower::Target::named(target);
  constexpr std::size_t batch_size = 50;
  for (std::size_t from = 0; from < programs.size(); from += batch_size) {
    const auto batch =
        std::span(programs).subspan(from, std::min(batch_size, programs.size() - from));
    for (const auto& lowered : compiler.lower(batch))
      if (const auto* refused = std::get_if<lower::NotLowered>(&lowered))
        counts.refused(refused->reason);
  }
}

/// How many of a thousand generated programs a target may refuse: a ceiling to be lowered.
struct Ceiling {
  const char* target;
  std::size_t of_thousand;
};

void PrintTo(const Ceiling& ceiling, std::ostream* out) { *out << ceiling.target; }

class UnsupportedPrograms : public ::testing::TestWithParam<Ceiling> {};

TEST_P(UnsupportedPrograms, AreFew) {
  Counts generated;
  for (const gen::Profile& profile : gen::profiles()) {
    const bool is_riscv = std::string_view(GetParam().target).starts_with("riscv");
    if (profile.types > 0 && is_riscv) continue; // its updates are of words around bytes
    if (profile.floats > 0) continue;            // machine code does not compute with them
    gen::Generator generator(profile, 8, 0);
    std::vector<litmus::Program> programs;
    while (programs.size() < program_count()) programs.push_back(generator.next().program);
    Counts of_profile;
    count(GetParam().target, programs, of_profile);
    if (counts_corpus())
      fmt::print("{} {}: {}\n", GetParam().target, profile.name, to_string(of_profile));
    generated.programs += of_profile.programs;
    generated.unsupported += of_profile.unsupported;
    for (const auto& [reason, times] : of_profile.because) generated.because[reason] += times;
  }
  EXPECT_LE(generated.unsupported * 1000, generated.programs * GetParam().of_thousand)
      << to_string(generated);
  if (!counts_corpus()) return;
  Counts corpus;
  count(GetParam().target, corpus_programs(), corpus);
  fmt::print("{} corpus: {}\n{} generated: {}\n", GetParam().target, to_string(corpus),
             GetParam().target, to_string(generated));
}

INSTANTIATE_TEST_SUITE_P(Targets, UnsupportedPrograms,
                         ::testing::Values(Ceiling{"x86:llvm-O0", 0}, Ceiling{"x86:llvm-O1", 0},
                                           Ceiling{"x86:llvm-O2", 0}, Ceiling{"x86:llvm-O3", 0},
                                           Ceiling{"aarch64:llvm-O1", 1},
                                           Ceiling{"aarch64:llvm-O2", 1},
                                           Ceiling{"aarch64:llvm-O3", 1},
                                           Ceiling{"riscv:llvm-O1", 0}, Ceiling{"riscv:llvm-O2", 0},
                                           Ceiling{"riscv:llvm-O3", 0}),
                         [](const auto& ceiling) {
                           std::string text = ceiling.param.target;
                           for (char& c : text)
                             if (c == ':' || c == '-') c = '_';
                           return text;
                         });

} // namespace
} // namespace thinair::runners
