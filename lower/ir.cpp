// Writes LLVM IR in SSA form: structured ifs, a value per register, phis where arms meet.
#include "lower/ir.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/constants.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::Mode;
using litmus::Operator;

struct Row {
  Operator op;
  std::string_view instruction;
};

constexpr auto arithmetic = std::to_array<Row>({
    {Operator::add, "add"},
    {Operator::subtract, "sub"},
    {Operator::multiply, "mul"},
    {Operator::bit_and, "and"},
    {Operator::bit_or, "or"},
    {Operator::bit_xor, "xor"},
    {Operator::logical_and, "and"},
    {Operator::logical_or, "or"},
    {Operator::shift_left, "shl"},
    {Operator::shift_right, "ashr"},
    {Operator::shift_right_unsigned, "lshr"},
});

constexpr auto comparisons = std::to_array<Row>({
    {Operator::equal, "eq"},
    {Operator::not_equal, "ne"},
    {Operator::less, "slt"},
    {Operator::less_equal, "sle"},
    {Operator::greater, "sgt"},
    {Operator::greater_equal, "sge"},
});

template <std::size_t N>
const Row* find(const std::array<Row, N>& rows, Operator op) {
  const auto found = std::ranges::find(rows, op, &Row::op);
  return found == rows.end() ? nullptr : &*found;
}

/// The ordering of an update: the stronger of its halves, `monotonic` at least.
std::string_view update_ordering(const litmus::MethodInfo& method) {
  if (method.read == Mode::volatile_) return "seq_cst";
  if (method.read == Mode::acquire) return "acquire";
  if (method.write == Mode::release) return "release";
  return "monotonic";
}

std::string_view failure_ordering(const litmus::MethodInfo& method) {
  if (method.read == Mode::volatile_) return "seq_cst";
  return method.read == Mode::acquire ? "acquire" : "monotonic";
}

std::string_view operation_of(Action action) {
  switch (action) {
  case Action::get_and_set: return "xchg";
  case Action::get_and_add: return "add";
  case Action::get_and_or: return "or";
  case Action::get_and_and: return "and";
  case Action::get_and_xor: return "xor";
  case Action::get:
  case Action::set:
  case Action::compare_and_set:
  case Action::compare_and_exchange:
  case Action::weak_compare_and_set: return "";
  }
  return "";
}

/// LLVM has no StoreStore or LoadLoad fence: the next stronger one.
std::string_view fence_ordering(litmus::Fence fence) {
  switch (fence) {
  case litmus::Fence::full: return "seq_cst";
  case litmus::Fence::acquire:
  case litmus::Fence::load_load: return "acquire";
  case litmus::Fence::release:
  case litmus::Fence::store_store: return "release";
  }
  return "seq_cst";
}

/// One thread's function.
class Writer {
 public:
  Writer(const litmus::Program& program, std::size_t thread, const MachineInfo& machine)
      : thread_(program.threads[thread]), machine_(machine), words_(program),
        shared_(program.locations.size() + words_.size()), number_(thread) {}

  ThreadIr run() {
    for (const auto& reg : thread_.registers) values_.push_back(fmt::format("{}", reg.initial));
    text_ = "b0:\n";
    if (const auto word = words_.started(number_)) await(*word);
    block(thread_.body);
    if (const auto word = words_.ended(number_)) give(*word, 1);
    pin();
    text_ += "  ret void\n";
    out_.body = std::move(text_);
    return std::move(out_);
  }

 private:
  void line(std::string_view text) { text_ += fmt::format("  {}\n", text); }
  std::string define(std::string_view text) {
    std::string name = fmt::format("%v{}", next_value_++);
    text_ += fmt::format("  {} = {}\n", name, text);
    return name;
  }
  std::string global(std::size_t which) {
    const auto found = std::ranges::find(out_.globals, which);
    const auto number = found - out_.globals.begin();
    if (found == out_.globals.end()) out_.globals.push_back(which);
    return fmt::format("ptr @\"g{}\"", number);
  }
  std::string at(litmus::LocationId location) { return global(location.value); }
  std::string at_cell(std::size_t cell) { return global(shared_ + cell); }
  void begin_block(const std::string& name) {
    text_ += fmt::format("{}:\n", name);
    current_ = name;
  }

  void block(const litmus::Block& statements) {
    for (const auto& statement : statements)
      std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
  std::string value(const Expression& e);
  std::string truth(const Expression& e); // an i1
  std::string divided(const Expression& e);
  std::string binary(const Expression& e);
  std::string result(const litmus::Access& node);

  void visit(const litmus::Assign& node) { values_[node.target.value] = value(node.value); }
  void visit(const litmus::Access& node) {
    const std::string got = result(node);
    if (node.target) values_[node.target->value] = got;
  }
  void visit(const litmus::FenceStatement& node) {
    line(fmt::format("fence {}", fence_ordering(node.fence)));
  }
  void visit(const litmus::If& node);
  void visit(const litmus::Cut&);
  void visit(const litmus::New&) { throw Unsupported("objects in lowered code"); }
  void visit(const litmus::Loop&) { throw Unsupported("loops in lowered code"); }
  void visit(const litmus::MonitorStatement& node) {
    node.enter ? take(words_.of(node)) : give(words_.of(node), 0);
  }
  void visit(const litmus::ThreadStatement& node) {
    const bool start = node.kind == litmus::ThreadStatement::Kind::start;
    start ? give(words_.of(node), 1) : await(words_.of(node));
  }
  void visit(const litmus::ExternalStatement&) {} // what is printed has been read before

  void take(litmus::LocationId word);
  void await(litmus::LocationId word);
  void give(litmus::LocationId word, int value) {
    line(fmt::format("store atomic i32 {}, {} release, align 4", value, at(word)));
  }
  void try_until(std::string_view attempt, std::string_view success);
  void pin();

  const litmus::Thread& thread_;
  const MachineInfo& machine_;
  RuntimeWords words_;
  std::size_t shared_; // globals that are no cell of the thread's own
  std::size_t number_;
  ThreadIr out_;
  std::string text_, current_ = "b0";
  std::vector<std::string> values_; // of each register: "%v3" or a number
  std::size_t next_value_ = 0, next_block_ = 1;
};

/// Division by a constant other than 0; by -1 it would overflow in C and wraps in Java
/// (JLS 15.17.2).
std::string Writer::divided(const Expression& e) {
  const auto by = constant_value(e.arguments[1]);
  if (!by || *by == 0)
    throw Unsupported(fmt::format("\"{}\" by what is no constant other than 0, in lowered code",
                                  litmus::info(e.op).symbol));
  const std::string left = value(e.arguments[0]);
  if (*by == -1) return e.op == Operator::divide ? define(fmt::format("sub i32 0, {}", left)) : "0";
  return define(
      fmt::format("{} i32 {}, {}", e.op == Operator::divide ? "sdiv" : "srem", left, *by));
}

std::string Writer::binary(const Expression& e) {
  if (e.op == Operator::divide || e.op == Operator::remainder) return divided(e);
  const Row* row = find(arithmetic, e.op);
  THINAIR_CHECK(row, "an operator without IR");
  const std::string left = value(e.arguments[0]);
  std::string right = value(e.arguments[1]);
  const bool shift = e.op == Operator::shift_left || e.op == Operator::shift_right ||
                     e.op == Operator::shift_right_unsigned;
  if (shift) right = define(fmt::format("and i32 {}, 31", right)); // JLS 15.19
  return define(fmt::format("{} i32 {}, {}", row->instruction, left, right));
}

std::string Writer::truth(const Expression& e) {
  if (const Row* row = find(comparisons, e.op)) {
    const std::string left = value(e.arguments[0]), right = value(e.arguments[1]);
    return define(fmt::format("icmp {} i32 {}, {}", row->instruction, left, right));
  }
  if (e.op == Operator::logical_not)
    return define(fmt::format("icmp eq i32 {}, 0", value(e.arguments[0])));
  return define(fmt::format("icmp ne i32 {}, 0", value(e)));
}

std::string Writer::value(const Expression& e) {
  if (const auto constant = constant_value(e)) return fmt::format("{}", *constant);
  if (e.op == Operator::reg) return values_[e.reg.value];
  THINAIR_CHECK(e.op != Operator::access, "an access inside an expression reached lowering");
  if (e.op == Operator::bit_not)
    return define(fmt::format("xor i32 {}, -1", value(e.arguments[0])));
  if (e.op == Operator::negate) return define(fmt::format("sub i32 0, {}", value(e.arguments[0])));
  if (e.op == Operator::logical_not || find(comparisons, e.op))
    return define(fmt::format("zext i1 {} to i32", truth(e)));
  return binary(e);
}

std::string Writer::result(const litmus::Access& node) {
  const auto& method = litmus::info(node.method);
  std::vector<std::string> arguments;
  for (const auto& argument : node.arguments) arguments.push_back(value(argument));
  const std::string location = at(node.location);
  if (method.action == Action::get)
    return define(fmt::format("load atomic i32, {} {}, align 4", location, ordering(method.read)));
  if (method.action == Action::set) {
    line(fmt::format("store atomic i32 {}, {} {}, align 4", arguments[0], location,
                     ordering(method.write)));
    return "";
  }
  if (arguments.size() == 1)
    return define(fmt::format("atomicrmw {} {}, i32 {} {}", operation_of(method.action), location,
                              arguments[0], update_ordering(method)));
  const bool weak = method.action == Action::weak_compare_and_set;
  const std::string pair = define(
      fmt::format("cmpxchg {}{}, i32 {}, i32 {} {} {}", weak ? "weak " : "", location, arguments[0],
                  arguments[1], update_ordering(method), failure_ordering(method)));
  if (method.action == Action::compare_and_exchange)
    return define(fmt::format("extractvalue {{ i32, i1 }} {}, 0", pair));
  const std::string success = define(fmt::format("extractvalue {{ i32, i1 }} {}, 1", pair));
  return define(fmt::format("zext i1 {} to i32", success));
}

void Writer::visit(const litmus::If& node) {
  const std::string condition = truth(node.condition);
  const std::size_t n = next_block_++;
  const std::string yes = fmt::format("then{}", n), no = fmt::format("else{}", n),
                    end = fmt::format("end{}", n);
  line(fmt::format("br i1 {}, label %{}, label %{}", condition, yes, no));
  const auto before = values_;
  begin_block(yes);
  block(node.then_block);
  line(fmt::format("br label %{}", end));
  const auto after_yes = std::exchange(values_, before);
  const std::string from_yes = std::exchange(current_, no);
  begin_block(no);
  block(node.else_block);
  line(fmt::format("br label %{}", end));
  const std::string from_no = current_;
  begin_block(end);
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i] != after_yes[i])
      values_[i] = define(fmt::format("phi i32 [ {}, %{} ], [ {}, %{} ]", after_yes[i], from_yes,
                                      values_[i], from_no));
}

/// The path goes on, and what it leads to is known not to count.
void Writer::visit(const litmus::Cut&) {
  const auto found = std::ranges::find(out_.cells, true, &ThreadIr::Cell::cut);
  const auto cell = static_cast<std::size_t>(found - out_.cells.begin());
  if (found == out_.cells.end()) out_.cells.push_back({fmt::format("P{}_cut", number_), true});
  line(fmt::format("store i32 1, {}, align 4", at_cell(cell)));
}

/// A loop whose round is `attempt`, until `success`, an i1 made of its result {0}, is true.
void Writer::try_until(std::string_view attempt, std::string_view success) {
  const std::size_t n = next_block_++;
  const std::string again = fmt::format("again{}", n), done = fmt::format("done{}", n);
  line(fmt::format("br label %{}", again));
  begin_block(again);
  const std::string found = define(attempt);
  const std::string holds = define(fmt::format(fmt::runtime(success), found));
  line(fmt::format("br i1 {}, label %{}, label %{}", holds, done, again));
  begin_block(done);
}

/// A monitor is what C++ has for a mutex: entering it is an acquire, leaving it a release, and both
/// are inlined. So is the beginning of a thread, and its end.
void Writer::take(litmus::LocationId word) {
  try_until(fmt::format("cmpxchg {}, i32 0, i32 1 acquire monotonic", at(word)),
            "extractvalue {{ i32, i1 }} {}, 1");
}

void Writer::await(litmus::LocationId word) {
  try_until(fmt::format("load atomic i32, {} acquire, align 4", at(word)), "icmp ne i32 {}, 0");
}

/// The end of the thread: an instruction that no body contains, whose operands stand in known
/// registers and which no access to memory may pass.
void Writer::pin() {
  std::map<std::string, std::size_t> pinned;
  std::string constraints, operands;
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    Pin& pin = out_.pins.emplace_back(Pin{litmus::RegisterId(i), {}, {}, {}});
    if (!values_[i].starts_with('%')) {
      pin.constant = std::stoll(values_[i]);
    } else if (pinned.contains(values_[i])) {
      pin.pin = pinned[values_[i]];
    } else if (pinned.size() < machine_.pins.size()) {
      pin.pin = pinned.size();
      constraints += fmt::format("{{{}}},", machine_.pins[pinned.size()]);
      operands += fmt::format("{}i32 {}", pinned.empty() ? "" : ", ", values_[i]);
      pinned[values_[i]] = *pin.pin;
    } else {
      pin.cell = out_.cells.size();
      out_.cells.push_back({fmt::format("P{}_{}", number_, thread_.registers[i].name), false});
      line(fmt::format("store i32 {}, {}, align 4", values_[i], at_cell(*pin.cell)));
    }
  }
  line(fmt::format("call void asm sideeffect \"{}\", \"{}~{{memory}}\"({}) nounwind",
                   machine_.end_of_thread, constraints, operands));
}

} // namespace

std::string_view ordering(Mode mode) {
  switch (mode) {
  case Mode::plain: return "unordered";
  case Mode::opaque: return "monotonic";
  case Mode::acquire: return "acquire";
  case Mode::release: return "release";
  case Mode::volatile_: return "seq_cst";
  }
  return "seq_cst";
}

ThreadIr to_ir(const litmus::Program& program, std::size_t thread, Machine machine) {
  litmus::refuse_types(program, "in LLVM IR");
  return Writer(program, thread, info(machine)).run();
}

namespace {

/// With the globals called by their names.
std::string renamed(std::string_view body, const std::vector<std::string>& globals) {
  constexpr std::string_view opening = "@\"g";
  std::string out;
  for (auto at = body.find(opening); at != std::string_view::npos; at = body.find(opening)) {
    const std::size_t digits = at + opening.size();
    const std::size_t end = body.find('"', digits);
    const auto number = std::stoul(std::string(body.substr(digits, end - digits)));
    out += fmt::format("{}@\"{}\"", body.substr(0, at), globals.at(number));
    body.remove_prefix(end + 1);
  }
  return out + std::string(body);
}

} // namespace

std::string module_of(std::span<const IrFunction> functions) {
  std::string text;
  std::vector<std::string_view> globals;
  for (const IrFunction& function : functions) {
    text += fmt::format("define void @\"{}\"() nounwind {{\n{}}}\n", function.name,
                        renamed(*function.body, function.globals));
    for (const auto& global : function.globals)
      if (std::ranges::find(globals, global) == globals.end()) globals.push_back(global);
  }
  for (const auto global : globals)
    text += fmt::format("@\"{}\" = external dso_local global i32, align 4\n", global);
  return text;
}

} // namespace thinair::lower
