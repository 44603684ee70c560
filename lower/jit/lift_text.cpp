// Code of machines of loads and stores: noise becomes nops, places become registers that hold the
// address of a cell, results and slots become registers; lower/listing.h does the rest.
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/inside.h"
#include "lower/jit/references.h"
#include "lower/listing.h"
#include "lower/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::lower::jit {
namespace {

std::string as_cell_key(const Cell& cell) {
  return fmt::format("{}{}", static_cast<int>(cell.kind), cell.number);
}

class Lifter {
 public:
  Lifter(Machine machine, const Layout& layout, const std::vector<Step>& steps)
      : machine_(machine), words_(*compiled_code(machine).words), layout_(layout), steps_(steps) {
    for (const Step& step : steps)
      if (step.stays != Step::Stays::no && step.stays != Step::Stays::as_jump) use(step);
  }

  ListingThread run() {
    MachineFunction function;
    for (const Step& step : steps_) take(step, function.code);
    ListingThread thread = listed(function, machine_, {});
    for (const auto& [key, reg] : homes_)
      if (cells_.contains(key))
        thread.addresses.emplace_back(name(reg, 8, true), litmus::LocationId(cells_.at(key)));
    return thread;
  }

  /// The register in which a cell of the result is left.
  std::optional<std::string> left_in(const Cell& cell) const {
    const auto found = homes_.find(as_cell_key(cell));
    if (found == homes_.end()) return std::nullopt;
    return name(found->second, 8, true);
  }

 private:
  static constexpr std::int64_t scratch = -1; // no object's: a register for constants

  void use(const Step& step) {
    const auto add = [this](const std::string& reg) {
      if (reg.size() > 1 && reg[0] == 'X') used_.insert(std::stoi(reg.substr(1)));
    };
    add(step.shape.to);
    for (const auto& reg : step.shape.reads) add(reg);
    for (const auto& reg : step.shape.writes) add(reg);
    if (step.shape.place) add(step.shape.place->base);
    for (const Source& source : step.shape.from)
      if (const auto* reg = std::get_if<Reg>(&source)) add(reg->name);
  }

  /// A register that the code leaves alone: for a field its address, else the value.
  int home(const Cell& cell) {
    const std::string key = as_cell_key(cell);
    const bool scratches = cell.kind == Cell::Kind::object && cell.number == scratch;
    if ((cell.kind == Cell::Kind::field || cell.kind == Cell::Kind::object) && !scratches)
      cells_[key] = static_cast<std::uint32_t>(cell.number);
    if (const auto found = homes_.find(key); found != homes_.end()) return found->second;
    for (int reg = words_.registers - 1; reg >= words_.first; --reg)
      if (used_.insert(reg).second) return homes_[key] = reg;
    throw Unsupported("more cells in compiled code than registers that it leaves alone");
  }

  /// `as_in_tests`: as initial states and questions name it.
  std::string name(int reg, unsigned bytes, bool as_in_tests = false) const {
    return words_.name(reg, bytes, as_in_tests);
  }

  std::string operand(const Source& source, unsigned bytes) const {
    if (const auto* reg = std::get_if<Reg>(&source))
      return name(std::stoi(reg->name.substr(1)), bytes);
    return std::string(words_.zero(bytes));
  }

  /// The place in a text becomes that of a cell: "[x1, #12]" is "[x27]", "12(a1)" is "0(x27)".
  std::string pointed(std::string text, const Cell& cell) {
    const std::string reg = name(home(cell), 8);
    std::size_t begin = text.find(words_.open);
    const std::size_t end = text.find(words_.close);
    THINAIR_CHECK(begin != std::string::npos && end != std::string::npos, "an access to no place");
    const std::size_t displacement = text.find_last_of(" \t", begin);
    const bool has_number = !words_.number.empty() && displacement + 1 != begin;
    if (has_number) begin = displacement + 1;
    return fmt::format("{}{}{}{}{}", text.substr(0, begin), has_number ? words_.number : "",
                       words_.open, reg, words_.close) +
           text.substr(end + 1);
  }

  /// One access of a plain load or store. What extends or cuts a number, or is of another width
  /// than `words_.load`, keeps its own word.
  std::string access(const Step& step, const Cell& cell, bool second) {
    const Shape& shape = step.shape;
    const bool load = shape.does == Does::load;
    const std::string& text = step.instruction.text;
    if (text.starts_with("\tlwu") && cell.kind != Cell::Kind::field) refuse(step);
    if (cell.kind == Cell::Kind::field && !shape.pair && !is_plain(text))
      return pointed(text, cell);
    const bool narrow = shape.bytes < 4;
    if (narrow && (load || cell.kind == Cell::Kind::slot)) refuse(step);
    const unsigned bytes = narrow ? 4 : shape.bytes;
    const Source other =
        load ? Source(Reg{second ? shape.writes[0] : shape.to}) : shape.from[second ? 1 : 0];
    const auto* reg = std::get_if<Reg>(&other);
    const std::string value = reg != nullptr && reg->name.empty() ? operand(std::int64_t{0}, bytes)
                                                                  : operand(other, bytes);
    if (cell.kind == Cell::Kind::field)
      return fmt::format("\t{}\t{}, {}{}{}{}", load ? words_.load : words_.store, value,
                         words_.number, words_.open, name(home(cell), 8), words_.close);
    const std::string kept = name(home(cell), bytes);
    return load ? words_.move(value, kept, bytes) : words_.move(kept, value, bytes);
  }

  /// Whether the code's word is the usual one, whatever kind of displacement it has.
  bool is_plain(std::string_view text) const {
    text.remove_prefix(1);
    const std::string word(text.substr(0, text.find('\t')));
    std::string scaled = word; // "ldur" is "ldr" with another displacement
    if (scaled.size() == 4 && scaled[2] == 'u') scaled.erase(2, 1);
    return scaled == words_.load || scaled == words_.store;
  }

  /// The address of an object, in the register that a load would have written.
  std::string making(const Step& step) {
    const ObjectPlace& place = layout_.objects.at(step.made);
    const Cell first{Cell::Kind::object, first_cell(place).value};
    return words_.sum(operand(Reg{step.shape.to}, 8), name(home(first), 8), -place.first);
  }

  std::string word_store(const Step& step, const Word& word, const std::string& value) const {
    const auto& at = *step.shape.place;
    if (!at.index.empty() || (words_.store_of == nullptr && word.bytes != 4)) refuse(step);
    return fmt::format(
        "\t{}\t{}, {}", words_.store_of != nullptr ? words_.store_of(word.bytes) : words_.store,
        value, words_.place(operand(Reg{at.base}, 8), at.displacement + word.further));
  }

  [[noreturn]] static void refuse(const Step& step) {
    throw Unsupported(fmt::format("in compiled code: {}", text_of(step.instruction)));
  }

  /// Each of several words. What no register's low half is goes through one of our own.
  void take_words(const Step& step, std::vector<MachineInstruction>& code) {
    MachineInstruction in = step.instruction;
    const auto emit = [&](std::string text) {
      in.text = std::move(text);
      code.push_back(in);
      in.address = step.instruction.address + 1; // where nothing jumps to
    };
    for (const Word& word : step.words) {
      const unsigned bytes = std::max(word.bytes, 4U);
      std::string value(words_.zero(bytes));
      if (word.constant != 0 && !word.reg.empty()) {
        value = operand(Reg{word.reg}, bytes);
      } else if (word.constant != 0) {
        constexpr std::int64_t beyond = 2048;
        if (*word.constant >= beyond || *word.constant <= -beyond) refuse(step);
        value = name(home({Cell::Kind::object, scratch}), bytes);
        emit(words_.constant(value, static_cast<std::int32_t>(*word.constant)));
      }
      emit(word_store(step, word, value));
    }
  }

  /// A pair by a reference, one after the other; the first may not take the address away.
  void take_pair(const Step& step, std::vector<MachineInstruction>& code) {
    const Shape& shape = step.shape;
    const bool load = shape.does == Does::load;
    const auto& at = *shape.place;
    if (shape.bytes != 4 || !at.index.empty() || (load && shape.to == at.base)) refuse(step);
    MachineInstruction in = step.instruction;
    for (std::size_t i = 0; i < 2; ++i) {
      const Source value =
          load ? Source(Reg{i == 0 ? shape.to : shape.writes.at(0)}) : shape.from[i];
      in.text = fmt::format("\t{}\t{}, {}", load ? words_.load : words_.store, operand(value, 4),
                            words_.place(operand(Reg{at.base}, 8),
                                         at.displacement + 4 * static_cast<std::int64_t>(i)));
      code.push_back(in);
      ++in.address; // where nothing jumps to
    }
  }

  void take(const Step& step, std::vector<MachineInstruction>& code) {
    if (step.stays == Step::Stays::as_words) return take_words(step, code);
    if (step.stays == Step::Stays::yes && step.shape.pair && !step.cell && !step.second)
      return take_pair(step, code);
    MachineInstruction in = step.instruction;
    const bool plain = step.shape.does == Does::load || step.shape.does == Does::store;
    if (step.stays == Step::Stays::no) {
      in.text = words_.nop;
      in.target.reset();
      in.falls_through = true;
    } else if (step.stays == Step::Stays::as_jump) {
      in.text = fmt::format("\t{}\t0", info(machine_).jump);
      in.falls_through = false;
    } else if (step.stays == Step::Stays::as_new) {
      in.text = making(step);
    } else if (step.shape.does == Does::end) {
      in.opcode = info(machine_).end_opcode;
    } else if (!step.cell && step.second) { // half of a pair is noise
      in.text = words_.nop;
    } else if (step.cell && plain) {
      in.text = access(step, *step.cell, false);
    } else if (step.cell) {
      if (step.cell->kind != Cell::Kind::field)
        throw Unsupported(fmt::format("in compiled code, on the stack: {}", in.text));
      in.text = pointed(in.text, *step.cell);
    }
    code.push_back(in);
    if (step.stays != Step::Stays::yes || !step.second) return;
    ++in.address; // where nothing jumps to
    in.text = access(step, *step.second, true);
    code.push_back(std::move(in));
  }

  Machine machine_;
  const CodeWords& words_;
  const Layout& layout_;
  const std::vector<Step>& steps_;
  std::set<int> used_;
  std::map<std::string, int> homes_;
  std::map<std::string, std::uint32_t> cells_;
};

} // namespace

Lowered text_lifted(const Compilation& compilation, const Walked& threads) {
  const litmus::Program& source = compilation.source;
  Lowered out;
  out.language = &language_of(compilation.machine);
  out.source = source;
  Listing listing{
      compilation.machine, cells_of(compilation, compilation.machine->is_cell_name), {}};
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    const Layout layout = layout_of(compilation, t);
    Lifter lifter(compilation.machine, layout, threads[t]);
    listing.threads.push_back(lifter.run());
    const litmus::Thread& thread = source.threads[t];
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      const auto home = lifter.left_in({Cell::Kind::result, static_cast<std::int64_t>(r)});
      if (!home) no_result(thread, r);
      out.restoration.rows.push_back({{litmus::ThreadId(t), thread.registers[r].name},
                                      litmus::Observable{litmus::ThreadId(t), *home}});
      if (register_type(thread.registers[r].type).width == litmus::Width::q)
        listing.threads.back().longs.push_back(*home);
    }
    if (const auto trap = lifter.left_in(trap_cell(compilation.layout)))
      out.restoration.traps.push_back({litmus::ThreadId(t), *trap});
  }
  out.program = read(listing);
  return out;
}

} // namespace thinair::lower::jit
