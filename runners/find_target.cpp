// Runs opt and llc.
#include "runners/find_target.h"

#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/jit/lift.h"
#include "runners/jit/mix.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>

namespace thinair::runners {
namespace {

constexpr double seconds_for_a_module = 60;

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string run_tool(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  command.seconds = seconds_for_a_module;
  const Outcome outcome = run(command);
  if (outcome.end == Outcome::End::exited && outcome.code == 0) return outcome.out;
  const std::string said = outcome.error.substr(0, outcome.error.find('\n'));
  throw Unsupported(fmt::format("{}: {}{}{}", command.argv[0], describe(outcome),
                                said.empty() ? "" : ": ", said));
}

/// LLVM's major version, as the tool says; 0 if it does not say.
int version_of(const std::string& tool) {
  constexpr std::string_view opening = "LLVM version ";
  const std::string text = run_tool({tool, "--version"});
  const std::size_t at = text.find(opening);
  if (at == std::string::npos) return 0;
  int version = 0;
  std::from_chars(text.data() + at + opening.size(), text.data() + text.size(), version);
  return version;
}

/// opt and llc of one directory at one level.
class Tools {
 public:
  Tools(const std::string& directory, lower::Level level, lower::Machine machine)
      : opt_(program(directory, "opt")), llc_(program(directory, "llc")),
        level_(fmt::format("-{}", lower::name(level))) {
    const auto& row = lower::info(machine);
    flags_.push_back(fmt::format("-mtriple={}", row.triple));
    if (!row.features.empty()) flags_.push_back(fmt::format("-mattr={}", row.features));
    if (version_of(opt_) == 14) flags_.push_back("-opaque-pointers"); // its default since 15
  }

  std::string optimize(const std::string& ir) const {
    const TemporaryDirectory directory;
    const std::string in = directory.write("source.ll", ir);
    return run_tool(with_flags({opt_, level_, "-S", "-o", "-"}, in));
  }

  std::string generate(const std::string& optimized) const {
    const TemporaryDirectory directory;
    const std::string in = directory.write("optimized.ll", optimized);
    const std::string out = directory.path() + "/code.o";
    std::vector<std::string> argv{
        llc_, level_, "-relocation-model=static", "-code-model=small", "-filetype=obj", "-o", out};
    run_tool(with_flags(std::move(argv), in));
    return read_bytes(out);
  }

 private:
  static std::string program(const std::string& directory, const char* name) {
    const std::string found = find_program(directory + "/" + name);
    if (found.empty())
      throw InputError(
          fmt::format("error: no program {}/{}", text::printable_word(directory), name));
    return found;
  }

  std::vector<std::string> with_flags(std::vector<std::string> argv, const std::string& in) const {
    argv.insert(argv.end(), flags_.begin(), flags_.end());
    argv.push_back(in);
    return argv;
  }

  std::string opt_, llc_, level_;
  std::vector<std::string> flags_;
};

/// A batch of one; the first way of a mix.
lower::Lowered lowered_by(const jit::Jdk& jdk, const jit::Asked& asked,
                          const litmus::Program& program) {
  std::vector<lower::jit::Compilation> by_compiler;
  for (const auto compiler : asked.compilers)
    by_compiler.push_back(
        jit::compilation_in(jit::capture({&program, 1}, jdk, asked.settings_of(compiler)).front()));
  lower::Backend decoder = lower::jit::decoder(jdk.machine);
  return jit::lifted(by_compiler, jit::ways(program.threads.size(), by_compiler.size()).front(),
                     asked, decoder);
}

lower::Target find_jit(std::string_view name) {
  const auto asked = jit::asked_by(name);
  return {std::string(name), asked.machine,
          [jdk = jit::find_jdk(asked.machine, asked.jdk), asked](const litmus::Program& program) {
            return lowered_by(jdk, asked, program);
          }};
}

} // namespace

lower::Target find_target(std::string_view name) {
  if (name.starts_with(jit::prefix)) return find_jit(name);
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return lower::Target::named(name);
  const auto level = lower::level_of(name.substr(0, at));
  if (!level)
    throw InputError(fmt::format("error: no target is called \"{}\"\n  hint: your own opt and llc "
                                 "are x86:llvm-O2@DIR (or -O0, -O1, -O3)",
                                 name));
  const auto machine = lower::machine_of(name);
  const Tools tools(std::string(name.substr(at + 1)), *level, machine);
  return {std::string(name),
          *level,
          machine,
          {[tools](const std::string& ir) { return tools.optimize(ir); },
           [tools](const std::string& ir) { return tools.generate(ir); }}};
}

} // namespace thinair::runners
