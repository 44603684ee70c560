// Final states of AArch64 tests by the abstract machine that performs accesses out of order and by
// the axioms, in one run: CPU times of a set, and of the test in the middle. Usage:
// bench_out_of_order [PROGRAMS], so many random programs of each kind (default: 1000).
#include "gen/generator.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/aarch64/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/out_of_order.h"
#include "tests/support/aarch64_programs.h"
#include "tests/support/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace thinair;

/// CPU seconds of this thread so far.
double clock_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
  std::vector<double> each;
  double sum() const {
    double all = 0;
    for (const double one : each) all += one;
    return all;
  }
  double middle() {
    std::ranges::sort(each);
    return each.empty() ? 0 : each[each.size() / 2];
  }
};

template <class Run>
auto timed(Times& times, Run&& run) {
  const double begin = clock_of_thread();
  auto states = run().behaviours;
  times.each.push_back(clock_of_thread() - begin);
  return states;
}

void measure(const char* title, const std::vector<litmus::Test>& tests) {
  const cat::Plan plan = cat::load_model("armv8", aarch64::architecture);
  Times machine, axioms;
  std::size_t different = 0;
  for (const auto& test : tests) {
    const auto found = timed(machine, [&] { return runners::out_of_order_states(test); });
    const auto expected = timed(axioms, [&] { return executions::behaviours(test, plan); });
    if (found != expected) ++different;
  }
  const double ratio = axioms.sum() > 0 ? machine.sum() / axioms.sum() : 0;
  fmt::print("{}: {} tests, {} different; machine {:.2f} s, axioms {:.2f} s, {:.1f} times as long; "
             "test in the middle {:.0f} and {:.0f} us\n",
             title, tests.size(), different, machine.sum(), axioms.sum(), ratio,
             1e6 * machine.middle(), 1e6 * axioms.middle());
}

std::vector<litmus::Test> lowered(std::size_t programs) {
  std::vector<litmus::Test> out;
  lower::Target target = lower::Target::named("aarch64:cxx");
  gen::Generator generator(gen::load_profile("varhandle"), 1, 0);
  while (out.size() < programs) {
    litmus::Test source;
    source.name = "generated";
    const std::vector<litmus::Program> drawn{generator.next().program};
    source.program = drawn[0];
    const auto code = target.lower(drawn);
    if (const auto* done = std::get_if<lower::Lowered>(&code[0]))
      out.push_back(lower::lowered_test(source, *done, target.name()));
  }
  return out;
}

} // namespace

int main(int argc, char** argv) {
  const std::size_t programs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  std::vector<litmus::Test> herds, assembly;
  for (const auto& file : golden::files("aarch64/tests"))
    herds.push_back(litmus::parse(litmus::read_file(file.string())));
  for (std::uint64_t seed = 1; seed <= programs; ++seed)
    assembly.push_back(litmus::parse({"random", test::aarch64_program(seed)}));
  if (!herds.empty()) measure("golden/aarch64", herds);
  measure("random assembly", assembly);
  measure("lowered by aarch64:cxx", lowered(programs));
  return 0;
}
