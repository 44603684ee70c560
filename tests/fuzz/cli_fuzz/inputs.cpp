// What is mutated, and the command lines that it is given to. Options come from the table of
// commands; every limit that a command has is set low.
#include "tests/fuzz/cli_fuzz/inputs.h"

#include "gen/profile.h"
#include "models/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace thinair::fuzz {
namespace {

namespace fs = std::filesystem;
using cli::Takes;
using litmus::Random;
using Words = std::vector<std::string>;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Files below some folders, by name.
std::vector<std::string> texts(const std::string& tree, const Words& folders,
                               std::string_view extension) {
  std::vector<fs::path> paths;
  for (const auto& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(tree) / folder))
      if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension))
        paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> found;
  for (const auto& path : paths) found.push_back(read(path));
  if (found.empty()) throw std::runtime_error(fmt::format("no {} files in {}", extension, tree));
  return found;
}

/// The quoted words of a fuzzer's dictionary, without those that need escapes.
void add_words(const std::string& dictionary, Words& words) {
  for (std::size_t at = 0; at < dictionary.size();) {
    const auto end = std::min(dictionary.find('\n', at), dictionary.size());
    const std::string line = dictionary.substr(at, end - at);
    at = end + 1;
    if (line.size() > 2 && line.front() == '"' && line.find('\\') == std::string::npos)
      words.push_back(line.substr(1, line.size() - 2));
  }
}

struct Limit {
  std::string_view option, value;
};

/// Given to every command that has the option.
constexpr auto limits = std::to_array<Limit>({{"timeout", "0.5"},
                                              {"max-candidates", "3000"},
                                              {"unroll", "2"},
                                              {"max-events", "48"},
                                              {"max-paths", "64"},
                                              {"max-values", "16"},
                                              {"solver-effort", "200000"},
                                              {"model-steps", "50000"},
                                              {"model-depth", "200"},
                                              {"max-graphs", "200"},
                                              {"max-states", "2000"},
                                              {"max-memory", "64"},
                                              {"time", "0.3"},
                                              {"max-tries", "20"},
                                              {"programs", "2"},
                                              {"max-accesses", "2"},
                                              {"campaign", "campaign"},
                                              {"output", "out"},
                                              {"keep", "kept"}});

/// These ask other programs, wait for nobody knows what, or replace the input.
constexpr auto left_out = std::to_array<std::string_view>(
    {"help", "json", "jobs", "jdk", "jdks", "official", "compile", "jvm-flag", "write", "herd7",
     "corpus", "include", "quiet", "shard", "exhaustive", "known", "models", "against", "profile"});

constexpr auto model_names = std::to_array<std::string_view>(
    {"sc", "tso", "x86-tso", "jls04", "jam19", "jam21", "causal", "pram", "coherence", "pc"});
constexpr auto target_names = std::to_array<std::string_view>(
    {"x86:table2", "x86:leading-fence", "x86:llvm-O0", "x86:llvm-O2", "x86:hotspot-c2",
     "x86:hotspot-c1", "model:sc", "x86:table3"});

template <class Table>
bool holds(const Table& table, std::string_view word) {
  return std::ranges::find(table, word) != table.end();
}

/// One input on its way.
struct Draw {
  const Seeds& from;
  Random random;
  Input input;

  std::string mutated(const std::vector<std::string>& texts) {
    return fuzz::mutated(random.pick(texts), from.material, random);
  }

  /// A file of that name, whose text is one of `texts`, most often with mistakes.
  std::string file(std::string name, const std::vector<std::string>& texts) {
    std::string text = random.chance(1, 6) ? random.pick(texts) : mutated(texts);
    input.files.push_back({name, std::move(text)});
    return name;
  }

  void add(Words words) {
    input.words.insert(input.words.end(), std::make_move_iterator(words.begin()),
                       std::make_move_iterator(words.end()));
  }

  std::string model() {
    if (random.chance(1, 10)) return file("m.cat", from.models);
    return std::string(random.pick(model_names));
  }

  std::string target() {
    if (random.chance(1, 8)) return file("t.scheme", from.schemes);
    return std::string(random.pick(target_names));
  }

  std::string outcome() {
    constexpr auto some = std::to_array<std::string_view>(
        {"0:r1=0; 1:r2=0", "0:a=1", "[x]=1", "x=1 /\\ 0:r1=2", "0:r1=0", "true", "not (0:a=0)"});
    const std::vector<std::string> texts(some.begin(), some.end());
    return mutated(texts);
  }

  std::string value_of(const cli::Option& option) {
    switch (option.takes) {
    case Takes::word: return std::string(random.pick(option.words));
    case Takes::model: return model();
    case Takes::target:
    case Takes::any_target: return target();
    case Takes::profile: return file("p.profile", from.profiles);
    case Takes::count: return std::to_string(random.below(4));
    case Takes::seconds: return "0.2";
    case Takes::file:
    case Takes::directory: return "made";
    case Takes::text: return option.name == "outcome" ? outcome() : "plain";
    case Takes::nothing: break;
    }
    return "";
  }

  /// Limits, what the command requires, and some of what it offers.
  void options(const cli::Command& command) {
    for (const auto& option : options_of(command)) {
      const std::string name = fmt::format("--{}", option.name);
      const auto limit = std::ranges::find(limits, option.name, &Limit::option);
      if (limit != limits.end()) {
        add({name, std::string(limit->value)});
      } else if (option.takes == Takes::nothing) {
        if (!holds(left_out, option.name) && random.chance(1, 6)) add({name});
      } else if (option.required || option.name == "model" ||
                 (!holds(left_out, option.name) && random.chance(1, 5))) {
        const std::string value = value_of(option);
        if (value != "herd7" && value != "graal") add({name, value});
      }
    }
    if (random.chance(1, 4)) add({"--json"});
  }

  /// But the one that starts every JVM there is.
  const cli::Command& any_command() {
    const auto all = cli::commands();
    for (;;) {
      const auto& command = *all[static_cast<std::size_t>(random.below(all.size()))];
      if (command.name != "jdks") return command;
    }
  }

  const cli::Command& command(std::string_view name) {
    input.words = {std::string(name)};
    return *cli::find_command(name);
  }
};

constexpr auto of_tests = std::to_array<std::string_view>(
    {"parse", "parse", "parse", "fmt", "fmt", "litmus-to-java", "behaviours", "behaviours", "herd",
     "graph", "check", "sound", "lower", "reduce", "jcstress", "explain", "explain", "behaviours"});

void make_test(Draw& draw) {
  const auto& command = draw.command(draw.random.pick(of_tests));
  if (command.name == "jcstress") draw.add({"emit"});
  draw.options(command);
  if (command.name == "check" && draw.random.chance(1, 3))
    draw.add({"--against", draw.random.chance(1, 2) ? "jmt" : "official"});
  draw.add({draw.file("t.litmus", draw.from.tests)});
  if (draw.random.chance(1, 8)) draw.add({draw.file("u.litmus", draw.from.tests)});
}

void make_model(Draw& draw) {
  if (draw.random.chance(1, 3)) {
    draw.add({"models", "check", draw.file("m.cat", draw.from.models)});
    return;
  }
  constexpr auto asked =
      std::to_array<std::string_view>({"behaviours", "herd", "check", "graph", "explain"});
  draw.command(draw.random.pick(asked));
  draw.add({"--timeout", "0.5", "--model-steps", "50000", "--max-candidates", "3000", "--model",
            draw.file("m.cat", draw.from.models)});
  draw.input.files.push_back({"t.litmus", draw.random.pick(draw.from.tests)});
  draw.add({"t.litmus"});
}

void make_profile(Draw& draw) {
  draw.add({"gen", "--profile", draw.file("p.profile", draw.from.profiles), "--programs", "3",
            "--seed", std::to_string(draw.random.next())});
}

void make_scheme(Draw& draw) {
  const std::string scheme = draw.file("t.scheme", draw.from.schemes);
  if (draw.random.chance(1, 2)) {
    draw.add({"scheme", draw.random.chance(1, 4) ? "show" : "check", scheme});
    return;
  }
  draw.add({"lower", "--target", scheme, "--unroll", "2"});
  draw.input.files.push_back({"t.litmus", draw.random.pick(draw.from.tests)});
  draw.add({"t.litmus"});
}

void make_list(Draw& draw) {
  draw.input.files.push_back({"d/t.litmus", draw.random.pick(draw.from.tests)});
  draw.input.files.push_back({"inner", "d\n"});
  const std::vector<std::string> lists = {"d/t.litmus # a test\n@inner\n", "d\n", "@list\n",
                                          "\n\n  d/t.litmus \t\r\n@inner # x\nnone\n"};
  draw.add({draw.random.chance(1, 2) ? "parse" : "fmt", "@" + draw.file("list", lists)});
}

void make_known(Draw& draw) {
  const std::vector<std::string> known = {"0123456789abcdef0123456789abcdef # x86:table2: 0:r=1\n",
                                          "# nothing\n\nfedcba9876543210fedcba9876543210\n"};
  draw.add({"fuzz", "--model", "sc", "--target", "x86:table2", "--programs", "1", "--time", "0.3",
            "--campaign", "campaign", "--known", draw.file("known", known)});
}

void make_campaign(Draw& draw) {
  const auto& command = draw.command(draw.random.chance(3, 4) ? "fuzz" : "distinguish");
  draw.options(command);
  if (draw.random.chance(1, 3)) draw.add({"--modes", draw.mutated({"plain,volatile,rmw"})});
  if (draw.random.chance(1, 4)) draw.add({"--shard", draw.mutated({"0/2"})});
  if (command.name == "fuzz" && draw.random.chance(1, 4)) draw.add({"--exhaustive"});
  if (command.name == "distinguish") draw.add({draw.model(), draw.model()});
}

void make_results(Draw& draw) {
  draw.input.files.push_back({"c/jmt/t.litmus", draw.random.pick(draw.from.tests)});
  draw.file("c/tables/t.table", draw.from.tables);
  draw.input.files.push_back({"c/tables/explanations", draw.mutated({"# none\n"})});
  draw.add({"results", "--corpus", "c"});
}

void make_option(Draw& draw) {
  const auto& command = draw.command(draw.any_command().name);
  if (command.name == "jcstress") draw.add({"emit"});
  if (command.name == "models") draw.add({"check"});
  auto options = options_of(command);
  std::erase_if(options, [](const cli::Option& option) { return option.name == "compile"; });
  const auto& option = draw.random.pick(options);
  const bool is_limit = std::ranges::find(limits, option.name, &Limit::option) != limits.end();
  // a limit that is valid and high is none
  std::string value =
      is_limit ? draw.random.chance(1, 2) ? "-1" : "0.5x" : nasty_value(draw.random);
  if (option.name == "jobs") value = draw.random.chance(1, 2) ? "0" : value + "x";
  if (option.takes == Takes::nothing) value.clear();
  draw.add({fmt::format("--{}", option.name), value});
  if (!is_limit && draw.random.chance(2, 3)) draw.options(command);
  draw.add({draw.file("t.litmus", draw.from.tests)});
}

void make_words(Draw& draw) {
  for (auto n = draw.random.below(5); n > 0; --n) {
    const auto& command = draw.any_command();
    const auto options = options_of(command);
    switch (draw.random.below(4)) {
    case 0: draw.add({std::string(command.name)}); break;
    case 1: draw.add({fmt::format("--{}", draw.random.pick(options).name)}); break;
    case 2: draw.add({nasty_value(draw.random)}); break;
    default: draw.add({draw.mutated({std::string(command.name), "list", "show", "-"})});
    }
  }
}

struct Kind {
  std::string_view name;
  std::uint32_t weight;
  void (*make)(Draw&);
};

constexpr auto kinds = std::to_array<Kind>({
    {"test", 60, make_test},
    {"model", 14, make_model},
    {"profile", 5, make_profile},
    {"scheme", 8, make_scheme},
    {"list", 4, make_list},
    {"known", 2, make_known},
    {"campaign", 2, make_campaign},
    {"results", 1, make_results},
    {"option", 14, make_option},
    {"words", 4, make_words},
});

} // namespace

Seeds seeds_of(const std::string& tree) {
  Seeds seeds;
  seeds.tests = texts(tree, {"corpus", "tests/fuzz/litmus"}, ".litmus");
  seeds.models = texts(tree, {"models", "tests/fuzz/cat"}, ".cat");
  seeds.schemes = texts(tree, {"lower/schemes"}, "");
  seeds.tables = texts(tree, {"corpus/tables"}, ".table");
  for (const auto& profile : gen::profiles()) seeds.profiles.push_back(gen::print(profile));
  for (const auto& dictionary : texts(tree, {"tests/fuzz"}, ".dict"))
    add_words(dictionary, seeds.material.words);
  for (const auto* group : {&seeds.tests, &seeds.models, &seeds.schemes, &seeds.profiles})
    seeds.material.donors.insert(seeds.material.donors.end(), group->begin(), group->end());
  return seeds;
}

Input make_input(const Seeds& seeds, std::uint64_t seed, std::uint64_t index) {
  Draw draw{seeds, Random(seed, index), {}};
  std::array<std::uint32_t, kinds.size()> weights{};
  std::ranges::transform(kinds, weights.begin(), &Kind::weight);
  const Kind& kind = kinds[draw.random.weighted(weights)];
  draw.input.kind = kind.name;
  kind.make(draw);
  for (std::string& word : draw.input.words) // an argument ends at its first NUL
    word = word.c_str();
  return std::move(draw.input);
}

} // namespace thinair::fuzz
