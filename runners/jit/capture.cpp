// Runs javac and a JVM, and pairs what is printed with what was asked.
#include "runners/jit/capture.h"

#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "lower/jit/lift.h"
#include "lower/jit/references.h"
#include "lower/jit/walk.h"
#include "runners/jit/emit.h"
#include "runners/jit/listing.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace thinair::runners::jit {
namespace {

using lower::NotLowered;
using lower::jit::Compilation;
using lower::jit::Method;

constexpr double seconds_for_javac = 120, seconds_for_a_jvm = 120, slower_emulated = 10;
/// Calls of each method: a compiler that compiles after a call or two needs no more, one that is
/// reached over another takes some tens.
constexpr int calls = 60;

/// The collector that does nothing: stores of references have no barriers of its, and objects stay
/// where they are. And C2 is not to speculate that what was null once is so for ever: both ways of
/// every branch are compiled.
/// Constructors are part of what makes an object.
void for_references(std::vector<std::string>& flags) {
  const std::string epsilon = "-XX:+UseEpsilonGC";
  std::ranges::replace(flags, std::string("-XX:+UseSerialGC"), epsilon);
  flags.insert(std::ranges::find(flags, epsilon), "-XX:+UnlockExperimentalVMOptions");
  flags.emplace_back("-XX:-UseTypeSpeculation");
  flags.push_back(fmt::format("-XX:CompileCommand=inline,{}*.<init>", batch_class));
}

/// What a busy machine had no time for says nothing of the programs: they may be asked again.
bool is_late(const Outcome& done, const Deadline& deadline) {
  return done.end == Outcome::End::timed_out || deadline.passed();
}

void compile(const TemporaryDirectory& directory, const std::string& source,
             const jcstress::Jvm& compiler, const Deadline& deadline) {
  directory.write(fmt::format("{}.java", batch_class), source);
  const Outcome done =
      run({.argv = {compiler.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                    "-g:lines", "-nowarn", "-proc:none", "-XDignore.symbol.file", "--release", "11",
                    "-encoding", "UTF-8", "-d", ".", fmt::format("{}.java", batch_class)},
           .directory = directory.path(),
           .seconds = seconds_within(deadline, seconds_for_javac)});
  if (done.end == Outcome::End::exited && done.code == 0) return;
  if (is_late(done, deadline)) throw LimitReached(Limit::run_time);
  throw InputError(fmt::format("error: {}/bin/javac: {}\n{}", compiler.home, describe(done),
                               (done.error + done.out).substr(0, 2000)));
}

/// What the compiler that was asked for made of each method: often one version, sometimes more.
using Versions = std::map<std::string, std::vector<Method>>;

Versions by_name(std::string_view listing, Compiler compiler) {
  Versions out;
  for (Method& method : read_listing(listing)) {
    const auto& row = info(compiler);
    if (method.compiler == row.listed && (row.level == 0 || row.level == method.level))
      out[method.name].push_back(std::move(method));
  }
  return out;
}

/// The offsets of fields, as getters tell them.
class Offsets {
 public:
  Offsets(const Versions& methods, lower::Machine machine)
      : methods_(methods), machine_(machine), decoder_(lower::jit::decoder(machine)) {}

  std::vector<std::int64_t> of(std::string (*getter)(std::size_t), std::size_t count) {
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(read(getter(i)));
    return out;
  }

  std::int64_t read(const std::string& getter) {
    const auto found = methods_.find(getter);
    if (found == methods_.end())
      throw Unsupported("a JVM that did not compile the getters of fields");
    return lower::jit::offset_read(found->second.back(), machine_, decoder_);
  }

  /// Of a program with a class of its own: its locations, and the fields of its classes.
  void own(std::size_t p, Compilation& compilation) {
    const auto& program = compilation.source;
    lower::jit::Layout layout;
    for (std::size_t i = 0; i < program.locations.size(); ++i)
      layout.state.push_back(read(location_getter(p, i)));
    layout.state_references = layout.state;
    layout.result = compilation.layout.result;
    layout.result_references = compilation.layout.result_references;
    layout.result_values = compilation.layout.result_values;
    compilation.layout = std::move(layout);
    for (std::size_t c = 0; c < program.classes.size(); ++c) {
      auto& fields = compilation.fields.emplace_back();
      if (program.classes[c].is_array) {
        fields = lower::jit::elements_of(program.classes[c].fields[0].type, compilation.layout);
        continue;
      }
      for (std::size_t f = 0; f < program.classes[c].fields.size(); ++f)
        fields.push_back(read(field_getter(p, c, f)));
    }
  }

  /// Where the objects are.
  std::vector<litmus::Value> objects(std::size_t count) const {
    std::vector<litmus::Value> out;
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = methods_.find(object_getter(i));
      if (found == methods_.end())
        throw Unsupported("a JVM that did not compile the getters of objects");
      out.push_back(lower::jit::object_returned(found->second.back()));
    }
    return out;
  }

 private:
  const Versions& methods_;
  lower::Machine machine_;
  lower::Backend decoder_;
};

} // namespace

/// The reason is a whole message: what an Unsupported begins with would stand there twice.
const Compilation& compilation_in(const Captured& captured) {
  if (const auto* refused = std::get_if<NotLowered>(&captured)) {
    constexpr std::string_view opening = "unsupported: ";
    const std::string_view reason = refused->reason;
    throw Unsupported(reason.substr(reason.starts_with(opening) ? opening.size() : 0));
  }
  return std::get<Compilation>(captured);
}

namespace {

/// Adds where a program's objects are, or where their fields lie. Why that is not known; empty: it
/// is.
std::string placed(std::size_t p, const Emitted& emitted, const std::vector<litmus::Value>& objects,
                   Offsets& offsets, Compilation& compilation) {
  const auto made = std::ssize(compilation.source.objects);
  if (!lower::jit::has_own_class(compilation.source)) {
    compilation.objects.assign(objects.begin(), objects.begin() + made);
    return {};
  }
  compilation.lines = emitted.lines[p];
  compilation.classes = emitted.classes[p];
  try {
    offsets.own(p, compilation);
    return {};
  } catch (const Unsupported& lacking) {
    return lacking.what();
  }
}

} // namespace

std::vector<Captured> read_capture(std::span<const litmus::Program> programs,
                                   std::string_view listing, lower::Machine machine,
                                   Compiler compiler, std::string_view ending) {
  const auto emitted = emit(programs);
  const auto methods = by_name(listing, compiler);
  // What only reads a field never gets as far as to Graal's compiler: C1 compiles it for good.
  auto getters = compiler == Compiler::graal ? by_name(listing, Compiler::c1) : methods;
  getters.insert(methods.begin(), methods.end());
  Offsets offsets(getters, machine);
  std::vector<Captured> out;
  lower::jit::Layout layout;
  std::vector<litmus::Value> objects;
  std::string no_layout;
  try {
    layout = {offsets.of(state_getter, emitted.state_fields),
              offsets.of(result_getter, emitted.result_fields),
              offsets.of(state_reference_getter, emitted.state_references),
              offsets.of(result_reference_getter, emitted.result_references)};
    for (const auto& [type, count] : emitted.result_values)
      for (std::size_t i = 0; i < count; ++i)
        layout.result_values[type].push_back(offsets.read(result_value_getter(type, i)));
    objects = offsets.objects(emitted.objects);
  } catch (const Unsupported& lacking) {
    no_layout = lacking.what();
  }
  for (std::size_t p = 0; p < programs.size(); ++p) {
    Compilation compilation{machine, programs[p], {}, layout};
    std::string why = emitted.refused[p].empty() ? no_layout : emitted.refused[p];
    if (why.empty()) why = placed(p, emitted, objects, offsets, compilation);
    // Once an index was out of bounds, C2 compiles the method anew, and calls the library for it.
    const bool arrays = features(programs[p]).arrays;
    for (std::size_t t = 0; why.empty() && t < programs[p].threads.size(); ++t) {
      const auto found = methods.find(method_name(p, t));
      if (found != methods.end())
        compilation.threads.push_back(arrays ? found->second.front() : found->second.back());
      else
        why = fmt::format("unsupported: a thread that {} did not compile{}{}", info(compiler).title,
                          ending.empty() ? "" : ": the JVM was ", ending);
    }
    if (why.empty())
      out.emplace_back(std::move(compilation));
    else
      out.emplace_back(NotLowered{why});
  }
  return out;
}

Printed printed(std::span<const litmus::Program> programs, const Jdk& jdk, const Settings& settings,
                const Deadline& deadline) {
  const TemporaryDirectory directory;
  const auto emitted = emit(programs);
  compile(directory, emitted.source, jcstress::find_compiler(jdk.jvm), deadline);
  directory.write(std::string(directives_file), directives_of(settings));
  Command command;
  command.argv = jdk.command;
  std::ranges::move(flags_of(jdk, settings), std::back_inserter(command.argv));
  const bool inside =
      std::ranges::any_of(emitted.lines, [](auto& lines) { return !lines.empty(); });
  if (inside || emitted.state_references + emitted.result_references + emitted.objects > 0)
    for_references(command.argv);
  // Updates of bytes and shorts are loops of the library's where the machine has none.
  if (std::ranges::any_of(programs, [](const auto& each) { return features(each).types; }))
    command.argv.emplace_back("-XX:CompileCommand=inline,jdk/internal/misc/Unsafe.*");
  for (const auto& word :
       {std::string("-cp"), std::string("."), std::string(batch_class), std::to_string(calls)})
    command.argv.push_back(word);
  command.directory = directory.path();
  const bool emulated = jdk.machine != own_machine();
  command.seconds = seconds_within(deadline, seconds_for_a_jvm * (emulated ? slower_emulated : 1));
  command.output = std::size_t{512} << 20;
  Outcome done = run(command);
  const bool ended = done.end == Outcome::End::exited && done.code == 0;
  const bool printed_some = done.out.find("Compiled method") != std::string::npos;
  if (!ended && (deadline.passed() || (!printed_some && is_late(done, deadline))))
    throw LimitReached(Limit::run_time);
  const bool refused = done.end == Outcome::End::exited || done.end == Outcome::End::not_started;
  if (!ended && !printed_some && refused)
    throw InputError(fmt::format("error: {}: {}\n{}", fmt::join(jdk.command, " "), describe(done),
                                 (done.error + done.out).substr(0, 2000)));
  return {std::move(done.out), ended ? "" : describe(done)};
}

namespace {

/// Methods are called in the order of their programs, so that a JVM that died did so over the first
/// that lacks its code.
std::size_t first_lost(std::span<const litmus::Program> programs,
                       const std::vector<Captured>& captured) {
  const auto refused = emit(programs).refused;
  std::size_t p = 0;
  while (p < captured.size() &&
         (!refused[p].empty() || std::holds_alternative<Compilation>(captured[p])))
    ++p;
  return p;
}

/// Another JVM for what is behind the program that the last one died of, some times over.
std::vector<Captured> captured_by(int jvms, std::span<const litmus::Program> programs,
                                  const Jdk& jdk, const Settings& settings,
                                  const Deadline& deadline) {
  const Printed done = printed(programs, jdk, settings, deadline);
  auto out = read_capture(programs, done.listing, jdk.machine, settings.compiler, done.ending);
  const std::size_t next = done.ending.empty() ? out.size() : first_lost(programs, out) + 1;
  if (jvms <= 1 || next >= out.size()) return out;
  try {
    auto rest = captured_by(jvms - 1, programs.subspan(next), jdk, settings, deadline);
    for (std::size_t p = 0; p < rest.size(); ++p)
      if (std::holds_alternative<NotLowered>(out[next + p])) out[next + p] = std::move(rest[p]);
  } catch (const LimitReached&) { // what is there is there
  }
  return out;
}

} // namespace

std::vector<Captured> capture(std::span<const litmus::Program> programs, const Jdk& jdk,
                              const Settings& settings, const Deadline& deadline) {
  constexpr int most_jvms = 8;
  return captured_by(most_jvms, programs, jdk, settings, deadline);
}

} // namespace thinair::runners::jit
