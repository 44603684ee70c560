// Shapes of AArch64 instructions, by LLVM's names of them.
#include "machine/aarch64/code/jit.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace thinair::lower::jit::aarch64_code {
namespace {

using Kind = MachineOperand::Kind;

std::string whole(std::string_view name) { return whole_register(name); }

Source source(const MachineOperand& operand) {
  if (operand.kind == Kind::number) return operand.number;
  std::string name = whole(operand.reg);
  if (name.empty()) return std::int64_t{0}; // the zero register
  return Reg{std::move(name)};
}

/// The number behind the last '#', as LLVM prints it: its operand may be an encoding of it.
std::int64_t printed_number(const MachineInstruction& in) {
  std::string_view text = in.text;
  text.remove_prefix(std::min(text.size(), text.rfind('#') + 1));
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

unsigned bytes_of(const MachineInstruction& in) {
  return in.opcode.find('X') != std::string::npos ? 8 : 4;
}

/// Accesses of which the address is one register, as they all are but plain loads and stores:
/// the last operand.
Shape other(const MachineInstruction& in) {
  Shape out;
  bool reads_flags = false;
  for (const auto& name : in.reads) {
    reads_flags |= name == "NZCV";
    if (auto reg = whole(name); !reg.empty()) out.reads.push_back(std::move(reg));
  }
  for (const auto& name : in.writes) {
    out.sets_flags |= name == "NZCV";
    if (auto reg = whole(name); !reg.empty()) out.writes.push_back(std::move(reg));
  }
  if (reads_flags) out.reads.emplace_back("flags");
  if (in.accesses_memory && !in.operands.empty() && !in.opcode.starts_with("DMB") &&
      in.opcode != "ISB" && in.opcode != "DSB") {
    if (in.operands.back().kind != Kind::reg) unsupported(in);
    out.place = Place{whole(in.operands.back().reg), "", 1, 0};
    const auto base = std::ranges::find(out.reads, out.place->base);
    if (base != out.reads.end()) out.reads.erase(base);
    out.bytes = in.opcode.ends_with("W")   ? 4
                : in.opcode.ends_with("X") ? 8
                : in.opcode.ends_with("H") ? 2
                                           : 1;
  }
  return out;
}

/// `ldr`, `str`, `ldur`, `stur` with a displacement, `ldr` of a literal.
std::optional<Shape> access(const MachineInstruction& in) {
  struct Row {
    std::string_view opcode;
    bool load;
    unsigned bytes;
    std::int64_t unit;
  };
  static constexpr auto rows = std::to_array<Row>({{"LDRWui", true, 4, 4},
                                                   {"LDRXui", true, 8, 8},
                                                   {"LDURWi", true, 4, 1},
                                                   {"LDURXi", true, 8, 1},
                                                   {"LDRBBui", true, 1, 1},
                                                   {"LDRSBWui", true, 1, 1},
                                                   {"LDRSBXui", true, 1, 1},
                                                   {"LDRHHui", true, 2, 2},
                                                   {"LDRSHWui", true, 2, 2},
                                                   {"LDRSHXui", true, 2, 2},
                                                   {"LDRSWui", true, 4, 4},
                                                   {"STRBBui", false, 1, 1},
                                                   {"STRHHui", false, 2, 2},
                                                   {"STRWui", false, 4, 4},
                                                   {"STRXui", false, 8, 8},
                                                   {"STURWi", false, 4, 1},
                                                   {"STURXi", false, 8, 1}});
  Shape out;
  if (in.opcode == "LDRWl" || in.opcode == "LDRXl") {
    out.does = Does::load;
    out.to = whole(in.operands[0].reg);
    out.place = Place{};
    return out;
  }
  const auto row = std::ranges::find(rows, in.opcode, &Row::opcode);
  if (row == rows.end()) return std::nullopt;
  out.does = row->load ? Does::load : Does::store;
  out.bytes = row->bytes;
  out.place = Place{whole(in.operands[1].reg), "", 1, in.operands[2].number * row->unit};
  if (row->load)
    out.to = whole(in.operands[0].reg);
  else
    out.from = {source(in.operands[0])};
  return out;
}

/// `ldr`, `str` with an index register, of 64 bits or extended from 32.
std::optional<Shape> indexed(const MachineInstruction& in) {
  struct Row {
    std::string_view opcode; // without the index: "LDRW" of "LDRWroX"
    unsigned bytes;
  };
  static constexpr auto rows = std::to_array<Row>({{"LDRW", 4},
                                                   {"LDRX", 8},
                                                   {"LDRBB", 1},
                                                   {"LDRSBW", 1},
                                                   {"LDRSBX", 1},
                                                   {"LDRHH", 2},
                                                   {"LDRSHW", 2},
                                                   {"LDRSHX", 2},
                                                   {"LDRSW", 4},
                                                   {"STRW", 4},
                                                   {"STRX", 8},
                                                   {"STRBB", 1},
                                                   {"STRHH", 2}});
  const std::string_view opcode = in.opcode;
  if ((!opcode.ends_with("roX") && !opcode.ends_with("roW")) || in.operands.size() != 5)
    return std::nullopt;
  constexpr std::size_t index = 3; // letters
  const auto row = std::ranges::find(rows, opcode.substr(0, opcode.size() - index), &Row::opcode);
  if (row == rows.end()) return std::nullopt;
  Shape out;
  out.bytes = row->bytes;
  const bool load = opcode.starts_with("LDR");
  out.does = load ? Does::load : Does::store;
  const bool scaled = in.operands[4].number != 0;
  out.place = Place{whole(in.operands[1].reg), whole(in.operands[2].reg),
                    scaled ? static_cast<std::int64_t>(out.bytes) : 1, 0};
  if (load)
    out.to = whole(in.operands[0].reg);
  else
    out.from = {source(in.operands[0])};
  return out;
}

/// `stp x29, x30, [sp, #-16]!` and `ldp x29, x30, [sp], #16` change the register of the address,
/// which is their first result.
std::optional<Shape> pair(const MachineInstruction& in) {
  const bool before = in.opcode == "STPXpre", behind = in.opcode == "LDPXpost";
  const bool load = in.opcode == "LDPXi" || in.opcode == "LDPWi" || behind;
  if (!load && !before && in.opcode != "STPXi" && in.opcode != "STPWi") return std::nullopt;
  const std::size_t first = before || behind ? 1 : 0;
  const auto& ops = in.operands;
  Shape out;
  out.does = load ? Does::load : Does::store;
  out.pair = true;
  out.bytes = in.opcode[3] == 'X' ? 8 : 4;
  const std::int64_t further = ops[first + 3].number * static_cast<std::int64_t>(out.bytes);
  out.place = Place{whole(ops[first + 2].reg), "", 1, behind ? 0 : further};
  if (before || behind) out.moves_base = further;
  if (load) {
    out.to = whole(ops[first].reg);
    out.writes = {whole(ops[first + 1].reg)};
  } else {
    out.from = {source(ops[first]), source(ops[first + 1])};
  }
  return out;
}

/// What moves and makes constants.
std::optional<Shape> move(const MachineInstruction& in) {
  const auto& ops = in.operands;
  const std::string_view opcode = in.opcode;
  Shape out;
  out.bytes = bytes_of(in);
  out.does = Does::move;
  if (opcode == "ORRWrs" || opcode == "ORRXrs") {
    if (!whole(ops[1].reg).empty() || ops[3].number != 0) return std::nullopt;
    out.from = {source(ops[2])};
  } else if (opcode == "ORRWri" || opcode == "ORRXri") {
    if (!whole(ops[1].reg).empty()) return std::nullopt;
    out.from = {printed_number(in)};
  } else if (opcode == "MOVi32imm" || opcode == "MOVi64imm") { // of fold()
    out.bytes = opcode == "MOVi64imm" ? 8 : 4;
    out.from = {ops[1].number};
  } else if (opcode.starts_with("MOVZ") || opcode.starts_with("MOVN")) {
    const std::int64_t value = ops[1].number << ops[2].number;
    out.from = {opcode[3] == 'Z' ? value : ~value};
  } else if (opcode.starts_with("MOVK")) {
    out.does = Does::bits;
    out.from = {source(ops[1])};
    out.number = ops[2].number << ops[3].number;
    out.mask = std::int64_t{0xFFFF} << ops[3].number;
  } else {
    return std::nullopt;
  }
  out.to = whole(ops[0].reg);
  return out;
}

std::optional<Shape> sum(const MachineInstruction& in) {
  const auto& ops = in.operands;
  Shape out;
  out.does = Does::sum;
  out.bytes = 8;
  if (in.opcode == "ADDXri" || in.opcode == "SUBXri") {
    const std::int64_t number = ops[2].number << ops[3].number;
    out.number = in.opcode[0] == 'A' ? number : -number;
    out.from = {source(ops[1])};
  } else if (in.opcode == "ADDXrx64" && ops[3].number == 24) { // uxtx, not shifted
    out.from = {source(ops[1]), source(ops[2])};
  } else if (in.opcode == "ADDXrs" && ops[3].number < 64) { // shifted to the left
    out.from = {source(ops[1]), source(ops[2])};
    out.scale = std::int64_t{1} << ops[3].number;
  } else {
    return std::nullopt;
  }
  out.to = whole(ops[0].reg);
  return out;
}

/// `cmp` and `tst`: their results go to the zero register.
std::optional<Shape> compare(const MachineInstruction& in) {
  const auto& ops = in.operands;
  const std::string_view opcode = in.opcode;
  const bool subtracts = opcode.starts_with("SUBS"), tests = opcode.starts_with("ANDS");
  if ((!subtracts && !tests) || !whole(ops[0].reg).empty()) return std::nullopt;
  Shape out;
  out.does = tests ? Does::test : Does::compare;
  out.sets_flags = true;
  out.bytes = bytes_of(in);
  out.from = {source(ops[1])};
  if (opcode.ends_with("ri"))
    out.from.emplace_back(tests ? printed_number(in) : ops[2].number << ops[3].number);
  else
    out.from.push_back(source(ops[2]));
  const bool changed =
      !opcode.ends_with("ri") && opcode.find("rx") == std::string::npos && ops[3].number != 0;
  if (changed) return std::nullopt; // a shifted operand
  return out;
}

std::optional<Shape> jump(const MachineInstruction& in) {
  const std::string_view opcode = in.opcode;
  Shape out;
  out.target = in.target.value_or(0);
  if (opcode == "B") {
    out.does = Does::jump;
  } else if (opcode == "Bcc") {
    out.does = Does::branch;
    const std::int64_t condition = in.operands[0].number; // DDI 0487, C1.2.4
    out.when = condition == 0   ? When::equal
               : condition == 1 ? When::not_equal
               : condition == 8 ? When::above
                                : When::other;
  } else if (opcode.starts_with("CB")) {
    out.does = Does::branch;
    out.compares = true;
    out.bytes = bytes_of(in);
    out.when = opcode.starts_with("CBZ") ? When::equal : When::not_equal;
    out.from = {source(in.operands[0]), std::int64_t{0}};
  } else if (opcode.starts_with("TB")) {
    out.does = Does::branch;
    out.compares = true;
    out.from = {source(in.operands[0]), source(in.operands[0])}; // a bit of it: no equality
  } else if (opcode == "RET") {
    out.does = Does::end;
  } else if (opcode == "BL" || opcode == "BLR" || opcode == "BR" || opcode == "UDF" ||
             opcode == "BRK" || opcode == "HLT") {
    out.does = Does::leave;
  } else if (opcode == "HINT" || opcode.starts_with("PRFM")) {
    out.does = Does::nothing;
  } else {
    return std::nullopt;
  }
  return out;
}

} // namespace

Shape shape_of(const MachineInstruction& in) {
  for (const auto known : {jump, move, sum, compare, access, pair, indexed})
    if (auto shape = known(in)) return *std::move(shape);
  Shape out = other(in);
  const bool on_class = in.opcode == "EORXri" || in.opcode == "ANDXri" || in.opcode == "UBFMXri";
  if (on_class) { // a class pointer is put together, or a number changed
    out.does = Does::bits;
    out.to = whole(in.operands[0].reg);
    out.from = {source(in.operands[1])};
    out.reads.clear();
    out.writes.clear();
  }
  constexpr std::int64_t last_bit = 63;
  if (in.opcode == "UBFMXri" && in.operands[3].number == last_bit) { // lsr
    out.does = Does::shift;
    out.bytes = 8;
    out.number = in.operands[2].number;
  }
  return out;
}

} // namespace thinair::lower::jit::aarch64_code
