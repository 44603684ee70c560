// Objects with an inside: their places in tests, and what a listing says of a `new`.
#pragma once

#include "litmus/machine/cells.h"
#include "lower/jit/method.h"
#include "lower/naming.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace thinair::lower::jit {

/// Whether the program does more with objects than to hand them over and to compare them, or has
/// arrays, which have a length.
bool looks_inside(const litmus::Program& program);

/// Whether the program's fields are others than the batch's: it is compiled in a class of its own.
bool has_own_class(const litmus::Program& program);

/// Where its objects lie, by ObjectId: behind its locations. Nothing where none is looked into.
std::vector<ObjectPlace> places_of(const Compilation& compilation);

/// That of the first of its words.
litmus::LocationId first_cell(const ObjectPlace& place);

/// The source's locations, and behind them an array for each object that has a place.
std::vector<litmus::Cell> cells_of(const Compilation& compilation, Legal legal);

/// The cells of their fields, by ObjectId.
std::vector<std::vector<litmus::LocationId>> fields_of(const Compilation& compilation);

/// Where an array's first element lies, and its length, which follows the header of the VM's: that
/// is as long as the result's, in which an int is the first field. Throws Unsupported where the
/// result has none.
std::vector<std::int64_t> elements_of(litmus::JavaType element, const Layout& layout);

/// The line in the innermost frame of a note like "*new {reexecute=0} ; - A::<init>@1 (line 12)
/// ; - Batch::m_0_0@4 (line 30)". 0: there is none, or the frame is of Java's library.
std::uint32_t line_of_new(std::string_view note);

} // namespace thinair::lower::jit
