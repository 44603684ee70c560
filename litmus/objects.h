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

/// The class of the object whose field or element it is, and the field; of elements the one that
/// stands for them.
const Class& class_of(const Program& program, const Thread& thread, const FieldOf& field);
const Field& field_of(const Program& program, const Thread& thread, const FieldOf& field);

/// The type of arrays with such elements, which the program has from now on.
JavaType array_of(Program& program, JavaType element);
/// Puts array types behind the classes, in the order of their elements' types; those that nothing
/// has go.
void order_arrays(Program& program);

/// Whether a constant is an index of an array of the type: below the length of the longest that the
/// program makes. Where it makes none, whatever is none below 0.
bool may_index(const Program& program, ClassId arrays, Value index);

/// How many fields an object has, or elements.
std::uint32_t size_of(const Program& program, ObjectId object);
/// A field of an object, or what stands for its elements.
const Field& field_of(const Program& program, ObjectId object, std::uint32_t place);
/// "A.1.x", or "int[].1[0]".
std::string place_name(const Program& program, ObjectId object, std::uint32_t place);

/// Where the fields of objects are, and the elements of arrays, for whoever knows locations alone:
/// behind those of the program, object after object.
class FieldLocations {
 public:
  explicit FieldLocations(const Program& program);

  /// Those of the program, and all fields and elements.
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

/// Of a location, or of a field or an element as FieldLocations numbers it.
JavaType type_of(const Program& program, LocationId location);

/// "int", "long", the name of a class, "int[]".
std::string to_string(const Program& program, JavaType type);
/// "an int", "a long", "a reference to `A`".
std::string with_article(const Program& program, JavaType type);
/// "A.2": the second `new A` of the text; "int[].1".
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

/// Throws Unsupported for a program with arrays: "arrays WHERE".
void refuse_arrays(const Program& program, std::string_view where);

/// Throws Unsupported for a program with classes or arrays: "objects WHERE", "arrays WHERE".
void refuse_objects(const Program& program, std::string_view where);

} // namespace thinair::litmus
