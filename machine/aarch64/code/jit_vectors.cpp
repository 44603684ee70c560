// Rewrites words of code (DDI 0487, C4.1: how A64 instructions are encoded).
#include "machine/aarch64/code/jit_vectors.h"

#include "litmus/text/error.h"
#include "machine/aarch64/code/jit.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace thinair::lower::jit::aarch64_code {
namespace {

using Word = std::uint32_t;

constexpr std::uint64_t word_bytes = 4;
constexpr Word register_bits = 31, of_vectors = Word{1} << 26U;
constexpr unsigned second = 5, third = 16; // where fields of registers begin

struct Pattern {
  Word mask, value;
};

bool fits(Word word, const Pattern& pattern) { return (word & pattern.mask) == pattern.value; }

/// Loads and stores of one register whose integer form has another bit 26: with a displacement,
/// scaled or not, with an index, and of constants.
constexpr auto accesses = std::to_array<Pattern>(
    {{0x3F000000, 0x3D000000}, {0x3F200C00, 0x3C000000}, {0x3F200C00, 0x3C200800}});
constexpr Pattern of_constant{0x3F000000, 0x1C000000};

/// `fmov` between registers, and what it is between general ones.
struct Move {
  Word value; // of all bits but the two registers
  bool from_vector, to_vector;
  Word instead; // orr, from the zero register
};
constexpr auto moves = std::to_array<Move>({{0x1E260000, true, false, 0x2A0003E0},
                                            {0x1E270000, false, true, 0x2A0003E0},
                                            {0x1E204000, true, true, 0x2A0003E0},
                                            {0x9E660000, true, false, 0xAA0003E0},
                                            {0x9E670000, false, true, 0xAA0003E0},
                                            {0x1E604000, true, true, 0xAA0003E0}});

/// `fmov s0, #1.5`, `fmov d0, #1.5`, and `movi d0, #0` and `movi v0.2s, #0`.
constexpr Pattern float_number{0xFFE01FE0, 0x1E201000}, double_number{0xFFE01FE0, 0x1E601000},
    zero{0xFFFFFFE0, 0x2F00E400}, zeros{0xFFFFFFE0, 0x0F000400};

/// The highest 16 bits of the number that eight bits stand for; all others are 0 (VFPExpandImm).
Word highest_bits(Word eight, bool is_double) {
  const Word sign = eight >> 7U, b = (eight >> 6U) & 1U, low = eight & 0x3FU;
  const Word start = sign << 15U | (b ^ 1U) << 14U;
  return is_double ? start | (b != 0 ? 0xFFU << 6U : 0) | low
                   : start | (b != 0 ? 0x1FU << 9U : 0) | low << 3U;
}

Word word_at(const Method& method, std::uint64_t at) {
  Word out = 0;
  for (unsigned i = 0; i < word_bytes; ++i) out |= Word{method.code[at + i]} << (8 * i);
  return out;
}

class Rewriting {
 public:
  Rewriting(const Method& method, Backend& backend) : method_(method), backend_(backend) {}

  Method run() {
    for (std::uint64_t at = 0; at + word_bytes <= method_.code.size(); at += word_bytes)
      if (const auto word = rewritten(word_at(method_, at)))
        for (unsigned i = 0; i < word_bytes; ++i)
          method_.code[at + i] = static_cast<std::uint8_t>(*word >> (8 * i));
    return std::move(method_);
  }

 private:
  /// Those that HotSpot keeps for itself, and what any instruction names.
  void take_all() {
    taken_ = {18, 27, 28, 29, 30};
    for (std::uint64_t at = 0; at + word_bytes <= method_.code.size(); at += word_bytes) take(at);
  }
  void take(std::uint64_t at) {
    try {
      const auto in = backend_.decode(method_.code, at);
      for (const auto& operand : in.operands) take(operand.reg);
      for (const auto& name : in.reads) take(name);
      for (const auto& name : in.writes) take(name);
    } catch (const Unsupported&) { // data between instructions names nothing
      return;
    }
  }
  void take(const std::string& name) {
    const std::string whole = whole_register(name);
    Word number = 0;
    if (whole.starts_with('X'))
      std::from_chars(whole.data() + 1, whole.data() + whole.size(), number);
    if (whole.starts_with('X')) taken_.insert(number);
  }

  Word instead_of(Word vector) {
    if (const auto found = names_.find(vector); found != names_.end()) return found->second;
    if (taken_.empty()) take_all();
    for (Word reg = 26; reg > 0; --reg)
      if (taken_.insert(reg).second) return names_[vector] = reg;
    throw Unsupported("compiled code that leaves no register alone, with floats");
  }

  std::optional<Word> rewritten(Word word) {
    const Word reg = word & register_bits;
    const auto with = [&](Word base) { return base | instead_of(reg); };
    const Word size = word >> 30U, loads_or_stores = (word >> 22U) & 3U;
    for (const auto& pattern : accesses)
      if (fits(word, pattern) && size >= 2 && loads_or_stores <= 1)
        return with(word & ~of_vectors & ~register_bits);
    if (fits(word, of_constant) && size <= 1) return with(word & ~of_vectors & ~register_bits);
    if (fits(word, zero) || fits(word, zeros)) return with(0xAA1F03E0);
    for (const bool is_double : {false, true})
      if (fits(word, is_double ? double_number : float_number))
        return with((is_double ? 0xD2E00000 : 0x52A00000) |
                    highest_bits(word >> 13U & 0xFFU, is_double) << second);
    for (const Move& move : moves)
      if (fits(word, {~(register_bits << second | register_bits), move.value})) {
        const Word from = word >> second & register_bits;
        return move.instead | (move.from_vector ? instead_of(from) : from) << third |
               (move.to_vector ? instead_of(reg) : reg);
      }
    return std::nullopt;
  }

  Method method_;
  Backend& backend_;
  std::set<Word> taken_;
  std::map<Word, Word> names_;
};

} // namespace

Method without_vectors(const Method& method, Backend& backend) {
  return Rewriting(method, backend).run();
}

void fold(MachineInstruction& in, const Method& method) {
  const bool wide = in.opcode == "LDRXl";
  if (!wide && in.opcode != "LDRWl") return;
  const auto at = static_cast<std::int64_t>(in.address) +
                  in.operands.at(1).number * static_cast<std::int64_t>(word_bytes);
  const auto low = method.constants.find(at), high = method.constants.find(at + 4);
  if (low == method.constants.end() || (wide && high == method.constants.end())) return;
  const std::int64_t number =
      wide ? static_cast<std::int64_t>(low->second | (std::uint64_t{high->second} << 32U))
           : static_cast<std::int32_t>(low->second);
  in.text = fmt::format("\tmov\t{}{}, #{}", wide ? 'x' : 'w', in.operands[0].reg.substr(1), number);
  in.opcode = wide ? "MOVi64imm" : "MOVi32imm";
  in.operands = {in.operands[0], {MachineOperand::Kind::number, "", number}};
  in.accesses_memory = false;
}

} // namespace thinair::lower::jit::aarch64_code
