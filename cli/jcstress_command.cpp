// thinair jcstress emit|run: tests as jcstress sources, and what JVMs make of them.
#include "cli/engine.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/jcstress.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"
#include "runners/jcstress/expect.h"
#include "runners/jcstress/project.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

namespace jcs = runners::jcstress;

constexpr auto jcstress_words = std::to_array<std::string_view>({"emit", "run"});
constexpr auto mode_words =
    std::to_array<std::string_view>({"int", "c1", "c2", "tiered", "stress", "graal", "all"});

constexpr auto jcstress_options = std::to_array<Option>({
    {.name = "output",
     .letter = 'o',
     .takes = Takes::directory,
     .value = "DIR",
     .help = "emit: write the Maven project there"},
    {.name = "expect",
     .takes = Takes::model,
     .value = "MODEL",
     .help = "emit: grade every outcome as this model has it; run: say which outcomes it forbids"},
    {.name = "compile",
     .help =
         "emit: compile what was written, and see that jcstress's processor leaves no test out"},
    {.name = "jdk",
     .takes = Takes::text,
     .value = "NAME|HOME",
     .help = "run, --compile: on this JVM, as 'thinair jdks' lists them (default: the one on PATH)",
     .repeats = true},
    {.name = "jdks",
     .takes = Takes::word,
     .value = "all",
     .help = "run: on every JVM that is installed",
     .words = all_word},
    {.name = "mode",
     .takes = Takes::word,
     .value = "MODE",
     .help = "run: int (interpreter), c1, c2, tiered, stress (c2 with random scheduling), graal, "
             "all (default: c2)",
     .words = mode_words,
     .repeats = true},
    {.name = "time",
     .takes = Takes::seconds,
     .value = "S",
     .help = "run: a test is run for so long, with --official in each fork (default: 0.2)"},
    {.name = "timeout",
     .takes = Takes::seconds,
     .value = "S",
     .help = "ask the model of --expect for so long about a test (default: 60)"},
    max_steps_option,
    {.name = "official",
     .help = "run: through jcstress's own command line, with its forks and compilation modes"},
    {.name = "seed",
     .letter = 's',
     .takes = Takes::count,
     .value = "S",
     .help = "run: of the compiler's randomness in mode stress (default: 1)"},
    {.name = "keep",
     .takes = Takes::directory,
     .value = "DIR",
     .help = "run: keep what crashes leave there (default: jcstress-crashes)"},
    {.name = "jvm-flag",
     .takes = Takes::text,
     .value = "FLAG",
     .help = "run: a further flag for the JVM",
     .repeats = true},
    causality_option,
    identity_option,
    as_plain_option,
    include_option,
});

/// All Java tests of the operands; what cannot be read or run is told, and the rest goes on.
struct Inputs {
  std::vector<litmus::Test> tests;
  std::vector<std::string> files;
  std::size_t given = 0;
  Exit exit = Exit::clean;
};

Inputs read_tests(const Arguments& arguments, Console& console) {
  std::vector<std::string> operands(arguments.operands().begin() + 1, arguments.operands().end());
  if (operands.empty())
    throw InputError(fmt::format("thinair jcstress: error: expected tests to {}\n  hint: for "
                                 "example: thinair jcstress {} corpus/jmt",
                                 arguments.operands()[0], arguments.operands()[0]));
  Inputs in;
  for (const auto& file : expand(operands)) {
    ++in.given;
    litmus::Test test;
    in.exit = worst(in.exit, attempt_on(file, arguments, console, test.name, [&] {
                      test = litmus::parse(read_input(file));
                      jcs::source_of(jcs::prepare(test), {}); // can a JVM be asked?
                      in.tests.push_back(test);
                      in.files.push_back(file);
                    }));
  }
  return in;
}

jcs::Graded graded(const litmus::Test& test, const std::optional<ExpectedModel>& model) {
  jcs::Graded out{prepared(test, model), {}, litmus::print(test)};
  if (model) {
    out.grades = jcs::expect(out.test, model->plan, model->name, model->with).grades;
  } else {
    out.grades = {{"", true, "nothing is expected"}};
  }
  return out;
}

/// What javac and jcstress's processor make of the project.
Exit compile(const std::string& directory, const std::vector<jcs::Graded>& tests,
             const RunSetup& set_up, Console& console) {
  const auto errors = compile_project(directory, tests, set_up.compiler(), set_up.jars());
  for (const auto& [name, what] : errors)
    console.diagnose(fmt::format("{}: error: {}.{}: {}", directory, jcs::package, name, what));
  return errors.empty() ? Exit::clean : Exit::undecided;
}

/// The command, as the project says that it was written by.
std::string emitting(const Arguments& arguments) {
  std::string out = "thinair jcstress emit";
  for (const auto* option : {"expect", "causality", "identity"})
    if (const auto value = arguments.text(option)) out += fmt::format(" --{} {}", option, *value);
  return out + (arguments.has("as-plain") ? " --as-plain" : "");
}

Exit emit(const Arguments& arguments, Console& console) {
  const auto directory = arguments.text("output");
  if (!directory) throw InputError("thinair jcstress: error: emit needs --output DIR");
  std::optional<RunSetup> set_up;
  if (arguments.has("compile")) set_up.emplace(arguments);
  const auto model = expected_model(arguments);
  auto in = read_tests(arguments, console);
  std::vector<jcs::Graded> tests;
  jcs::Members members;
  for (std::size_t i = 0; i < in.tests.size(); ++i) {
    in.exit = worst(
        in.exit, attempt_on(in.files[i], arguments, console, in.tests[i].name, [&] {
          auto made = graded(in.tests[i], model);
          members.add(made.test, in.files[i]);
          tests.push_back(std::move(made));
          if (!arguments.json()) return;
          json::Object object;
          object.string("test", in.tests[i].name)
              .string("file", in.files[i])
              .string("status", "ok");
          object.string("class", fmt::format("{}.{}", jcs::package, tests.back().test.class_name));
          console.out.write(object.text() + "\n");
        }));
  }
  if (tests.empty()) return in.exit;
  write_files(*directory, jcs::project(tests, emitting(arguments)));
  if (!arguments.json()) {
    const std::size_t left_out = in.given - tests.size();
    console.out.write(fmt::format("{}: {} test{}{}\n", *directory, tests.size(),
                                  tests.size() == 1 ? "" : "s",
                                  left_out > 0 ? fmt::format(", {} left out", left_out) : ""));
  }
  if (set_up) in.exit = worst(in.exit, compile(*directory, tests, *set_up, console));
  return in.exit;
}

Exit jcstress(const Arguments& arguments, Console& console) {
  const auto& words = arguments.operands();
  if (words.empty() || (words[0] != "emit" && words[0] != "run"))
    throw InputError(fmt::format(
        "thinair jcstress: error: expected emit or run{}",
        words.empty() ? "" : fmt::format(", found \"{}\"", text::printable_word(words[0]))));
  if (words[0] == "emit") return emit(arguments, console);
  // What is missing is said before any work.
  const auto set_up = RunSetup(arguments);
  const auto in = read_tests(arguments, console);
  return worst(in.exit, run_tests(set_up, in.tests, arguments, console));
}

} // namespace

extern constinit const Command jcstress_command = {
    .name = "jcstress",
    .summary = "write tests for jcstress, and run them on JVMs",
    .usage = "emit TEST… -o DIR | run TEST…|DIR",
    .description =
        "emit writes a Maven project with a jcstress source for each test; with --expect MODEL "
        "each outcome is graded as the model has it, with the reason. It builds and runs without "
        "thinair, and the build fails where jcstress's processor leaves a test out; --compile "
        "looks "
        "at once.\n"
        "run compiles all tests in one go, runs them in one JVM a mode, and prints how often each "
        "final state was seen. A JVM that crashes, hangs or runs out of memory is a result. "
        "docs/jvm.md says more.\n"
        "An outcome seen once is proof that it can happen; one that is not seen proves nothing.",
    .example = "thinair jcstress run corpus/jmt/JMT-Fig5.litmus --mode c2 --time 1",
    .operands = Operands::words,
    .words = jcstress_words,
    .options = jcstress_options,
    .run = jcstress,
};

} // namespace thinair::cli
