// The kit that a machine's meaning is written with, on numbers: the twin of symbolic.h, which says
// how it is used.
#pragma once

#include "machine/common/symbolic.h"

#include <cstdint>
#include <optional>

namespace thinair::machine {

/// Memory as a thread sees it. Values are sign-extended from the width.
class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  virtual Value load(std::uint64_t address, Width width) = 0;
  virtual void store(std::uint64_t address, Width width, Value value) = 0;
};

class ConcreteCore {
 public:
  using Word = Value;

  explicit ConcreteCore(MemoryPort& memory) : memory_(memory) {}

  Word number(Value value) { return value; }
  /// 0 for a division by zero, which a machine's meaning must not use.
  Word make(TermOp op, std::uint8_t bits, Word a, Word b = 0) {
    return graph::apply(op, bits, a, b).value_or(0);
  }
  Word pick(Word condition, Word a, Word b) { return condition != 0 ? a : b; }
  Word choose(Word condition, Word a, Word b) { return condition != 0 ? a : b; }
  bool decide(Word condition) { return condition != 0; }
  Word picked_by(Word, Word value) { return value; }
  bool branch(Word condition) { return condition != 0; }

  Word load(Word address, const Access& access) {
    return memory_.load(static_cast<std::uint64_t>(address), access.width);
  }
  void store(Word address, Word value, const Access& access) {
    memory_.store(static_cast<std::uint64_t>(address), access.width, value);
  }
  template <class Change>
  Word update(Word address, const Access& read, const Access& write, Change&& change) {
    const Word old = load(address, read);
    store(address, change(old), write);
    return old;
  }
  template <class Change>
  Word update_as_one(Word address, const Access& access, Change&& change) {
    return update(address, access, access, change);
  }
  Word compare_and_swap(Word address, Word expected, Word wanted, const Access& read,
                        const Access& write) {
    const Word old = load(address, read);
    if (make(TermOp::equal, litmus::bits_of(read.width), old, expected) != 0)
      store(address, wanted, write);
    return old;
  }
  Word compare_and_swap_as_one(Word address, Word expected, Word wanted, const Access& access,
                               const Access&) {
    return compare_and_swap(address, expected, wanted, access, access);
  }
  Word load_exclusive(Word address, const Access& access) {
    monitor_ = address;
    return load(address, access);
  }
  Word store_exclusive(Word address, Word value, const Access& access) {
    const bool succeeds = monitor_ == address && !exclusives_fail;
    monitor_.reset();
    if (succeeds) store(address, value, access);
    return succeeds ? 0 : 1;
  }
  Word store_exclusive_told(Word address, Word value, const Access& access) {
    return store_exclusive(address, value, access);
  }
  void fence(graph::Tags, litmus::Construct = litmus::Construct::fence_instruction) {}

  bool exclusives_fail = false; // those that might succeed, too

 private:
  MemoryPort& memory_;
  std::optional<Value> monitor_;
};

} // namespace thinair::machine
