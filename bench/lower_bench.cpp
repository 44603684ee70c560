// Programs a second of CPU time: lowering by schemes and by LLVM, the code's behaviours, and
// soundness, on programs of three threads and eight accesses; LLVM's share of it and ours. One
// thread, warm process.
// Usage: bench_lower [sound], soundness only.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/ir.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/x86/code/store_buffers.h"
#include "oracle/cat/model.h"
#include "runners/soundness.h"

#include <fmt/format.h>

#include <ctime>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

using namespace thinair;

/// CPU seconds of this thread so far.
double clock_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const std::function<void()>& work) {
  const double start = clock_of_thread();
  work();
  return clock_of_thread() - start;
}

std::vector<litmus::Program> programs(std::size_t count, const char* profile) {
  gen::Profile shape = gen::load_profile(profile);
  shape.max_threads = 3;
  shape.max_accesses = 8;
  gen::Generator generator(shape, 2026, 0);
  std::vector<litmus::Program> out;
  while (out.size() < count) {
    auto program = generator.next().program;
    if (program.threads.size() == 3 && litmus::count_accesses(program) == 8)
      out.push_back(std::move(program));
  }
  return out;
}

void row(const char* what, std::size_t count, double wanted, const std::function<void()>& work) {
  work(); // warm
  const double seconds = seconds_of(work);
  fmt::print("{:52} {:9.0f} programs/s (wanted {:.0f})\n", what,
             static_cast<double>(count) / seconds, wanted);
}

void lowering(const std::vector<litmus::Program>& all) {
  lower::Target table2 = lower::Target::named("x86:table2");
  row("lower to x86:table2", all.size(), 0, [&] {
    for (const auto& program : all) table2.lower(program);
  });
  for (const char* name : {"aarch64:cxx", "riscv:cxx"}) {
    lower::Target target = lower::Target::named(name);
    row(fmt::format("lower to {}", name).c_str(), all.size(), 10'000, [&] {
      for (const auto& program : all) target.lower(program);
    });
  }
  const std::pair<const char*, double> levels[] = {{"x86:llvm-O0", 500},
                                                   {"x86:llvm-O1", 0},
                                                   {"x86:llvm-O2", 150},
                                                   {"x86:llvm-O3", 0},
                                                   {"aarch64:llvm-O2", 0}};
  for (const auto& [name, wanted] : levels) {
    row(fmt::format("lower to {}, 50 a module", name).c_str(), all.size(), wanted, [&] {
      lower::Target target = lower::Target::named(name); // that has compiled nothing yet
      for (std::size_t from = 0; from < all.size(); from += 50)
        target.lower(std::span(all).subspan(from, std::min<std::size_t>(50, all.size() - from)));
    });
  }
}

/// The threads of these programs that are not in `seen`, in one module.
std::string ir_of(std::span<const litmus::Program> programs, std::set<std::string>& seen) {
  std::vector<lower::IrFunction> functions;
  for (const auto& program : programs)
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      const auto ir = lower::to_ir(program, t);
      const auto [body, fresh] = seen.insert(ir.body);
      if (!fresh) continue;
      auto& function = functions.emplace_back(
          lower::IrFunction{fmt::format("f{}", functions.size()), &*body, {}});
      for (std::size_t i = 0; i < ir.globals.size(); ++i)
        function.globals.push_back(fmt::format("g{}", i));
    }
  return lower::module_of(functions);
}

/// Where the time of lowering with LLVM goes, 50 programs a module.
void shares(const std::vector<litmus::Program>& all, lower::Level level) {
  lower::Compiler compiler(level);
  lower::Backend backend(level);
  double whole = 0, ir = 0, llvm = 0, decoding = 0;
  std::set<std::string> seen;
  for (std::size_t from = 0; from + 50 <= all.size(); from += 50) {
    const auto batch = std::span(all).subspan(from, 50);
    whole += seconds_of([&] { compiler.lower(batch); });
    std::string text, object;
    ir += seconds_of([&] { text = ir_of(batch, seen); });
    llvm += seconds_of([&] { object = backend.compile(text); });
    decoding += seconds_of([&] { backend.disassemble(object); });
  }
  const double lifting = whole - ir - llvm - decoding;
  fmt::print("{:52} LLVM {:.0f} %, decoding {:.1f} %, IR {:.1f} %, lifting {:.1f} % of {:.0f} us\n",
             fmt::format("shares of x86:llvm-{}", lower::name(level)), 100 * llvm / whole,
             100 * decoding / whole, 100 * ir / whole, 100 * lifting / whole,
             1e6 * whole / static_cast<double>(all.size()));
}

/// By a target that has compiled nothing yet, 32 programs at a time, as a campaign does.
void soundness(const std::vector<litmus::Program>& all, const char* model_name,
               const char* target_name, double wanted) {
  const auto model = cat::load_model(model_name, cat::Architecture::java, {.as_plain = true});
  const runners::Processor processor(lower::machine_named(target_name));
  const runners::Hardware hardware = [&](const litmus::Test& test) {
    return processor.run(test, {});
  };
  std::size_t unsound = 0, unsupported = 0;
  const auto judge = [&](const litmus::Program& program,
                         std::variant<lower::Lowered, lower::NotLowered>& code) {
    auto* lowered = std::get_if<lower::Lowered>(&code);
    if (lowered == nullptr) return static_cast<void>(++unsupported);
    litmus::Test test;
    test.name = "generated";
    test.program = program;
    try {
      const auto result =
          runners::check_soundness(test, model, std::move(*lowered), target_name, hardware, {});
      unsound += result.verdict == runners::Soundness::unsound;
    } catch (const Unsupported&) {
      ++unsupported;
    }
  };
  row(fmt::format("sound for {} on {}", model_name, target_name).c_str(), all.size(), wanted, [&] {
    unsound = unsupported = 0;
    lower::Target target = lower::Target::named(target_name);
    for (std::size_t from = 0; from < all.size(); from += 32) {
      const auto batch = std::span(all).subspan(from, std::min<std::size_t>(32, all.size() - from));
      auto codes = target.lower(batch);
      for (std::size_t i = 0; i < batch.size(); ++i) judge(batch[i], codes[i]);
    }
  });
  fmt::print("{:52} {} of {} unsound, {} unsupported\n", "", unsound, all.size(), unsupported);
}

} // namespace

int main(int argc, char** argv) {
  const auto varhandle = programs(1000, "varhandle"), java5 = programs(1000, "java5");
  if (argc < 2 || std::string_view(argv[1]) != "sound") {
    lowering(varhandle);
    for (const lower::Level level : {lower::Level::O0, lower::Level::O2}) shares(varhandle, level);
  }
  const runners::Hardware hardware = [](const litmus::Test& test) {
    return runners::x86_machine(test);
  };
  lower::Target table2 = lower::Target::named("x86:table2");
  row("lower to x86:table2 and run on the machine", varhandle.size(), 0, [&] {
    for (const auto& program : varhandle) {
      litmus::Test test;
      test.program = program;
      hardware(lower::lowered_test(test, table2.lower(program), "x86:table2"));
    }
  });
  soundness(varhandle, "jam21", "x86:table2", 2000);
  soundness(java5, "jls04", "x86:table2", 1000);
  for (const char* target : {"aarch64:cxx", "aarch64:llvm-O2", "riscv:cxx"})
    soundness(varhandle, "jam21", target, 1500);
}
