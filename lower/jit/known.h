// What is known of registers, slots of the stack and flags at a place in compiled code.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace thinair::lower::jit {

struct Known {
  enum class Kind : std::uint8_t {
    data,        // a number of the program's; of a reference, `value` bytes further
    constant,    // `value`
    object,      // of the object that `made` says and `value`: a number of the program's, too
    reference,   // the same of an object that a reference leads to which was not null, and `value`
    state,       // the address of the object that holds locations, and `value`
    result,      // of the object that a thread leaves its registers in
    stack,       // the stack pointer at entry and `value`
    thread,      // of the VM's thread and `value`
    thread_word, // something read there
    poll_word,   // something read at an address that was read there
    class_,      // of the state or of objects, as `made` says, in whatever form
    class_word,  // something read in that class
    class_name,  // that class as a constant of the code
    exception,   // NullPointerException's class as a constant of the code
    mark,        // the first word of the state's header
    header,      // another word of an object's header
    thrown,      // an exception that is ready as a constant of the code
    literal,     // read from the code
    caller,      // what the caller left there
    unclear,     // different things on different ways
  } kind = Kind::unclear;
  std::int64_t value = 0;
  std::uint32_t made = 0;
  bool is_number() const {
    return kind == Kind::data || kind == Kind::constant || kind == Kind::object ||
           kind == Kind::reference;
  }
  friend bool operator==(const Known&, const Known&) = default;
};

/// Whose class it is.
inline constexpr std::uint32_t states_class = 0, objects_class = 1;

/// What a comparison has left.
enum class Flags : std::uint8_t {
  data,      // of numbers of the program's
  equal,     // decided
  not_equal, // decided
  barrier,   // the entry barrier: equal where the method may run
  poll,      // above where the thread is to stop
  room,      // whether there is any for an object
  unclear,
};

/// At the place of one instruction, before it.
struct State {
  std::map<std::string, Known> registers; // others: caller
  std::map<std::int64_t, Known> slots;    // others: caller
  Flags flags = Flags::unclear;
  std::string asked; // the register that the comparison just before has compared with null

  Known reg(const std::string& name) const;
  Known slot(std::int64_t at) const;
  /// Adds what is known on another way to the same place. Whether anything changed.
  bool join(const State& other);
  friend bool operator==(const State&, const State&) = default;
};

} // namespace thinair::lower::jit
