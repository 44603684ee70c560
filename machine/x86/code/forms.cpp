// The table of operand kinds.
#include "machine/x86/code/forms.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <array>

namespace thinair::lower::x86_code {
namespace {

using O = x86::Opcode;
constexpr Kinds none = no_operand, r = in_register, m = in_memory, rm = r | m, ri = r | immediate,
                rmi = rm | immediate, count = immediate | in_cl;

// clang-format off
//   opcode       first second  b      w,l,q  reads  writes writes
//                                            first  first  second
constexpr auto table = std::to_array<Form>({
    {O::mov,      rm,   rmi,    true,  true,  false, true,  false},
    {O::movzx,    r,    rm,     true,  true,  false, true,  false},
    {O::lea,      r,    m,      false, true,  false, true,  false},
    {O::add,      rm,   rmi,    true,  true,  true,  true,  false},
    {O::sub,      rm,   rmi,    true,  true,  true,  true,  false},
    {O::and_,     rm,   rmi,    true,  true,  true,  true,  false},
    {O::or_,      rm,   rmi,    true,  true,  true,  true,  false},
    {O::xor_,     rm,   rmi,    true,  true,  true,  true,  false},
    {O::cmp,      rm,   rmi,    true,  true,  true,  false, false},
    {O::test,     rm,   ri,     true,  true,  true,  false, false},
    {O::inc,      rm,   none,   true,  true,  true,  true,  false},
    {O::dec,      rm,   none,   true,  true,  true,  true,  false},
    {O::neg,      rm,   none,   true,  true,  true,  true,  false},
    {O::not_,     rm,   none,   true,  true,  true,  true,  false},
    {O::shl,      rm,   count,  true,  true,  true,  true,  false},
    {O::shr,      rm,   count,  true,  true,  true,  true,  false},
    {O::sar,      rm,   count,  true,  true,  true,  true,  false},
    {O::imul,     r,    rmi,    false, true,  true,  true,  false},
    {O::xchg,     rm,   rm,     true,  true,  true,  true,  true},
    {O::xadd,     rm,   r,      true,  true,  true,  true,  true},
    {O::cmpxchg,  rm,   r,      true,  true,  true,  true,  false},
    {O::jmp,      none, none,   false, false, false, false, false},
    {O::jcc,      none, none,   false, false, false, false, false},
    {O::setcc,    rm,   none,   true,  false, false, true,  false},
    {O::cmovcc,   r,    rm,     false, true,  true,  true,  false},
    {O::mfence,   none, none,   false, false, false, false, false},
    {O::lfence,   none, none,   false, false, false, false, false},
    {O::sfence,   none, none,   false, false, false, false, false},
    {O::nop,      none, none,   false, false, false, false, false},
});
// clang-format on

} // namespace

std::span<const Form> forms() { return table; }

const Form& form(x86::Opcode opcode) {
  const auto found = std::ranges::find(table, opcode, &Form::opcode);
  THINAIR_CHECK(found != table.end(), "an opcode without a row in the table of forms");
  return *found;
}

} // namespace thinair::lower::x86_code
