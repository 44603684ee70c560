// References: what the variables and values of a program refer to, and what objects are called.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"

#include <string>
#include <string_view>

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

/// "int", or the name of a class.
std::string to_string(const Program& program, JavaType type);
/// "A.2": the second `new A` of the text.
std::string object_name(const Program& program, ObjectId object);
/// "null", "A.2", "-5".
std::string shown(const Program& program, JavaType type, Value value);

/// Throws Unsupported for a program with classes: "objects WHERE".
void refuse_objects(const Program& program, std::string_view where);

} // namespace thinair::litmus
