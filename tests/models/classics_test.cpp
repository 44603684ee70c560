// The five classic models on the tests that Nemos and MemSAT's Table 1 use: which outcomes each
// finds.
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace thinair::cat {
namespace {

constexpr auto models = std::to_array<const char*>({"sc", "coherence", "pram", "causal", "pc"});

struct Row {
  int number;
  const char* found; // by SC, coherence, PRAM, causal, PC: MemSAT Table 1, "w.fnd."
};

/// 3 has eight threads and is tested by `thinair check`.
constexpr auto rows = std::to_array<Row>({
    {1, "yyyyy"},
    {2, "nyyny"},
    {4, "nyyyy"},
    {5, "nynnn"},
    {6, "nnyyn"},
    {7, "nyyyn"},
    {8, "yyyyy"},
    {9, "nyyyy"},
    {10, "nynnn"},
    {11, "nyyyy"},
    {12, "nyyny"},
    {13, "nyyyy"},
    {14, "nyyyy"},
    {15, "nyyyn"},
});

TEST(Classics, FindWhatMemSatFound) {
  for (const Row& row : rows) {
    const auto path =
        fmt::format("{}/corpus/nemos/NEMOS-{:02}.litmus", THINAIR_SOURCE_DIR, row.number);
    const auto test = litmus::parse(litmus::read_file(path));
    std::string found;
    for (const char* model : models) {
      const auto plan = load_model(model, Architecture::java);
      const auto answer = executions::exists(test, plan, test.clauses.at(0).proposition);
      found += answer == oracle::Answer::allowed ? 'y' : 'n';
    }
    EXPECT_EQ(found, row.found) << path;
  }
}

} // namespace
} // namespace thinair::cat
