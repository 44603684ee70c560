// Rows of event sets, handed out one stretch after another and taken back all at once.
#pragma once

#include "litmus/text/error.h"
#include "oracle/graph/relation.h"

#include <cstddef>
#include <vector>

namespace thinair::executions {

template <std::size_t W>
class Registers {
 public:
  using Set = graph::EventSet<W>;

  /// Takes everything back; there is room for `most` rows from now on.
  void start(std::size_t most) {
    if (memory_.size() < most) memory_.resize(most);
    used_ = 0;
  }

  Set* take(std::size_t rows) {
    THINAIR_CHECK(used_ + rows <= memory_.size(), "registers outgrow their memory");
    Set* const out = memory_.data() + used_;
    used_ += rows;
    graph::rows::clear(out, rows);
    return out;
  }
  Set* duplicate(const Set* from, std::size_t rows) {
    Set* const out = take(rows);
    graph::rows::copy(out, from, rows);
    return out;
  }

  /// Where the next stretch begins; what was handed out behind such a place can be taken back.
  std::size_t used() const { return used_; }
  void take_back_to(std::size_t used) { used_ = used; }

  Set* at(std::size_t place) { return memory_.data() + place; }
  const Set* at(std::size_t place) const { return memory_.data() + place; }

 private:
  std::vector<Set> memory_;
  std::size_t used_ = 0;
};

} // namespace thinair::executions
