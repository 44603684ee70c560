// Writes LLVM IR in SSA form: structured ifs, a value per register, phis where arms meet.
#include "lower/ir.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/constants.h"
#include "lower/ir_types.h"
#include "lower/naming.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::Mode;
using litmus::Operator;
using litmus::Width;

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
      : program_(program), thread_(program.threads[thread]), machine_(machine), words_(program),
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
    return fmt::format("ptr @\"g{}{}\"", number, suffix_of(which));
  }
  std::string suffix_of(std::size_t which) const {
    for (std::uint32_t i = 0; i < program_.objects.size(); ++i)
      if (words_.of(litmus::ObjectId(i)).value == which)
        return ir_suffix(cells_of(program_, litmus::ObjectId(i)));
    return ir_suffix(type_of_global(which));
  }
  void add_cell(std::string name, bool cut, litmus::Type type) {
    out_.cells.push_back({std::move(name), cut});
    cells_.push_back(type);
  }
  litmus::Type type_of_global(std::size_t which) const {
    if (which < program_.locations.size()) return cell_type(program_.locations[which].type);
    return which < shared_ ? litmus::Type{} : cells_[which - shared_];
  }
  std::string at(litmus::LocationId location) { return global(location.value); }
  /// What an access is of: a location, or a field of an object that is there.
  std::string at(const litmus::Access& node);
  void require_object(const std::string& reference);
  std::string displacement(const litmus::Access& node, const Expression& index);
  std::string at_cell(std::size_t cell) { return global(shared_ + cell); }
  void begin_block(const std::string& name) {
    text_ += fmt::format("{}:\n", name);
    current_ = name;
  }

  void block(const litmus::Block& statements) {
    for (const auto& statement : statements)
      std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
  Width width_of(const Expression& e) const {
    return register_type(litmus::type_of(program_, thread_, e)).width;
  }
  Width width_of(litmus::RegisterId reg) const {
    return register_type(thread_.registers[reg.value].type).width;
  }
  Width working_width(const Expression& e) const;
  std::string value(const Expression& e);              // at its own width
  std::string value(const Expression& e, Width width); // as a long, or its low 32 bits
  std::string converted(std::string value, Width from, Width to);
  std::string casted(const Expression& e);
  /// An int as a location of the type holds it, and back; longs are the same there.
  std::string truncated(const std::string& value, litmus::Type type);
  std::string from_memory(const std::string& value, litmus::Type type);
  std::string truth(const Expression& e); // an i1
  std::string divided(const Expression& e);
  std::string binary(const Expression& e);
  std::string result(const litmus::Access& node);

  void visit(const litmus::Assign& node) {
    values_[node.target.value] = value(node.value, width_of(node.target));
  }
  void visit(const litmus::Access& node) {
    const std::string got = result(node);
    if (!node.target) return;
    auto call = Expression::of(node.method, node.location, {});
    call.field = node.field;
    values_[node.target->value] = converted(got, width_of(call), width_of(*node.target));
  }
  void visit(const litmus::FenceStatement& node) {
    line(fmt::format("fence {}", fence_ordering(node.fence)));
  }
  void visit(const litmus::If& node);
  void visit(const litmus::Cut&);
  void visit(const litmus::New& node);
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

  const litmus::Program& program_;
  const litmus::Thread& thread_;
  const MachineInfo& machine_;
  RuntimeWords words_;
  std::size_t shared_; // globals that are no cell of the thread's own
  std::size_t number_;
  ThreadIr out_;
  std::string text_, current_ = "b0";
  std::vector<litmus::Type> cells_; // of out_.cells
  std::vector<std::string> values_; // of each register: "%v3" or a number
  std::set<std::string> made_;      // those that are what `new` gave: not null
  std::size_t next_value_ = 0, next_block_ = 1;
};

/// Division by a constant other than 0; by -1 it would overflow in C and wraps in Java
/// (JLS 15.17.2).
std::string Writer::divided(const Expression& e) {
  const auto by = constant_value(e.arguments[1]);
  if (!by || *by == 0)
    throw Unsupported(fmt::format("\"{}\" by what is no constant other than 0, in lowered code",
                                  litmus::info(e.op).symbol));
  const Width width = working_width(e);
  const std::string left = value(e.arguments[0], width);
  if (*by == -1)
    return e.op == Operator::divide ? define(fmt::format("sub {} 0, {}", ir_type(width), left))
                                    : "0";
  return define(fmt::format("{} {} {}, {}", e.op == Operator::divide ? "sdiv" : "srem",
                            ir_type(width), left, *by));
}

/// In which its operands are put together.
Width Writer::working_width(const Expression& e) const {
  const auto kind = [&](std::size_t i) {
    return kind_of(litmus::type_of(program_, thread_, e.arguments[i]));
  };
  const auto left = kind(0), right = e.arguments.size() < 2 ? left : kind(1);
  return register_type(litmus::working_type(e.op, left, right)).width;
}

std::string Writer::converted(std::string value, Width from, Width to) {
  if (from == to) return value;
  if (!value.starts_with('%')) {
    const litmus::Value number = std::stoll(value);
    return to == Width::q ? value
                          : fmt::format("{}", litmus::narrowed(litmus::TypeKind::int_, number));
  }
  return define(fmt::format("{} {} {} to {}", from < to ? "sext" : "trunc", ir_type(from), value,
                            ir_type(to)));
}

std::string Writer::value(const Expression& e, Width width) {
  return converted(value(e), width_of(e), width);
}

/// JLS 5.1.3: the low bits, and as a smaller type extended again.
std::string Writer::casted(const Expression& e) {
  const std::string whole = value(e.arguments[0], register_type(e.type).width);
  if (e.type.kind == litmus::TypeKind::boolean) return whole;
  return from_memory(truncated(whole, cell_type(e.type)), cell_type(e.type));
}

std::string Writer::binary(const Expression& e) {
  if (e.op == Operator::divide || e.op == Operator::remainder) return divided(e);
  const Row* row = find(arithmetic, e.op);
  THINAIR_CHECK(row, "an operator without IR");
  const Width width = working_width(e);
  const std::string left = value(e.arguments[0], width);
  std::string right = value(e.arguments[1], width);
  if (is_shift(e.op)) // JLS 15.19
    right = define(fmt::format("and {} {}, {}", ir_type(width), right, litmus::bits_of(width) - 1));
  return define(fmt::format("{} {} {}, {}", row->instruction, ir_type(width), left, right));
}

std::string Writer::truth(const Expression& e) {
  if (const Row* row = find(comparisons, e.op)) {
    const Width width = working_width(e);
    const std::string left = value(e.arguments[0], width), right = value(e.arguments[1], width);
    return define(fmt::format("icmp {} {} {}, {}", row->instruction, ir_type(width), left, right));
  }
  if (e.op == Operator::logical_not)
    return define(
        fmt::format("icmp eq {} {}, 0", ir_type(width_of(e.arguments[0])), value(e.arguments[0])));
  return define(fmt::format("icmp ne {} {}, 0", ir_type(width_of(e)), value(e)));
}

std::string Writer::value(const Expression& e) {
  if (const auto constant = constant_value(e)) return fmt::format("{}", *constant);
  if (e.op == Operator::reg) return values_[e.reg.value];
  THINAIR_CHECK(e.op != Operator::access, "an access inside an expression reached lowering");
  if (e.op == Operator::cast) return casted(e);
  if (e.op == Operator::bit_not)
    return define(
        fmt::format("xor {} {}, -1", ir_type(width_of(e)), value(e.arguments[0], width_of(e))));
  if (e.op == Operator::negate)
    return define(
        fmt::format("sub {} 0, {}", ir_type(width_of(e)), value(e.arguments[0], width_of(e))));
  if (e.op == Operator::logical_not || find(comparisons, e.op))
    return define(fmt::format("zext i1 {} to i32", truth(e)));
  return binary(e);
}

std::string Writer::truncated(const std::string& value, litmus::Type type) {
  if (type.width >= Width::l) return value;
  if (!value.starts_with('%'))
    return fmt::format("{}", litmus::as_declared(std::stoll(value), type));
  return define(fmt::format("trunc i32 {} to {}", value, ir_type(type.width)));
}

std::string Writer::from_memory(const std::string& value, litmus::Type type) {
  if (type.width >= Width::l || !value.starts_with('%')) return value;
  return define(
      fmt::format("{} {} {} to i32", type.is_signed ? "sext" : "zext", ir_type(type.width), value));
}

std::string Writer::result(const litmus::Access& node) {
  const auto& method = litmus::info(node.method);
  const auto java = litmus::type_of(program_, thread_, node.location, node.field);
  const auto type = cell_type(java);
  const auto word = ir_type(type.width);
  std::vector<std::string> arguments;
  for (const auto& argument : litmus::operands_of(node))
    arguments.push_back(truncated(value(argument, register_type(java).width), type));
  const std::string location = at(node);
  const auto align = static_cast<unsigned>(type.width);
  if (method.action == Action::get)
    return from_memory(define(fmt::format("load atomic {}, {} {}, align {}", word, location,
                                          ordering(method.read), align)),
                       type);
  if (method.action == Action::set) {
    line(fmt::format("store atomic {} {}, {} {}, align {}", word, arguments[0], location,
                     ordering(method.write), align));
    return "";
  }
  if (arguments.size() == 1)
    return from_memory(define(fmt::format("atomicrmw {} {}, {} {} {}", operation_of(method.action),
                                          location, word, arguments[0], update_ordering(method))),
                       type);
  const bool weak = method.action == Action::weak_compare_and_set;
  const std::string pair = define(fmt::format(
      "cmpxchg {}{}, {} {}, {} {} {} {}", weak ? "weak " : "", location, word, arguments[0], word,
      arguments[1], update_ordering(method), failure_ordering(method)));
  if (method.action == Action::compare_and_exchange)
    return from_memory(define(fmt::format("extractvalue {{ {}, i1 }} {}, 0", word, pair)), type);
  const std::string success = define(fmt::format("extractvalue {{ {}, i1 }} {}, 1", word, pair));
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
      values_[i] =
          define(fmt::format("phi {} [ {}, %{} ], [ {}, %{} ]",
                             ir_type(width_of(litmus::RegisterId(static_cast<std::uint32_t>(i)))),
                             after_yes[i], from_yes, values_[i], from_no));
}

/// What an allocator returns is no constant of the code: an empty assembly statement hides that it
/// is one here. The constructor is code like other code, and a freeze of its finals (JLS 17.5.1) is
/// a fence.
void Writer::visit(const litmus::New& node) {
  const auto object = words_.of(node.object);
  const auto pointer = define(fmt::format("call ptr asm \"\", \"=r,0\"({}) nounwind", at(object)));
  values_[node.target.value] = define(fmt::format("ptrtoint ptr {} to i32", pointer));
  made_.insert(values_[node.target.value]);
  block(node.body);
  if (freezes(program_, node.object)) line("fence release");
}

/// A test for null, as compilers write it that do not rely on faults. Where it is null, a store to
/// that address ends the execution: what LLVM knows to be null it may take for unreachable, so that
/// it is not told.
void Writer::require_object(const std::string& reference) {
  if (made_.contains(reference)) return;
  const std::size_t n = next_block_++;
  const std::string is_null = fmt::format("null{}", n), there = fmt::format("there{}", n);
  const auto condition = define(fmt::format("icmp eq i32 {}, 0", reference));
  line(fmt::format("br i1 {}, label %{}, label %{}", condition, is_null, there));
  begin_block(is_null);
  const auto zero = define("call i64 asm sideeffect \"\", \"=r,0\"(i64 0) nounwind");
  const auto nowhere = define(fmt::format("inttoptr i64 {} to ptr", zero));
  line(fmt::format("store volatile i32 0, ptr {}, align 4", nowhere));
  line(fmt::format("call void asm sideeffect \"{}\", \"~{{memory}}\"() nounwind",
                   machine_.end_of_thread));
  line("ret void");
  begin_block(there);
}

/// Of an element: its index, which is known to be in range, times its width.
std::string Writer::displacement(const litmus::Access& node, const Expression& index) {
  const auto type = cell_type(litmus::type_of(program_, thread_, node.location, node.field));
  const auto number = value(index, Width::q);
  return define(fmt::format("mul i64 {}, {}", number, static_cast<unsigned>(type.width)));
}

std::string Writer::at(const litmus::Access& node) {
  if (!node.field) return at(node.location);
  const std::string reference = values_[node.field->object.value];
  require_object(reference);
  auto address = define(fmt::format("zext i32 {} to i64", reference));
  if (const auto* index = litmus::element_index(node);
      index != nullptr && index->op != Operator::constant)
    address = define(fmt::format("add i64 {}, {}", address, displacement(node, *index)));
  if (const auto offset = offset_of(program_, thread_, node); offset != 0)
    address = define(fmt::format("add i64 {}, {}", address, offset));
  return fmt::format("ptr {}", define(fmt::format("inttoptr i64 {} to ptr", address)));
}

/// The path goes on, and what it leads to is known not to count.
void Writer::visit(const litmus::Cut&) {
  const auto found = std::ranges::find(out_.cells, true, &ThreadIr::Cell::cut);
  const auto cell = static_cast<std::size_t>(found - out_.cells.begin());
  if (found == out_.cells.end()) add_cell(fmt::format("P{}_cut", number_), true, {});
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
    const Width width = width_of(pin.reg);
    if (!values_[i].starts_with('%')) {
      pin.constant = std::stoll(values_[i]);
    } else if (pinned.contains(values_[i])) {
      pin.pin = pinned[values_[i]];
    } else if (pinned.size() < machine_.pins.size()) {
      pin.pin = pinned.size();
      const auto called = machine_.pins[pinned.size()];
      constraints += fmt::format("{{{}}},", width == Width::q ? machine_.register_in_tests(called)
                                                              : std::string(called));
      operands += fmt::format("{}{} {}", pinned.empty() ? "" : ", ", ir_type(width), values_[i]);
      pinned[values_[i]] = *pin.pin;
    } else {
      pin.cell = out_.cells.size();
      add_cell(fmt::format("P{}_{}", number_, thread_.registers[i].name), false, {width, true});
      line(fmt::format("store {} {}, {}, align {}", ir_type(width), values_[i], at_cell(*pin.cell),
                       static_cast<unsigned>(width)));
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
  return Writer(program, thread, info(machine)).run();
}

namespace {

/// With the globals called by their names; `types` is told what each is.
std::string renamed(std::string_view body, const std::vector<std::string>& globals,
                    std::map<std::string_view, std::string_view>& types) {
  constexpr std::string_view opening = "@\"g";
  std::string out;
  for (auto at = body.find(opening); at != std::string_view::npos; at = body.find(opening)) {
    const std::size_t digits = at + opening.size();
    const std::size_t end = body.find('"', digits);
    const auto named = body.substr(digits, end - digits);
    const auto& global = globals.at(std::stoul(std::string(named)));
    types[global] = ir_type_in(named);
    out += fmt::format("{}@\"{}\"", body.substr(0, at), global);
    body.remove_prefix(end + 1);
  }
  return out + std::string(body);
}

} // namespace

std::vector<std::string> global_names(std::string_view body, std::size_t count) {
  constexpr std::string_view opening = "@\"g";
  std::vector<std::string> out(count);
  for (auto at = body.find(opening); at != std::string_view::npos; at = body.find(opening)) {
    body.remove_prefix(at + 2); // from the name on
    const auto name = body.substr(0, body.find('"'));
    out.at(std::stoul(std::string(name.substr(1)))) = name;
  }
  return out;
}

litmus::Type type_in(std::string_view global) {
  for (const auto width : {Width::b, Width::w, Width::q})
    if (ir_type(width) == ir_type_in(global)) return {width, true};
  return {};
}

std::string module_of(std::span<const IrFunction> functions) {
  std::string text;
  std::vector<std::string_view> globals;
  std::map<std::string_view, std::string_view> types;
  for (const IrFunction& function : functions) {
    text += fmt::format("define void @\"{}\"() nounwind {{\n{}}}\n", function.name,
                        renamed(*function.body, function.globals, types));
    for (const auto& global : function.globals)
      if (std::ranges::find(globals, global) == globals.end()) globals.push_back(global);
  }
  for (const auto global : globals) {
    const auto type = types.contains(global) ? types[global] : ir_type(Width::l);
    text += fmt::format("@\"{}\" = external dso_local global {}, align {}\n", global, type,
                        ir_align(type));
  }
  return text;
}

} // namespace thinair::lower
