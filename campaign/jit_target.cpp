// Code that JVMs compiled, many programs at a time.
#include "campaign/jit_target.h"

#include "campaign/code_target.h"
#include "campaign/pool.h"
#include "gen/reduce.h"
#include "litmus/text/error.h"
#include "lower/jit/lift.h"
#include "runners/jit/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <semaphore>
#include <thread>

namespace thinair::campaign {
namespace {

namespace jit = runners::jit;

class JitTarget : public CodeTarget {
 public:
  JitTarget(const std::string& name, const Against& against, jit::Asked asked)
      : CodeTarget(name, against, asked.machine), asked_(std::move(asked)),
        decoders_([machine = asked_.machine] { return lower::jit::decoder(machine); }) {}

  /// Another version of the JDK, or other flags of it, is another target.
  std::string content() const override {
    const auto jdk = jit::find_jdk(asked_.machine, asked_.jdk);
    return fmt::format("{} {} {}", jdk.jvm.vendor, jdk.jvm.version,
                       fmt::join(jit::flags_of(jdk, asked_.settings), " "));
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
    batches();
  }

  Judgement judge(const litmus::Program& program) override {
    compile(program);
    const Turn turn(turns_);
    return CodeTarget::judge(program);
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

  void set_deadline(Deadline deadline) override {
    CodeTarget::set_deadline(deadline);
    batches().set_deadline(deadline);
  }

  /// Its edits come next, one by one: the JVM gets them all at once.
  void reducing(const litmus::Program& program) override {
    batches().prepare(gen::proposals(program));
  }

 protected:
  lower::Lowered lowered(const litmus::Program& program, std::uint32_t /*loop_bound*/) override {
    const auto compilation = batches().compiled(program);
    return decoders_.with_one(
        [&](lower::Backend& decoder) { return lower::jit::lift(compilation, decoder); });
  }

 private:
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
      batches().compiled(program);
    } catch (const Unsupported&) {
      return;
    } catch (const LimitReached&) {
      return;
    }
  }

  /// Looks for the JDK when it is first needed: reports ask without ready().
  jit::Batches& batches() {
    std::call_once(looked_for_, [this] {
      batches_.emplace(jit::find_jdk(asked_.machine, asked_.jdk), asked_.settings);
    });
    return *batches_;
  }

  const jit::Asked asked_;
  std::once_flag looked_for_;
  std::optional<jit::Batches> batches_;
  Pool<lower::Backend> decoders_;
  std::counting_semaphore<> turns_{
      static_cast<std::ptrdiff_t>(std::max(1U, std::thread::hardware_concurrency()))};
};

std::unique_ptr<Target> make(const std::string& name, const Against& against) {
  return std::make_unique<JitTarget>(name, against, jit::asked_by(name));
}

std::vector<std::string> names() { return {std::string(jit::prefix)}; }

} // namespace

const TargetKind jit_kind = {
    .prefix = std::string(jit::prefix),
    .form = "jit:[MACHINE:]JDK:COMPILER",
    .help = "what a JDK's compiler, c1 or c2, emits for this machine or, under an emulator, for "
            "aarch64 or riscv64: lifted, and judged as code",
    .names = names,
    .make = make,
};

} // namespace thinair::campaign
