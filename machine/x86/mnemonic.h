// Mnemonics: which instruction a word means, and which width its suffix gives.
#pragma once

#include "machine/x86/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::x86 {

struct Mnemonic {
  Opcode opcode = Opcode::nop;
  ConditionCode condition = ConditionCode::e;
  std::optional<Width> width{};       // by suffix; the source's of `movzbl`
  std::optional<Width> destination{}; // of `movzbl`
  bool padding = false;               // `nopl (x)`: a no-op whose operand is not looked at
};

/// The meaning of a word in lower case; absent where it is not a mnemonic that the language knows.
std::optional<Mnemonic> mnemonic(std::string_view word, Syntax syntax);

/// Why we do not do an instruction that herd7 reads, as "non-temporal stores".
std::optional<std::string_view> not_done(std::string_view word);

/// Whether herd7 knows a register of that name, in lower case, and we do not: the high bytes of
/// four, vectors, in X86 flags.
bool is_beyond(std::string_view register_name, Syntax syntax);

/// Words for suggestions.
std::vector<std::string> mnemonics(Syntax syntax);

std::optional<Width> width_of_suffix(char suffix);
char suffix(Width width);

} // namespace thinair::x86
