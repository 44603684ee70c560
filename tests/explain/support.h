// Tests, models and questions for explanations.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace thinair::explain {

inline litmus::Test test_of(const std::string& text) { return litmus::parse({"test", text}); }

inline cat::Plan model_named(const std::string& name) {
  return cat::load_model(name, cat::Architecture::java);
}

inline const char* store_buffering = "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                     "Thread0 { X.setOpaque(1); int r1 = Y.getOpaque(); }\n"
                                     "Thread1 { Y.setOpaque(1); int r1 = X.getOpaque(); }\n"
                                     "exists (0:r1=0 /\\ 1:r1=0)\n";

inline const char* load_buffering = "Java LB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                    "Thread0 { int r1 = X.get(); Y.set(r1); }\n"
                                    "Thread1 { int r2 = Y.get(); X.set(r2); }\n"
                                    "exists (0:r1=1 /\\ 1:r2=1)\n";

/// Tests with loops are not what these tests are about.
inline oracle::Limits few_candidates() {
  oracle::Limits limits;
  limits.candidates = 2000;
  return limits;
}

inline litmus::Test corpus_test(const std::string& file) {
  return litmus::parse(litmus::read_file(THINAIR_SOURCE_DIR "/corpus/" + file));
}

/// The tests of one folder of the corpus, sorted by file.
inline std::vector<litmus::Test> corpus(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(THINAIR_SOURCE_DIR "/corpus/" + folder))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::vector<litmus::Test> tests;
  for (const auto& file : files) tests.push_back(litmus::parse(litmus::read_file(file)));
  return tests;
}

/// All of it, folder by folder.
inline std::vector<litmus::Test> whole_corpus() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(THINAIR_SOURCE_DIR "/corpus"))
    if (entry.is_directory()) folders.push_back(entry.path().filename().string());
  std::sort(folders.begin(), folders.end());
  std::vector<litmus::Test> tests;
  for (const auto& folder : folders)
    for (auto& test : corpus(folder)) tests.push_back(std::move(test));
  return tests;
}

} // namespace thinair::explain
