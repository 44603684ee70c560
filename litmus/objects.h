// References: what the variables and values of a program refer to, and what objects are called.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::litmus {

/// Of what an access reads and writes: a location, or a field.
JavaType type_of(const Program& program, const Thread& thread, LocationId location,
                 const std::optional<FieldOf>& field);
/// Of an expression's value; of `null`, which is the constant 0, an int's.
JavaType type_of(const Program& program, const Thread& thread, const Expression& e);
/// Of a register or a location; an int's where the program has none such.
JavaType type_of(const Program& program, const Observable& observable);

/// The class of the object whose field it is, and the field.
const Class& class_of(const Program& program, const Thread& thread, const FieldOf& field);
const Field& field_of(const Program& program, const Thread& thread, const FieldOf& field);

/// Where the fields of objects are, for whoever knows locations alone: behind those of the program,
/// object after object.
class FieldLocations {
 public:
  explicit FieldLocations(const Program& program);

  /// Those of the program, and all fields.
  std::size_t count() const { return count_; }
  LocationId of(ObjectId object, std::uint32_t field) const {
    return LocationId{first_.at(object.value) + field};
  }
  /// Where an access of the thread may go.
  std::vector<LocationId> places(const Thread& thread, LocationId location,
                                 const std::optional<FieldOf>& field) const;

 private:
  const Program& program_;
  std::vector<std::uint32_t> first_; // by ObjectId
  std::size_t count_ = 0;
};

/// Of a location, or of a field as FieldLocations numbers it.
JavaType type_of(const Program& program, LocationId location);

/// "int", "long", or the name of a class.
std::string to_string(const Program& program, JavaType type);
/// "an int", "a long", "a reference to `A`".
std::string with_article(const Program& program, JavaType type);
/// "A.2": the second `new A` of the text.
std::string object_name(const Program& program, ObjectId object);
/// "null", "A.2", "-5", "1.5".
std::string shown(const Program& program, JavaType type, Value value);

/// Whether some variable has values that are shown by names: references, floats and doubles.
bool has_named_values(const Program& program);
/// The proposition, whose constants are called as `shown` has them where they are no integers.
Proposition with_names(const Program& program, Proposition proposition);

/// Throws Unsupported for a program with values other than ints and references: "values of other
/// types than int WHERE".
void refuse_types(const Program& program, std::string_view where);

/// Throws Unsupported for a program with classes: "objects WHERE".
void refuse_objects(const Program& program, std::string_view where);

} // namespace thinair::litmus
