// The global instruction buffer: what has completed, in order, and which writes a read may see.
#pragma once

#include "oracle/umm/code.h"

#include <cstdint>
#include <vector>

namespace thinair::umm {

inline constexpr std::uint32_t initial_thread = 0xffffffff; // t_init: default writes

struct Completed {
  Operation operation = Operation::write;
  std::uint32_t thread = initial_thread;
  std::uint32_t position = 0;
  std::uint32_t variable = 0;
  std::uint32_t target = 0;
  graph::Value value = 0;
};

/// Time is the place in the buffer; default writes come first and count as one time (UMM 4.2).
class Buffer {
 public:
  Buffer(const Code& code, const Model& model);

  void append(const Completed& entry);
  const std::vector<Completed>& entries() const { return entries_; }
  /// Whether only the latest write to a cell matters, to reads of that cell.
  bool forgetful() const { return forgetful_; }

  /// Values of the writes that `read`, issued now, may see; sorted, without repetition.
  std::vector<graph::Value> legal(const Completed& read) const;

 private:
  bool may_see(const Completed& read, const Completed& write, Operation kind) const;
  bool legal_latest(const Completed& read, std::size_t write, Operation kind) const;
  bool legal_frozen(const Completed& read, const Completed& write) const;
  std::vector<graph::Value> legal_ordered(const Completed& read, Operation kind) const;

  const Model& model_;
  bool forgetful_ = true; // no rule looks behind the latest write
  std::vector<Completed> entries_;
};

} // namespace thinair::umm
