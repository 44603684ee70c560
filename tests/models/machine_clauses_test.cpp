// Each clause of the models of Armv8 and RISC-V has a test in tests/models/machines that the model
// forbids, and that is allowed once the clause is left out; each test in allowed.txt is allowed,
// and each in forbidden.txt is not.
#include "litmus/test.h"
#include "models/library.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace thinair::cat {
namespace {

const std::string folder = std::string(THINAIR_SOURCE_DIR) + "/tests/models/machines/";

/// The words of each line that is no comment.
std::vector<std::vector<std::string>> table(const std::string& name) {
  std::vector<std::vector<std::string>> out;
  std::ifstream file(folder + name);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    out.emplace_back();
    for (std::string word; words >> word;) out.back().push_back(word);
  }
  return out;
}

/// Whether some final state is as the test's proposition says.
bool allows(const std::string& file, const std::string& model, const std::string& text,
            const LoadOptions& options = {}) {
  const auto test = litmus::parse(litmus::read_file(folder + file));
  const Plan plan = load_model(text::Source{model, text}, graph::architecture_of(test), options);
  const auto result = executions::behaviours(test, plan);
  EXPECT_EQ(result.status, oracle::Result::Status::ok) << file << ": " << result.reason.text;
  const auto& asked = test.clauses.at(0).proposition;
  return std::ranges::any_of(result.behaviours, [&](const auto& behaviour) {
    return litmus::holds(asked, result.observables, behaviour);
  });
}

/// The model with the definition of a clause as the empty relation.
std::string without(std::string text, const std::string& clause) {
  const auto begin = text.find("\nlet " + clause + " =");
  EXPECT_NE(begin, std::string::npos) << clause;
  if (begin == std::string::npos) return text;
  const auto value = text.find('=', begin) + 1;
  auto end = text.find('\n', value);
  while (end + 1 < text.size() && text[end + 1] == ' ') end = text.find('\n', end + 1);
  return text.replace(value, end - value, " 0");
}

TEST(MachineClauses, EachForbidsWhatNoOtherDoes) {
  std::size_t clauses = 0;
  for (const auto& row : table("clauses.txt")) {
    ASSERT_EQ(row.size(), 3U);
    const auto& [model, clause, file] = std::tie(row[0], row[1], row[2]);
    if (file == "-") continue;
    SCOPED_TRACE(model + " " + clause);
    const auto embedded = models::find_model(model);
    ASSERT_TRUE(embedded) << model;
    const std::string text(embedded->text);
    EXPECT_FALSE(allows(file, model, text));
    const bool axiom = text.find(" as " + clause + "\n") != std::string::npos;
    LoadOptions options;
    options.as_plain = true; // the model may name a fence nowhere else
    if (axiom) options.dropped_axioms = {clause};
    EXPECT_TRUE(allows(file, model, axiom ? text : without(text, clause), options));
    ++clauses;
  }
  EXPECT_GE(clauses, 75U);
}

TEST(MachineClauses, TogetherForbidWhatSeveralDo) {
  const auto rows = table("forbidden.txt");
  EXPECT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const auto embedded = models::find_model(row.at(0));
    ASSERT_TRUE(embedded) << row.at(0);
    EXPECT_FALSE(allows(row.at(1), row.at(0), std::string(embedded->text))) << row.at(1);
  }
}

TEST(MachineClauses, NoneForbidsMore) {
  const auto rows = table("allowed.txt");
  EXPECT_GE(rows.size(), 11U);
  for (const auto& row : rows) {
    const auto embedded = models::find_model(row.at(0));
    ASSERT_TRUE(embedded) << row.at(0);
    EXPECT_TRUE(allows(row.at(1), row.at(0), std::string(embedded->text))) << row.at(1);
  }
}

} // namespace
} // namespace thinair::cat
