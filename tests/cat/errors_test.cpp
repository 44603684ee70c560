// What is wrong with a model, word for word: place, expected, found, and a suggestion where one is
// close.
#include "machine/x86/front_end.h"
#include "models/library.h"
#include "tests/cat/support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace thinair::cat {
namespace {

struct Case {
  std::string_view source, message;
};

constexpr Case cases[] = {
    {"let", "m.cat:1:4: error: expected a name, found the end of the file\n"
            "  let\n"
            "     ^"},
    {"let a", "m.cat:1:6: error: expected '=', found the end of the file\n"
              "  let a\n"
              "       ^"},
    {"let a =", "m.cat:1:8: error: expected an expression, found the end of the file\n"
                "  let a =\n"
                "         ^"},
    {"let a = po |", "m.cat:1:13: error: expected an expression, found the end of the file\n"
                     "  let a = po |\n"
                     "              ^"},
    {"let a = (po", "m.cat:1:12: error: expected ')', found the end of the file\n"
                    "  let a = (po\n"
                    "             ^"},
    {"let a = [po", "m.cat:1:12: error: expected ']', found the end of the file\n"
                    "  let a = [po\n"
                    "             ^"},
    {"let a = {po", "m.cat:1:12: error: expected '}', found the end of the file\n"
                    "  let a = {po\n"
                    "             ^"},
    {"let a = po in in", "m.cat:1:15: error: expected a statement ('let', 'acyclic', 'show', "
                         "'include', …), found 'in'\n"
                         "  let a = po in in\n"
                         "                ^^"},
    {"acyclic", "m.cat:1:8: error: expected an expression, found the end of the file\n"
                "  acyclic\n"
                "         ^"},
    {"acyclic po as", "m.cat:1:14: error: expected a name, found the end of the file\n"
                      "  acyclic po as\n"
                      "               ^"},
    {"let a = po )",
     "m.cat:1:12: error: expected a statement ('let', 'acyclic', 'show', 'include', …), found ')'\n"
     "  let a = po )\n"
     "             ^"},
    {"let 1 = po", "m.cat:1:5: error: unexpected character '1'\n"
                   "  let 1 = po\n"
                   "      ^"},
    {"let a = po $ rf", "m.cat:1:12: error: unexpected character '$'\n"
                        "  let a = po $ rf\n"
                        "             ^"},
    {"let a = po \x01"
     "",
     "m.cat:1:12: error: unexpected byte 0x01\n"
     "  let a = po  \n"
     "             ^"},
    {"(* open", "m.cat:1:1: error: this comment is never closed\n"
                "  (* open\n"
                "  ^^"},
    {"include \"cos.cat", "m.cat:1:9: error: this string is never closed\n"
                          "  include \"cos.cat\n"
                          "          ^"},
    {"include cos", "m.cat:1:9: error: expected a string, found 'cos'\n"
                    "  include cos\n"
                    "          ^^^"},
    {"include \"co.cat\"", "m.cat:1:1: error: no file 'co.cat' to include\n"
                           "  include \"co.cat\"\n"
                           "  ^^^^^^^^^^^^^^^^\n"
                           "  hint: did you mean \"cos.cat\"?"},
    {"include \"croos.cat\"", "m.cat:1:1: error: no file 'croos.cat' to include\n"
                              "  include \"croos.cat\"\n"
                              "  ^^^^^^^^^^^^^^^^^^^\n"
                              "  hint: did you mean \"cross.cat\"?"},
    {"show po | rf", "m.cat:1:6: error: expected names to show, found an expression\n"
                     "  show po | rf\n"
                     "       ^^^^^^^\n"
                     "  hint: write show E as NAME"},
    {"show 3", "m.cat:1:6: error: unexpected character '3'\n"
               "  show 3\n"
               "       ^"},
    {"flag po", "m.cat:1:6: error: expected 'acyclic', 'irreflexive' or 'empty', found 'po'\n"
                "  flag po\n"
                "       ^^"},
    {"let f x y = x", "m.cat:1:9: error: expected '=', found 'y'\n"
                      "  let f x y = x\n"
                      "          ^"},
    {"let a = fun -> po", "m.cat:1:13: error: expected a name, found '->'\n"
                          "  let a = fun -> po\n"
                          "              ^^"},
    {"let a = try po", "m.cat:1:15: error: expected 'with', found the end of the file\n"
                       "  let a = try po\n"
                       "                ^"},
    {"let a = if \"x\" po else rf", "m.cat:1:16: error: expected 'then', found 'po'\n"
                                    "  let a = if \"x\" po else rf\n"
                                    "                 ^^"},
    {"let a = if po then po else rf",
     "m.cat:1:15: error: expected '=', 'in' or 'subset', found 'then'\n"
     "  let a = if po then po else rf\n"
     "                ^^^^"},
    {"let a = match W with || {} -> po end", "m.cat:1:34: error: expected '||', found 'end'\n"
                                             "  let a = match W with || {} -> po end\n"
                                             "                                   ^^^"},
    {"let a = match W with || {} -> po || {} -> rf end",
     "m.cat:1:37: error: expected the clause for a set with an element, found '{'\n"
     "  let a = match W with || {} -> po || {} -> rf end\n"
     "                                      ^"},
    {"let a = match W with || e ++ r -> po || e ++ r -> rf end",
     "m.cat:1:41: error: expected the clause for '{}', found 'e'\n"
     "  let a = match W with || e ++ r -> po || e ++ r -> rf end\n"
     "                                          ^"},
    {"procedure p x = acyclic x", "m.cat:1:26: error: expected 'end', found the end of the file\n"
                                  "  procedure p x = acyclic x\n"
                                  "                           ^"},
    {"call p", "m.cat:1:7: error: expected an argument, found the end of the file\n"
               "  call p\n"
               "        ^"},
    {"with co", "m.cat:1:8: error: expected 'from', found the end of the file\n"
                "  with co\n"
                "         ^"},
    {"with co from", "m.cat:1:13: error: expected an expression, found the end of the file\n"
                     "  with co from\n"
                     "              ^"},
    {"forall x in W", "m.cat:1:14: error: expected 'do', found the end of the file\n"
                      "  forall x in W\n"
                      "               ^"},
    {"enum e = ", "m.cat:1:10: error: expected a tag, found the end of the file\n"
                  "  enum e = \n"
                  "           ^"},
    {"let a = po^2", "m.cat:1:11: error: expected '^-1', found '^'\n"
                     "  let a = po^2\n"
                     "            ^"},
    {"let a = W * R * W", "m.cat:1:15: error: a product of products: sets have no triples\n"
                          "  let a = W * R * W\n"
                          "                ^"},
    {"acyclic pp", "m.cat:1:9: error: unbound name 'pp'\n"
                   "  acyclic pp\n"
                   "          ^^\n"
                   "  hint: did you mean 'po'?"},
    {"acyclic rff", "m.cat:1:9: error: unbound name 'rff'\n"
                    "  acyclic rff\n"
                    "          ^^^\n"
                    "  hint: did you mean 'rfe'?"},
    {"acyclic MFENCE", "m.cat:1:9: error: unbound name 'MFENCE'\n"
                       "  acyclic MFENCE\n"
                       "          ^^^^^^\n"
                       "  hint: executions of x86 programs have it, those of Java programs do not"},
    {"acyclic W; po", "m.cat:1:9: error: expected a relation, found a set\n"
                      "  acyclic W; po\n"
                      "          ^"},
    {"acyclic W", "m.cat:1:9: error: expected a relation, found a set\n"
                  "  acyclic W\n"
                  "          ^"},
    {"acyclic po | W", "m.cat:1:14: error: expected a relation, found a set\n"
                       "  acyclic po | W\n"
                       "               ^"},
    {"empty W & po", "m.cat:1:7: error: expected a relation, found a set\n"
                     "  empty W & po\n"
                     "        ^"},
    {"acyclic [po]", "m.cat:1:10: error: expected a set, found a relation\n"
                     "  acyclic [po]\n"
                     "           ^^"},
    {"acyclic po * W", "m.cat:1:9: error: expected a set, found a relation\n"
                       "  acyclic po * W\n"
                       "          ^^"},
    {"acyclic po W", "m.cat:1:9: error: expected a function, found a relation\n"
                     "  acyclic po W\n"
                     "          ^^"},
    {"acyclic W^-1", "m.cat:1:9: error: expected a relation, found a set\n"
                     "  acyclic W^-1\n"
                     "          ^"},
    {"acyclic domain W", "m.cat:1:16: error: expected a relation, found a set\n"
                         "  acyclic domain W\n"
                         "                 ^"},
    {"let f (a, b) = a | b\n"
     "acyclic f po",
     "m.cat:2:11: error: expected 2 arguments, found 1 argument\n"
     "  acyclic f po\n"
     "            ^^"},
    {"let f (a, b) = a | b\n"
     "acyclic f (po, rf, loc)",
     "m.cat:2:12: error: expected 2 arguments, found 3 arguments\n"
     "  acyclic f (po, rf, loc)\n"
     "             ^^^^^^^^^^^"},
    {"let f x = x\n"
     "acyclic f",
     "m.cat:2:9: error: expected a relation, found a function\n"
     "  acyclic f\n"
     "          ^"},
    {"acyclic (po, rf)", "m.cat:1:10: error: expected a relation, found a tuple of 2\n"
                         "  acyclic (po, rf)\n"
                         "           ^^^^^^"},
    {"acyclic 'tag", "m.cat:1:9: error: expected a relation, found the tag 'tag\n"
                     "  acyclic 'tag\n"
                     "          ^^^^"},
    {"acyclic {po}",
     "m.cat:1:9: error: expected a relation, found a set whose elements are each a relation\n"
     "  acyclic {po}\n"
     "          ^^^^"},
    {"acyclic po ++ po", "m.cat:1:15: error: expected a set of relations, found a relation\n"
                         "  acyclic po ++ po\n"
                         "                ^^"},
    {"acyclic po ++ rf", "m.cat:1:15: error: expected a set of relations, found a relation\n"
                         "  acyclic po ++ rf\n"
                         "                ^^"},
    {"acyclic {W} | po",
     "m.cat:1:9: error: expected a relation, found a set whose elements are each a set\n"
     "  acyclic {W} | po\n"
     "          ^^^"},
    {"let (a, b) = po\n"
     "acyclic a",
     "m.cat:1:14: error: expected a tuple of 2, found a relation\n"
     "  let (a, b) = po\n"
     "               ^^"},
    {"with co from po", "m.cat:1:14: error: expected a set of relations, found a relation\n"
                        "  with co from po\n"
                        "               ^^"},
    {"with co from W", "m.cat:1:14: error: expected a set of relations, found a set\n"
                       "  with co from W\n"
                       "               ^"},
    {"with co from linearisations W", "m.cat:1:29: error: expected 2 arguments, found a set\n"
                                      "  with co from linearisations W\n"
                                      "                              ^"},
    {"with co from linearisations(po, po)", "m.cat:1:29: error: expected a set, found a relation\n"
                                            "  with co from linearisations(po, po)\n"
                                            "                              ^^^^^^"},
    {"with co from {W}", "m.cat:1:14: error: expected a relation, found a set\n"
                         "  with co from {W}\n"
                         "               ^^^"},
    {"call nothing(po)", "m.cat:1:1: error: unbound name 'nothing'\n"
                         "  call nothing(po)\n"
                         "  ^^^^^^^^^^^^^^^^"},
    {"let p = po\n"
     "call p(po)",
     "m.cat:2:1: error: expected a procedure after 'call', found a relation\n"
     "  call p(po)\n"
     "  ^^^^^^^^^^"},
    {"procedure p (a, b) = acyclic a end\n"
     "call p(po)",
     "m.cat:2:8: error: expected 2 arguments, found 1 argument\n"
     "  call p(po)\n"
     "         ^^"},
    {"let rec (a, b) = (po, rf)\n"
     "acyclic a",
     "m.cat:1:9: error: expected a name after 'let rec', found a tuple\n"
     "  let rec (a, b) = (po, rf)\n"
     "          ^^^^^^"},
    {"acyclic (match 'b with || 'a -> po end)", "m.cat:1:10: error: no clause for the tag 'b\n"
                                                "  acyclic (match 'b with || 'a -> po end)\n"
                                                "           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"},
    {"acyclic (match po with || 'a -> po end)",
     "m.cat:1:16: error: expected a tag, found a relation\n"
     "  acyclic (match po with || 'a -> po end)\n"
     "                 ^^"},
    {"acyclic (match 'a with || {} -> po || e ++ r -> rf end)",
     "m.cat:1:16: error: expected a set, found the tag 'a\n"
     "  acyclic (match 'a with || {} -> po || e ++ r -> rf end)\n"
     "                 ^^"},
    {"forall x in W do acyclic po end",
     "unsupported: 'forall' over a set that only an execution knows"},
    {"assert empty po", "unsupported: 'assert' in a model that is to be run"},
    {"empty (if po = rf then po else rf)",
     "unsupported: a comparison after 'if' of values that only an execution knows"},
    {"if W subset R acyclic po end",
     "unsupported: a comparison after 'if' of values that only an execution knows"},
    {"let rec f s = match s with || {} -> 0\n"
     "|| e ++ es -> (match 'a with || 'a -> rf end) | f es end\n"
     "empty f W",
     "unsupported: tags in a part of a model that is evaluated in each execution"},
    {"let rec f s = match s with || {} -> 0 || e ++ es -> [{e}] | f es end\n"
     "let rec r = po | f (domain r); r\n"
     "empty r",
     "unsupported: a recursive function over sets inside a recursive relation"},
    {"include \"cross.cat\"\n"
     "let rec f s = match s with || {} -> {} || e ++ es -> generate_cos(po) | f es end\n"
     "with co from f W",
     "unsupported: generate_orders and generate_cos inside a recursive function"},
    {"let rec r = po \\ r\n"
     "empty r",
     "m.cat:1:13: error: this recursive definition goes through a difference of itself: it has no "
     "least fixpoint\n"
     "  let rec r = po \\ r\n"
     "              ^^^^^^"},
    {"procedure rec p(x) = call p(x) end\n"
     "call p(po)",
     "unknown: 100 nested procedure calls of the model reached"},
    {"acyclic generate_cos po", "m.cat:1:9: error: unbound name 'generate_cos'\n"
                                "  acyclic generate_cos po\n"
                                "          ^^^^^^^^^^^^"},
    {"let f = linearisations\n"
     "with a from f(W,po)\n"
     "acyclic b",
     "m.cat:3:9: error: unbound name 'b'\n"
     "  acyclic b\n"
     "          ^\n"
     "  hint: did you mean 'a'?"},
    {"acyclic (let f x = y in f po)", "m.cat:1:20: error: unbound name 'y'\n"
                                      "  acyclic (let f x = y in f po)\n"
                                      "                     ^\n"
                                      "  hint: did you mean 'x'?"},
};

TEST(Errors, AreExact) {
  for (const auto& [source, message] : cases) EXPECT_EQ(error(source), message) << source;
}

struct Unused {
  std::string_view definition;
  std::string_view place; // of what is wrong: its column, and the message; empty: nothing is
};

constexpr auto unused = std::to_array<Unused>({
    {"let odd_ = po & R", "17: error: expected a relation, found a set"},
    {"let odd_ = let inner_ = [po] in R", "26: error: expected a set, found a relation"},
    {"let rec odd_ = po | nowhere_", "21: error: unbound name 'nowhere_'"},
    {"let (odd_, other_) = po", "22: error: expected a tuple of 2, found a relation"},
    {"let odd_ x = (po & R) | x", "20: error: expected a relation, found a set"},
    {"let odd_ (x, y) = x; nowhere_; y", "22: error: unbound name 'nowhere_'"},
    {"let odd_ = fun x -> domain R", "28: error: expected a relation, found a set"},
    {"let fine_ x = x & R", ""},
    {"let fine_ x = x; po", ""},
    {"let fine_ f = f po", ""},
    {"let fine_ f = f (po, R)", ""},
    {"let pair_ (x, y) = x | [y] let fine_ p = pair_ p", ""},
    {"let fine_ = try po & R with po", ""},
    {"let fine_ f = fun x -> f (f x)", ""},
    {"let fine_ = if \"no\" then po & R else po", ""},
});

/// For the programs of some language.
bool loads_for_somebody(const text::Source& source) {
  return std::ranges::any_of(graph::front_ends(), [&](const graph::FrontEnd* each) {
    try {
      load_model(source, Architecture(*each));
      return true;
    } catch (const InputError&) {
      return false;
    }
  });
}

/// Anywhere in a model: a check finds it and says where, a run does not look.
TEST(Errors, OfDefinitionsThatNothingUses) {
  for (const auto& file : models::files()) {
    if (file.name.starts_with("library/")) continue;
    const auto first = file.text.find("\nlet ") + 1;
    for (const auto at : {first, file.text.size()})
      for (const auto& [definition, place] : unused) {
        std::string text(file.text);
        text.insert(at, std::string(definition) + "\n");
        const text::Source source{"mine.cat", text};
        SCOPED_TRACE(std::string(file.name) + ": " + std::string(definition));
        const auto line = std::to_string(
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        std::string found;
        try {
          check_model(source);
        } catch (const InputError& e) {
          found = e.what();
        }
        const auto expected = place.empty() ? "" : "mine.cat:" + line + ":" + std::string(place);
        EXPECT_EQ(found.substr(0, found.find('\n')), expected);
        EXPECT_TRUE(loads_for_somebody(source));
      }
  }
}

/// A part of a model may use names that its includer has.
TEST(Errors, OfPartsAreThoseOfTypes) {
  EXPECT_NO_THROW(check_model({"part.cat", "let a = b let f x = x & b"}));
  EXPECT_THROW(check_model({"part.cat", "let a = po & R"}), InputError);
}

TEST(Errors, NamesOfOtherArchitectures) {
  EXPECT_EQ(error("empty RMW", x86::architecture),
            "m.cat:1:7: error: unbound name 'RMW'\n"
            "  empty RMW\n"
            "        ^^^\n"
            "  hint: executions of Java programs have it, those of x86 programs do not");
  EXPECT_NO_THROW(check_model({"m.cat", "acyclic po; [RMW | MFENCE | Acq]"}));
}

TEST(Errors, ModelsThatAreNotThere) {
  try {
    load_model("jsl04", Architecture::java);
    FAIL();
  } catch (const InputError& e) {
    const std::string text = e.what();
    EXPECT_TRUE(text.starts_with("error: no model 'jsl04': neither a file nor one of ")) << text;
    EXPECT_TRUE(text.ends_with("\n  hint: did you mean 'jls04'?")) << text;
  }
}

TEST(Errors, HugeAndDeepModels) {
  EXPECT_EQ(error(std::string((1U << 20U) + 1, ' ')),
            "m.cat:1:1: error: the model is too large: 1048577 bytes, at most 1048576 are read\n"
            "  " +
                std::string(100, ' ') + "\n  ^");
  const auto nested = [](std::size_t n) {
    return "empty " + std::string(n, '(') + "po" + std::string(n, ')');
  };
  EXPECT_EQ(error(nested(150)), "");
  EXPECT_NE(error(nested(201)).find("this expression is nested more than 200 deep"),
            std::string::npos);
  EXPECT_NE(error("empty po" + std::string(10000, '?')).find("nested more than 200 deep"),
            std::string::npos);
  EXPECT_NE(error("empty " + std::string(10000, '~') + "po").find("nested more than 200 deep"),
            std::string::npos);
  EXPECT_NE(error("empty " + std::string(10000, '[')).find("nested more than 200 deep"),
            std::string::npos);
  std::string wide = "empty po";
  for (int i = 0; i < 20000; ++i) wide += "|po;rf";
  EXPECT_EQ(error(wide), "");
}

TEST(Errors, LongChainsOfDefinitionsReachALimit) {
  std::string chain = "let a0 = po\n";
  for (int i = 1; i < 2000; ++i)
    chain += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "; rf\n";
  EXPECT_EQ(error(chain + "empty a300"), "");
  EXPECT_EQ(error(chain + "empty a1999"),
            "unknown: 1500 nested calls and definitions of the model reached");
}

TEST(Errors, BytesThatAreNoText) {
  EXPECT_EQ(error(std::string_view("acyclic po\0", 11)),
            "m.cat:1:11: error: unexpected byte 0x00\n  acyclic po \n            ^");
  EXPECT_EQ(error("acyclic p\xc3\xb6"),
            "m.cat:1:10: error: unexpected byte 0xc3\n  acyclic p?\n           ^");
  EXPECT_EQ(error("acyclic po\r\n"), "");
}

TEST(Errors, FilesThatIncludeThemselves) {
  // "jam21" includes cross.cat; a text that includes itself by name needs a file
  const auto directory =
      std::filesystem::path(testing::TempDir()) / ("cat-" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "loop.cat") << "include \"loop.cat\"\n";
  try {
    load_model((directory / "loop.cat").string(), Architecture::java);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("includes are nested more than 32 deep"),
              std::string::npos);
  }
  std::filesystem::remove_all(directory);
}

} // namespace
} // namespace thinair::cat
