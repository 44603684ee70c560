// The table of targets, and the steps before lowering.
#include "lower/target.h"

#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/assembly.h"
#include "lower/prepare.h"
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
  for (const Machine machine : machines()) {
    for (const auto& shipped : shipped_schemes(machine)) {
      auto head = scheme_head(source_of(shipped));
      result.push_back({std::move(head.name), std::move(head.title), machine});
    }
    if (machine->triple.empty()) continue;
    for (const Level level : levels)
      if (machine->is_without_optimizer || level != Level::O0)
        result.push_back({target_name(level, machine), compiler_title(level), machine});
  }
  return result;
}

Target::Target(Scheme scheme) : name_(scheme.text().name()), machine_(scheme.machine) {
  how_.emplace<Schemes>().push_back(std::move(scheme));
}

Target::Target(Level level, Machine machine)
    : name_(target_name(level, machine)), machine_(machine), how_(Compiler(level, machine)) {}

std::optional<Level> level_of(std::string_view target) {
  for (const Level level : levels)
    if (target == target_name(level, machine_of(target))) return level;
  return std::nullopt;
}

bool is_scheme_file(std::string_view name) {
  if (!parts_of_mix(name).empty()) return false;
  if (name.find('@') != std::string_view::npos) return false; // x86:llvm-O2@/usr/bin
  return name.find('/') != std::string_view::npos || name.ends_with(".scheme");
}

std::vector<std::string> parts_of_mix(std::string_view name) {
  constexpr std::string_view prefix = "mix:";
  std::vector<std::string> parts;
  if (!name.starts_with(prefix)) return parts;
  std::string rest(name.substr(prefix.size()));
  for (std::size_t comma = 0; comma != std::string::npos; rest.erase(0, comma + 1)) {
    comma = rest.find(',');
    parts.push_back(rest.substr(0, comma));
    if (comma == std::string::npos) break;
  }
  return parts;
}

Machine machine_named(std::string_view target) {
  if (const auto parts = parts_of_mix(target); !parts.empty()) return machine_named(parts.front());
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

Target Target::of_scheme(const text::Source& source) { return Target(parse_scheme(source)); }

Target Target::mixed(std::string_view name) {
  std::vector<Target> schemes;
  for (const auto& part : parts_of_mix(name)) schemes.push_back(named(part));
  Target out = mix(std::move(schemes), parts_of_mix(name));
  out.name_ = name;
  return out;
}

Target Target::mix(std::vector<Target> schemes, std::vector<std::string> names) {
  if (schemes.size() < 2 || schemes.size() > litmus::most_choices)
    throw InputError(fmt::format("error: a mix is of 2 to {} schemes, with commas between them, "
                                 "as in mix:x86:table2,x86:jam21",
                                 litmus::most_choices));
  Target out = std::move(schemes.front());
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    Target& one = i == 0 ? out : schemes[i];
    if (!one.is_scheme() || !one.mix_.empty())
      throw InputError(fmt::format("error: {} in a mix: a mix is of schemes, as a compiler does "
                                   "not say which code is whose",
                                   text::printable_word(names[i])));
    if (one.machine_ != out.machine_)
      throw InputError(fmt::format("error: {} is code for {}, and {} for {}: the schemes of a mix "
                                   "are of one machine",
                                   text::printable_word(names[0]), info(out.machine_).prefix,
                                   text::printable_word(names[i]), info(one.machine_).prefix));
    if (i > 0)
      std::get<Schemes>(out.how_).push_back(std::move(std::get<Schemes>(one.how_).front()));
  }
  out.mix_ = std::move(names);
  return out;
}

Target Target::named(std::string_view name) {
  if (!parts_of_mix(name).empty()) return mixed(name);
  if (is_scheme_file(name)) return of_scheme(litmus::read_file(std::string(name)));
  if (const auto shipped = shipped_file(name)) return of_scheme(source_of(*shipped));
  const auto known = targets();
  if (std::ranges::find(known, name, &TargetInfo::name) != known.end())
    return Target(*level_of(name), machine_of(name));
  if (name.find('@') != std::string_view::npos)
    throw Unsupported(fmt::format("{}: a compiler outside of this process", name));
  no_such_target(name);
}

std::string Target::content() const {
  if (std::holds_alternative<Lowering>(how_)) return "";
  std::string text;
  if (const auto* schemes = std::get_if<Schemes>(&how_))
    for (const auto& scheme : *schemes) text += scheme.content();
  else
    text = fmt::format("LLVM {}", backend_version());
  return text;
}

std::size_t Target::schemes() const {
  const auto* schemes = std::get_if<Schemes>(&how_);
  return schemes == nullptr ? 0 : schemes->size();
}

const SchemeText& Target::scheme() const {
  if (schemes() != 1) throw InputError(fmt::format("error: {} is no scheme", name_));
  return std::get<Schemes>(how_).front().text();
}

/// A scheme with peepholes is a choice of its own wherever it has a rule: what is left out depends
/// on who compiled the neighbours.
litmus::Choices Target::choices() const {
  litmus::Choices out;
  if (mix_.empty()) return out;
  out.schemes = static_cast<litmus::Choice>(schemes());
  const auto& all = std::get<Schemes>(how_);
  const auto differs = [&](std::size_t scheme, Operation operation) {
    const SchemeText& its = all[scheme].text();
    return std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(scheme),
                        [&](const Scheme& other) {
                          return alike(other.text(), its, operation) &&
                                 other.text().peepholes().empty() && its.peepholes().empty();
                        });
  };
  for (std::size_t i = 0; i < operation_count; ++i) {
    std::vector<litmus::Choice> row;
    for (litmus::Choice scheme = 0; scheme < out.schemes; ++scheme)
      if (differs(scheme, operation_at(i))) row.push_back(scheme);
    const auto operation = operation_at(i);
    if (std::holds_alternative<litmus::Method>(operation)) out.of_method.push_back(std::move(row));
    if (std::holds_alternative<litmus::Fence>(operation)) out.of_fence.push_back(std::move(row));
  }
  return out;
}

std::string Target::ir(const Lowered& lowered) {
  if (auto* compiler = std::get_if<Compiler>(&how_)) return compiler->ir(lowered.source, true);
  throw InputError(fmt::format("{} is no compiler of LLVM: it has no IR", name_));
}

std::string Target::object(const Lowered& lowered) {
  if (auto* compiler = std::get_if<Compiler>(&how_);
      compiler != nullptr && machine_->lift == nullptr)
    return compiler->object(lowered.source);
  return Backend(Level::O0, machine_).assemble(assembly(lowered.program, *lowered.language));
}

Lowered Target::lowered(const litmus::Program& prepared) {
  const auto wanted = mix_.empty() ? 1 : litmus::choices_of(prepared);
  if (wanted > std::max<std::size_t>(1, mix_.size()))
    throw InputError(fmt::format("error: the program says @{}, and {} has {} schemes\n  hint: @1 "
                                 "is the first, @{} the last of them",
                                 wanted, name_, mix_.size(), mix_.size()));
  auto* compiler = std::get_if<Compiler>(&how_);
  if (compiler != nullptr) return compiler->lower(prepared);
  Lowered out = lower_with(std::get<Schemes>(how_), prepared);
  out.mix = mix_;
  return out;
}

Lowered Target::lower(const litmus::Program& program, std::uint32_t loop_bound) {
  if (const auto* lowering = std::get_if<Lowering>(&how_)) return (*lowering)(program);
  return restored(lowered(prepared(program, loop_bound)), program);
}

void Target::prepare(std::span<const litmus::Program> programs, std::uint32_t loop_bound) {
  auto* compiler = std::get_if<Compiler>(&how_);
  if (compiler == nullptr) return;
  std::vector<litmus::Program> flat;
  for (const auto& program : programs) {
    try {
      flat.push_back(prepared(program, loop_bound));
    } catch (const Unsupported&) { // said when it is lowered
    }
  }
  compiler->prepare(flat);
}

void Target::share(CodeMemory& memory) {
  if (auto* compiler = std::get_if<Compiler>(&how_)) compiler->share(memory);
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
