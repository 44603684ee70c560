// Reads one instruction by the shape of its row.
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "machine/aarch64/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace thinair::aarch64 {
namespace {

class Reader {
 public:
  Reader(Lexer& lexer, const Surroundings& around) : lexer_(lexer), around_(around) {}

  Instruction read() {
    read_mnemonic();
    read_operands();
    if (!at_end()) unexpected_operand();
    return std::move(in_);
  }

 private:
  bool at_end() { return litmus::at_end_of_instruction(lexer_); }
  std::string word() { return text::lower_case(lexer_.peek().text); }

  void read_mnemonic();
  void read_operands();
  void read_operand(char letter);
  [[noreturn]] void unexpected_operand();

  RegisterOperand read_register(std::string_view what = "a register");
  RegisterOperand read_symbolic(Width width);
  void read_register_of(Width width);
  void read_own_register();
  void settle_width(const RegisterOperand& reg, text::Span span);

  bool at_number() { return lexer_.at("#") || lexer_.at("-") || lexer_.peek().is_number(); }
  Value read_number();
  Value read_number(Value least, Value greatest);
  void push_number(Value least, Value greatest) {
    in_.operands.push_back(Immediate{read_number(least, greatest)});
  }
  Value bits() const { return litmus::bits_of(in_.width); }

  void read_changed(bool may_extend, bool may_rotate);
  void read_change(RegisterOperand& reg, bool may_extend, bool may_rotate);
  void read_sum_operand();
  void read_logical_operand();
  void read_moved();
  void read_wide();
  void read_field_width();
  void read_memory(char letter);
  void read_memory_index(Memory& memory);
  void read_displacement(Memory& memory, char letter);
  void read_condition();
  void read_barrier();

  Lexer& lexer_;
  const Surroundings& around_;
  Instruction in_;
  Token mnemonic_;
  bool has_width_ = false;
};

std::vector<std::string> every_mnemonic() {
  std::vector<std::string> out{"ret"};
  for (const auto& row : instructions()) {
    if (row.does != Does::jump_if) {
      out.push_back(row.mnemonic);
      continue;
    }
    for (std::uint8_t i = 0; i < 14; ++i)
      out.push_back(row.mnemonic + std::string(name(static_cast<Condition>(i))));
  }
  return out;
}

void Reader::read_mnemonic() {
  mnemonic_ = lexer_.peek();
  if (!mnemonic_.is_word()) lexer_.fail_expected("an instruction");
  const std::string text = word();
  std::optional<Condition> condition;
  if (text.starts_with("b.")) condition = condition_named(std::string_view(text).substr(2));
  in_.info = instruction_named(condition ? "b." : text == "b." ? "" : text);
  if (in_.info == nullptr) {
    if (const auto what = not_done(text)) throw Unsupported(std::string(*what));
    lexer_.fail_expected("an instruction", Lexer::suggest(text, every_mnemonic()));
  }
  lexer_.next();
  if (condition) in_.operands.emplace_back(*condition);
}

void Reader::read_operands() {
  bool first = true;
  for (const char letter : in_.info->shape) {
    if (letter == '=' || letter == '+') continue;
    if (letter == 'c' && in_.info->does == Does::jump_if) continue; // in the mnemonic
    if (at_end() && letter != 'B')
      lexer_.fail(mnemonic_.span, fmt::format("expected more operands of `{}`", mnemonic_.text));
    if (!first && !lexer_.accept(","))
      lexer_.fail_expected("`,` between operands, or `|` or `;` after the instruction");
    read_operand(letter);
    first = false;
  }
  if (in_.info->does == Does::fence_isb && word() == "sy") lexer_.next();
}

void Reader::unexpected_operand() {
  const bool memory = !in_.operands.empty() && std::holds_alternative<Memory>(in_.operands.back());
  if (memory && (lexer_.at("!") || lexer_.at(",")))
    throw Unsupported("pre- and post-indexed addresses");
  lexer_.fail_expected("`|` or `;` after an instruction");
}

void Reader::read_operand(char letter) {
  switch (letter) {
  case 'r': return read_own_register();
  case 'w': return read_register_of(Width::l);
  case 'x': return read_register_of(Width::q);
  case 'V': return read_moved();
  case 'H':
    return read_changed(false, in_.info->does == Does::logical || in_.info->does == Does::move_not);
  case 'A': return read_sum_operand();
  case 'L': return read_logical_operand();
  case 'i': return read_wide();
  case 's': return at_number() ? push_number(0, bits() - 1) : read_own_register();
  case 'b': return push_number(0, bits() - 1);
  case 'k': return read_field_width();
  case 'f': return push_number(0, 15);
  case 'p': return at_number() ? push_number(0, 31) : read_own_register();
  case 'c': return read_condition();
  case 'B': return read_barrier();
  case 't': in_.target = lexer_.expect_word("a label").text; return;
  default: return read_memory(letter);
  }
}

// Registers

RegisterOperand Reader::read_symbolic(Width width) {
  lexer_.expect("%");
  return {around_.symbolic(lexer_.expect_word("a register's name")), width};
}

/// `x3`, `W3`, `xzr`; herd's symbols `%a`, `X%a`, `W%a`.
RegisterOperand Reader::read_register(std::string_view what) {
  if (lexer_.at("%")) return read_symbolic(Width::q);
  const Token token = lexer_.peek();
  if (!token.is_word()) lexer_.fail_expected(what);
  const std::string text = word();
  if ((text == "x" || text == "w") && lexer_.second().is("%")) {
    lexer_.next();
    return read_symbolic(text == "x" ? Width::q : Width::l);
  }
  const auto found = register_named(text);
  if (found) {
    lexer_.next();
    return *found;
  }
  if (text == "sp" || text == "wsp") throw Unsupported("the stack pointer");
  const bool digits = text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  if (digits && std::string_view("bhsdqv").find(text[0]) != std::string_view::npos)
    throw Unsupported("vector registers");
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= register_count; ++i)
    for (const Width width : {Width::l, Width::q})
      names.push_back(text::lower_case(name(static_cast<Register>(i), width)));
  lexer_.fail_expected(what, Lexer::suggest(text, names));
}

/// The first register that has the instruction's width decides it.
void Reader::settle_width(const RegisterOperand& reg, text::Span span) {
  if (!has_width_) in_.width = reg.width;
  has_width_ = true;
  if (reg.width == in_.width) return;
  lexer_.fail(span, fmt::format("expected a register of {} bits here, found `{}`", bits(),
                                lexer_.text().substr(span.begin, span.end - span.begin)));
}

void Reader::read_own_register() {
  const auto begin = lexer_.peek().span.begin;
  const auto reg = read_register();
  settle_width(reg, lexer_.since(begin));
  in_.operands.emplace_back(reg);
}

void Reader::read_register_of(Width width) {
  const auto begin = lexer_.peek().span.begin;
  const auto reg = read_register();
  if (reg.width != width) {
    const auto span = lexer_.since(begin);
    lexer_.fail(span, fmt::format("expected a register of {} bits here, found `{}`",
                                  litmus::bits_of(width),
                                  lexer_.text().substr(span.begin, span.end - span.begin)));
  }
  if (!has_width_ && in_.info->does != Does::store_exclusive && in_.info->does != Does::extend)
    in_.width = width;
  if (in_.info->does == Does::extend && in_.operands.empty()) in_.width = width;
  in_.operands.emplace_back(reg);
}

// Numbers

Value Reader::read_number() {
  lexer_.accept("#");
  return lexer_.expect_integer(litmus::any_64_bits);
}

Value Reader::read_number(Value least, Value greatest) {
  const auto begin = lexer_.peek().span.begin;
  const Value value = read_number();
  if (value >= least && value <= greatest) return value;
  const auto span = lexer_.since(begin);
  lexer_.fail(span, fmt::format("expected a number from {} to {} here, found `{}`", least, greatest,
                                lexer_.text().substr(span.begin, span.end - span.begin)));
}

/// The width of a bit field, behind its lowest bit.
void Reader::read_field_width() {
  const Value least = std::get<Immediate>(in_.operands.back()).value;
  push_number(1, bits() - least);
}

/// `#1`, `#1, lsl #16`.
void Reader::read_wide() {
  Immediate out{read_number(0, 0xffff)};
  if (lexer_.accept(",")) {
    if (word() != "lsl") lexer_.fail_expected("`lsl`");
    lexer_.next();
    const Token place = lexer_.peek();
    const auto shift = read_number(0, bits() - 16);
    if (shift % 16 != 0) lexer_.fail_expected("a shift by 0, 16, 32 or 48", place);
    out.shift = static_cast<std::uint8_t>(shift);
  }
  in_.operands.emplace_back(out);
}

/// `mov`: herd7 takes any number that the register holds.
void Reader::read_moved() {
  if (!at_number()) return read_own_register();
  const auto begin = lexer_.peek().span.begin;
  const Value value = read_number();
  const Type fits{in_.width, true}, also{in_.width, false};
  if (value != litmus::as_declared(value, fits) && value != litmus::as_declared(value, also))
    lexer_.fail(lexer_.since(begin), fmt::format("expected a number of {} bits", bits()));
  in_.operands.push_back(Immediate{litmus::as_declared(value, fits)});
}

// Operands with a shift or an extension

void Reader::read_change(RegisterOperand& reg, bool may_extend, bool may_rotate) {
  const auto change = change_named(word());
  if (!change || (extends(*change) && !may_extend) || (*change == Change::ror && !may_rotate))
    lexer_.fail_expected(may_extend   ? "`lsl`, `lsr`, `asr`, or an extension"
                         : may_rotate ? "`lsl`, `lsr`, `asr` or `ror`"
                                      : "`lsl`, `lsr` or `asr`");
  lexer_.next();
  reg.change = *change;
  if (!extends(*change))
    reg.amount = static_cast<std::uint8_t>(read_number(0, bits() - 1));
  else if (at_number())
    reg.amount = static_cast<std::uint8_t>(read_number(0, 4));
}

/// `w1`, `w1, lsl #2`; `w1, sxtw #2` where it may be extended.
void Reader::read_changed(bool may_extend, bool may_rotate) {
  const auto begin = lexer_.peek().span.begin;
  auto reg = read_register();
  const auto span = lexer_.since(begin);
  if (lexer_.accept(",")) read_change(reg, may_extend, may_rotate);
  const bool narrow = reg.width == Width::l && in_.width == Width::q;
  const bool whole = reg.change == Change::uxtx || reg.change == Change::sxtx;
  if (!(extends(reg.change) && narrow && !whole)) settle_width(reg, span);
  in_.operands.emplace_back(reg);
}

void Reader::read_sum_operand() {
  if (!at_number()) return read_changed(true, false);
  const auto begin = lexer_.peek().span.begin;
  Immediate out{read_number()};
  if (out.value > 4095 && out.value % 4096 == 0 && out.value / 4096 <= 4095)
    out = {out.value / 4096, 12};
  if (out.value < 0 || out.value > 4095)
    lexer_.fail(lexer_.since(begin),
                "expected a number from 0 to 4095 here, or one of these times 4096");
  if (lexer_.accept(",")) {
    if (word() != "lsl") lexer_.fail_expected("`lsl`");
    lexer_.next();
    const Token place = lexer_.peek();
    const auto shift = read_number(0, 12);
    if (shift % 12 != 0) lexer_.fail_expected("a shift by 0 or 12", place);
    out.shift = static_cast<std::uint8_t>(shift);
  }
  in_.operands.emplace_back(out);
}

void Reader::read_logical_operand() {
  if (!at_number()) return read_changed(false, true);
  const auto begin = lexer_.peek().span.begin;
  const Value value = read_number();
  const auto wanted = static_cast<std::uint64_t>(value);
  const bool fits = in_.width == Width::q ||
                    value == litmus::as_declared(value, {Width::l, true}) ||
                    value == litmus::as_declared(value, {Width::l, false});
  if (!fits || !is_bit_mask(wanted, in_.width))
    lexer_.fail(lexer_.since(begin), "expected a run of ones here, rotated or repeated",
                "other numbers need a register, as `mov` fills it");
  in_.operands.push_back(Immediate{litmus::sign_extended(wanted, in_.width)});
}

// Memory

void Reader::read_memory(char letter) {
  lexer_.expect("[");
  Memory memory;
  const auto begin = lexer_.peek().span.begin;
  const auto base = read_register("a register that points at a location");
  if (base.width != Width::q || base.reg == Register::zero)
    lexer_.fail(lexer_.since(begin), "expected a register of 64 bits here, as `[x1]`");
  memory.base = base.reg;
  if (lexer_.accept(",")) {
    if (at_number())
      read_displacement(memory, letter);
    else if (letter == 'M')
      read_memory_index(memory);
    else
      lexer_.fail_expected(letter == 'm' ? "`]`" : "a number");
  }
  lexer_.expect("]");
  in_.operands.emplace_back(memory);
}

/// What one of the encodings can hold: C6.2, LDR (immediate), LDUR, LDP.
void Reader::read_displacement(Memory& memory, char letter) {
  const auto begin = lexer_.peek().span.begin;
  memory.displacement = read_number();
  const Value value = memory.displacement;
  const auto size = static_cast<Value>(access_width(in_));
  const bool near = value >= -256 && value <= 255;
  const bool scaled = value % size == 0;
  const bool fits = letter == 'm'   ? value == 0
                    : letter == 'U' ? near
                    : letter == 'P' ? scaled && value >= -64 * size && value <= 63 * size
                                    : near || (scaled && value >= 0 && value <= 4095 * size);
  if (fits) return;
  lexer_.fail(lexer_.since(begin),
              letter == 'm'   ? std::string("expected `]`: this instruction takes no offset")
              : letter == 'P' ? fmt::format("expected a multiple of {} from {} to {}", size,
                                            -64 * size, 63 * size)
              : letter == 'U'
                  ? std::string("expected an offset from -256 to 255")
                  : fmt::format("expected an offset from -256 to 255, or a multiple of {} up to {}",
                                size, 4095 * size));
}

/// `w1,sxtw #2`, `x1`, `x1,lsl #2`.
void Reader::read_memory_index(Memory& memory) {
  auto reg = read_register("an offset: a number or a register");
  const auto size = static_cast<unsigned>(access_width(in_));
  const Value scale = std::countr_zero(size);
  if (lexer_.accept(",")) {
    const Token token = lexer_.peek();
    const auto change = change_named(word());
    const bool wide = change == Change::lsl || change == Change::sxtx || change == Change::uxtx;
    const bool narrow = change == Change::uxtw || change == Change::sxtw;
    if (!(reg.width == Width::q ? wide : narrow))
      lexer_.fail_expected(reg.width == Width::q ? "`lsl` or `sxtx`" : "`uxtw` or `sxtw`", token);
    lexer_.next();
    reg.change = *change;
    const Token place = lexer_.peek();
    if (at_number() || *change == Change::lsl) {
      const auto amount = read_number(0, 3);
      if (amount != 0 && amount != scale)
        lexer_.fail_expected(fmt::format("a shift by 0 or {}", scale), place);
      reg.amount = static_cast<std::uint8_t>(amount);
    }
  } else if (reg.width == Width::l) {
    lexer_.fail_expected("`,sxtw` or `,uxtw` behind a register of 32 bits");
  }
  memory.index = reg;
}

// Words

void Reader::read_condition() {
  const auto found = condition_named(word());
  const bool always = found == Condition::al || found == Condition::nv;
  if (!found || (always && in_.info->does != Does::select && in_.info->does != Does::compare_if)) {
    std::vector<std::string_view> names;
    for (std::uint8_t i = 0; i < 14; ++i) names.push_back(name(static_cast<Condition>(i)));
    lexer_.fail_expected("a condition", Lexer::suggest(word(), names));
  }
  lexer_.next();
  in_.operands.emplace_back(*found);
}

void Reader::read_barrier() {
  const auto found = barrier_named(word());
  if (!found) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < barrier_count; ++i) names.push_back(name(static_cast<Barrier>(i)));
    lexer_.fail_expected("what the barrier is for, as `ish` or `sy`",
                         Lexer::suggest(word(), names));
  }
  lexer_.next();
  in_.operands.emplace_back(*found);
}

} // namespace

bool is_bit_mask(std::uint64_t value, Width width) {
  if (width == Width::l) value = (value & 0xffffffff) | value << 32;
  for (unsigned size = 2; size <= 64; size *= 2) {
    const std::uint64_t part = size == 64 ? value : value & ((std::uint64_t{1} << size) - 1);
    std::uint64_t repeated = part;
    for (unsigned at = size; at < 64; at += size) repeated |= part << at;
    if (repeated != value) continue;
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    if (part == 0 || part == all) return false;
    const std::uint64_t turned = ((part << 1) | (part >> (size - 1))) & all;
    return std::popcount(part ^ turned) == 2; // one run of ones
  }
  return false;
}

Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings) {
  return Reader(lexer, surroundings).read();
}

} // namespace thinair::aarch64
