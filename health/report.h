// What a check-up found, for people and for machines.
#pragma once

#include "health/checkup.h"

#include <string>

namespace thinair::health {

/// A check-up with what it was about.
struct Page {
  std::string model, title; // the model's name, and what its file calls it
  std::string space;        // "at most 3 accesses in at most 2 threads …"
  const Checkup& checkup;
  std::vector<AxiomRow> axioms; // empty: no corpus was given
  std::size_t questions = 0;    // of that corpus
};

std::string text_of(const Page& page);
std::string json_of(const Page& page);
std::string html_of(const Page& page);

} // namespace thinair::health
