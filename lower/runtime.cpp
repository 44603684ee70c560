// Which monitors and threads have words, and what of them is known before the program runs.
#include "lower/runtime.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace thinair::lower {

using litmus::Block;
using litmus::Statement;
using litmus::ThreadStatement;

namespace {

std::uint32_t words_for(const litmus::Program& source, std::uint32_t object) {
  return static_cast<std::uint32_t>(cells_of(source, litmus::ObjectId(object)).size());
}

constexpr std::uint64_t length_bytes = 4;

litmus::Type element_of(const litmus::Program& source, const litmus::Thread& thread,
                        const litmus::Access& access) {
  return cell_type(litmus::field_of(source, thread, *access.field).type);
}

} // namespace

std::vector<litmus::Type> cells_of(const litmus::Program& source, litmus::ObjectId object) {
  std::vector<litmus::Type> out;
  if (has_length(source.classes[source.objects.at(object.value).of.value])) out.emplace_back();
  for (std::uint32_t i = 0; i < litmus::size_of(source, object); ++i)
    out.push_back(cell_type(litmus::field_of(source, object, i).type));
  if (out.empty()) out.emplace_back(); // so that it has an address of its own
  return out;
}

std::int32_t offset_of(const litmus::Program& source, const litmus::Thread& thread,
                       const litmus::Access& access) {
  const auto& of = litmus::class_of(source, thread, *access.field);
  if (const auto* index = litmus::element_index(access)) {
    const auto width = element_of(source, thread, access).width;
    const auto first = has_length(of) ? litmus::aligned(length_bytes, width) : 0;
    return static_cast<std::int32_t>(first) +
           static_cast<std::int32_t>(index->constant) * static_cast<std::int32_t>(width);
  }
  if (of.is_array) return 0; // its length
  std::uint64_t offset = 0;
  const auto& fields = of.fields;
  for (std::uint32_t i = 0;; ++i) {
    const auto width = cell_type(fields.at(i).type).width;
    offset = litmus::aligned(offset, width);
    if (i == access.field->field) return static_cast<std::int32_t>(offset);
    offset += static_cast<std::uint64_t>(width);
  }
}

std::optional<litmus::Expression> indexed_address(const litmus::Program& source,
                                                  const litmus::Thread& thread,
                                                  const litmus::Access& access) {
  using litmus::Expression;
  const auto* index = litmus::element_index(access);
  if (index == nullptr || index->op == litmus::Operator::constant) return std::nullopt;
  const auto width = static_cast<unsigned>(element_of(source, thread, access).width);
  const auto shift = Expression::number(std::countr_zero(width));
  auto address = Expression::binary(
      litmus::Operator::add, Expression::of(access.field->object),
      width == 1 ? *index : Expression::binary(litmus::Operator::shift_left, *index, shift));
  const auto first = offset_of(source, thread, access);
  if (first == 0) return address;
  return Expression::binary(litmus::Operator::add, std::move(address), Expression::number(first));
}

RuntimeWords::RuntimeWords(const litmus::Program& source)
    : monitors_(source.monitors.size()), started_(source.threads.size()),
      ended_(source.threads.size()) {
  const auto note = [&](Words& words, std::size_t which) {
    if (words[which]) return;
    const std::size_t number = source.locations.size() + size_++;
    words[which] = litmus::LocationId(static_cast<std::uint32_t>(number));
  };
  for (const auto& thread : source.threads)
    litmus::for_each_statement(thread.body, [&](const Statement& statement) {
      if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node))
        note(monitors_, monitor->monitor.value);
      const auto* other = std::get_if<ThreadStatement>(&statement.node);
      if (other == nullptr) return;
      note(other->kind == ThreadStatement::Kind::start ? started_ : ended_, other->thread.value);
    });
  for (std::uint32_t i = 0; i < source.objects.size(); ++i) {
    objects_.emplace_back(static_cast<std::uint32_t>(source.locations.size() + size_));
    size_ += words_for(source, i);
  }
}

std::vector<litmus::Value> RuntimeWords::addresses() const {
  std::vector<litmus::Value> out;
  for (const auto first : objects_) out.push_back(static_cast<litmus::Value>(address_of(first)));
  return out;
}

bool freezes(const litmus::Program& program, litmus::ObjectId object) {
  const auto& fields = program.classes[program.objects[object.value].of.value].fields;
  return std::ranges::any_of(fields, &litmus::Field::is_final);
}

void RuntimeWords::add_to(std::vector<litmus::Cell>& cells, const litmus::Program& source,
                          Legal legal) const {
  std::size_t words = size_;
  for (std::uint32_t i = 0; i < source.objects.size(); ++i) words -= words_for(source, i);
  std::vector<std::string> names(words);
  const auto name = [&](const Words& which, auto&& called) {
    for (std::size_t i = 0; i < which.size(); ++i)
      if (which[i]) names[which[i]->value - source.locations.size()] = called(i);
  };
  name(monitors_, [&](std::size_t i) { return source.monitors[i] + "_held"; });
  name(started_, [](std::size_t i) { return fmt::format("P{}_started", i); });
  name(ended_, [](std::size_t i) { return fmt::format("P{}_ended", i); });
  for (const auto& each : names) add_cell(cells, each, 0, legal);
  for (std::uint32_t i = 0; i < source.objects.size(); ++i) {
    const std::size_t first = cells.size();
    add_object(cells, source, litmus::ObjectId(i), cells_of(source, litmus::ObjectId(i)), legal);
    const litmus::Object& object = source.objects[i];
    if (has_length(source.classes[object.of.value])) cells[first].initial = object.length;
  }
}

void add_object(std::vector<litmus::Cell>& cells, const litmus::Program& source,
                litmus::ObjectId object, std::span<const litmus::Type> types, Legal legal) {
  add_cell(cells, litmus::object_name(source, object), 0, legal);
  litmus::Cell first = std::move(cells.back());
  cells.pop_back();
  const std::string called = std::move(first.name);
  first.length = static_cast<std::uint32_t>(types.size());
  for (const litmus::Type type : types) {
    first.type = type;
    first.name = fmt::format("{}[{}]", called, first.index);
    cells.push_back(first);
    ++first.index;
  }
}

namespace {

/// Takes out locks of monitors that the thread holds: `held`, by monitor, how often.
class Outermost {
 public:
  explicit Outermost(std::size_t monitors) : held_(monitors, 0) {}

  void block(Block& statements) {
    Block kept;
    for (Statement& statement : statements)
      if (stays(statement)) kept.push_back(std::move(statement));
    statements = std::move(kept);
  }

 private:
  bool stays(Statement& statement) {
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      const auto before = held_;
      block(branch->then_block);
      const auto after = std::exchange(held_, before);
      block(branch->else_block);
      if (held_ != after)
        throw Unsupported("a monitor that is held or not as a branch decides, in lowered code");
    }
    if (auto* made = std::get_if<litmus::New>(&statement.node)) block(made->body);
    const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node);
    if (monitor == nullptr) return true;
    auto& count = held_[monitor->monitor.value];
    if (monitor->enter) return count++ == 0;
    if (count == 0) throw Unsupported("leaving a monitor that is not held, in lowered code");
    return --count == 0;
  }

  std::vector<std::uint32_t> held_;
};

/// How often a block starts a thread, on the way where that is least and where it is most.
struct Starts {
  std::uint32_t least = 0, most = 0;
};

Starts starts_of(const Block& block, litmus::ThreadId thread) {
  Starts out;
  for (const Statement& statement : block) {
    if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
      const auto a = starts_of(branch->then_block, thread);
      const auto b = starts_of(branch->else_block, thread);
      out.least += std::min(a.least, b.least);
      out.most += std::max(a.most, b.most);
    }
    if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
      const auto inside = starts_of(made->body, thread);
      out.least += inside.least;
      out.most += inside.most;
    }
    const auto* node = std::get_if<ThreadStatement>(&statement.node);
    if (node == nullptr || node->kind != ThreadStatement::Kind::start || node->thread != thread)
      continue;
    ++out.least;
    ++out.most;
  }
  return out;
}

/// Every thread that some statement starts is started once, by a thread that runs.
void require_starts(const litmus::Program& program) {
  const auto threads = static_cast<std::uint32_t>(program.threads.size());
  std::vector<std::optional<std::uint32_t>> starter(threads);
  for (std::uint32_t t = 0; t < threads; ++t) {
    Starts all;
    for (std::uint32_t s = 0; s < threads; ++s) {
      const auto own = starts_of(program.threads[s].body, litmus::ThreadId(t));
      all.least += own.least;
      all.most += own.most;
      if (own.most > 0) starter[t] = s;
    }
    if (all.most > 1) throw Unsupported("a thread that is started twice, in lowered code");
    if (all.most != all.least)
      throw Unsupported("a thread that is started on some paths only, in lowered code");
  }
  for (std::uint32_t t = 0; t < threads; ++t) {
    std::uint32_t steps = 0;
    for (auto by = starter[t]; by; by = starter[*by])
      if (++steps > threads) throw Unsupported("threads that start each other, in lowered code");
  }
}

} // namespace

void settle_runtime(litmus::Program& program) {
  for (auto& thread : program.threads) Outermost(program.monitors.size()).block(thread.body);
  require_starts(program);
}

} // namespace thinair::lower
