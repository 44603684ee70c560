// What of a report is looked for: by shape, by access or fence, by target. A choice hides what does
// not fit by style alone, so that the page has no script and is whole without the choice.
#pragma once

#include "campaign/cause.h"
#include "campaign/report.h"

#include <string>
#include <vector>

namespace thinair::campaign {

class ReportFilter {
 public:
  ReportFilter(const Finds& finds, const Identity& identity);

  /// The choices, as HTML, and the style that makes them work; both empty where there is nothing to
  /// choose between.
  std::string choices() const;
  std::string style() const;

  /// For the element of a minimal program, or of a cause: what it is found by.
  std::string classes(std::size_t group) const;
  std::string classes(const Cause& cause) const;
  /// The same in words, which the reader's own search finds: "SB: setVolatile, getVolatile".
  const std::string& words(std::size_t group) const { return words_[group]; }

 private:
  struct Value {
    std::string name;
    std::size_t programs = 0;
  };
  struct Facet {
    std::string title;
    std::vector<Value> values;
  };
  using Fits = std::vector<std::vector<std::size_t>>; // by facet: the values that a program has

  std::size_t value(Facet& facet, const std::string& name);
  std::string named(const Fits& fits) const;

  std::vector<Facet> facets_;
  std::vector<Fits> fits_; // by group
  std::vector<std::string> words_;
};

} // namespace thinair::campaign
