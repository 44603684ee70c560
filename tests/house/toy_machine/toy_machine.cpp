// The toy's language, what its instructions mean, its words for schemes, and its rows.
#include "tests/house/toy_machine/toy_machine.h"

#include "litmus/machine/print.h"
#include "litmus/machine/reader.h"
#include "lower/naming.h"
#include "lower/run_alone.h"
#include "lower/text_rules.h"
#include "machine/common/walk.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

namespace thinair::toy {
namespace {

using litmus::Value;

// Registers and instructions

enum class Register : std::uint8_t {};
constexpr std::size_t register_count = 16;

std::string name(Register reg) { return fmt::format("r{}", static_cast<int>(reg)); }

enum class Opcode : std::uint8_t { load, store, fence, number };
constexpr std::array<std::string_view, 4> mnemonics{"ld", "st", "fence", "num"};

/// `ld reg, [base, number]`, `st reg, [base, number]`, `fence`, `num reg, number`.
struct Instruction {
  using Reg = Register;
  static std::optional<Register> register_named(std::string_view text) {
    for (std::size_t i = 0; i < register_count; ++i)
      if (name(static_cast<Register>(i)) == text) return static_cast<Register>(i);
    return std::nullopt;
  }
  bool accesses_memory() const { return opcode == Opcode::load || opcode == Opcode::store; }

  Opcode opcode{};
  Register reg{}, base{};
  Value number = 0;
  std::string target; // there are no jumps
  std::vector<std::string> labels;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};
using Program = litmus::ProgramOf<Instruction>;

// Text

Register read_register(litmus::Lexer& lexer) {
  const auto found = Instruction::register_named(lexer.peek().text);
  if (!found) lexer.fail_expected("a register, r0 to r15");
  lexer.next();
  return *found;
}

Instruction read_instruction(litmus::Lexer& lexer, const litmus::Surroundings<Register>&) {
  Instruction out;
  const auto found = std::ranges::find(mnemonics, lexer.peek().text);
  if (found == mnemonics.end())
    lexer.fail_expected("an instruction", litmus::Lexer::suggest(lexer.peek().text, mnemonics));
  lexer.next();
  out.opcode = static_cast<Opcode>(found - mnemonics.begin());
  if (out.opcode == Opcode::fence) return out;
  out.reg = read_register(lexer);
  lexer.expect(",");
  if (out.accesses_memory()) {
    lexer.expect("[");
    out.base = read_register(lexer);
    if (lexer.accept(",")) out.number = lexer.expect_integer(litmus::any_64_bits);
    lexer.expect("]");
  } else {
    out.number = lexer.expect_integer(litmus::any_64_bits);
  }
  return out;
}

std::string print_instruction(const Instruction& in) {
  const auto word = mnemonics[static_cast<std::size_t>(in.opcode)];
  if (in.opcode == Opcode::fence) return std::string(word);
  if (in.opcode == Opcode::number) return fmt::format("{} {}, {}", word, name(in.reg), in.number);
  const std::string added = in.number == 0 ? "" : fmt::format(", {}", in.number);
  return fmt::format("{} {}, [{}{}]", word, name(in.reg), name(in.base), added);
}

litmus::Observable observable(litmus::ThreadId thread, Register reg) { return {thread, name(reg)}; }

void each_register(const Instruction& in, const std::function<void(Register)>& visit) {
  if (in.opcode != Opcode::fence) visit(in.reg);
  if (in.accesses_memory()) visit(in.base);
}

void read(litmus::Lexer& lexer, litmus::Test& test) {
  litmus::Assembler<Instruction> out;
  out.read_instruction = read_instruction;
  out.whole_register = [](litmus::Lexer& at, std::string_view word, text::Span span) {
    const auto found = Instruction::register_named(word);
    if (!found) at.fail(span, fmt::format("expected a register, found `{}`", word));
    return *found;
  };
  out.observable = observable;
  out.each_register = each_register;
  out.places = register_count;
  litmus::read_code(lexer, test, out);
}

const litmus::Spelling<Instruction>& spelling() {
  static const litmus::Spelling<Instruction> all{
      [](const Instruction& in, const Program&) { return print_instruction(in); }, observable,
      each_register, [](const Instruction&, const Program&, json::Object&) {}};
  return all;
}

const Program& program_of(const litmus::Test& test) { return test.code().of<Instruction>(); }

constexpr litmus::Language language{
    .word = "TOY",
    .machine = "toy",
    .read = read,
    .print = [](const litmus::Test& test) { return print_program(program_of(test), spelling()); },
    .registers =
        [](const litmus::Test& test) { return named_registers(program_of(test), spelling()); },
    .json = [](const litmus::Test& test) { return json_of(program_of(test), spelling(), "a toy"); },
    .assembly =
        [](const litmus::Code& code, std::size_t thread, std::size_t at, std::string_view) {
          return print_instruction(code.of<Instruction>().threads.at(thread).code.at(at));
        },
    .beyond_herd = [](const litmus::Test&) { return std::optional<std::string>("a toy"); },
};

// Meaning

constexpr graph::Tags t_fence = 1;

template <class Core>
using State = std::array<typename Core::Word, register_count>;

template <class Core>
void execute(const Instruction& in, State<Core>& state, Core& core) {
  auto& reg = state[static_cast<std::size_t>(in.reg)];
  if (in.opcode == Opcode::fence) return core.fence(t_fence);
  if (in.opcode == Opcode::number) return void(reg = core.number(in.number));
  auto address = state[static_cast<std::size_t>(in.base)];
  if (in.number != 0) address = core.make(graph::TermOp::add, 64, address, core.number(in.number));
  if (in.opcode == Opcode::store) return core.store(address, reg, {});
  reg = core.load(address, {});
}

machine::Slots slot(Register reg) { return machine::Slots{1} << static_cast<int>(reg); }
machine::Slots writes(const Instruction& in) {
  return in.opcode == Opcode::load || in.opcode == Opcode::number ? slot(in.reg) : 0;
}
machine::Slots reads(const Instruction& in) {
  return (in.accesses_memory() ? slot(in.base) : 0) |
         (in.opcode == Opcode::store ? slot(in.reg) : 0);
}

struct Meaning {
  using Instruction = toy::Instruction;
  using Core = machine::SymbolicCore;
  using State = toy::State<Core>;
  static constexpr machine::Slots monitor = 0, observed = 0xFFFF;

  static machine::Slots reads(const Instruction& in) { return toy::reads(in); }
  static machine::Slots writes(const Instruction& in) { return toy::writes(in); }
  static bool ends_run(const Instruction&) { return false; }
  static bool agree(const State&, const State&, machine::Slots) { return false; }
  static State initial(const litmus::ThreadOf<Instruction>& thread, Core& core) {
    State out;
    out.fill(core.number(0));
    for (const auto& entry : thread.initial) {
      const auto* location = std::get_if<litmus::LocationId>(&entry.value);
      out[static_cast<std::size_t>(entry.reg)] =
          core.number(location ? static_cast<Value>(litmus::address_of(*location))
                               : std::get<Value>(entry.value));
    }
    return out;
  }
  static bool execute(const Instruction& in, State& state, Core& core) {
    toy::execute(in, state, core);
    return false;
  }
  static std::vector<machine::Symbol> registers(const State& state, Core&) {
    return {state.begin(), state.end()};
  }
};

constexpr auto sets = std::to_array<graph::NamedSet>(
    {{"FENCE", t_fence, true, litmus::Construct::fence_instruction, "fence"}});

graph::ProgramPaths paths(const litmus::Test& test, const graph::PathLimits& limits);
constexpr graph::FrontEnd front_end{"toy", "toy", sets, paths};
graph::ProgramPaths paths(const litmus::Test& test, const graph::PathLimits& limits) {
  return machine::paths_of<Meaning>(program_of(test), graph::Architecture(front_end), limits);
}

/// A thread alone, on numbers.
class Processor {
 public:
  using Instruction = toy::Instruction;
  Processor(std::span<const litmus::Cell> cells, std::vector<std::uint64_t>& memory)
      : memory_(cells, memory) {}
  void set(Register reg, std::uint64_t value) {
    state_.at(static_cast<std::size_t>(reg)) = static_cast<Value>(value);
  }
  bool step(const Instruction& in) {
    execute(in, state_, core_);
    return false;
  }
  std::vector<std::uint64_t> registers() const { return {state_.begin(), state_.end()}; }

 private:
  lower::Addressed memory_;
  machine::ConcreteCore core_{memory_};
  State<machine::ConcreteCore> state_{};
};

// Words for schemes

constexpr std::array<Register, register_count> order = [] {
  std::array<Register, register_count> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Register>(i);
  return out;
}();
constexpr auto backwards = [] {
  auto out = order;
  std::ranges::reverse(out);
  return out;
}();

constexpr lower::MachineWords<Instruction> words{
    .machine = "toy",
    .language = &language,
    .values = order,
    .addresses = backwards,
    .value_name = name,
    .at_address = [](Register reg) { return "[" + name(reg) + "]"; },
    .is_zero = [](Register) { return false; },
    .observable = observable,
    .read = read_instruction,
    .print = print_instruction,
    .reads = reads,
    .writes = writes,
    .rename =
        [](Instruction& in, std::span<const Register> by_index) {
          in.reg = by_index[static_cast<std::size_t>(in.reg)];
          in.base = by_index[static_cast<std::size_t>(in.base)];
        },
    .set_number = [](Instruction& in, Value number) { in.number = number; },
    .constant = "num dst, 0",
    .numbers_of = [](Value number) { return std::vector<Value>{number}; },
    .load = "ld dst, [x]",
    .store = "st arg, [x]",
};

constexpr std::array<const litmus::Language*, 1> languages{&language};

} // namespace
} // namespace thinair::toy

template <>
const thinair::lower::MachineWords<thinair::toy::Instruction>& thinair::lower::words() {
  return toy::words;
}

namespace thinair::toy {

constexpr machine::Machine row{
    .name = "toy",
    .languages = languages,
    .front_end = &front_end,
    .model = THINAIR_SOURCE_DIR "/tests/house/toy_machine/toy.cat",
};

constexpr lower::MachineInfo lowering{
    .prefix = "toy",
    .title = "the toy",
    .form = "toy:NAME",
    .help = "code of a machine of four instructions, by a scheme",
    .word = "TOY",
    .is_cell_name = lower::is_safe_name,
    .read_rules = lower::read_rules<Instruction>,
    .run_alone = lower::run_alone<Processor>,
};

} // namespace thinair::toy
