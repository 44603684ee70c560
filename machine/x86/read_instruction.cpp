// Reads one instruction: its mnemonic, its operands, and whether the two go together.
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "machine/x86/assembly.h"
#include "machine/x86/mnemonic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace thinair::x86 {
namespace {

using O = Opcode;

template <class T>
bool is(const Operand& operand) {
  return std::holds_alternative<T>(operand);
}

class Reader {
 public:
  Reader(Lexer& lexer, const Surroundings& around, Syntax syntax)
      : lexer_(lexer), around_(around), syntax_(syntax) {}

  Instruction read();

 private:
  bool att() const { return syntax_ == Syntax::att; }
  bool at_end() { return litmus::at_end_of_instruction(lexer_); }

  void read_mnemonic();
  void read_target();
  void read_operands();
  Operand read_operand();
  RegisterOperand read_register(const Token& word, bool symbolic = false);
  Operand read_immediate();
  Operand read_memory(std::optional<Value> displacement);
  RegisterOperand read_index();
  Operand read_named_memory();
  void read_pointer_width();

  void put_destination_first();
  void put_memory_first();
  void settle_width();
  void fit_register(std::size_t operand, Width width);
  void check_count() const;
  void check_shape() const;
  void check_lock() const;
  void check_immediates();
  [[noreturn]] void wrong(std::size_t operand, std::string_view expected) const;

  Lexer& lexer_;
  const Surroundings& around_;
  Syntax syntax_;
  Mnemonic mnemonic_;
  Token word_;
  std::optional<text::Span> lock_;
  Instruction in_;
  std::vector<text::Span> spans_; // of in_.operands
  std::optional<Width> pointer_;  // Intel's `byte ptr`
};

Instruction Reader::read() {
  if (lexer_.peek().is_word() && text::lower_case(lexer_.peek().text) == "lock") {
    lock_ = lexer_.next().span;
    in_.lock = true;
    lexer_.accept(";"); // herd writes `lock; insn` as well
  }
  read_mnemonic();
  if (in_.opcode == O::jmp || in_.opcode == O::jcc) {
    read_target();
  } else {
    read_operands();
    check_count();
    put_destination_first();
    check_shape();
    settle_width();
    check_immediates();
  }
  check_lock();
  if (!at_end()) lexer_.fail_expected("`|` or `;` after an instruction");
  return std::move(in_);
}

void Reader::read_mnemonic() {
  word_ = lexer_.peek();
  if (!word_.is_word()) lexer_.fail_expected("an instruction");
  const std::string text = text::lower_case(word_.text);
  const auto found = mnemonic(text, syntax_);
  if (!found) {
    if (const auto what = not_done(text)) throw Unsupported(*what);
    lexer_.fail_expected("an instruction", Lexer::suggest(text, mnemonics(syntax_)));
  }
  lexer_.next();
  mnemonic_ = *found;
  in_.opcode = found->opcode;
  in_.condition = found->condition;
}

void Reader::read_target() { in_.target = lexer_.expect_word("a label").text; }

void Reader::read_operands() {
  while (!at_end()) {
    if (mnemonic_.padding) {
      lexer_.next();
      continue;
    }
    if (!in_.operands.empty() && !lexer_.accept(","))
      lexer_.fail_expected("`,` between operands, or `|` or `;` after the instruction");
    const std::uint32_t begin = lexer_.peek().span.begin;
    in_.operands.push_back(read_operand());
    spans_.push_back(lexer_.since(begin));
  }
}

Operand Reader::read_operand() {
  if (!att()) read_pointer_width();
  if (lexer_.accept("%")) return read_register(lexer_.expect_word("a register"), true);
  if (lexer_.at("$")) return read_immediate();
  if (lexer_.at("(") || lexer_.at("[")) return read_memory({});
  if (lexer_.at("-") || lexer_.peek().is_number()) return read_immediate();
  if (!lexer_.peek().is_word()) lexer_.fail_expected("an operand");
  const std::string word = text::lower_case(lexer_.peek().text);
  if (register_named(word) || is_beyond(word, syntax_)) return read_register(lexer_.next());
  return read_named_memory();
}

/// `dword ptr`, before a memory operand.
void Reader::read_pointer_width() {
  constexpr std::array<std::pair<std::string_view, Width>, 4> words{
      {{"byte", Width::b}, {"word", Width::w}, {"dword", Width::l}, {"qword", Width::q}}};
  const auto second_is_ptr = [&] { return text::lower_case(lexer_.second().text) == "ptr"; };
  for (const auto& [word, width] : words) {
    if (text::lower_case(lexer_.peek().text) != word || !second_is_ptr()) continue;
    lexer_.next();
    lexer_.next();
    pointer_ = width;
    if (!lexer_.at("[") && !lexer_.at("(")) lexer_.fail_expected("a memory cell, as `[x]`");
    return;
  }
}

RegisterOperand Reader::read_register(const Token& word, bool symbolic) {
  const auto found = register_named(text::lower_case(word.text));
  if (is_beyond(text::lower_case(word.text), syntax_) || (found && !is_general(found->reg)))
    throw Unsupported(fmt::format("the register {} in code", text::lower_case(word.text)));
  if (!found && symbolic) return {around_.symbolic(word), att() ? Width::q : Width::l};
  if (!found) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < register_count; ++i)
      for (const Width width : {Width::b, Width::w, Width::l, Width::q})
        names.emplace_back(name(static_cast<Register>(i), width));
    lexer_.fail_expected("a register", word, Lexer::suggest(text::lower_case(word.text), names));
  }
  const bool sixty_four = found->width == Width::q || found->reg >= Register::r8 ||
                          (found->width == Width::b && found->reg >= Register::rsi);
  if (!att() && sixty_four)
    lexer_.fail_expected("a register of the 32-bit processor", word,
                         "`X86` tests are 32-bit: 64 bits are the `X86_64` format");
  return *found;
}

/// `$3`, `-1`; and a displacement, if a parenthesis follows.
Operand Reader::read_immediate() {
  const bool marked = lexer_.accept("$");
  const Value value = lexer_.expect_integer(litmus::any_64_bits);
  if (marked || (!lexer_.at("(") && !lexer_.at("["))) return Immediate{value};
  return read_memory(value);
}

/// `(x)`, `(%rdi)`, `8(%rdi)`, `0(%rdi,%rbx,4)`.
Operand Reader::read_memory(std::optional<Value> displacement) {
  const std::string_view close = lexer_.next().is("(") ? ")" : "]";
  const bool marked = lexer_.accept("%");
  const Token word = lexer_.expect_word(marked ? "a register" : "a location or a register");
  Memory memory;
  if (marked || register_named(text::lower_case(word.text))) {
    memory.base = read_register(word, marked).reg;
    memory.displacement = displacement.value_or(0);
    if (att() && lexer_.accept(",")) memory.index = read_index();
    if (memory.index && lexer_.accept(",")) {
      const Token scale = lexer_.peek();
      memory.scale = static_cast<std::uint8_t>(lexer_.expect_count("a scale", 8));
      if (memory.scale == 0 || (memory.scale & (memory.scale - 1)) != 0)
        lexer_.fail_expected("a scale of 1, 2, 4 or 8", scale);
    }
  } else {
    if (displacement) lexer_.fail_expected("a register after a displacement", word);
    memory.base = around_.location(word);
  }
  if (lexer_.at(",") || lexer_.at("+") || lexer_.at("*")) throw Unsupported("indexed addresses");
  lexer_.expect(close);
  return memory;
}

RegisterOperand Reader::read_index() {
  const bool marked = lexer_.accept("%");
  return read_register(lexer_.expect_word("a register"), marked);
}

/// AT&T: `x(%rip)` and `x` are the cell x, as compilers write it.
Operand Reader::read_named_memory() {
  if (!att()) lexer_.fail_expected("a register, a number or a memory cell, as `[x]`");
  const Token word = lexer_.expect_word("an operand");
  const Memory memory{around_.location(word)};
  if (lexer_.accept("(")) {
    lexer_.expect("%");
    const Token rip = lexer_.expect_word("`rip`");
    if (text::lower_case(rip.text) != "rip") lexer_.fail_expected("`rip`", rip);
    lexer_.expect(")");
  }
  return memory;
}

void Reader::wrong(std::size_t operand, std::string_view expected) const {
  const text::Span span = spans_.at(operand);
  const std::string found = lexer_.source().text.substr(span.begin, span.end - span.begin);
  lexer_.fail(span, fmt::format("expected {} here, found `{}`", expected, found));
}

void Reader::check_count() const {
  std::size_t expected = static_cast<std::size_t>(info(in_.opcode).operands);
  const std::size_t found = in_.operands.size();
  const bool shift = in_.opcode == O::shl || in_.opcode == O::shr || in_.opcode == O::sar;
  if (found == expected || (shift && found == 1)) return;
  lexer_.fail(word_.span, fmt::format("expected {} operand{} of `{}`, found {}", expected,
                                      expected == 1 ? "" : "s", word_.text, found));
}

void Reader::put_memory_first() {
  if (!is<Memory>(in_.operands[1])) return;
  std::swap(in_.operands[0], in_.operands[1]);
  std::swap(spans_[0], spans_[1]);
}

void Reader::put_destination_first() {
  if (in_.operands.size() == 1 && info(in_.opcode).operands == 2) { // `shll %eax`
    in_.operands.push_back(Immediate{1});
    spans_.push_back(word_.span);
    return;
  }
  if (in_.operands.size() != 2) return;
  const bool herd_order = in_.opcode == O::cmpxchg; // herd7 names the destination first
  if (att() && !herd_order) {
    std::swap(in_.operands[0], in_.operands[1]);
    std::swap(spans_[0], spans_[1]);
  }
  if (in_.opcode == O::xchg || in_.opcode == O::cmpxchg || in_.opcode == O::test)
    put_memory_first();
  if (in_.opcode == O::cmovcc && att() && is<Memory>(in_.operands[0]) &&
      is<RegisterOperand>(in_.operands[1])) { // herd7 writes `cmovc %eax,(x)`
    std::swap(in_.operands[0], in_.operands[1]);
    std::swap(spans_[0], spans_[1]);
  }
}

void Reader::check_shape() const {
  if (in_.operands.empty()) return;
  const bool into_register = in_.opcode == O::movzx || in_.opcode == O::lea ||
                             in_.opcode == O::imul || in_.opcode == O::cmovcc;
  if (into_register && !is<RegisterOperand>(in_.operands[0])) wrong(0, "a register");
  if (is<Immediate>(in_.operands[0])) wrong(0, "a register or a memory cell");
  if (in_.operands.size() < 2) return;
  const Operand& source = in_.operands[1];
  if (is<Memory>(in_.operands[0]) && is<Memory>(source)) wrong(1, "a register or a number");
  const bool with_register =
      in_.opcode == O::xchg || in_.opcode == O::xadd || in_.opcode == O::cmpxchg;
  if (with_register && !is<RegisterOperand>(source)) wrong(1, "a register");
  if (in_.opcode == O::lea && !is<Memory>(source)) wrong(1, "a memory cell");
  if ((in_.opcode == O::movzx || in_.opcode == O::cmovcc) && is<Immediate>(source))
    wrong(1, "a register or a memory cell");
  if (in_.opcode == O::shl || in_.opcode == O::shr || in_.opcode == O::sar) {
    const auto* count = std::get_if<RegisterOperand>(&source);
    if (is<Memory>(source) || (count && *count != RegisterOperand{Register::rcx, Width::b}))
      wrong(1, "a number or `cl`");
  }
}

/// A register under a suffix: herd7 reads `movl $1,%rax` as a write of 32 bits.
void Reader::fit_register(std::size_t operand, Width width) {
  auto* reg = std::get_if<RegisterOperand>(&in_.operands[operand]);
  if (!reg || reg->width == width) return;
  if (reg->width < width || !att() || !mnemonic_.width)
    wrong(operand, fmt::format("an operand of {} bits", 8 * static_cast<int>(width)));
  reg->width = width;
}

void Reader::settle_width() {
  const auto declared = [&](LocationId location) { return around_.width(location); };
  in_.width = implied_width(in_.opcode, in_.operands, declared);
  if (mnemonic_.width) in_.width = *mnemonic_.width;
  if (!mnemonic_.width && pointer_ && in_.opcode != O::lea) {
    const bool sized_by_register =
        in_.opcode != O::movzx &&
        std::ranges::any_of(in_.operands, [](const Operand& o) { return is<RegisterOperand>(o); });
    if (sized_by_register && *pointer_ != in_.width)
      lexer_.fail(word_.span,
                  fmt::format("expected operands of one width, found {} and {} bits",
                              8 * static_cast<int>(*pointer_), 8 * static_cast<int>(in_.width)));
    in_.width = *pointer_;
  }
  if (in_.operands.empty()) return;
  if (in_.opcode == O::movzx) {
    const Width into = std::get<RegisterOperand>(in_.operands[0]).width;
    if (mnemonic_.destination) fit_register(0, *mnemonic_.destination);
    if (in_.width >= into) wrong(1, "something narrower than the destination");
    fit_register(1, in_.width);
    return;
  }
  const bool shift = in_.opcode == O::shl || in_.opcode == O::shr || in_.opcode == O::sar;
  fit_register(0, in_.width);
  if (in_.operands.size() > 1 && !shift) fit_register(1, in_.width);
}

/// Immediates are kept as the signed number that their bits are at the instruction's width.
void Reader::check_immediates() {
  for (std::size_t i = 0; i < in_.operands.size(); ++i) {
    auto* immediate = std::get_if<Immediate>(&in_.operands[i]);
    if (!immediate) continue;
    const Value as_signed = litmus::as_declared(immediate->value, {in_.width, true});
    const Value as_unsigned = litmus::as_declared(immediate->value, {in_.width, false});
    if (immediate->value != as_signed && immediate->value != as_unsigned)
      wrong(i, fmt::format("a number of {} bits", 8 * static_cast<int>(in_.width)));
    immediate->value = as_signed;
  }
}

void Reader::check_lock() const {
  if (!lock_) return;
  if (!info(in_.opcode).may_lock)
    lexer_.fail(word_.span,
                fmt::format("expected an instruction that takes `lock`, found `{}`", word_.text));
  if (!is<Memory>(in_.operands.at(0))) wrong(0, "a memory cell as the destination under `lock`");
}

} // namespace

Width implied_width(Opcode opcode, const std::vector<Operand>& operands,
                    const std::function<Width(LocationId)>& cell) {
  if (opcode == O::setcc) return Width::b;
  const bool shift = opcode == O::shl || opcode == O::shr || opcode == O::sar;
  const std::size_t first = opcode == O::movzx ? 1 : 0; // its width is the source's
  const std::size_t end = shift ? std::min<std::size_t>(1, operands.size()) : operands.size();
  for (std::size_t i = first; i < end; ++i)
    if (const auto* reg = std::get_if<RegisterOperand>(&operands[i])) return reg->width;
  for (const Operand& operand : operands)
    if (const auto* memory = std::get_if<Memory>(&operand))
      if (const auto* location = std::get_if<LocationId>(&memory->base)) return cell(*location);
  return Width::l;
}

Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings, Syntax syntax) {
  return Reader(lexer, surroundings, syntax).read();
}

} // namespace thinair::x86
