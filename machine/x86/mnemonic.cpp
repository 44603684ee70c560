// Takes mnemonics apart into opcode, condition and width.
#include "machine/x86/mnemonic.h"

#include <algorithm>
#include <array>

namespace thinair::x86 {
namespace {

struct NotDone {
  std::string_view mnemonic; // a width suffix may follow
  std::string_view what;
};

constexpr std::array<NotDone, 8> not_done_table{{
    {"movnti", "non-temporal stores (movnti)"},
    {"movntdqa", "vector registers (movntdqa)"},
    {"movdqu", "vector registers (movdqu)"},
    {"movd", "vector registers (movd)"},
    {"clflush", "cache line flushes (clflush)"},
    {"clflushopt", "cache line flushes (clflushopt)"},
    {"uxch", "herd7's exchange that is not atomic (uxch)"},
    {"movsd", "string instructions (movsd)"},
}};

/// No-ops under other names; operands of `nopl` and `nopw` are padding.
constexpr std::array<std::string_view, 4> no_ops{"nopw", "nopl", "endbr64", "pause"};

bool takes_suffix(Opcode opcode, Syntax syntax) {
  const OpcodeInfo& row = info(opcode);
  if (syntax == Syntax::intel) return opcode == Opcode::mov; // herd7's movb, movw, movl
  return row.operands > 0 && opcode != Opcode::setcc && opcode != Opcode::movzx;
}

std::optional<Mnemonic> plain(std::string_view word) {
  for (const OpcodeInfo& row : opcodes())
    if (row.mnemonic == word && !row.reads_flags) return Mnemonic{.opcode = row.opcode};
  return std::nullopt;
}

std::optional<Mnemonic> conditional(std::string_view word) {
  for (const OpcodeInfo& row : opcodes()) {
    if (!row.reads_flags || !word.starts_with(row.mnemonic)) continue;
    if (const auto condition = condition_named(word.substr(row.mnemonic.size())))
      return Mnemonic{.opcode = row.opcode, .condition = *condition};
  }
  return std::nullopt;
}

/// `movzbl`, `movzwq`.
std::optional<Mnemonic> extending(std::string_view word) {
  if (word.size() != 6 || !word.starts_with("movz")) return std::nullopt;
  const auto from = width_of_suffix(word[4]), to = width_of_suffix(word[5]);
  if (!from || !to || *from >= *to || *from > Width::w) return std::nullopt;
  return Mnemonic{.opcode = Opcode::movzx, .width = from, .destination = to};
}

std::optional<Mnemonic> without_suffix(std::string_view word) {
  if (const auto found = plain(word)) return found;
  return conditional(word);
}

} // namespace

std::optional<Width> width_of_suffix(char suffix) {
  switch (suffix) {
  case 'b': return Width::b;
  case 'w': return Width::w;
  case 'l': return Width::l;
  case 'q': return Width::q;
  default: return std::nullopt;
  }
}

char suffix(Width width) {
  switch (width) {
  case Width::b: return 'b';
  case Width::w: return 'w';
  case Width::l: return 'l';
  case Width::q: return 'q';
  }
  return 'l';
}

std::optional<Mnemonic> mnemonic(std::string_view word, Syntax syntax) {
  for (const std::string_view no_op : no_ops)
    if (word == no_op) return Mnemonic{.padding = word.starts_with("nop")};
  if (const auto found = without_suffix(word)) return found;
  if (syntax == Syntax::att)
    if (const auto found = extending(word)) return found;
  if (word.empty()) return std::nullopt;
  const auto width = width_of_suffix(word.back());
  auto found = without_suffix(word.substr(0, word.size() - 1));
  if (!width || !found || !takes_suffix(found->opcode, syntax)) return std::nullopt;
  found->width = width;
  return found;
}

std::optional<std::string_view> not_done(std::string_view word) {
  for (const NotDone& row : not_done_table) {
    if (!word.starts_with(row.mnemonic)) continue;
    const std::string_view rest = word.substr(row.mnemonic.size());
    if (rest.empty() || (rest.size() == 1 && width_of_suffix(rest[0]))) return row.what;
  }
  return std::nullopt;
}

bool is_beyond(std::string_view register_name, Syntax syntax) {
  constexpr std::array<std::string_view, 4> high_bytes{"ah", "bh", "ch", "dh"};
  constexpr std::array<std::string_view, 3> flags{"zf", "sf", "cf"};
  const auto in = [&](const auto& names) {
    return std::ranges::find(names, register_name) != names.end();
  };
  if (syntax == Syntax::intel) return in(flags);
  const bool vector = register_name.size() == 4 && register_name.starts_with("xmm");
  return in(high_bytes) || (vector && register_name[3] >= '0' && register_name[3] <= '7');
}

std::vector<std::string> mnemonics(Syntax syntax) {
  std::vector<std::string> words{"lock"};
  for (const OpcodeInfo& row : opcodes()) {
    if (!row.reads_flags) words.emplace_back(row.mnemonic);
    if (!row.reads_flags && takes_suffix(row.opcode, syntax))
      for (const char c : {'b', 'w', 'l', 'q'}) words.push_back(std::string(row.mnemonic) + c);
    for (std::uint8_t i = 0; row.reads_flags && i < 16; ++i)
      words.push_back(std::string(row.mnemonic) + std::string(name(static_cast<ConditionCode>(i))));
  }
  return words;
}

} // namespace thinair::x86
