// The questions about barriers in corpus/barriers, and how they are answered.
#pragma once

#include "campaign/judge.h"
#include "litmus/program.h"
#include "oracle/cat/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::barriers {

/// One piece of code that a question is about.
struct Run {
  std::string name;      // "before"
  std::string target;    // as commands take it, from the root of the sources
  std::string modes;     // what programs are made of, as --modes takes it …
  std::string test;      // … or the one program that is asked about
  std::string concluded; // where the question was asked: "sound", "unsound" or "open"
};

/// A folder of corpus/barriers: a file `question` with lines `key: value`, and schemes.
struct Question {
  std::string folder; // "01-c1-load-c2-store"
  std::string title, where, asks, said;
  std::string because; // why the answer is what it is, where it is another than was concluded
  std::vector<Run> runs;
};

/// In the order of their folders. `corpus`: the folder of all tests. Throws InputError.
std::vector<Question> read_questions(const std::string& corpus);

/// How far to go: one access more where that ends in time.
struct Bounds {
  std::uint32_t accesses = 4;
  double seconds = 120; // of processor time: a minute on two cores
  std::uint64_t random = 100'000;
  std::uint32_t jobs = 2;
};

/// Accesses of a random program, at most.
inline constexpr std::uint32_t most_drawn = 7;

struct Answer {
  campaign::Verdict verdict = campaign::Verdict::unknown;
  std::uint64_t exhaustive = 0, random = 0, undecided = 0;
  std::uint32_t accesses = 0; // all programs of at most so many were judged
  double seconds = 0;         // of processor time, over all jobs
  // of unsound
  std::optional<litmus::Program> program;
  std::string behaviour;
};

Answer answer(const Run& run, const cat::Plan& model, const Bounds& bounds);

} // namespace thinair::barriers
