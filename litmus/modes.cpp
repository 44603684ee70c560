// The tables of access methods and fences (java.lang.invoke.VarHandle, JDK 9 and later).
#include "litmus/modes.h"

#include <algorithm>

namespace thinair::litmus {
namespace {

using enum Mode;
using A = Action;
using M = Method;

// clang-format off
constexpr std::array<MethodInfo, 31> method_table{{
    {M::get,         "get",         A::get, plain,     plain,     0, true},
    {M::set,         "set",         A::set, plain,     plain,     1, true},
    {M::getOpaque,   "getOpaque",   A::get, opaque,    opaque,    0, true},
    {M::setOpaque,   "setOpaque",   A::set, opaque,    opaque,    1, true},
    {M::getAcquire,  "getAcquire",  A::get, acquire,   plain,     0, true},
    {M::setRelease,  "setRelease",  A::set, plain,     release,   1, true},
    {M::getVolatile, "getVolatile", A::get, volatile_, volatile_, 0, true},
    {M::setVolatile, "setVolatile", A::set, volatile_, volatile_, 1, true},
    {M::compareAndSet, "compareAndSet", A::compare_and_set, volatile_, volatile_, 2, false},
    {M::compareAndExchange,        "compareAndExchange",        A::compare_and_exchange, volatile_, volatile_, 2, true},
    {M::compareAndExchangeAcquire, "compareAndExchangeAcquire", A::compare_and_exchange, acquire,   plain,     2, true},
    {M::compareAndExchangeRelease, "compareAndExchangeRelease", A::compare_and_exchange, plain,     release,   2, true},
    {M::weakCompareAndSetPlain,    "weakCompareAndSetPlain",    A::weak_compare_and_set, plain,     plain,     2, false},
    {M::weakCompareAndSet,         "weakCompareAndSet",         A::weak_compare_and_set, volatile_, volatile_, 2, false},
    {M::weakCompareAndSetAcquire,  "weakCompareAndSetAcquire",  A::weak_compare_and_set, acquire,   plain,     2, false},
    {M::weakCompareAndSetRelease,  "weakCompareAndSetRelease",  A::weak_compare_and_set, plain,     release,   2, false},
    {M::getAndSet,        "getAndSet",        A::get_and_set, volatile_, volatile_, 1, false},
    {M::getAndSetAcquire, "getAndSetAcquire", A::get_and_set, acquire,   plain,     1, false},
    {M::getAndSetRelease, "getAndSetRelease", A::get_and_set, plain,     release,   1, false},
    {M::getAndAdd,        "getAndAdd",        A::get_and_add, volatile_, volatile_, 1, true},
    {M::getAndAddAcquire, "getAndAddAcquire", A::get_and_add, acquire,   plain,     1, true},
    {M::getAndAddRelease, "getAndAddRelease", A::get_and_add, plain,     release,   1, true},
    {M::getAndBitwiseOr,         "getAndBitwiseOr",         A::get_and_or,  volatile_, volatile_, 1, true},
    {M::getAndBitwiseOrAcquire,  "getAndBitwiseOrAcquire",  A::get_and_or,  acquire,   plain,     1, true},
    {M::getAndBitwiseOrRelease,  "getAndBitwiseOrRelease",  A::get_and_or,  plain,     release,   1, true},
    {M::getAndBitwiseAnd,        "getAndBitwiseAnd",        A::get_and_and, volatile_, volatile_, 1, true},
    {M::getAndBitwiseAndAcquire, "getAndBitwiseAndAcquire", A::get_and_and, acquire,   plain,     1, true},
    {M::getAndBitwiseAndRelease, "getAndBitwiseAndRelease", A::get_and_and, plain,     release,   1, true},
    {M::getAndBitwiseXor,        "getAndBitwiseXor",        A::get_and_xor, volatile_, volatile_, 1, true},
    {M::getAndBitwiseXorAcquire, "getAndBitwiseXorAcquire", A::get_and_xor, acquire,   plain,     1, true},
    {M::getAndBitwiseXorRelease, "getAndBitwiseXorRelease", A::get_and_xor, plain,     release,   1, true},
}};
// clang-format on

constexpr std::array<FenceInfo, 5> fence_table{{
    {Fence::full, "fullFence"},
    {Fence::acquire, "acquireFence"},
    {Fence::release, "releaseFence"},
    {Fence::load_load, "loadLoadFence"},
    {Fence::store_store, "storeStoreFence"},
}};

consteval bool modes_in_order() {
  for (std::size_t i = 0; i < method_table.size(); ++i)
    if (method_table[i].method != static_cast<Method>(i)) return false;
  for (std::size_t i = 0; i < fence_table.size(); ++i)
    if (fence_table[i].fence != static_cast<Fence>(i)) return false;
  return true;
}
static_assert(modes_in_order(), "a row's place in the table is its enumerator");

} // namespace

std::span<const MethodInfo, 31> methods() { return method_table; }
const MethodInfo& info(Method method) { return method_table[static_cast<std::size_t>(method)]; }

std::optional<Method> method_named(std::string_view name) {
  const auto found = std::ranges::find(method_table, name, &MethodInfo::name);
  return found == method_table.end() ? std::nullopt : std::optional(found->method);
}

std::span<const FenceInfo, 5> fences() { return fence_table; }
const FenceInfo& info(Fence fence) { return fence_table[static_cast<std::size_t>(fence)]; }

std::optional<Fence> fence_named(std::string_view name) {
  const auto found = std::ranges::find(fence_table, name, &FenceInfo::name);
  return found == fence_table.end() ? std::nullopt : std::optional(found->fence);
}

std::string_view name(Mode mode) {
  switch (mode) {
  case plain: return "plain";
  case opaque: return "opaque";
  case acquire: return "acquire";
  case release: return "release";
  case volatile_: return "volatile";
  }
  return "";
}

std::size_t index_of(Operation operation) {
  if (const auto* method = std::get_if<Method>(&operation))
    return static_cast<std::size_t>(*method);
  return method_table.size() + static_cast<std::size_t>(std::get<Fence>(operation));
}

Operation operation_at(std::size_t index) {
  if (index < method_table.size()) return method_table[index].method;
  return fence_table[index - method_table.size()].fence;
}

std::string_view name(Operation operation) {
  return std::visit([](auto each) { return info(each).name; }, operation);
}

std::optional<Operation> operation_named(std::string_view name) {
  if (const auto method = method_named(name)) return *method;
  if (const auto fence = fence_named(name)) return *fence;
  return std::nullopt;
}

} // namespace thinair::litmus
