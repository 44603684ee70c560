// Writes random x86 tests.
#include "tests/support/random_x86.h"

#include "litmus/random.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace thinair::test {
namespace {

class RandomTest {
 public:
  RandomTest(std::uint64_t seed, bool natural) : random_(seed), natural_(natural) {}

  std::string text() {
    const std::size_t threads = 2 + random_.below(2);
    std::string names, rows, initial;
    std::vector<std::vector<std::string>> code(threads);
    for (std::size_t t = 0; t < threads; ++t) {
      names += fmt::format("{} P{}", t == 0 ? "" : " |", t);
      initial += fmt::format(" {}:rdi={};", t, cell());
      for (std::size_t i = 0, n = 2 + random_.below(3); i < n; ++i)
        code[t].push_back(fmt::format("{} {}", i == 2 ? "L:" : "", instruction(i)));
      while (code[t].size() < 3) code[t].push_back(code[t].size() == 2 ? "L:" : "");
      code[t].resize(4);
    }
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t t = 0; t < threads; ++t)
        rows += fmt::format("{} {}", t == 0 ? "" : " |", code[t][row]);
      rows += " ;\n";
    }
    std::string asked = "x; y; ";
    for (std::size_t t = 0; t < threads; ++t)
      asked += random_.chance(80, 100) ? fmt::format("{}:rax; ", t) : "";
    return fmt::format("X86_64 random\n{{{}}}\n{};\n{}locations [{}]\n", initial, names, rows,
                       asked);
  }

 private:
  std::string cell() { return random_.chance(50, 100) ? "x" : "y"; }
  std::string memory() { return random_.chance(15, 100) ? "(%rdi)" : "(" + cell() + ")"; }

  std::string instruction(std::size_t row) {
    constexpr std::array forms{
        "movl ${1},{0}",
        "movl ${1},{0}",
        "movl {0},%eax",
        "movl {0},%eax",
        "movl %eax,{0}",
        "movl {0},%ebx",
        "xchgl %eax,{0}",
        "lock xaddl %eax,{0}",
        "lock cmpxchgl {0},%ebx",
        "lock incl {0}",
        "addl ${1},{0}",
        "mfence",
        "cmpl {0},%eax",
        "addl %ebx,%eax",
        "cmovel {0},%eax",
        "cmpxchgl {0},%ebx",
        "sete %al",
        "testl %eax,%eax",
        "lock orl ${1},{0}",
        "movl $0,%eax",
        "decl {0}",
        "leaq (x),%rdi",
    };
    if (row < 2 && random_.chance(15, 100)) return random_.chance(50, 100) ? "je L" : "jne L";
    const std::size_t count = natural_ ? forms.size() - 2 : forms.size();
    return fmt::format(fmt::runtime(forms.at(random_.below(count))), memory(),
                       1 + random_.below(2));
  }

  litmus::Random random_;
  bool natural_;
};

} // namespace

std::string random_x86(std::uint64_t seed, bool natural) {
  return RandomTest(seed, natural).text();
}

} // namespace thinair::test
