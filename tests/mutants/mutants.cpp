// The table of mutants.
#include "tests/mutants/mutants.h"

#include "tests/mutants/rewrites.h"

#include <array>

namespace thinair::mutants {
namespace {

constexpr auto table = std::to_array<Mutant>({
    // volatile stores and fences
    {"volatile-store-bare", "no fence after a volatile store", "setVolatile { mov [x], arg }",
     nullptr, "varhandle", 4, "SB"},
    {"volatile-store-fence-before", "the fence before the volatile store",
     "setVolatile { mfence; mov [x], arg }", nullptr, "varhandle", 4, "SB"},
    {"volatile-store-lfence", "lfence after a volatile store",
     "setVolatile { mov [x], arg; lfence }", nullptr, "varhandle", 4, "SB"},
    {"volatile-store-sfence", "sfence after a volatile store",
     "setVolatile { mov [x], arg; sfence }", nullptr, "varhandle", 4, "SB"},
    {"volatile-store-every-second", "a fence after every second volatile store only", "",
     every_second_volatile_store_released, "varhandle", 5, "SB with a store before"},
    {"volatile-store-in-two-steps", "a volatile store that clears the location first",
     "setVolatile { mov [x], 0; mov [x], arg; mfence }", nullptr, "coherence", 3, "a store undone"},
    {"full-fence-none", "no code for a full fence", "fullFence { nop }", nullptr, "varhandle", 4,
     "SB+fences"},
    {"full-fence-sfence", "sfence for a full fence", "fullFence { sfence }", nullptr, "varhandle",
     4, "SB+fences"},
    {"full-fence-hoisted", "a full fence moved above the store before it", "",
     full_fence_above_store, "varhandle", 4, "SB+fences"},
    {"acquire-fence-hoisted", "an acquire fence moved above the load before it", "",
     loads_swapped_around_acquire_fence, "varhandle", 4, "MP+fences"},
    {"release-fence-sunk", "stores swapped around a release fence", "",
     stores_swapped_around_release_fence, "varhandle", 4, "MP+fences"},

    // plain code around accesses that order it
    {"acquire-load-overtaken", "a load moved above the acquire load before it", "",
     load_above_acquire, "varhandle", 4, "MP"},
    {"volatile-load-overtaken", "a load moved above the volatile load before it", "",
     load_above_volatile, "varhandle", 4, "MP"},
    {"acquire-load-store-overtakes", "a store moved above the acquire load before it", "",
     store_above_acquire, "varhandle", 4, "LB"},
    {"release-store-overtakes-store", "a release store moved above the store before it", "",
     release_above_store, "varhandle", 4, "MP"},
    {"release-store-overtakes-load", "a release store moved above the load before it", "",
     release_above_load, "varhandle", 4, "LB"},
    {"volatile-store-sinks", "a volatile store moved below the volatile load after it", "",
     volatile_load_above_volatile_store, "varhandle", 4, "SB"},
    {"opaque-loads-swapped", "opaque loads of one location swapped", "",
     opaque_loads_of_one_location_swapped, "coherence", 4, "CoRR of two stores"},
    {"opaque-load-hoisted", "an opaque load moved above an acquire load", "",
     opaque_load_above_acquire, "varhandle", 4, "MP"},
    {"update-overtaken", "a load moved above the update before it", "", load_above_update, "rmw", 4,
     "SB or MP with updates"},
    {"load-reused-past-acquire", "a load replaced by an earlier one across an acquiring load", "",
     load_reused_past_acquire, "varhandle", 5, "MP with an early load"},
    {"store-dropped-past-release", "a store dropped for a later one across a releasing store", "",
     store_dropped_past_release, "varhandle", 5, "MP with a late store"},

    // updates
    {"add-unlocked", "getAndAdd without lock",
     "getAndAdd { mov tmp, arg; xadd [x], tmp; mov dst, tmp }", nullptr, "rmw", 2,
     "two updates race"},
    {"add-acquire-unlocked", "getAndAddAcquire without lock",
     "getAndAddAcquire { mov tmp, arg; xadd [x], tmp; mov dst, tmp }", nullptr, "rmw", 2,
     "two updates race"},
    {"add-in-two-steps", "getAndAdd as load, add, store",
     "getAndAdd { mov tmp, [x]; mov tmp2, tmp; add tmp2, arg; mov [x], tmp2; mov dst, tmp }",
     nullptr, "rmw", 2, "two updates race"},
    {"add-returns-new", "getAndAdd returns the sum",
     "getAndAdd { mov tmp, arg; lock xadd [x], tmp; add tmp, arg; mov dst, tmp }", nullptr, "rmw",
     1, "one update"},
    {"add-subtracts", "getAndAddRelease subtracts",
     "getAndAddRelease { mov tmp, arg; neg tmp; lock xadd [x], tmp; mov dst, tmp }", nullptr, "rmw",
     1, "one update"},
    {"set-in-two-steps", "getAndSet as load and store",
     "getAndSet { mov tmp, [x]; mov [x], arg; mov dst, tmp }", nullptr, "rmw", 2,
     "two updates race"},
    {"set-release-in-two-steps", "getAndSetRelease as load and store",
     "getAndSetRelease { mov tmp, [x]; mov [x], arg; mov dst, tmp }", nullptr, "rmw", 2,
     "two updates race"},
    {"cas-unlocked", "compareAndSet without lock",
     "compareAndSet { mov eax, exp; mov tmp, new; cmpxchg [x], tmp; sete tmp.b; movzx dst, tmp.b }",
     nullptr, "rmw", 2, "two updates race"},
    {"cas-in-two-steps", "compareAndSet as load, compare, store",
     "compareAndSet { mov eax, [x]; cmp eax, exp; sete tmp.b; movzx tmp, tmp.b; jne done; "
     "mov [x], new; done: mov dst, tmp }",
     nullptr, "rmw", 2, "two updates race"},
    {"cas-failed-writes", "a failed compareAndSet writes",
     "compareAndSet { mov tmp, new; xchg [x], tmp; cmp tmp, exp; sete tmp.b; movzx dst, tmp.b }",
     nullptr, "rmw", 1, "one that fails"},
    {"cas-inverted", "compareAndSet returns whether it failed",
     "compareAndSet { mov eax, exp; mov tmp, new; lock cmpxchg [x], tmp; setne tmp.b; "
     "movzx dst, tmp.b }",
     nullptr, "rmw", 1, "one compare-and-set"},
    {"cas-always-true", "compareAndSet returns true",
     "compareAndSet { mov eax, exp; mov tmp, new; lock cmpxchg [x], tmp; mov dst, 1 }", nullptr,
     "rmw", 1, "one that fails"},
    {"weak-cas-always-true", "weakCompareAndSetAcquire returns true",
     "weakCompareAndSetAcquire { mov eax, exp; mov tmp, new; lock cmpxchg [x], tmp; mov dst, 1 }",
     nullptr, "rmw", 1, "one that fails"},
    {"cae-unlocked", "compareAndExchangeAcquire without lock",
     "compareAndExchangeAcquire { mov eax, exp; mov tmp, new; cmpxchg [x], tmp; mov dst, eax }",
     nullptr, "rmw", 2, "two updates race"},
    {"cae-returns-expected", "compareAndExchange returns what it expected",
     "compareAndExchange { mov eax, exp; mov tmp, new; lock cmpxchg [x], tmp; mov dst, exp }",
     nullptr, "rmw", 1, "one that fails"},
    {"cae-low-byte", "compareAndExchange compares the low byte only",
     "compareAndExchange { mov tmp, exp; mov tmp2, [x]; cmp tmp2.b, tmp.b; mov eax, tmp2; "
     "jne done; mov tmp, new; xchg [x], tmp; mov eax, tmp; done: mov dst, eax }",
     nullptr, "rmw", 2, "256 is not 0", 30},
    {"or-once", "getAndBitwiseOr does not try again",
     "getAndBitwiseOr { mov eax, [x]; mov tmp, eax; or tmp, arg; lock cmpxchg [x], tmp; "
     "mov dst, eax }",
     nullptr, "rmw", 2, "an update and a store race"},
    {"and-unlocked", "getAndBitwiseAnd without lock",
     "getAndBitwiseAnd { mov eax, [x]; retry: mov tmp, eax; and tmp, arg; cmpxchg [x], tmp; "
     "jne retry; mov dst, eax }",
     nullptr, "rmw", 2, "an update and a store race"},
    {"xor-is-or", "getAndBitwiseXor computes or",
     "getAndBitwiseXor { mov eax, [x]; retry: mov tmp, eax; or tmp, arg; lock cmpxchg [x], tmp; "
     "jne retry; mov dst, eax }",
     nullptr, "rmw", 2, "1 xor 1"},

    // widths
    {"load-low-byte", "an opaque load of the low byte", "getOpaque { mov dst, [x]; and dst, 255 }",
     nullptr, "coherence", 2, "256 is not 0", 30},
    {"store-low-byte", "a release store of the low byte",
     "setRelease { mov tmp, arg; and tmp, 255; mov [x], tmp }", nullptr, "coherence", 1,
     "256 is not 0", 30},

    // monitors and threads; two stores under a monitor, one of which is seen, or a store before a
    // start or an end
    {"x86-lock-bare", "a monitor entered without looking", "lock { mov [x], 1 }", nullptr,
     "monitors", 3, "two stores in a section", 0, "x86:table2", "java"},
    {"x86-unlock-early", "a monitor left by its first compare-and-set",
     "lock { retry: mov eax, 0; mov tmp, 1; lock cmpxchg [x], tmp; jne retry; mov [x], 0 }",
     nullptr, "monitors", 3, "two stores in a section", 0, "x86:table2", "java"},
    {"aarch64-lock-bare", "a monitor entered without acquire",
     "lock { retry: mov tmp, 0; mov tmp2, 1; cas tmp, tmp2, [x]; cbnz tmp, retry }", nullptr,
     "monitors", 3, "two stores in a section", 0, "aarch64:cxx", "java"},
    {"aarch64-unlock-bare", "a monitor left by a plain store", "unlock { str wzr, [x] }", nullptr,
     "monitors", 3, "two stores in a section", 0, "aarch64:cxx", "java"},
    {"aarch64-start-bare", "a thread started by a plain store",
     "start { mov tmp, 1; str tmp, [x] }", nullptr, "monitors", 2, "a store before a start", 0,
     "aarch64:cxx", "java"},
    {"aarch64-begin-bare", "a thread that begins without acquire",
     "begin { retry: ldr tmp, [x]; cbz tmp, retry }", nullptr, "monitors", 2,
     "a store before a start", 0, "aarch64:cxx", "java"},
    {"aarch64-end-bare", "a thread that ends with a plain store",
     "end { mov tmp, 1; str tmp, [x] }", nullptr, "monitors", 2, "a store before an end", 0,
     "aarch64:cxx", "java"},
    {"aarch64-join-bare", "a join without acquire", "join { retry: ldr tmp, [x]; cbz tmp, retry }",
     nullptr, "monitors", 2, "a store before an end", 0, "aarch64:cxx", "java"},
    {"riscv-lock-bare", "a monitor entered without acquire",
     "lock { li tmp2, 1; retry: lr.w tmp, [x]; bnez tmp, retry; sc.w tmp, tmp2, [x]; bnez tmp, "
     "retry }",
     nullptr, "monitors", 3, "two stores in a section", 0, "riscv:cxx", "java"},
    {"riscv-unlock-bare", "a monitor left without a fence", "unlock { sw zero, [x] }", nullptr,
     "monitors", 3, "two stores in a section", 0, "riscv:cxx", "java"},
    {"riscv-start-bare", "a thread started without a fence", "start { li tmp, 1; sw tmp, [x] }",
     nullptr, "monitors", 2, "a store before a start", 0, "riscv:cxx", "java"},
    {"riscv-join-bare", "a join without a fence", "join { retry: lw tmp, [x]; beqz tmp, retry }",
     nullptr, "monitors", 2, "a store before an end", 0, "riscv:cxx", "java"},

    // types; JDK-8351997 lost a fence behind volatile stores of references alone
    {"x86-reference-store-bare", "no fence after a volatile store of a reference",
     "setVolatile reference { mov [x], arg }", nullptr, "objects", 4, "SB", 0, "x86:table2",
     "java"},
    {"aarch64-reference-store-bare", "a volatile store of a reference by a plain one",
     "setVolatile reference { str arg, [x] }", nullptr, "objects", 4, "MP by a reference", 0,
     "aarch64:cxx", "java"},
    {"riscv-reference-store-bare", "no fence before a volatile store of a reference",
     "setVolatile reference { sw arg, [x] }", nullptr, "objects", 4, "MP by a reference", 0,
     "riscv:cxx", "java"},
    {"x86-long-in-halves", "longs read and written in two halves",
     "get long, getOpaque long, getAcquire long, getVolatile long { mov dst, [x.high]; shl dst, "
     "32; mov tmp, [x.low]; or dst, tmp }\n"
     "set long, setOpaque long, setRelease long { mov tmp, arg; shr tmp, 32; mov [x.low], arg; "
     "mov [x.high], tmp }\n"
     "setVolatile long { mov tmp, arg; shr tmp, 32; mov [x.low], arg; mov [x.high], tmp; mfence "
     "}",
     nullptr, "widths", 2, "a store and a load", 0, "x86:table2", "java"},
});

} // namespace

std::span<const Mutant> mutants() { return table; }

} // namespace thinair::mutants
