// The walker of walk.h: what it knows, and what each kind of instruction makes of it. Of its parts,
// walk.cpp follows control flow, places.cpp says what an address leads to, accesses.cpp what loads
// and stores do, computing.cpp what is made of registers, decisions.cpp which way branches go.
#pragma once

#include "lower/jit/ahead.h"
#include "lower/jit/known.h"
#include "lower/jit/walk.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower::jit {

using Kind = Known::Kind;

inline constexpr unsigned field_bytes = 4;
inline constexpr std::int64_t class_offset = 8; // in a header
inline constexpr Known data{Kind::data, 0}, unclear{Kind::unclear, 0};

/// The same place or number, that much further.
Known plus(const Known& known, std::int64_t number);
/// By which an instruction goes that leaves a register with it.
Rule rule_for(const Known& known);

/// What one instruction does, from what is known before it.
struct Outcome {
  State after;
  std::vector<std::uint64_t> next;
  Step step;
  /// What `next` has where it is this one: a register's value is known to be other than null.
  std::optional<std::uint64_t> not_null_at = {};
  std::string not_null = {};
};

class Walker {
 public:
  Walker(const Method& method, Machine machine, const Layout& layout, Backend& backend)
      : method_(method), machine_(machine), layout_(layout), code_(method, machine, backend),
        fixed_(fixed_registers(machine)) {}

  std::vector<Step> run();
  /// Where loads through the first parameter go, if anything else is not a field yet.
  std::set<std::int64_t> loads;

 private:
  struct Place {
    const MachineInstruction& instruction;
    const Shape& shape;
    const State& before;
  };

  State at_entry() const;
  void reach(std::uint64_t address, const State& state);
  Outcome outcome(std::uint64_t address);

  Known of(const Source& source, const State& state, unsigned bytes);
  Known address(const jit::Place& place, const State& state) const;
  Known loaded(const Known& address, const State& state, unsigned bytes);
  bool is_field(const Known& address) const;
  bool is_class_of_object(const Known& address, unsigned bytes) const;
  unsigned width_of(const Known& address) const;
  std::optional<Cell> cell(const Known& address) const;
  void require_field(const Known& address, unsigned bytes, bool reads) const;
  std::vector<Word> words_at(const Known& address, const Source& source, const Known& value,
                             unsigned bytes) const;
  void initialize(const Place& at, Outcome& out, const Known& where);
  void settle_pair(Step& step, const Known& where, Step::Stays first) const;
  std::uint32_t made_by(const Allocation& made) const;
  bool allocates(const Place& at, Outcome& out);
  bool throws(const Place& at) const;
  void put(Outcome& out, const std::string& reg, Known known, Rule rule);
  void store(Outcome& out, const Known& address, const Known& value, unsigned bytes,
             std::optional<Cell>& cell);

  void move(const Place& at, Outcome& out);
  void sum(const Place& at, Outcome& out);
  void bits(const Place& at, Outcome& out);
  void shift(const Place& at, Outcome& out);
  void load(const Place& at, Outcome& out);
  void store(const Place& at, Outcome& out);
  void compare(const Place& at, Outcome& out);
  void move_base(const Place& at, Outcome& out) const;
  void branch(const Place& at, Outcome& out);
  void other(const Place& at, Outcome& out);
  std::string asked_by(const Place& at) const;
  Known named(const MachineInstruction& in, const Known& number) const;
  bool put_together(const Place& at, Outcome& out);
  Flags compared(const Place& at, const Known& a, const Known& b, Step& step) const;
  void require_number(const Known& known) const;

  std::string notes(const MachineInstruction& in) const { return code_.notes(in); }
  [[noreturn]] void refuse(std::string_view what) const;
  [[noreturn]] void leave(const MachineInstruction& in) const;
  bool is_trap(const MachineInstruction& in) const;
  bool is_exception(const MachineInstruction& in) const;
  bool is_departing();

  const Method& method_;
  const Machine machine_;
  const Layout& layout_;
  CodeAhead code_;
  const Fixed fixed_;
  const MachineInstruction* current_ = nullptr; // what is refused
  std::map<std::uint64_t, State> before_;       // what is reached
  std::set<std::uint64_t> waiting_;
};

} // namespace thinair::lower::jit
