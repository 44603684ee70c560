// What x86 tells the reader of tests.
#include "litmus/machine/reader.h"

#include "machine/x86/assembly.h"
#include "machine/x86/flow.h"
#include "machine/x86/format.h"
#include "machine/x86/mnemonic.h"

#include <array>

namespace thinair::x86 {
namespace {

constexpr std::array<std::string_view, 2> returns{"ret", "retq"};

/// Registers in initial states and conditions go by their whole names: `0:rax`, in X86 `0:EAX`.
Register whole_register(Lexer& lexer, std::string_view name, text::Span span, Syntax syntax) {
  const Width whole = syntax == Syntax::att ? Width::q : Width::l;
  const auto spelled = [&](Register reg) { return observable(ThreadId(), reg, syntax).name; };
  if (syntax == Syntax::intel && is_beyond(text::lower_case(name), syntax))
    throw Unsupported(fmt::format("the flag {} as a register", name));
  const auto found = register_named(text::lower_case(name));
  const bool exists =
      found && (syntax == Syntax::att || found->reg < Register::r8 || found->reg == Register::rip);
  if (exists && found->width == whole) return found->reg;
  if (exists)
    lexer.fail(span, fmt::format("expected the name of a whole register, found `{}`", name),
               fmt::format("did you mean `{}`?", spelled(found->reg)));
  lexer.fail(span, fmt::format("expected a register, found `{}`", name));
}

litmus::Assembler<Instruction> assembler(Syntax syntax) {
  litmus::Assembler<Instruction> out;
  out.read_instruction = [syntax](Lexer& lexer, const Surroundings& around) {
    return read_instruction(lexer, around, syntax);
  };
  out.whole_register = [syntax](Lexer& lexer, std::string_view name, text::Span span) {
    return whole_register(lexer, name, span, syntax);
  };
  out.observable = [syntax](ThreadId thread, Register reg) {
    return observable(thread, reg, syntax);
  };
  out.each_register = each_register;
  out.returns = returns;
  out.jump.opcode = Opcode::jmp;
  out.pointer = syntax == Syntax::att ? Width::q : Width::l;
  out.unplaced = Register::rip;
  out.reserved = 1U << static_cast<unsigned>(Register::rsp);
  out.places = syntax == Syntax::att ? register_count : 8;
  return out;
}

} // namespace

void read(Lexer& lexer, Test& test) { litmus::read_code(lexer, test, assembler(syntax_of(test))); }

} // namespace thinair::x86
