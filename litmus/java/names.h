// Names of tests and programs as real Java has them, and back: every mapping here is reversible.
#pragma once

#include "litmus/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::litmus::java {

/// Keywords and literals of Java (JLS 3.9, 3.10), and `_`, which is no name since Java 9.
bool is_keyword(std::string_view word);

/// A test's name as a class: letters and digits stand for themselves, `_` is doubled, and any other
/// character is `_` with a letter (`SB+rfis` is SB_prfis) or with its code (`_x2a`). A name that
/// begins with a digit has `_n` in front (2+2W is _n2_p2W), one of letters and digits alone `_t`
/// behind (SB is SB_t). So every class has a `_` that no keyword, no class of the JDK and no class
/// of jcstress has there: a test can be called String, record or Actor.
std::string class_name(std::string_view test);

/// The test's name that class_name has made this of; absent where there is none.
std::optional<std::string> test_name(std::string_view class_name);

/// A word of our language as a variable: keywords and words like names of classes (a capital in
/// front and a small letter behind, `Integer`) get a `_` behind them, and so do words that such a
/// name would be taken for. So no variable hides a class (JLS 6.4.2).
std::string identifier(std::string_view word);
std::string word_of(std::string_view identifier);

/// How real Java calls the variables of a program. No two of one table are equal; handles, monitors
/// and results, which stand beside the registers in the code of a thread, are called as nothing
/// else is.
struct Names {
  std::vector<std::string> fields;                 // by location
  std::vector<std::string> handles;                // by location; no small letters
  std::vector<std::string> monitors;               // by monitor
  std::vector<std::vector<std::string>> registers; // by thread
  std::vector<std::vector<std::string>> results;   // fields for what a thread's registers end with
  std::vector<std::string> threads;                // fields, by thread: it as a java.lang.Thread
  std::vector<std::string> printed;                // fields, by thread: what it prints
  std::vector<std::string> classes;                // by class; no variable is called so, or `int[]`
  std::vector<std::vector<std::string>> class_fields;  // by class
  std::vector<std::vector<std::string>> class_handles; // by class, those of its fields
  std::vector<std::string> made;                       // by object: a reference to it
  std::vector<std::string> left;                       // by object: class_code.h says what it is
  std::string state;                                   // in constructors, what has the fields
  std::string threw;                                   // a field: a thread ended in an exception
};

/// The class that stands for the constructor of an object, `New1` (class_code.h).
std::string constructor_class(ObjectId object);

/// A type as the emitted source calls it.
std::string type_word(const Program& program, const Names& names, JavaType type);

/// `taken` are variables of the surrounding code that are in scope beside these.
Names names_of(const Program& program, const std::vector<std::string>& taken = {});

} // namespace thinair::litmus::java
