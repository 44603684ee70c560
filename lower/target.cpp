// The table of targets, and the steps before lowering.
#include "lower/target.h"

#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/assembly.h"
#include "lower/prepare.h"
#include "lower/scheme_lower.h"
#include "lower/scheme_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

constexpr std::array levels{Level::O0, Level::O1, Level::O2, Level::O3};

std::string target_name(Level level, Machine machine) {
  return fmt::format("{}:llvm-{}", info(machine).prefix, name(level));
}

std::string compiler_title(Level level) {
  const std::string version = backend_version();
  if (version.empty()) return fmt::format("LLVM -{}, not in this build", name(level));
  return fmt::format("LLVM {} -{}", version, name(level));
}

Lowered restored(Lowered lowered, const litmus::Program& source) {
  lowered.restoration = of_source(std::move(lowered.restoration), source);
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
  for (const MachineInfo& machine : machines()) {
    for (const auto& shipped : shipped_schemes(machine.machine)) {
      auto head = scheme_head({std::string(shipped.file), std::string(shipped.text)});
      result.push_back({std::move(head.name), std::move(head.title), machine.machine});
    }
    for (const Level level : levels)
      if (machine.machine == Machine::x86 || level != Level::O0)
        result.push_back(
            {target_name(level, machine.machine), compiler_title(level), machine.machine});
  }
  return result;
}

Target::Target(Level level, Machine machine)
    : name_(target_name(level, machine)), machine_(machine), how_(Compiler(level, machine)) {}

std::optional<Level> level_of(std::string_view target) {
  for (const Level level : levels)
    if (target == target_name(level, machine_of(target))) return level;
  return std::nullopt;
}

bool is_scheme_file(std::string_view name) {
  if (name.find('@') != std::string_view::npos) return false; // x86:llvm-O2@/usr/bin
  return name.find('/') != std::string_view::npos || name.ends_with(".scheme");
}

Machine machine_named(std::string_view target) {
  if (!is_scheme_file(target)) return machine_of(target);
  return machine_of(scheme_head(litmus::read_file(std::string(target))).name);
}

void no_such_target(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& target : targets()) names.push_back(target.name);
  const auto near = nearest(name, names);
  throw InputError(fmt::format("error: no target is called \"{}\"\n  hint: {}",
                               text::printable_word(name),
                               near ? fmt::format("did you mean {}?", *near)
                                    : fmt::format("targets are {}", known_names())));
}

Target Target::of_scheme(const text::Source& source) {
  const Machine machine = machine_of(scheme_head(source).name);
  if (machine == Machine::x86) return Target(parse_scheme(source));
  return Target(parse_text_scheme(source, machine));
}

Target Target::named(std::string_view name) {
  if (is_scheme_file(name)) return of_scheme(litmus::read_file(std::string(name)));
  if (const auto shipped = shipped_file(name))
    return of_scheme({std::string(shipped->file), std::string(shipped->text)});
  const auto known = targets();
  if (std::ranges::find(known, name, &TargetInfo::name) != known.end())
    return Target(*level_of(name), machine_of(name));
  if (name.find('@') != std::string_view::npos)
    throw Unsupported(fmt::format("{}: a compiler outside of this process", name));
  no_such_target(name);
}

std::string Target::content() const {
  if (std::holds_alternative<Lowering>(how_)) return "";
  if (const auto* scheme = std::get_if<Scheme>(&how_)) return print(*scheme);
  if (const auto* scheme = std::get_if<TextScheme>(&how_)) return scheme->content();
  return fmt::format("LLVM {}", backend_version());
}

std::string Target::ir(const Lowered& lowered) {
  if (auto* compiler = std::get_if<Compiler>(&how_)) return compiler->ir(lowered.source, true);
  throw InputError(fmt::format("{} is no compiler of LLVM: it has no IR", name_));
}

std::string Target::object(const Lowered& lowered) {
  if (auto* compiler = std::get_if<Compiler>(&how_);
      compiler != nullptr && machine_ != Machine::x86)
    return compiler->object(lowered.source);
  return Backend(Level::O0, machine_).assemble(assembly(lowered.program, *lowered.language));
}

Lowered Target::lowered(const litmus::Program& prepared) {
  if (const auto* scheme = std::get_if<Scheme>(&how_)) return lower_with(*scheme, prepared);
  if (const auto* scheme = std::get_if<TextScheme>(&how_)) return scheme->lower(prepared);
  return std::get<Compiler>(how_).lower(prepared);
}

Lowered Target::lower(const litmus::Program& program, std::uint32_t loop_bound) {
  if (const auto* lowering = std::get_if<Lowering>(&how_)) return (*lowering)(program);
  return restored(lowered(prepared(program, loop_bound)), program);
}

std::vector<std::variant<Lowered, NotLowered>>
Target::lower(std::span<const litmus::Program> programs, std::uint32_t loop_bound) {
  std::vector<std::variant<Lowered, NotLowered>> result(programs.size(), NotLowered{});
  std::vector<litmus::Program> flat;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    try {
      if (std::holds_alternative<Lowering>(how_)) {
        result[i] = lower(programs[i], loop_bound);
        continue;
      }
      auto program = prepared(programs[i], loop_bound);
      if (is_scheme()) {
        result[i] = restored(lowered(program), programs[i]);
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
      result[places[i]] = restored(std::move(*lowered), programs[places[i]]);
    else
      result[places[i]] = std::move(compiled[i]);
  }
  return result;
}

} // namespace thinair::lower
