// The VarHandle vocabulary: access modes, the 31 access methods and the five fences, each in one
// table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace thinair::litmus {

/// Strength of one half (read or write) of an access. JLS 17.4 knows plain and volatile; the rest
/// is VarHandle (JDK 9).
enum class Mode : std::uint8_t { plain, opaque, acquire, release, volatile_ };

/// What an access does to its location.
enum class Action : std::uint8_t {
  get,
  set,
  compare_and_set,      // int 1 on success, 0 on failure
  compare_and_exchange, // the witnessed value
  weak_compare_and_set, // as compare_and_set, but may fail for no reason
  get_and_set,
  get_and_add,
  get_and_or,
  get_and_and,
  get_and_xor,
};

/// The access methods of java.lang.invoke.VarHandle, in the order of `methods()`.
enum class Method : std::uint8_t {
  get,
  set,
  getOpaque,
  setOpaque,
  getAcquire,
  setRelease,
  getVolatile,
  setVolatile,
  compareAndSet,
  compareAndExchange,
  compareAndExchangeAcquire,
  compareAndExchangeRelease,
  weakCompareAndSetPlain,
  weakCompareAndSet,
  weakCompareAndSetAcquire,
  weakCompareAndSetRelease,
  getAndSet,
  getAndSetAcquire,
  getAndSetRelease,
  getAndAdd,
  getAndAddAcquire,
  getAndAddRelease,
  getAndBitwiseOr,
  getAndBitwiseOrAcquire,
  getAndBitwiseOrRelease,
  getAndBitwiseAnd,
  getAndBitwiseAndAcquire,
  getAndBitwiseAndRelease,
  getAndBitwiseXor,
  getAndBitwiseXorAcquire,
  getAndBitwiseXorRelease,
};

/// One row of the table. `read`/`write` are the modes of the two halves as the VarHandle Javadoc
/// gives them
/// ("... with the memory semantics of getAcquire / set"); a failed compare-and-set is a read in
/// mode `read` only.
struct MethodInfo {
  Method method;
  std::string_view name; // as in the Java API
  Action action;
  Mode read;     // meaningless for `set`
  Mode write;    // meaningless for `get`
  int arguments; // after the location
  bool in_herd;  // herd7's Java front end reads it
};

std::span<const MethodInfo, 31> methods();
const MethodInfo& info(Method method);
std::optional<Method> method_named(std::string_view name);

constexpr bool reads(Action action) { return action != Action::set; }
constexpr bool writes(Action action) { return action != Action::get; }
constexpr bool is_rmw(Action action) { return reads(action) && writes(action); }

/// VarHandle's static fences.
enum class Fence : std::uint8_t { full, acquire, release, load_load, store_store };

struct FenceInfo {
  Fence fence;
  std::string_view name; // fullFence, acquireFence, ...
};

std::span<const FenceInfo, 5> fences();
const FenceInfo& info(Fence fence);
std::optional<Fence> fence_named(std::string_view name);

std::string_view name(Mode mode);

/// An access method or a fence: what compilers have a rule for. Counted in the order of methods(),
/// then fences().
using Operation = std::variant<Method, Fence>;
inline constexpr std::size_t operation_count = 31 + 5;

std::size_t index_of(Operation operation);
Operation operation_at(std::size_t index);
std::string_view name(Operation operation);
std::optional<Operation> operation_named(std::string_view name);

} // namespace thinair::litmus
