// Rows of event sets, handed out one stretch after another and taken back all at once.
#pragma once

#include "litmus/text/error.h"
#include "oracle/graph/relation.h"

#include <cstddef>
#include <memory>
#include <type_traits>

namespace thinair::executions {

template <std::size_t W>
class Registers {
 public:
  using Set = graph::EventSet<W>;

  /// Takes everything back; there is room for `most` rows from now on.
  void start(std::size_t most) {
    if (room_ < most) {
      // `take` clears what it hands out, which is a small part: most is for the worst case
      memory_ = std::make_unique_for_overwrite<std::byte[]>(most * sizeof(Set));
      room_ = most;
    }
    used_ = 0;
  }

  Set* take(std::size_t rows) {
    THINAIR_CHECK(used_ + rows <= room_, "registers outgrow their memory");
    Set* const out = at(used_);
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

  Set* at(std::size_t place) { return reinterpret_cast<Set*>(memory_.get()) + place; }
  const Set* at(std::size_t place) const {
    return reinterpret_cast<const Set*>(memory_.get()) + place;
  }

 private:
  static_assert(std::is_trivially_copyable_v<Set> &&
                alignof(Set) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  std::unique_ptr<std::byte[]> memory_; // sets, which need no constructor
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

} // namespace thinair::executions
