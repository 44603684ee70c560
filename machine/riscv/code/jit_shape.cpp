// Shapes of RISC-V instructions. Compressed instructions have operands of their own in LLVM, so an
// instruction is read from its text, in which LLVM prints what they are short for.
#include "litmus/text/error.h"
#include "machine/riscv/assembly.h"
#include "machine/riscv/code/jit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::lower::jit::riscv_code {
namespace {

using riscv::Instruction;
using riscv::Operation;
using Layout = riscv::Shape; // what stands behind a mnemonic

std::string whole(riscv::Register reg) {
  return is_zero(reg) ? "" : fmt::format("X{}", riscv::index(reg));
}

Source source(riscv::Register reg) {
  if (is_zero(reg)) return std::int64_t{0};
  return Reg{whole(reg)};
}

/// "\tbne\ta3, a0, 8" is "bne"; its last operand is a distance, in place of which a label stands.
std::string_view word_of(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  return text.substr(0, text.find_first_of(" \t"));
}

std::string labelled(const MachineInstruction& in) {
  const std::string& text = in.text;
  return in.target ? text.substr(0, text.find_last_of(", \t") + 1) + "L" : text;
}

/// None for what the language of tests has no word for.
std::optional<Instruction> read(const MachineInstruction& in) {
  const text::Source code{"code", labelled(in)};
  const litmus::Limits limits;
  try {
    litmus::Lexer lexer(code, limits, litmus::Manner::herds);
    lexer.read_assembly();
    return riscv::read_instruction(lexer, {});
  } catch (const InputError&) {
  } catch (const Unsupported&) {
  }
  return std::nullopt;
}

/// What the table has no row for: jumps beyond the method, and parts of addresses in the code.
std::optional<Shape> beyond_tests(const MachineInstruction& in) {
  constexpr std::array<std::string_view, 8> leaving{"jal",    "jalr",  "jr",    "call",
                                                    "ebreak", "unimp", "ecall", "c.unimp"};
  const std::string_view word = word_of(in.text);
  Shape out;
  if (word == "ret") {
    out.does = Does::end;
  } else if (std::ranges::find(leaving, word) != leaving.end()) {
    out.does = Does::leave;
  } else if (word == "auipc") {
    out.does = Does::move;
    out.to = whole_register(in.writes.at(0));
    out.from = {Place{}};
  } else {
    return std::nullopt;
  }
  return out;
}

/// Whatever computes in registers, or accesses memory at an address in one register.
Shape other(const MachineInstruction& in, const std::optional<Instruction>& read) {
  Shape out;
  const auto add = [](const std::string& name, std::vector<std::string>& to) {
    if (auto reg = whole_register(name); !reg.empty()) to.push_back(std::move(reg));
  };
  for (const auto& name : in.reads) add(name, out.reads);
  for (const auto& name : in.writes) add(name, out.writes);
  const bool fence = in.opcode.starts_with("FENCE");
  if (!read && in.accesses_memory && !fence) unsupported(in);
  if (!read || !accesses_memory(info(read->opcode).shape)) return out;
  out.place = Place{whole(read->rs1), "", 1, read->immediate};
  out.bytes = static_cast<unsigned>(info(read->opcode).width);
  const auto base = std::ranges::find(out.reads, out.place->base);
  if (base != out.reads.end()) out.reads.erase(base);
  return out;
}

/// `addi`, `add`, `sub`, and those of 32 bits.
std::optional<Shape> sum(const Instruction& in) {
  const auto& row = info(in.opcode);
  const bool adds = row.operation == Operation::add,
             subtracts = row.operation == Operation::subtract;
  const bool immediate = row.shape == Layout::immediate;
  if (!(adds && immediate) && !((adds || subtracts) && row.shape == Layout::registers))
    return std::nullopt;
  Shape out;
  out.does = Does::sum;
  out.bytes = static_cast<unsigned>(row.width);
  out.to = whole(in.rd);
  out.from = {source(in.rs1)};
  out.number = in.immediate;
  if (!immediate) out.from.push_back(source(in.rs2));
  if (subtracts) out.scale = -1;
  if (immediate && in.immediate == 0 && row.width == litmus::Width::q) out.does = Does::move;
  return out;
}

/// `li`, `lui` and shifts to the left, of which constants are made.
std::optional<Shape> constant(const Instruction& in) {
  const auto& row = info(in.opcode);
  Shape out;
  out.bytes = 8;
  out.to = whole(in.rd);
  if (row.shape == Layout::constant) {
    out.does = Does::move;
    out.from = {in.immediate};
  } else if (row.shape == Layout::upper) {
    out.does = Does::move;
    out.from = {
        litmus::sign_extended(static_cast<std::uint64_t>(in.immediate) << 12, litmus::Width::l)};
  } else if (row.shape == Layout::shift && row.operation == Operation::shift_left &&
             row.width == litmus::Width::q && in.immediate < 63) {
    out.does = Does::bits;
    out.from = {source(in.rs1)};
    out.scale = std::int64_t{1} << in.immediate;
  } else {
    return std::nullopt;
  }
  return out;
}

/// `srli`, by which the class comes out of a header.
std::optional<Shape> shift(const Instruction& in) {
  const auto& row = info(in.opcode);
  const bool right = row.shape == Layout::shift && row.operation == Operation::shift_right;
  if (!right || row.width != litmus::Width::q) return std::nullopt;
  Shape out;
  out.does = Does::shift;
  out.bytes = 8;
  out.to = whole(in.rd);
  out.from = {source(in.rs1)};
  out.number = in.immediate;
  return out;
}

std::optional<Shape> access(const Instruction& in) {
  const auto& row = info(in.opcode);
  const bool load = row.shape == Layout::load;
  if ((!load && row.shape != Layout::store) || in.acquire || in.release) return std::nullopt;
  Shape out;
  out.does = load ? Does::load : Does::store;
  out.bytes = static_cast<unsigned>(row.width);
  out.place = Place{whole(in.rs1), "", 1, in.immediate};
  if (load)
    out.to = whole(in.rd);
  else
    out.from = {source(in.rs2)};
  return out;
}

std::optional<Shape> branch(const Instruction& in, std::uint64_t target) {
  const auto& row = info(in.opcode);
  Shape out;
  out.target = target;
  if (row.shape == Layout::jump) {
    out.does = Does::jump;
    return out;
  }
  if (row.shape != Layout::branch) return std::nullopt;
  out.does = Does::branch;
  out.compares = true;
  out.bytes = 8;
  out.from = {source(in.rs1), source(in.rs2)};
  if (row.operation == Operation::equal) out.when = When::equal;
  if (row.operation == Operation::not_equal) out.when = When::not_equal;
  if (row.operation == Operation::below) out.when = When::above;
  if (row.operation == Operation::above_equal) out.when = When::not_above;
  if (out.when == When::above || out.when == When::not_above)
    std::swap(out.from[0], out.from[1]); // a < b: b is above a
  return out;
}

/// A hint writes what it computes to x0.
bool is_hint(const Shape& shape) {
  return shape.to.empty() && (shape.does == Does::move || shape.does == Does::sum ||
                              shape.does == Does::bits || shape.does == Does::shift);
}

} // namespace

Shape shape_of(const MachineInstruction& in) {
  if (auto shape = beyond_tests(in)) return *std::move(shape);
  const auto read = riscv_code::read(in);
  if (!read) return other(in, read);
  Shape out;
  if (word_of(in.text) == "nop") {
    out.does = Does::nothing;
    return out;
  }
  if (auto shape = branch(*read, in.target.value_or(0))) return *std::move(shape);
  for (const auto known : {constant, shift, sum, access})
    if (auto shape = known(*read)) {
      if (is_hint(*shape)) shape->does = Does::nothing;
      return *std::move(shape);
    }
  return other(in, read);
}

} // namespace thinair::lower::jit::riscv_code
