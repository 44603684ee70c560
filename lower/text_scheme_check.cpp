// Assembles each instruction of a scheme by itself and follows what it reads and writes.
#include "lower/text_scheme_check.h"

#include "litmus/text/error.h"
#include "lower/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace thinair::lower {
namespace {

/// Registers that stand for the roles, in their order, and for the location's address: as LLVM's
/// decoder names them and as its assembler reads them.
struct Stand {
  std::array<std::string_view, role_count> decoded, written;
  std::string_view address, address_written;
};

constexpr Stand aarch64_stand{{"W9", "W10", "W11", "W12", "W13", "W14"},
                              {"w9", "w10", "w11", "w12", "w13", "w14"},
                              "X15",
                              "[x15]"};
constexpr Stand riscv_stand{{"X10", "X11", "X12", "X13", "X14", "X15"},
                            {"x10", "x11", "x12", "x13", "x14", "x15"},
                            "X16",
                            "(x16)"};

const Stand& stand(Machine machine) {
  return machine == Machine::riscv ? riscv_stand : aarch64_stand;
}

bool is_argument(Role role) { return role == Role::arg || role == Role::exp || role == Role::new_; }

/// The instructions of one rule, each decoded.
using Decoded = std::vector<std::vector<MachineInstruction>>;

/// Every instruction as a function of its own, so that what it became can be told apart.
class Assembler {
 public:
  Assembler(const text::Source& source, Machine machine)
      : source_(source), machine_(machine), backend_(Level::O0, machine) {}

  /// Throws InputError at the first instruction that LLVM's assembler rejects.
  Decoded decode(const TextRule& rule) {
    text_.clear();
    lines_.clear();
    for (std::size_t i = 0; i < rule.code.size(); ++i) add(rule.code[i], i);
    for (const auto& label : rule.end_labels) line(fmt::format(".L{}:", label));
    if (const auto complaint = backend_.complaint(text_)) {
      const TextInstruction& in = rule.code.at(blamed(complaint->line));
      throw InputError::at(
          source_, in.span,
          fmt::format("LLVM's assembler for {}: {}", info(machine_).prefix,
                      complaint->message.substr(0, complaint->message.find(", did you mean"))));
    }
    Decoded result(rule.code.size());
    for (auto& function : backend_.disassemble(backend_.assemble(text_)))
      result.at(std::stoul(function.name.substr(1))) = std::move(function.code);
    return result;
  }

 private:
  void line(std::string_view text, std::size_t instruction = 0) {
    text_ += fmt::format("{}\n", text);
    lines_.push_back(instruction);
  }
  std::size_t blamed(std::size_t line) const {
    return line == 0 || line > lines_.size() ? 0 : lines_[line - 1];
  }
  void add(const TextInstruction& in, std::size_t number) {
    for (const auto& label : in.labels) line(fmt::format(".L{}:", label), number);
    line(fmt::format("\t.type i{},%function", number), number);
    line(fmt::format("i{}:", number), number);
    std::vector<std::string> operands;
    for (const auto& operand : in.operands) operands.push_back(shown(operand));
    line(fmt::format("\t{} {}", in.mnemonic, fmt::join(operands, ", ")), number);
    line(fmt::format("\t.size i{0}, .-i{0}", number), number);
  }
  std::string shown(const TextOperand& operand) const {
    if (const auto* role = std::get_if<Role>(&operand))
      return std::string(stand(machine_).written[static_cast<std::size_t>(*role)]);
    if (std::holds_alternative<Place>(operand)) return std::string(stand(machine_).address_written);
    const auto& word = std::get<std::string>(operand);
    return labels_.contains(word) ? fmt::format(".L{}", word) : word;
  }

  const text::Source& source_;
  Machine machine_;
  Backend backend_;
  std::string text_;
  std::vector<std::size_t> lines_; // the instruction that each line of the text is of

 public:
  std::set<std::string> labels_; // of the rule
};

/// One rule as code of one operation.
class Flow {
 public:
  Flow(const text::Source& source, Machine machine, Operation operation, text::Span named,
       const TextRule& rule, const Decoded& decoded)
      : source_(source), machine_(machine), operation_(operation), named_(named), rule_(rule),
        decoded_(decoded) {}

  void run() {
    for (std::size_t i = 0; i < rule_.code.size(); ++i) {
      for (const auto& operand : rule_.code[i].operands) allow(rule_.code[i], operand);
      for (const auto& in : decoded_[i]) follow(rule_.code[i], in);
    }
    result();
  }

 private:
  [[noreturn]] void fail(text::Span span, std::string_view message, std::string_view hint = {}) {
    throw InputError::at(source_, span, message, hint);
  }

  int arguments() const {
    const auto* method = std::get_if<litmus::Method>(&operation_);
    return method ? litmus::info(*method).arguments : 0;
  }
  bool has_result() const {
    const auto* method = std::get_if<litmus::Method>(&operation_);
    return method && litmus::reads(litmus::info(*method).action);
  }

  void allow(const TextInstruction& in, const TextOperand& operand) {
    const auto* role = std::get_if<Role>(&operand);
    if (!role) {
      if (std::holds_alternative<Place>(operand) &&
          std::holds_alternative<litmus::Fence>(operation_))
        fail(in.span, fmt::format("{} has no location", lower::name(operation_)));
      return;
    }
    const bool there = *role == Role::dst   ? has_result()
                       : *role == Role::arg ? arguments() == 1
                       : is_argument(*role) ? arguments() == 2
                                            : true;
    if (!there)
      fail(in.span, fmt::format("{} has no {}", lower::name(operation_), lower::name(*role)));
  }

  std::optional<Role> role_of(const MachineOperand& operand) const {
    const auto& names = stand(machine_).decoded;
    const auto found = std::ranges::find(names, operand.reg);
    if (operand.kind != MachineOperand::Kind::reg || found == names.end()) return std::nullopt;
    return static_cast<Role>(found - names.begin());
  }

  void follow(const TextInstruction& line, const MachineInstruction& in) {
    for (std::size_t i = in.results; i < in.operands.size(); ++i)
      if (const auto role = role_of(in.operands[i]);
          role && !is_argument(*role) && !written_.contains(*role))
        fail(line.span,
             fmt::format("{} is read before anything is written to it", lower::name(*role)));
    for (std::size_t i = 0; i < in.results; ++i) {
      if (in.operands[i].reg == stand(machine_).address)
        fail(line.span, "this overwrites the address of [x]");
      const auto role = role_of(in.operands[i]);
      if (role && is_argument(*role))
        fail(line.span,
             fmt::format("this overwrites {}, which the rule must leave as it is",
                         lower::name(*role)),
             "copy it to tmp first");
      if (role) written_.insert(*role);
    }
  }

  void result() {
    if (std::holds_alternative<litmus::Fence>(operation_)) return;
    if (!rule_.uses_location())
      fail(named_, fmt::format("the rule for {} never accesses [x]", lower::name(operation_)));
    if (has_result() && !written_.contains(Role::dst))
      fail(named_, fmt::format("the rule for {} never writes dst", lower::name(operation_)));
  }

  const text::Source& source_;
  Machine machine_;
  Operation operation_;
  text::Span named_;
  const TextRule& rule_;
  const Decoded& decoded_;
  std::set<Role> written_;
};

std::set<std::string> labels_of(const text::Source& source, const TextRule& rule) {
  std::set<std::string> labels;
  for (const auto& in : rule.code)
    for (const auto& label : in.labels)
      if (!labels.insert(label).second)
        throw InputError::at(source, in.span, fmt::format("label {} stands twice", label));
  labels.insert(rule.end_labels.begin(), rule.end_labels.end());
  return labels;
}

} // namespace

void check(const text::Source& source, const TextScheme& scheme,
           const std::array<text::Span, operation_count>& places) {
  Assembler assembler(source, scheme.machine);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Decoded> known; // by where the rule's code is
  for (std::size_t i = 0; i < operation_count; ++i) {
    const TextRule& rule = scheme.rules[i];
    const auto at = rule.code.empty()
                        ? std::pair{0U, 0U}
                        : std::pair{rule.code.front().span.begin, rule.code.back().span.end};
    if (!known.contains(at)) {
      assembler.labels_ = labels_of(source, rule);
      known[at] = assembler.decode(rule);
    }
    Flow(source, scheme.machine, operation_at(i), places[i], rule, known[at]).run();
  }
}

} // namespace thinair::lower
