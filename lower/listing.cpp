// Turns decoded instructions into text for herd7, machine by machine.
#include "lower/listing.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

namespace thinair::lower {
namespace {

using Words = std::span<const std::string_view>;

struct Text {
  std::string word;
  std::vector<std::string> operands;
};

/// "\tldr\tw8, [x0]" in its parts. LLVM has a comment behind some updates.
Text split(std::string_view text) {
  Text result;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  text = text.substr(0, text.find("//"));
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  result.word = text.substr(0, end);
  text.remove_prefix(end);
  int brackets = 0;
  for (const char c : text) {
    if (result.operands.empty() && c != ' ' && c != '\t') result.operands.emplace_back();
    brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && brackets == 0)
      result.operands.emplace_back();
    else if ((c != ' ' && c != '\t') ||
             (!result.operands.empty() && !result.operands.back().empty()))
      result.operands.back() += c;
  }
  return result;
}

std::string joined(const Text& text) {
  return text.operands.empty() ? text.word
                               : fmt::format("{} {}", text.word, fmt::join(text.operands, ", "));
}

/// "#0x6" as "#6"; herd7 reads no hexadecimal.
std::string in_decimal(const std::string& operand) {
  const std::size_t at = operand.find("0x");
  if (at == std::string::npos) return operand;
  std::uint64_t value = 0;
  const char* begin = operand.data() + at + 2;
  const auto [end, error] = std::from_chars(begin, operand.data() + operand.size(), value, 16);
  if (error != std::errc()) return operand;
  return fmt::format("{}{}{}", operand.substr(0, at), value, end);
}

bool names_stack(const std::string& operand) {
  return operand.starts_with("sp") || operand.starts_with("[sp") || operand.ends_with("(sp)");
}

/// Room on the stack, and registers that the caller wants back put there, whole. Were it one of our
/// values, it would be read again, and that is unsupported.
bool is_prologue(const Text& text) {
  if (text.operands.empty() || !names_stack(text.operands.back())) {
    return text.operands.size() == 3 && text.operands[0] == "sp" && text.operands[1] == "sp" &&
           (text.word == "sub" || text.word == "addi");
  }
  constexpr std::array<std::string_view, 3> stores{"str", "stp", "sd"};
  const auto kept = [](const std::string& reg) {
    return reg == "x19" || (reg.starts_with("x2") && reg.size() == 3) || reg == "x30" ||
           reg.starts_with("s") || reg == "ra";
  };
  return std::ranges::find(stores, text.word) != stores.end() &&
         std::all_of(text.operands.begin(), text.operands.end() - 1, kept);
}

/// Instructions that do what one of A64 does that writes its address back: "[x8, #4]!" adds first,
/// "[x8], #4" afterwards.
std::vector<Text> without_write_back(Text text) {
  if (text.operands.empty()) return {std::move(text)};
  const auto moved = [](const std::string& base, std::string by) -> Text {
    const bool back = by.starts_with("#-");
    if (back) by.erase(1, 1);
    return {back ? "sub" : "add", {base, base, by}};
  };
  std::string& last = text.operands.back();
  if (const auto comma = last.find(", #"); last.ends_with("]!") && comma != std::string::npos) {
    const auto base = last.substr(1, comma - 1), by = last.substr(comma + 2);
    last = fmt::format("[{}]", base);
    return {moved(base, by.substr(0, by.size() - 2)), std::move(text)};
  }
  const std::size_t count = text.operands.size();
  if (count < 3 || !last.starts_with('#') || !text.operands[count - 2].starts_with('['))
    return {std::move(text)};
  const std::string by = last;
  text.operands.pop_back();
  const std::string& place = text.operands.back();
  const auto after = moved(place.substr(1, place.size() - 2), by);
  return {std::move(text), after};
}

const std::string end_label = "END";

/// One function's instructions, with what the machine's rewriting needs to know of them.
class Lister {
 public:
  Lister(const MachineFunction& function, Machine machine, ListingThread& out)
      : function_(function), machine_(machine), out_(out) {}

  void run() {
    find_labels();
    for (const auto& in : function_.code) {
      if (const auto found = labels_.find(in.address); found != labels_.end()) {
        pending_.push_back(found->second);
        reachable_ = true;
      }
      if (reachable_) take(in);
    }
    finish();
  }

 private:
  void find_labels() {
    std::set<std::uint64_t> targets;
    for (const auto& in : function_.code)
      if (in.target) targets.insert(*in.target);
    for (const std::uint64_t target : targets) labels_[target] = fmt::format("L{}", labels_.size());
  }

  void take(const MachineInstruction& in);
  void finish();

  void emit(std::string text) {
    out_.code.push_back({std::exchange(pending_, {}), std::move(text)});
  }

  std::string to_the_end() const { return fmt::format("{} {}", info(machine_).jump, end_label); }

  const MachineFunction& function_;
  Machine machine_;
  ListingThread& out_;
  std::map<std::uint64_t, std::string> labels_;
  std::vector<std::string> pending_;
  bool reachable_ = true;
};

void Lister::take(const MachineInstruction& in) {
  if (in.opcode == info(machine_).end_opcode) {
    emit(to_the_end());
    reachable_ = false;
    return;
  }
  if (!in.symbol.empty()) unsupported(in); // an address that is no argument
  Text text = split(in.text);
  if (is_prologue(text)) return;
  for (auto& operand : text.operands) {
    operand = in_decimal(operand);
    if (names_stack(operand)) unsupported(in);
  }
  reachable_ = in.falls_through;
  if (text.word == "nop" || (text.word == "addi" && text.operands[0] == "zero")) return;
  if (text.word == "jal" && in.target && text.operands[0] == "zero")
    text = {"j", {text.operands[1]}};
  if (in.target) text.operands.back() = labels_.at(*in.target);
  for (const auto& each : without_write_back(std::move(text))) emit(joined(each));
}

/// Jumps to what follows them go, so that straight code ends without one.
void Lister::finish() {
  out_.end_labels = std::move(pending_);
  const auto ends = [this](const ListingLine& line) { return line.text == to_the_end(); };
  while (!out_.code.empty() && ends(out_.code.back())) {
    auto& labels = out_.code.back().labels;
    out_.end_labels.insert(out_.end_labels.begin(), labels.begin(), labels.end());
    out_.code.pop_back();
  }
  if (std::ranges::any_of(out_.code, ends)) out_.end_labels.push_back(end_label);
}

} // namespace

ListingThread listed(const MachineFunction& function, Machine machine,
                     const std::vector<litmus::LocationId>& arguments) {
  ListingThread thread;
  const auto registers = info(machine).addresses;
  if (arguments.size() > registers.size())
    throw Unsupported(fmt::format("more than {} locations in one thread, for {}", registers.size(),
                                  info(machine).prefix));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    thread.addresses.emplace_back(machine->register_in_tests(registers[i]), arguments[i]);
  Lister(function, machine, thread).run();
  return thread;
}

const litmus::Language& language_of(Machine machine) {
  for (const auto* language : litmus::languages())
    if (language->word == machine->word) return *language;
  throw Unsupported(fmt::format("the language of {} code", info(machine).prefix));
}

namespace {

/// Of a cell, or of an object.
std::string declaration(std::span<const litmus::Cell> cells, std::size_t at) {
  const litmus::Cell& cell = cells[at];
  const std::string what = litmus::declared(cells, at);
  if (cell.length > 0) {
    std::vector<std::string> values;
    for (const auto& each : cells.subspan(at, cell.length))
      values.push_back(shown(each.initial, each.type));
    return fmt::format(" {}={{{}}};\n", what, fmt::join(values, ","));
  }
  return fmt::format(" {}={};\n", what, shown(cell.initial, cell.type));
}

std::string labelled(const std::vector<std::string>& labels, const std::string& text) {
  std::string out;
  for (const auto& label : labels) out += label + ": ";
  return out + text;
}

/// A row of the table that tests write code in: one instruction of each thread, as far as there are
/// any.
std::string row(const Listing& listing, std::size_t at) {
  std::string out;
  for (const auto& thread : listing.threads) {
    out += out.empty() ? " " : " | ";
    if (at < thread.code.size()) out += labelled(thread.code[at].labels, thread.code[at].text);
    if (at == thread.code.size()) out += labelled(thread.end_labels, "");
  }
  return out + " ;\n";
}

} // namespace

litmus::Code read(const Listing& listing) {
  std::string text = fmt::format("{} code\n{{\n", listing.machine->word);
  for (std::size_t i = 0; i < listing.cells.size(); ++i)
    if (listing.cells[i].index == 0) text += declaration(listing.cells, i);
  for (std::size_t t = 0; t < listing.threads.size(); ++t) {
    const auto& thread = listing.threads[t];
    for (const auto& [reg, cell] : thread.addresses) {
      if (std::ranges::find(thread.longs, reg) != thread.longs.end())
        throw Unsupported("a long in a register that held an address");
      text += fmt::format(" {}:{}={};\n", t, reg, name_in_code(listing.cells[cell.value]));
    }
    for (const auto& reg : thread.longs)
      text += fmt::format(" {} {}:{}=0;\n", name(litmus::Type{litmus::Width::q, true}), t, reg);
  }
  text += "}\n";
  std::size_t rows = 1;
  for (std::size_t t = 0; t < listing.threads.size(); ++t) {
    text += fmt::format("{}P{}", t == 0 ? " " : " | ", t);
    rows = std::max(rows, listing.threads[t].code.size() + 1);
  }
  text += " ;\n";
  for (std::size_t at = 0; at < rows; ++at) text += row(listing, at);
  try {
    return litmus::parse({"code", text}).code();
  } catch (const InputError& error) { // LLVM knows more instructions than the language
    throw Unsupported(fmt::format("this code: {}", error.what()));
  }
}

} // namespace thinair::lower
