// The table of targets, and the steps before lowering.
#include "lower/target.h"

#include "litmus/normal.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/unroll.h"
#include "lower/scheme_lower.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

constexpr std::array levels{Level::O0, Level::O1, Level::O2, Level::O3};

std::string target_name(Level level) { return fmt::format("x86:llvm-{}", name(level)); }

litmus::Program prepared(const litmus::Program& program, std::uint32_t loop_bound) {
  const auto found = litmus::features(program);
  if (found.final_fields) throw Unsupported("final fields in lowered code");
  auto flat = litmus::is_normal(program) ? program : litmus::normalise(program);
  return found.loops ? litmus::unroll(flat, loop_bound) : flat;
}

/// Registers that normalising added are nobody's to see.
Lowered of_source(Lowered lowered, const litmus::Program& source) {
  std::erase_if(lowered.restoration.rows, [&](const Restoration::Row& row) {
    if (!row.source.thread) return false;
    const auto& registers = source.threads[row.source.thread->value].registers;
    return std::ranges::find(registers, row.source.name, &litmus::Register::name) ==
           registers.end();
  });
  return lowered;
}

std::string known_names() {
  std::string text;
  for (const auto& target : targets())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", target.name);
  return text;
}

} // namespace

std::vector<TargetInfo> targets() {
  std::vector<TargetInfo> result;
  for (const auto& shipped : shipped_schemes()) {
    Scheme scheme = parse_scheme({std::string(shipped.file), std::string(shipped.text)});
    result.push_back({std::move(scheme.name), std::move(scheme.title)});
  }
  for (const Level level : levels)
    result.push_back(
        {target_name(level), fmt::format("LLVM {} -{}", backend_version(), name(level))});
  return result;
}

Target::Target(Level level) : name_(target_name(level)), how_(Compiler(level)) {}

Target Target::named(std::string_view name) {
  if (name.find('/') != std::string_view::npos || name.ends_with(".scheme"))
    return Target(parse_scheme(litmus::read_file(std::string(name))));
  if (auto scheme = find_scheme(name)) return Target(std::move(*scheme));
  for (const Level level : levels)
    if (name == target_name(level)) return Target(level);
  if (name.starts_with("aarch64:") || name.starts_with("riscv:"))
    throw Unsupported(fmt::format("{}: machines other than x86", name));
  std::vector<std::string> names;
  for (const auto& target : targets()) names.push_back(target.name);
  const auto near = nearest(name, names);
  throw InputError(fmt::format("error: no target is called \"{}\"\n  hint: {}", name,
                               near ? fmt::format("did you mean {}?", *near)
                                    : fmt::format("targets are {}", known_names())));
}

Lowered Target::lower(const litmus::Program& program, std::uint32_t loop_bound) {
  const auto flat = prepared(program, loop_bound);
  if (auto* compiler = std::get_if<Compiler>(&how_))
    return of_source(compiler->lower(flat), program);
  return of_source(lower_with(std::get<Scheme>(how_), flat), program);
}

std::vector<std::variant<Lowered, NotLowered>>
Target::lower(std::span<const litmus::Program> programs, std::uint32_t loop_bound) {
  std::vector<std::variant<Lowered, NotLowered>> result(programs.size(), NotLowered{});
  std::vector<litmus::Program> flat;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    try {
      auto program = prepared(programs[i], loop_bound);
      if (const Scheme* by = scheme()) {
        result[i] = of_source(lower_with(*by, program), programs[i]);
      } else {
        flat.push_back(std::move(program));
        places.push_back(i);
      }
    } catch (const Unsupported& unsupported) {
      result[i] = NotLowered{unsupported.what()};
    }
  }
  if (flat.empty()) return result;
  auto compiled = std::get<Compiler>(how_).lower(flat);
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    if (auto* lowered = std::get_if<Lowered>(&compiled[i]))
      result[places[i]] = of_source(std::move(*lowered), programs[places[i]]);
    else
      result[places[i]] = std::move(compiled[i]);
  }
  return result;
}

} // namespace thinair::lower
