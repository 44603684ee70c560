// The table of rules.
#include "lower/jit/rules.h"

#include <array>

namespace thinair::lower::jit {
namespace {

constexpr auto table = std::to_array<RuleInfo>({
    {Rule::address, "address",
     "an instruction that leaves a register or a stack slot with the address of one of the two "
     "objects, of a field, or with a word of the VM's",
     "accesses through it are resolved to the field; what does anything else with it is refused"},
    {Rule::frame, "frame",
     "changes of the stack pointer by a constant; registers of the caller that go to the stack and "
     "come back",
     "the frame is the thread's own, and slots that hold values become registers of its own"},
    {Rule::stack_bang, "stack bang", "a store a page or more below the stack pointer",
     "it faults where the stack overflows and else writes what nobody reads, in the thread's own "
     "stack"},
    {Rule::entry_barrier, "entry barrier",
     "a word of the thread is compared with a constant of the code; the branch goes to a call that "
     "the listing names method_entry_barrier, or to code that puts an address together, calls it "
     "and "
     "comes back to where the branch goes else",
     "the VM patches the constant to have a method looked at before it runs; nobody does while a "
     "litmus test runs, and what the VM would do accesses no field"},
    {Rule::poll, "safepoint poll",
     "the stack pointer is compared with a word of the thread and the branch goes to code that the "
     "listing names SafepointBlob; or a load from an address in the thread that the listing names "
     "a "
     "poll",
     "it stops the thread for the VM, which accesses no field; a thread that stops for a while and "
     "goes on does nothing that it could not do without"},
    {Rule::null_check, "null check",
     "one of the two objects is compared with null, or an object that the thread has made, or a "
     "reference that was found to be other than null on every way there",
     "the former are made before and never null; of the latter, the register is as it was"},
    {Rule::class_check, "class check",
     "a word of the class of the state, or of an object that a reference leads to which is not "
     "null, found through the object's header, or what stands there for it, is compared with what "
     "the listing names the class "
     "itself",
     "the object is of that class, by its declaration, and classes of objects never change; what "
     "depends on a reference's class depends on the comparison with null, which stays"},
    {Rule::class_bits, "class bits",
     "the first word of the state's header is shifted to the right by 42 bits",
     "headers that are one word keep the class there (JEP 450), and it is compared as any class; "
     "what else a thread may write to that word, locks and hash codes, stands in the bits below"},
    {Rule::header, "header", "a word of the object's header is read, and only flags come of it",
     "it is there for the fault that null would give; headers are not written by the threads"},
    {Rule::padding, "padding", "nops, and `vzeroupper`",
     "they change no number: what passes through vector registers is in the lowest 64 bits"},
    {Rule::allocation, "allocation",
     "a word of the thread is loaded, compared with another one and written back, and the listing "
     "says that who finds no room calls `new_instance` or `new_array` for a `new` of the "
     "program's; words of the "
     "new object are written that are none of its fields",
     "an object has its place and its default values from the beginning (JLS 17.4.4), no thread "
     "looks at headers, and the call gives an object as well, in the same state"},
    {Rule::departure, "departure",
     "a constant is stored to a word of the thread on a way that ends in an uncommon trap",
     "the VM alone reads it, to learn why the method was left; the way ends there for the thread"},
    {Rule::unused, "unused result",
     "a copy, a constant or a comparison whose result no instruction reads; a jump to what follows",
     "what read it went by another rule; it accesses no memory"},
});

} // namespace

std::span<const RuleInfo> rules() { return table; }

const RuleInfo& info(Rule rule) { return table[static_cast<std::size_t>(rule)]; }

} // namespace thinair::lower::jit
