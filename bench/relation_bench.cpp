// The arithmetic of relations (oracle/graph/relation.h) against a naive twin on matrices of bytes:
// nanoseconds of processor time an operation, and the ratio, at the sizes that tests have.
#include "litmus/random.h"
#include "oracle/graph/relation.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace {

using namespace thinair;

using Matrix = std::vector<std::vector<char>>;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// ---- the twin -------------------------------------------------------------------------------

Matrix empty(std::size_t n) { return Matrix(n, std::vector<char>(n, 0)); }

Matrix unite(const Matrix& a, const Matrix& b) {
  Matrix out = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (b[i][j]) out[i][j] = 1;
  return out;
}

Matrix compose(const Matrix& a, const Matrix& b) {
  const auto n = a.size();
  Matrix out = empty(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (a[i][k])
        for (std::size_t j = 0; j < n; ++j)
          if (b[k][j]) out[i][j] = 1;
  return out;
}

Matrix inverse(const Matrix& a) {
  Matrix out = empty(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) out[j][i] = a[i][j];
  return out;
}

Matrix closure(Matrix r) {
  for (std::size_t k = 0; k < r.size(); ++k)
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r[i][k])
        for (std::size_t j = 0; j < r.size(); ++j)
          if (r[k][j]) r[i][j] = 1;
  return r;
}

bool acyclic(const Matrix& r) {
  const Matrix closed = closure(r);
  for (std::size_t i = 0; i < r.size(); ++i)
    if (closed[i][i]) return false;
  return true;
}

// ---- the comparison -------------------------------------------------------------------------

/// As an execution has them: few pairs a row, most of them forwards, rarely a cycle.
Matrix drawn(litmus::Random& random, std::size_t n, bool forwards) {
  Matrix out = empty(n);
  for (std::size_t i = 0; i < n; ++i)
    for (int pairs = 0; pairs < 3; ++pairs) {
      const auto j = random.below(n);
      if (!forwards || i < j) out[i][j] = 1;
    }
  return out;
}

template <std::size_t W>
graph::Relation<W> bits(const Matrix& m) {
  graph::Relation<W> out;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j)
      if (m[i][j]) out.insert(i, j);
  return out;
}

template <std::size_t W>
void require_same(const char* name, const Matrix& expected, const graph::Relation<W>& found) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t j = 0; j < expected.size(); ++j)
      if ((expected[i][j] != 0) != found.contains(i, j)) {
        fmt::print("{}: not the same at ({}, {})\n", name, i, j);
        std::exit(1);
      }
}

/// Processor time of one call, repeated for some 20 ms.
double nanoseconds(const std::function<void()>& call) {
  std::size_t calls = 0;
  const double begin = cpu_seconds();
  double end = begin;
  for (std::size_t step = 1; end - begin < 0.02; step *= 2) {
    for (std::size_t i = 0; i < step; ++i) call();
    calls += step;
    end = cpu_seconds();
  }
  return (end - begin) * 1e9 / static_cast<double>(calls);
}

volatile std::uint64_t sink = 0; // so that nothing is optimized away

void report(const char* name, std::size_t n, double ours, double naive) {
  fmt::print("{:<10} {:>4} events {:>10.1f} ns {:>12.1f} ns {:>8.0f}\n", name, n, ours, naive,
             naive / ours);
}

template <std::size_t W>
void measure(std::size_t n) {
  namespace rows = graph::rows;
  litmus::Random random(n);
  const Matrix a = drawn(random, n, false), b = drawn(random, n, false);
  const Matrix order = drawn(random, n, true);
  const auto x = bits<W>(a), y = bits<W>(b), z = bits<W>(order);
  graph::Relation<W> out;
  const auto row = [&](const char* name, const std::function<void()>& fast,
                       const std::function<Matrix()>& slow) {
    fast();
    require_same(name, slow(), out);
    const double ours = nanoseconds([&] {
      fast();
      sink = sink + out.rows[n - 1].words[0];
    });
    report(name, n, ours, nanoseconds([&] { sink = sink + slow()[n - 1][0]; }));
  };
  row(
      "unite", [&] { rows::unite(out.data(), x.data(), y.data(), n); },
      [&] { return unite(a, b); });
  row(
      "compose", [&] { rows::compose(out.data(), x.data(), y.data(), n); },
      [&] { return compose(a, b); });
  row("inverse", [&] { rows::inverse(out.data(), x.data(), n); }, [&] { return inverse(a); });
  const auto close = [&] {
    rows::copy(out.data(), z.data(), n);
    rows::close(out.data(), n);
  };
  row("closure", close, [&] { return closure(order); });
  if (rows::acyclic(z.data(), n) != acyclic(order)) std::exit(1);
  report("acyclic", n, nanoseconds([&] { sink = sink + rows::acyclic(z.data(), n); }),
         nanoseconds([&] { sink = sink + acyclic(order); }));
  // One more pair into a closed relation: the twin closes again.
  close();
  const auto closed = out;
  Matrix more = closure(order);
  more[n - 1][0] = 1;
  row(
      "add_closed",
      [&] {
        rows::copy(out.data(), closed.data(), n);
        rows::add_closed(out.data(), n - 1, 0, n);
      },
      [&] { return closure(more); });
}

} // namespace

int main() {
  fmt::print("{:<10} {:>11} {:>13} {:>15} {:>8}\n", "operation", "", "ours", "naive", "ratio");
  for (const std::size_t n : {8, 16, 32, 64}) measure<1>(n);
  for (const std::size_t n : {64, 128, 256}) measure<4>(n);
}
