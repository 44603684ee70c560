// Turns decoded instructions into text for herd7, machine by machine.
#include "lower/listing.h"

#include "litmus/text/error.h"
#include "lower/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

namespace thinair::lower {
namespace {

using Words = std::span<const std::string_view>;

/// Instructions that herd7 7.58 reads and computes as the processor does (tests/lower and
/// tests/runners compare them). A suffix of ordering is not part of the word.
constexpr auto aarch64_words = std::to_array<std::string_view>(
    {"ldr",   "ldar",  "ldapr", "ldxr",  "ldaxr", "str",   "stlr",  "stxr",  "stlxr", "swp",
     "ldadd", "ldclr", "ldset", "ldeor", "stadd", "stclr", "stset", "steor", "cas",   "dmb",
     "mov",   "movk",  "movz",  "movn",  "cmp",   "tst",   "cset",  "csetm", "csel",  "csinc",
     "csinv", "csneg", "cinc",  "add",   "adds",  "sub",   "subs",  "neg",   "and",   "ands",
     "bic",   "orr",   "orn",   "eor",   "mvn",   "lsl",   "lsr",   "mul",   "mneg",  "madd",
     "msub",  "b",     "cbz",   "cbnz",  "tbz",   "tbnz"});
constexpr auto aarch64_orderings = std::to_array<std::string_view>({"", "a", "l", "al"});
constexpr auto aarch64_atomics = std::to_array<std::string_view>(
    {"swp", "ldadd", "ldclr", "ldset", "ldeor", "stadd", "stclr", "stset", "steor", "cas"});

constexpr auto riscv_words = std::to_array<std::string_view>(
    {"lw",    "sw",  "lr.w", "sc.w",  "amoswap.w", "amoadd.w", "amoand.w", "amoor.w", "amoxor.w",
     "fence", "lui", "addi", "addiw", "add",       "addw",     "sub",      "subw",    "and",
     "andi",  "or",  "ori",  "xor",   "xori",      "slt",      "slti",     "slli",    "slliw",
     "beq",   "bne", "blt",  "bge",   "j",         "nop"});
constexpr auto riscv_orderings = std::to_array<std::string_view>({"", ".aq", ".rl", ".aqrl"});
constexpr auto riscv_atomics = std::to_array<std::string_view>(
    {"lr.w", "sc.w", "amoswap.w", "amoadd.w", "amoand.w", "amoor.w", "amoxor.w"});

bool among(Words words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// `word`, with an ordering behind it where it is atomic.
bool known(Words words, Words atomics, Words orderings, std::string_view word) {
  if (among(words, word)) return true;
  return std::ranges::any_of(orderings, [&](std::string_view ordering) {
    return word.ends_with(ordering) &&
           among(atomics, word.substr(0, word.size() - ordering.size()));
  });
}

struct Text {
  std::string word;
  std::vector<std::string> operands;
};

/// "\tldr\tw8, [x0]" in its parts.
Text split(std::string_view text) {
  Text result;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  result.word = text.substr(0, end);
  text.remove_prefix(end);
  int brackets = 0;
  for (const char c : text) {
    if (result.operands.empty() && c != ' ' && c != '\t') result.operands.emplace_back();
    brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && brackets == 0)
      result.operands.emplace_back();
    else if ((c != ' ' && c != '\t') ||
             (!result.operands.empty() && !result.operands.back().empty()))
      result.operands.back() += c;
  }
  return result;
}

std::string joined(const Text& text) {
  return text.operands.empty() ? text.word
                               : fmt::format("{} {}", text.word, fmt::join(text.operands, ", "));
}

/// "#0x6" as "#6"; herd7 reads no hexadecimal.
std::string in_decimal(const std::string& operand) {
  const std::size_t at = operand.find("0x");
  if (at == std::string::npos) return operand;
  std::uint64_t value = 0;
  const char* begin = operand.data() + at + 2;
  const auto [end, error] = std::from_chars(begin, operand.data() + operand.size(), value, 16);
  if (error != std::errc()) return operand;
  return fmt::format("{}{}{}", operand.substr(0, at), value, end);
}

bool names_stack(const std::string& operand) {
  return operand.starts_with("sp") || operand.starts_with("[sp") || operand.ends_with("(sp)");
}

/// Room on the stack, and registers that the caller wants back put there, whole. Were it one of our
/// values, it would be read again, and that is unsupported.
bool is_prologue(const Text& text) {
  if (text.operands.empty() || !names_stack(text.operands.back())) {
    return text.operands.size() == 3 && text.operands[0] == "sp" && text.operands[1] == "sp" &&
           (text.word == "sub" || text.word == "addi");
  }
  constexpr std::array<std::string_view, 3> stores{"str", "stp", "sd"};
  const auto kept = [](const std::string& reg) {
    return reg == "x19" || (reg.starts_with("x2") && reg.size() == 3) || reg == "x30" ||
           reg.starts_with("s") || reg == "ra";
  };
  return among(stores, text.word) &&
         std::all_of(text.operands.begin(), text.operands.end() - 1, kept);
}

/// What herd7 7.58 computes wrongly though it reads it: shifts by a register (counts past 31), and
/// an update by 0 (executions in which a compare-and-set reads from it are lost).
bool beyond_herd(const Text& text) {
  if (text.word == "lsl" || text.word == "lsr") return !text.operands.back().starts_with('#');
  if (text.word == "mvn") return text.operands.size() != 2;
  const bool updates = text.word.starts_with("ldadd") || text.word.starts_with("ldclr") ||
                       text.word.starts_with("ldset") || text.word.starts_with("ldeor");
  return updates && text.operands.front() == "wzr";
}

std::string herd_condition(std::string condition) {
  if (condition == "lo") return "cc";
  if (condition == "hs") return "cs";
  return condition;
}

/// `cset`, `csetm` and `cinc` on `ge`, which herd7 7.58 takes for always, as what they stand for.
Text without_ge(Text text) {
  if (text.operands.empty() || text.operands.back() != "ge") return text;
  const std::string to = text.operands.front();
  if (text.word == "cset") return {"csinc", {to, "wzr", "wzr", "lt"}};
  if (text.word == "csetm") return {"csinv", {to, "wzr", "wzr", "lt"}};
  if (text.word == "cinc") return {"csinc", {to, text.operands[1], text.operands[1], "lt"}};
  return text;
}

/// One function's instructions, with what the machine's rewriting needs to know of them.
class Lister {
 public:
  Lister(const MachineFunction& function, Machine machine, ListingThread& out)
      : function_(function), machine_(machine), out_(out) {}

  void run() {
    find_labels();
    for (const auto& in : function_.code) {
      if (const auto found = labels_.find(in.address); found != labels_.end()) {
        pending_.push_back(found->second);
        reachable_ = true;
      }
      if (reachable_) take(in);
    }
    finish();
  }

 private:
  void find_labels() {
    std::set<std::uint64_t> targets;
    for (const auto& in : function_.code)
      if (in.target) targets.insert(*in.target);
    for (const std::uint64_t target : targets) labels_[target] = fmt::format("L{}", labels_.size());
  }

  void take(const MachineInstruction& in);
  void aarch64(const MachineInstruction& in, Text text);
  void riscv(const MachineInstruction& in, Text text);
  void not_zero(const MachineInstruction& in, const std::string& to, const std::string& from);
  void unsigned_comparison(const MachineInstruction& in, Text text, std::size_t first);
  std::vector<std::string> spare_registers(const MachineInstruction& in, std::size_t count) const;
  void finish();

  void emit(std::string text, std::string target = {}) {
    out_.code.push_back({std::exchange(pending_, {}), std::move(text), std::move(target)});
  }
  void emit(const MachineInstruction& in, Text text) {
    if (in.target) text.operands.pop_back();
    emit(joined(text), in.target ? labels_.at(*in.target) : "");
  }

  const MachineFunction& function_;
  Machine machine_;
  ListingThread& out_;
  std::map<std::uint64_t, std::string> labels_;
  std::vector<std::string> pending_;
  bool reachable_ = true;
};

const std::string end_label = "END";

void Lister::take(const MachineInstruction& in) {
  if (in.opcode == info(machine_).end_opcode) {
    emit(machine_ == Machine::riscv ? "j" : "b", end_label);
    reachable_ = false;
    return;
  }
  Text text = split(in.text);
  if (is_prologue(text)) return;
  for (auto& operand : text.operands) {
    operand = in_decimal(operand);
    if (names_stack(operand)) unsupported(in);
  }
  reachable_ = in.falls_through;
  if (machine_ == Machine::riscv)
    riscv(in, std::move(text));
  else
    aarch64(in, std::move(text));
}

void Lister::aarch64(const MachineInstruction& in, Text text) {
  if (text.word == "nop") return;
  auto& operands = text.operands;
  const bool conditional = text.word.starts_with("b.") && in.target;
  if (!conditional && text.word != "cmn" &&
      !known(aarch64_words, aarch64_atomics, aarch64_orderings, text.word))
    unsupported(in);
  for (const auto& operand : operands) // [x0, #4] and [x0, x1]: no cell of ours
    if (operand.starts_with('[') && operand.find(',') != std::string::npos) unsupported(in);
  if (text.word == "cmn") {
    text.word = "adds";
    operands.insert(operands.begin(), operands.front().starts_with('x') ? "xzr" : "wzr");
  }
  if (beyond_herd(text)) unsupported(in);
  if (conditional)
    text.word = "b." + herd_condition(text.word.substr(2));
  else if (text.word.starts_with("cs") || text.word == "cinc")
    operands.back() = herd_condition(operands.back());
  emit(in, without_ge(std::move(text)));
}

/// RISC-V without aliases: `addi a0, zero, 7`, `jal zero, L0`, `sltiu a0, a1, 1`.
void Lister::riscv(const MachineInstruction& in, Text text) {
  auto& operands = text.operands;
  if (text.word == "jal" && in.target && operands[0] == "zero") {
    text.word = "j";
    operands.erase(operands.begin());
  }
  if (text.word == "addi" && operands[0] == "zero") return; // nop
  if (text.word == "sltu" && operands[1] == "zero") return not_zero(in, operands[0], operands[2]);
  if (text.word == "sltiu" && operands[2] == "1") {
    not_zero(in, operands[0], operands[1]);
    return emit(fmt::format("xori {}, {}, 1", operands[0], operands[0]));
  }
  if (text.word == "bltu" || text.word == "bgeu") {
    text.word.pop_back();
    return unsigned_comparison(in, std::move(text), 0);
  }
  if (text.word == "sltu" || text.word == "sltiu") {
    std::erase(text.word, 'u');
    return unsigned_comparison(in, std::move(text), 1);
  }
  if (!known(riscv_words, riscv_atomics, riscv_orderings, text.word)) unsupported(in);
  if (text.word == "lui" && std::stol(operands[1]) >= 0x8'0000) unsupported(in); // no sign in herd7
  for (const auto& operand : operands) { // 4(a0): no cell of ours
    const std::size_t open = operand.find('(');
    if (open != std::string::npos && open != 0 && !operand.starts_with("0(")) unsupported(in);
  }
  emit(in, std::move(text));
}

/// `to` becomes 1 if `from` is not 0, else 0: -from | from is negative unless from is 0. herd7 has
/// no unsigned comparison.
void Lister::not_zero(const MachineInstruction& in, const std::string& to,
                      const std::string& from) {
  const std::string scratch = to == from ? spare_registers(in, 1).front() : to;
  emit(fmt::format("sub {}, zero, {}", scratch, from));
  emit(fmt::format("or {}, {}, {}", scratch, scratch, from));
  emit(fmt::format("slt {}, {}, zero", to, scratch));
}

/// With both operands' signs turned over, the signed comparison is the unsigned one of what they
/// were. herd7 has the signed one only.
void Lister::unsigned_comparison(const MachineInstruction& in, Text text, std::size_t first) {
  const auto scratch = spare_registers(in, 2);
  std::string &left = text.operands.at(first), &right = text.operands.at(first + 1);
  emit(fmt::format("addi {}, zero, 1", scratch[0]));
  emit(fmt::format("slli {}, {}, 63", scratch[0], scratch[0]));
  emit(fmt::format("xor {}, {}, {}", scratch[1], left, scratch[0]));
  const bool immediate = text.word == "slti";
  emit(fmt::format("{} {}, {}, {}", immediate ? "xori" : "xor", scratch[0], scratch[0], right));
  if (immediate) text.word = "slt";
  left = scratch[1];
  right = scratch[0];
  emit(in, std::move(text));
}

/// Those that nothing in the function names.
std::vector<std::string> Lister::spare_registers(const MachineInstruction& at,
                                                 std::size_t count) const {
  std::vector<std::string> spare;
  for (const std::string_view candidate :
       {"t6", "t5", "t4", "t3", "t2", "t1", "t0", "s11", "s10", "s9", "s8", "s7"}) {
    const bool used = std::ranges::any_of(function_.code, [&](const MachineInstruction& in) {
      const auto operands = split(in.text).operands;
      return std::ranges::any_of(operands, [&](const std::string& operand) {
        return operand.find(candidate) != std::string::npos;
      });
    });
    if (!used) spare.emplace_back(candidate);
    if (spare.size() == count) return spare;
  }
  unsupported(at);
}

/// Jumps to what follows them go, so that straight code ends without one.
void Lister::finish() {
  out_.end_labels = std::move(pending_);
  const auto ends = [](const ListingLine& line) { return line.target == end_label; };
  while (!out_.code.empty() && ends(out_.code.back())) {
    auto& labels = out_.code.back().labels;
    out_.end_labels.insert(out_.end_labels.begin(), labels.begin(), labels.end());
    out_.code.pop_back();
  }
  if (std::ranges::any_of(out_.code, ends)) out_.end_labels.push_back(end_label);
}

} // namespace

ListingThread listed(const MachineFunction& function, Machine machine,
                     const std::vector<litmus::LocationId>& arguments, std::size_t number) {
  ListingThread thread;
  thread.name = fmt::format("P{}", number);
  const auto registers = info(machine).addresses;
  if (arguments.size() > registers.size())
    throw Unsupported(fmt::format("more than {} locations in one thread, for {}", registers.size(),
                                  info(machine).prefix));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    thread.addresses.emplace_back(herd_register(machine, registers[i]), arguments[i]);
  Lister(function, machine, thread).run();
  return thread;
}

std::string to_string(const ListingLine& line, std::string_view prefix) {
  if (line.target.empty()) return line.text;
  const bool operands = line.text.find(' ') != std::string::npos;
  return fmt::format("{}{}{}{}", line.text, operands ? ", " : " ", prefix, line.target);
}

std::string herd_register(Machine machine, std::string_view name) {
  std::string result(name);
  result[0] = machine == Machine::riscv ? 'x' : 'X';
  return result;
}

} // namespace thinair::lower
