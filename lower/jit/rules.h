// What a JIT compiler puts around a program, and why leaving it out is harmless: one row each.
// docs/jit.md says the same at length. An instruction goes by a rule of this table or it stays.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thinair::lower::jit {

enum class Rule : std::uint8_t {
  address,       // of an object, copied or computed
  frame,         // the stack pointer, and registers of the caller put on the stack and taken back
  stack_bang,    // a store far below the stack pointer
  entry_barrier, // is the method still valid?
  poll,          // does another thread want this one to stop?
  null_check,    // of an object that is never null, or a reference that was asked before
  class_check,   // of the object that holds the program's locations, or of a reference's
  class_bits,    // of that object, cut out of a word of its header
  header,        // a word before the first field is read and nothing done with it
  padding,       // nops
  allocation,    // room for an object is taken, and its header written
  departure,     // why the method is left for the interpreter, noted in the VM's thread
  unused,        // what nothing reads, and jumps to what follows
};

struct RuleInfo {
  Rule rule;
  std::string_view name;
  std::string_view what; // is recognised
  std::string_view why;  // it may go
};

std::span<const RuleInfo> rules();
const RuleInfo& info(Rule rule);

} // namespace thinair::lower::jit
