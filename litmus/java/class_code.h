// Classes of litmus programs as classes of real Java, with a constructor for each `new`.
#pragma once

#include "litmus/java/code.h"
#include "litmus/java/names.h"
#include "litmus/program.h"

#include <string>
#include <vector>

namespace thinair::litmus::java {

/// The program's classes, nested in the class `outer` that has the locations. The constructor for
/// the n-th `new` has a parameter of the class Newn, by which Java tells it from the others. It
/// gets the outer object and each register that the text of the constructor mentions; what they
/// are at its end is left in a Newn where it writes to any. Throws Unsupported for constructors
/// that javac refuses: a final field must be written at most once, whatever branches are taken
/// (JLS 8.3.1.2, 16). One that no path writes is written its default at the end, as javac wants.
/// `more`: members that classes have beside, by ClassId.
std::string class_code(const Program& program, const Names& names, const std::string& outer,
                       const CodeStyle& style, const std::vector<std::string>& more = {});

/// Registers that the constructor's text mentions, in their order; the object itself is none.
std::vector<RegisterId> registers_in(const New& node);
/// Those that it writes.
std::vector<RegisterId> registers_left_by(const New& node);
/// What is made in a block and in the constructors inside.
std::vector<ObjectId> objects_in(const Block& block);

/// Fields for the objects that were made, which threads fill in when they are done (`made_code`),
/// and a method `number` that says of a reference which `new` made its object: 0 of null, 1 of the
/// first, -1 of what none of them made. It may be asked when all threads are done, and compares
/// identity: the objects themselves have nothing for it. Nothing where there are no objects.
std::string number_code(const Program& program, const Names& names);
/// Statements at the end of a thread.
std::string made_code(const Program& program, std::size_t thread, const Names& names,
                      std::size_t level);

/// The code of a thread (of level 3) within a `try` that leaves an exception in Names::threw.
std::string guarded(const Program& program, const std::string& code, const Names& names);
/// The field for that.
std::string threw_code(const Names& names);

/// All that a thread does, within such a `try` where a thread may throw, and behind it what its
/// registers end with, to fields.
std::string run_code(const Program& program, std::size_t thread, const Names& names,
                     const CodeStyle& style);

/// Whether some thread may end in an exception: it uses a reference other than `this`, or divides
/// by what is no constant.
bool may_throw(const Program& program);

} // namespace thinair::litmus::java
