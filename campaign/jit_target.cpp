// Code that JVMs compiled, many programs at a time.
#include "campaign/jit_target.h"

#include "campaign/code_target.h"
#include "campaign/confirmation.h"
#include "campaign/jit_fault.h"
#include "campaign/pool.h"
#include "gen/reduce.h"
#include "litmus/text/error.h"
#include "lower/jit/lift.h"
#include "runners/jit/batches.h"
#include "runners/jit/mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <semaphore>
#include <thread>

namespace thinair::campaign {
namespace {

namespace jit = runners::jit;
namespace jcstress = runners::jcstress;

class JitTarget : public CodeTarget {
 public:
  JitTarget(const std::string& name, const Against& against, jit::Asked asked)
      : CodeTarget(name, against, asked.machine), asked_(std::move(asked)),
        decoders_([machine = asked_.machine] { return lower::jit::decoder(machine); }) {}

  /// Another version of the JDK, or other flags of it, is another target.
  std::string content() const override {
    const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
    std::string out = fmt::format("{} {}", jdk.jvm.vendor, jdk.jvm.version);
    for (const auto compiler : asked_.compilers)
      out += fmt::format(" {}", fmt::join(jit::flags_of(jdk, asked_.settings_of(compiler)), " "));
    return out;
  }

  /// A JVM takes a batch at a time, and one is filled while another runs.
  Tuning tuning() const override {
    static constexpr auto profiles = std::to_array<std::string_view>({"jvm"});
    Tuning out = CodeTarget::tuning();
    out.chunk = 1;
    out.jobs = static_cast<std::uint32_t>(2 * jit::Batches::most);
    out.grace_share = 0.15;
    out.profiles = profiles;
    return out;
  }

  void ready() override {
    CodeTarget::ready();
    decoders_.with_one([](const lower::Backend&) {}); // is LLVM in this build?
    const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
    for (const auto compiler : asked_.compilers) jit::flags_of(jdk, asked_.settings_of(compiler));
    batches();
  }

  Judgement judge(const litmus::Program& program, runners::SameProgram* same) override {
    compile(program);
    const Turn turn(turns_);
    return CodeTarget::judge(program, same);
  }
  Why why(const litmus::Program& program, bool official) override {
    compile(program);
    const Turn turn(turns_);
    return CodeTarget::why(program, official);
  }
  Look look(const litmus::Test& test) override {
    compile(test.java());
    const Turn turn(turns_);
    return CodeTarget::look(test);
  }

  /// A JVM of this machine is asked for the same program by the same compiler.
  std::string sighting(const litmus::Program& program, const litmus::State& behaviour) override {
    if (!against().confirm) return {};
    if (asked_.machine != jit::own_machine())
      return fmt::format("{}: this machine is no {} that could run it", may_happen,
                         asked_.machine->title);
    if (!asked_.settings.lse)
      return fmt::format("{}: a JVM here would use other instructions", may_happen);
    const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
    return confirmed(program, behaviour, {jdk.jvm, mode(), asked_.settings.stress.value_or(1)},
                     deadline_);
  }

  /// Of a mix none of whose compilers shows it alone, that they do not go together.
  std::optional<Fault> fault(const litmus::Program& program) override {
    try {
      return found_fault(program);
    } catch (const Unsupported& lacking) {
      return Fault{{}, {}, fmt::format("who is to blame is not known: {}", lacking.what()), {}};
    } catch (const LimitReached& limit) {
      return Fault{{}, {}, fmt::format("who is to blame is not known: {}", limit.what()), {}};
    }
  }

  void set_deadline(Deadline deadline) override {
    deadline_ = deadline;
    CodeTarget::set_deadline(deadline);
    for (auto& each : batches()) each.set_deadline(deadline);
  }

  /// Its edits come next, one by one: the JVM gets them all at once.
  void reducing(const litmus::Program& program) override {
    for (auto& each : batches()) each.prepare(gen::proposals(program));
  }

 protected:
  lower::Lowered lowered(const litmus::Program& program, std::uint32_t loop_bound) override {
    return codes(program, loop_bound).front();
  }

  std::vector<lower::Lowered> codes(const litmus::Program& program,
                                    std::uint32_t /*loop_bound*/) override {
    std::vector<lower::jit::Compilation> by_compiler;
    for (auto& each : batches()) by_compiler.push_back(each.compiled(program));
    return decoders_.with_one([&](lower::Backend& decoder) {
      std::vector<lower::Lowered> out;
      for (const auto& way : jit::ways(program.threads.size(), by_compiler.size()))
        out.push_back(jit::lifted(by_compiler, way, asked_, decoder));
      return out;
    });
  }

 private:
  jcstress::Mode mode() const {
    if (asked_.is_mix()) return jcstress::Mode::tiered;
    switch (asked_.settings.compiler) {
    case jit::Compiler::c1: return jcstress::Mode::c1;
    case jit::Compiler::c2:
      return asked_.settings.stress ? jcstress::Mode::stress : jcstress::Mode::c2;
    case jit::Compiler::graal: break;
    }
    return jcstress::Mode::graal;
  }

  Verdict verdict_of(const litmus::Program& program, const lower::Lowered& code) const {
    return judgement_of([&](const auto& options) {
             return check(as_test(program, "program"), code, options);
           })
        .verdict;
  }

  std::optional<Fault> found_fault(const litmus::Program& program) {
    const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
    std::vector<lower::jit::Compilation> by_compiler;
    for (auto& each : batches()) by_compiler.push_back(each.compiled(program));
    for (std::size_t i = 0; i < by_compiler.size(); ++i) {
      const auto unsound = decoders_.with_one([&](lower::Backend& decoder) {
        return verdict_of(program, lower::jit::lift(by_compiler[i], decoder)) == Verdict::unsound;
      });
      if (!unsound) continue;
      const auto& row = jit::info(asked_.compilers[i]);
      JitFault fault(scheme_of_jit(asked_.machine, jdk.jvm.feature, row.name, !asked_.settings.lse),
                     std::string(row.title), against(),
                     [this](const litmus::Program& p, const lower::Lowered& code) {
                       return verdict_of(p, code);
                     });
      return decoders_.with_one(
          [&](lower::Backend& decoder) { return fault.of(by_compiler[i], decoder); });
    }
    return Fault{names_of_compilers(), "mix",
                 fmt::format("code of {} that does not go together: one thread's by one and "
                             "another's by another shows what neither shows alone",
                             fmt::join(names_of_compilers(), " and ")),
                 "one compiler for all threads"};
  }

  std::vector<std::string> names_of_compilers() const {
    std::vector<std::string> out;
    for (const auto compiler : asked_.compilers) out.emplace_back(jit::info(compiler).title);
    return out;
  }

  /// Many wait for a JVM, but no more are judged at a time than there are processors.
  class Turn {
   public:
    explicit Turn(std::counting_semaphore<>& turns) : turns_(turns) { turns_.acquire(); }
    ~Turn() { turns_.release(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    std::counting_semaphore<>& turns_;
  };

  /// Compiling is not part of the time that a question has for its engines, so it comes before.
  /// What goes wrong is told when the code is asked for.
  void compile(const litmus::Program& program) {
    try {
      for (auto& each : batches()) each.compiled(program);
    } catch (const Unsupported&) {
      return;
    } catch (const LimitReached&) {
      return;
    }
  }

  /// Looks for the JDK when it is first needed: reports ask without ready().
  std::deque<jit::Batches>& batches() {
    std::call_once(looked_for_, [this] {
      const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
      for (const auto compiler : asked_.compilers)
        batches_.emplace_back(jdk, asked_.settings_of(compiler));
    });
    return batches_;
  }

  const jit::Asked asked_;
  Deadline deadline_;
  std::once_flag looked_for_;
  std::deque<jit::Batches> batches_; // one for each compiler
  Pool<lower::Backend> decoders_;
  std::counting_semaphore<> turns_{
      static_cast<std::ptrdiff_t>(std::max(1U, std::thread::hardware_concurrency()))};
};

std::unique_ptr<Target> make_jit(const std::string& name, const Against& against) {
  return std::make_unique<JitTarget>(name, against, jit::asked_by(name));
}

std::vector<std::string> jit_names() { return {std::string(jit::prefix)}; }

} // namespace

const TargetKind jit_kind = {
    .prefix = std::string(jit::prefix),
    .form = "jit:[MACHINE:]JDK:COMPILER",
    .help = "what a JDK's compiler, c1, c2, graal, or c1+c2 by thread, emits for this machine or, "
            "under an emulator, for aarch64 or riscv64: lifted, and judged as code",
    .names = jit_names,
    .make = make_jit,
};

} // namespace thinair::campaign
