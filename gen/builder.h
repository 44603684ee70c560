// Putting a program together piece by piece, with names in the usual order.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace thinair::gen {

/// Threads get handles and registers as they ask for them; locations are x, y, z, ... `finish`
/// tidies.
class Builder {
 public:
  litmus::ThreadId add_thread();
  litmus::LocationId location(std::size_t index); // creates the ones up to it
  litmus::LocationId fresh_location(litmus::JavaType type);
  litmus::RegisterId fresh_register(litmus::ThreadId thread, litmus::JavaType type = {});
  litmus::ClassId add_class(std::vector<litmus::Field> fields);
  litmus::JavaType add_array(litmus::JavaType element);
  litmus::MonitorId add_monitor();
  void append(litmus::ThreadId thread, litmus::Statement statement);

  litmus::Block& body(litmus::ThreadId thread) { return program_.threads[thread.value].body; }
  std::size_t register_count(litmus::ThreadId thread) const {
    return program_.threads[thread.value].registers.size();
  }

  const litmus::Class& class_at(litmus::ClassId of) const { return program_.classes[of.value]; }
  /// `target = new OF { body };`, without its body, or `target = new int[length];`.
  litmus::New make(litmus::RegisterId target, litmus::ClassId of, std::uint32_t length = 0);

  litmus::Program finish() const;

 private:
  litmus::Program program_;
};

litmus::Statement access(std::optional<litmus::RegisterId> target, litmus::Method method,
                         litmus::LocationId location, std::vector<litmus::Expression> arguments);
litmus::Statement access(std::optional<litmus::RegisterId> target, litmus::Method method,
                         litmus::FieldOf place, std::vector<litmus::Expression> arguments);
litmus::Statement assign(litmus::RegisterId target, litmus::Expression value);
litmus::Statement fence(litmus::Fence fence);
litmus::Statement branch(litmus::Expression condition, litmus::Block then_block,
                         litmus::Block else_block = {});

} // namespace thinair::gen
