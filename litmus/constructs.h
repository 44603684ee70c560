// What a program may use that a memory model may have nothing to say of: access modes, updates,
// fences, monitors. A model declares which of these it gives a meaning to (docs/models.md).
#pragma once

#include "litmus/modes.h"
#include "litmus/test.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::litmus {

/// In the order of the table. An update is a method that reads and writes (an instruction with the
/// lock prefix), whether or not it succeeds; its mode is that of its stronger half.
enum class Construct : std::uint8_t {
  plain,
  opaque,
  acquire,
  release,
  volatile_,
  plain_update,
  acquire_update,
  release_update,
  volatile_update,
  full_fence,
  acquire_fence,
  release_fence,
  load_load_fence,
  store_store_fence,
  fence_instruction,   // of machines
  ordered_instruction, // accesses that acquire or release
  atomic_instruction,
  monitors,
  threads,
  final_fields, // writes in constructors, frozen at their ends
};
inline constexpr std::size_t construct_count = 20;

/// How a construct can be taken for plain.
enum class ConstructKind : std::uint8_t {
  access, // as a plain one
  update, // as a plain read and a plain write, done as one
  fence,  // as nothing
  action, // not at all
};

struct ConstructInfo {
  Construct construct;
  std::string_view name; // in a model's declaration: "volatile", "volatile updates", "fullFence"
  std::string_view mode; // of accesses and updates: "volatile"
  ConstructKind kind;
};

std::span<const ConstructInfo, construct_count> constructs();
const ConstructInfo& info(Construct construct);

Construct construct_of(Method method);
Construct construct_of(Fence fence);

/// A set of constructs.
class Constructs {
 public:
  constexpr Constructs() = default;
  constexpr Constructs(Construct construct) : bits_(1U << static_cast<unsigned>(construct)) {}
  static constexpr Constructs all() { return from((1U << construct_count) - 1); }
  static Constructs of(ConstructKind kind);

  constexpr bool has(Construct construct) const {
    return (bits_ & Constructs(construct).bits_) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr Constructs& operator|=(Constructs other) { return *this = *this | other; }

  friend constexpr Constructs operator|(Constructs a, Constructs b) {
    return from(a.bits_ | b.bits_);
  }
  friend constexpr Constructs operator&(Constructs a, Constructs b) {
    return from(a.bits_ & b.bits_);
  }
  friend constexpr Constructs operator-(Constructs a, Constructs b) {
    return from(a.bits_ & ~b.bits_);
  }
  friend constexpr bool operator==(Constructs, Constructs) = default;

 private:
  static constexpr Constructs from(std::uint32_t bits) {
    Constructs out;
    out.bits_ = bits;
    return out;
  }
  std::uint32_t bits_ = 0;
};

/// What a program's text uses, reached or not.
Constructs constructs_of(const Program& program);

/// A word of a declaration: the name of a construct, or of several at once: `updates`, `fences`,
/// `everything`.
std::optional<Constructs> constructs_named(std::string_view word);
/// All such words.
std::vector<std::string_view> construct_words();

/// As people say it: "opaque/acquire accesses, volatile updates, fullFence".
std::string to_string(Constructs constructs);

/// As a declaration has it, with as few words as it takes: "plain, volatile, updates".
std::string declaration_of(Constructs constructs);

} // namespace thinair::litmus
