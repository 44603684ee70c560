// The builder, and makers of statements.
#include "gen/builder.h"

#include "gen/tidy.h"
#include "litmus/objects.h"

namespace thinair::gen {

litmus::ThreadId Builder::add_thread() {
  const litmus::ThreadId id(static_cast<std::uint32_t>(program_.threads.size()));
  program_.threads.push_back({"Thread" + std::to_string(id.value), {}, {}, {}});
  return id;
}

litmus::LocationId Builder::location(std::size_t index) {
  while (program_.locations.size() <= index)
    program_.locations.push_back({location_name(program_.locations.size()), 0, false});
  return litmus::LocationId(static_cast<std::uint32_t>(index));
}

litmus::LocationId Builder::fresh_location(litmus::JavaType type) {
  const std::size_t index = program_.locations.size();
  program_.locations.push_back({location_name(index), 0, false, type});
  return litmus::LocationId(static_cast<std::uint32_t>(index));
}

litmus::RegisterId Builder::fresh_register(litmus::ThreadId thread, litmus::JavaType type) {
  auto& registers = program_.threads[thread.value].registers;
  registers.push_back({"r" + std::to_string(registers.size() + 1), 0, type});
  return litmus::RegisterId(static_cast<std::uint32_t>(registers.size() - 1));
}

litmus::ClassId Builder::add_class(std::vector<litmus::Field> fields) {
  program_.classes.push_back({class_name(program_.classes.size()), std::move(fields)});
  return litmus::ClassId(static_cast<std::uint32_t>(program_.classes.size() - 1));
}

litmus::MonitorId Builder::add_monitor() {
  program_.monitors.push_back("m" + std::to_string(program_.monitors.size()));
  return litmus::MonitorId(static_cast<std::uint32_t>(program_.monitors.size() - 1));
}

litmus::JavaType Builder::add_array(litmus::JavaType element) {
  return litmus::array_of(program_, element);
}

litmus::New Builder::make(litmus::RegisterId target, litmus::ClassId of, std::uint32_t length) {
  program_.objects.push_back({of, length});
  const litmus::ObjectId id(static_cast<std::uint32_t>(program_.objects.size() - 1));
  return {target, false, id, {}};
}

void Builder::append(litmus::ThreadId thread, litmus::Statement statement) {
  program_.threads[thread.value].body.push_back(std::move(statement));
}

litmus::Program Builder::finish() const { return tidy(program_); }

litmus::Statement access(std::optional<litmus::RegisterId> target, litmus::Method method,
                         litmus::LocationId location, std::vector<litmus::Expression> arguments) {
  return {litmus::Access{target, false, method, location, std::move(arguments)}, {}};
}

litmus::Statement access(std::optional<litmus::RegisterId> target, litmus::Method method,
                         litmus::FieldOf place, std::vector<litmus::Expression> arguments) {
  return {litmus::Access{target, false, method, {}, std::move(arguments), 0, place}, {}};
}

litmus::Statement assign(litmus::RegisterId target, litmus::Expression value) {
  return {litmus::Assign{target, std::move(value), false}, {}};
}

litmus::Statement fence(litmus::Fence fence) { return {litmus::FenceStatement{fence}, {}}; }

litmus::Statement branch(litmus::Expression condition, litmus::Block then_block,
                         litmus::Block else_block) {
  return {litmus::If{std::move(condition), std::move(then_block), std::move(else_block)}, {}};
}

} // namespace thinair::gen
