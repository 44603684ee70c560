// Threads of litmus programs as statements of real Java.
#pragma once

#include "litmus/java/names.h"
#include "litmus/program.h"

#include <string>

namespace thinair::litmus::java {

struct CodeStyle {
  std::string object = "this"; // that has the fields
  std::size_t level = 2;       // of indentation, two columns each
  bool prints = false;         // `print` becomes System.out.println, else a write to a field
  bool lifetimes = false;      // `start` and `join`: of lifetimes.h, else they are unsupported
  bool objects = false;        // `new`: of class_code.h, else it is unsupported
  bool results = false;        // a reference that nobody wants gets a name, `$result`: HotSpot
                               // compiles no compareAndExchange of references to nothing in place
  bool bits = false;           // of floats, `==` and `!=` with a constant compare bits
  bool premade = false;        // or Names::made is what it makes, and no constructor is called
};

/// The body of a thread. Registers are local ints, declared where they are first assigned if that
/// is in no block, else at the top with their initial value. Conditions become booleans and truth
/// values 1 or 0; `&&` and `||` become `&` and `|`, as both operands are evaluated. `lock` and
/// `unlock` of one block become `synchronized`: Java source has no others (JVMS 2.11.10 lets code
/// leave monitors in any order, and javac writes none such). Throws Unsupported for what has no
/// such form.
std::string thread_code(const Program& program, std::size_t thread, const Names& names,
                        const CodeStyle& style = {});

/// Statements of a thread whose registers are declared around them.
std::string block_code(const Program& program, std::size_t thread, const Block& block,
                       const Names& names, const CodeStyle& style);

/// A string literal: quotes, backslashes and control characters escaped, other bytes that are not
/// ASCII as `?`. What is longer than javac takes (65,535 bytes) ends in "...".
std::string java_string(std::string_view text);

/// Declarations of the VarHandles of `class_name`'s fields and of those of the program's classes,
/// and what looks them up; nothing where there are none.
std::string handle_code(const Program& program, const Names& names, const std::string& class_name);

/// Declarations of the fields and monitors. A field has no initializer unless it starts with
/// another value than 0: jcstress resets objects without initializers in place.
std::string field_code(const Program& program, const Names& names);

/// Fields that take what is printed, of the threads that print.
std::string print_code(const Program& program, const Names& names);

} // namespace thinair::litmus::java
