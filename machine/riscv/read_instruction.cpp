// Reads one instruction: its mnemonic, and the operands that its row of the table wants.
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "machine/riscv/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace thinair::riscv {
namespace {

/// Numbers that an encoding has room for (the manual, chapter "RV32I", "Immediate Encoding
/// Variants").
struct Room {
  Value least, greatest;
  std::string_view what;
};
constexpr Room twelve_bits{-2048, 2047, "a number of 12 bits, -2048 to 2047"};
constexpr Room twenty_bits{0, 0xFFFFF, "a number of 20 bits, 0 to 1048575"};
constexpr Room below_64{0, 63, "a number from 0 to 63"};
constexpr Room below_32{0, 31, "a number from 0 to 31"};
constexpr Room any{INT64_MIN, INT64_MAX, "a number"};

struct Annotation {
  std::string_view suffix;
  bool acquire, release;
};
/// The longest first.
constexpr std::array<Annotation, 4> annotations{
    {{".aq.rl", true, true}, {".aqrl", true, true}, {".aq", true, false}, {".rl", false, true}}};

/// A load releases and a store acquires only beside what is its own (Zalasr).
bool takes(Shape shape, const Annotation& annotation) {
  if (shape == Shape::load) return annotation.acquire;
  if (shape == Shape::store) return annotation.release;
  return accesses_memory(shape);
}

class Reader {
 public:
  Reader(Lexer& lexer, const Surroundings& around) : lexer_(lexer), around_(around) {}
  Instruction read();

 private:
  bool at_end() { return litmus::at_end_of_instruction(lexer_); }
  bool read_row(std::string_view word);
  bool read_alias(std::string_view word);
  [[noreturn]] void unknown(const std::string& word);

  void read_operands();
  void read_operands(Alias::Shape shape);
  void comma();
  Register reg();
  Value number(const Room& room);
  std::string label();
  void address(bool displaced);
  void fence();
  Accesses accesses();

  Lexer& lexer_;
  const Surroundings& around_;
  Instruction in_;
};

Instruction Reader::read() {
  const Token word = lexer_.peek();
  if (!word.is_word()) lexer_.fail_expected("an instruction");
  const std::string text = text::lower_case(word.text);
  if (!read_row(text) && !read_alias(text)) unknown(text);
  if (!at_end()) lexer_.fail_expected("`|` or `;` after an instruction");
  return std::move(in_);
}

bool Reader::read_row(std::string_view word) {
  auto found = opcode_named(word);
  for (const Annotation& each : annotations) {
    if (found || !word.ends_with(each.suffix)) continue;
    found = opcode_named(word.substr(0, word.size() - each.suffix.size()));
    if (!found || !takes(info(*found).shape, each)) return false;
    std::tie(in_.acquire, in_.release) = std::pair(each.acquire, each.release);
  }
  if (!found) return false;
  in_.opcode = *found;
  lexer_.next();
  read_operands();
  return true;
}

bool Reader::read_alias(std::string_view word) {
  const auto found = std::ranges::find(aliases(), word, &Alias::word);
  if (found == aliases().end()) return false;
  in_.opcode = *opcode_named(found->mnemonic);
  in_.immediate = found->immediate;
  lexer_.next();
  read_operands(found->shape);
  return true;
}

void Reader::unknown(const std::string& word) {
  const std::string_view bare = std::string_view(word).substr(0, word.find(".aq"));
  if (const auto what = not_done(bare)) throw Unsupported(fmt::format("{}: {}", bare, *what));
  std::vector<std::string> known;
  for (const auto& row : instructions()) {
    known.emplace_back(row.mnemonic);
    for (const Annotation& each : annotations)
      if (takes(row.shape, each)) known.push_back(fmt::format("{}{}", row.mnemonic, each.suffix));
  }
  for (const auto& alias : aliases()) known.emplace_back(alias.word);
  lexer_.fail_expected("an instruction", Lexer::suggest(word, known));
}

void Reader::read_operands() {
  const InstructionInfo& row = info(in_.opcode);
  switch (row.shape) {
  case Shape::registers: in_.rd = reg(), comma(), in_.rs1 = reg(), comma(), in_.rs2 = reg(); return;
  case Shape::immediate:
    in_.rd = reg(), comma(), in_.rs1 = reg(), comma(), in_.immediate = number(twelve_bits);
    return;
  case Shape::shift:
    in_.rd = reg(), comma(), in_.rs1 = reg(), comma();
    in_.immediate = number(row.width == Width::l ? below_32 : below_64);
    return;
  case Shape::unary: in_.rd = reg(), comma(), in_.rs1 = reg(); return;
  case Shape::upper: in_.rd = reg(), comma(), in_.immediate = number(twenty_bits); return;
  case Shape::constant: in_.rd = reg(), comma(), in_.immediate = number(any); return;
  case Shape::load: in_.rd = reg(), comma(), address(true); return;
  case Shape::store: in_.rs2 = reg(), comma(), address(true); return;
  case Shape::reserve: in_.rd = reg(), comma(), address(false); return;
  case Shape::condition:
  case Shape::update: in_.rd = reg(), comma(), in_.rs2 = reg(), comma(), address(false); return;
  case Shape::branch:
    in_.rs1 = reg(), comma(), in_.rs2 = reg(), comma(), in_.target = label();
    return;
  case Shape::jump: in_.target = label(); return;
  case Shape::fence: return fence();
  case Shape::plain: return;
  }
}

void Reader::read_operands(Alias::Shape shape) {
  switch (shape) {
  case Alias::Shape::from_first:
  case Alias::Shape::to_zero: in_.rd = reg(), comma(), in_.rs1 = reg(); return;
  case Alias::Shape::from_second: in_.rd = reg(), comma(), in_.rs2 = reg(); return;
  case Alias::Shape::branch_first: in_.rs1 = reg(), comma(), in_.target = label(); return;
  case Alias::Shape::branch_second: in_.rs2 = reg(), comma(), in_.target = label(); return;
  case Alias::Shape::swapped:
    in_.rs2 = reg(), comma(), in_.rs1 = reg(), comma(), in_.target = label();
    return;
  case Alias::Shape::nothing: return;
  }
}

void Reader::comma() {
  if (!lexer_.accept(",")) lexer_.fail_expected("`,` and a further operand");
}

Register Reader::reg() {
  if (lexer_.accept("%")) {
    const Token word = lexer_.expect_word("a register's name");
    if (lexer_.at("(")) throw Unsupported("addresses that a linker knows");
    return around_.symbolic(word);
  }
  const Token word = lexer_.peek();
  const std::string text = text::lower_case(word.text);
  const auto found = word.is_word() ? register_named(text) : std::nullopt;
  if (!found) lexer_.fail_expected("a register", Lexer::suggest(text, register_names()));
  lexer_.next();
  return *found;
}

Value Reader::number(const Room& room) {
  if (lexer_.at("%")) throw Unsupported("addresses that a linker knows");
  if (!lexer_.at("-") && !lexer_.peek().is_number()) lexer_.fail_expected(room.what);
  const std::uint32_t begin = lexer_.peek().span.begin;
  const Value value = lexer_.expect_integer(litmus::any_64_bits);
  if (value < room.least || value > room.greatest) {
    const text::Span span = lexer_.since(begin);
    lexer_.fail(span, fmt::format("expected {}, found `{}`", room.what,
                                  lexer_.text().substr(span.begin, span.end - span.begin)));
  }
  return value;
}

std::string Reader::label() { return std::string(lexer_.expect_word("a label").text); }

/// `0(x5)` or `(x5)`.
void Reader::address(bool displaced) {
  constexpr Room nothing{0, 0, "no number but 0 here"};
  if (!lexer_.at("(")) in_.immediate = number(displaced ? twelve_bits : nothing);
  lexer_.expect("(");
  in_.rs1 = reg();
  lexer_.expect(")");
}

/// `fence` alone is that of everything with everything.
void Reader::fence() {
  in_.before = in_.after = {true, true, true, true};
  if (at_end()) return;
  in_.before = accesses();
  comma();
  in_.after = accesses();
}

Accesses Reader::accesses() {
  const Token token = lexer_.peek();
  if (token.is_number() && token.text == "0") {
    lexer_.next();
    return {false, false, false, false};
  }
  const auto found = token.is_word() ? accesses_named(text::lower_case(token.text)) : std::nullopt;
  if (!found)
    lexer_.fail_expected("a set of accesses, as `rw`: `i`, `o`, `r`, `w` in this order, or `0`");
  lexer_.next();
  return *found;
}

} // namespace

Instruction read_instruction(Lexer& lexer, const Surroundings& surroundings) {
  return Reader(lexer, surroundings).read();
}

} // namespace thinair::riscv
