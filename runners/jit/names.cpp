// Names of JITs, in their parts.
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/jit/compiled.h"
#include "runners/jit/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::runners::jit {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view what) {
  throw InputError(
      fmt::format("error: \"{}\" names no JIT compiler: {}\n  hint: jit:17:c2, jit:25:c1, "
                  "jit:25:c1+c2, jit:aarch64:25:c2:nolse, jit:25:c2:stress=7; 'thinair jdks' lists "
                  "the JDKs that are here",
                  text::printable_word(std::string(name)), what));
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto colon = text.find(':');
    out.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return out;
    text.remove_prefix(colon + 1);
  }
}

std::optional<lower::Machine> machine_called(std::string_view word) {
  for (const lower::Machine machine : lower::machines())
    if (word == machine->prefix ||
        (machine->compiled != nullptr && word == machine->compiled->system))
      return machine;
  return std::nullopt;
}

/// "c2", "c1+c2".
std::vector<Compiler> compilers_of(std::string_view words, std::string_view name) {
  std::vector<Compiler> out;
  for (bool more = true; more;) {
    const auto plus = words.find('+');
    const auto word = words.substr(0, plus);
    const auto row = std::ranges::find(compilers(), word, &CompilerInfo::name);
    if (row == compilers().end() || std::ranges::find(out, row->compiler) != out.end()) {
      std::vector<std::string_view> names;
      for (const auto& each : compilers()) names.push_back(each.name);
      refuse(name, fmt::format("the compiler is one of {}, or several with + between them",
                               fmt::join(names, ", ")));
    }
    out.push_back(row->compiler);
    more = plus != std::string_view::npos;
    if (more) words.remove_prefix(plus + 1);
  }
  return out;
}

void set(std::string_view option, std::string_view name, Asked& out) {
  constexpr std::string_view stress = "stress";
  if (option == "nolse" && !lower::jit::compiled_code(out.machine).atomics.empty()) {
    out.settings.lse = false;
  } else if (option.starts_with(stress) &&
             std::ranges::find(out.compilers, Compiler::c2) != out.compilers.end()) {
    std::uint64_t seed = 1;
    const std::string_view number = option.substr(stress.size());
    if (!number.empty()) {
      const auto [end, error] =
          std::from_chars(number.data() + 1, number.data() + number.size(), seed);
      if (number[0] != '=' || error != std::errc() || end != number.data() + number.size())
        refuse(name, "the seed is no number");
    }
    out.settings.stress = seed;
  } else {
    refuse(name, fmt::format("it has no option '{}' (nolse is AArch64's, stress C2's)",
                             text::printable_word(std::string(option))));
  }
}

} // namespace

Settings Asked::settings_of(Compiler compiler) const {
  Settings out = settings;
  out.compiler = compiler;
  if (compiler != Compiler::c2) out.stress.reset();
  return out;
}

Asked asked_by(std::string_view name) {
  auto parts = parts_of(name.substr(prefix.size()));
  Asked out;
  if (const auto machine = machine_called(parts.front())) {
    out.machine = *machine;
    parts.erase(parts.begin());
  } else if (const auto own = own_machine()) {
    out.machine = *own;
  } else {
    refuse(name, "code of this machine is not lifted, so the machine must be named");
  }
  if (parts.size() < 2 || parts[0].empty()) refuse(name, "a JDK and a compiler are needed");
  out.jdk = parts[0];
  out.compilers = compilers_of(parts[1], name);
  out.settings.compiler = out.compilers.front();
  for (std::size_t i = 2; i < parts.size(); ++i) set(parts[i], name, out);
  return out;
}

} // namespace thinair::runners::jit
