// thinair as a library: may a program end so under a memory model, why, and is what a compiler
// makes of it sound?
//
//   const auto program = thinair::Program::read("SB.litmus");
//   const auto model = thinair::Model::load("jam21");
//   if (!program || !model) …  // program.error().message says what is wrong, and where
//   const auto verdict = thinair::allowed(*program, "0:r1=0; 1:r2=0", *model);
//   if (verdict && verdict->answer == thinair::Answer::forbidden) …
//
// Nothing here throws, but for what Result::value() says and std::bad_alloc. Nothing is written to
// standard output or error. All functions may be called by several threads at once, on the same
// objects too. docs/library.md is the manual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace thinair {

/// The version of the library that the program was linked with: "0.1.0".
std::string_view version();

/// Why there is no result.
struct Error {
  enum class Kind : std::uint8_t {
    input,       // a text, a file or an argument is wrong
    unsupported, // thinair knows what is meant and does not do it, or a program it needs is missing
    limit,       // a limit was reached before there was anything to say
    internal,    // a fault of thinair: please report it
  };
  Kind kind = Kind::internal;
  std::string
      message;      // for people: the place, the line with a caret below, a hint where there is one
  std::string file; // what the error is about, as it was named; empty where that is not known
  std::uint32_t line = 0, column = 0; // from 1; 0 where the error is about the file as a whole
};

/// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// The value; throws std::runtime_error with the error's message where there is none.
  const T& value() const& {
    demand_value();
    return std::get<0>(content_);
  }
  T value() && {
    demand_value();
    return std::get<0>(std::move(content_));
  }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }

  /// Only where there is no value.
  const Error& error() const { return std::get<1>(content_); }

 private:
  void demand_value() const {
    if (!has_value()) throw std::runtime_error(error().message);
  }
  std::variant<T, Error> content_;
};

/// What a question may cost. What is not set is as the command-line tool has it (docs/engine.md).
/// An answer that a limit cuts short is `unknown` and says which limit.
struct Limits {
  std::optional<double> seconds = {};           // for a question; if not set, there is no limit
  std::optional<std::uint64_t> candidates = {}; // candidate executions that are looked at
  std::optional<std::uint64_t> graphs = {};     // executions that rules of causality choose from
  std::optional<std::uint64_t> states = {}; // sets of committed events; states of the x86 machine
  std::optional<std::uint32_t> unroll = {}; // rounds of a loop that has no bound of its own
};

/// When two events of different executions are the same action to rules of causality.
enum class Identity : std::uint8_t {
  index, // the n-th of their thread, kind and location
  free,  // any of their thread, kind and location
};

struct ModelOptions {
  /// "jls04", "revised" or "none"; empty: the rules that the model is meant for.
  std::string causality = {};
  Identity identity = Identity::index;
  std::vector<std::string> include = {}; // folders to look for included .cat files in, first
  bool as_plain = false; // take accesses that the model gives no meaning to for plain ones
};

/// A memory model: a value, whose copies are independent. One that is moved from can only be
/// destroyed or assigned to.
class Model {
 public:
  /// A shipped model by its name ("jam21"), or a .cat file by its path.
  static Result<Model> load(const std::string& name_or_path, const ModelOptions& options = {});
  /// A model from a text in the .cat language; `name` stands for it in errors.
  static Result<Model> parse(const std::string& text, const std::string& name,
                             const ModelOptions& options = {});
  /// The names of the models that are part of the library.
  static std::vector<std::string> shipped();

  const std::string& name() const;

  struct Hidden;
  explicit Model(std::unique_ptr<const Hidden> hidden);
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(Model other) noexcept;
  ~Model();
  const Hidden& hidden() const { return *hidden_; } // for the library itself

 private:
  std::unique_ptr<const Hidden> hidden_;
};

/// A litmus test in Java or in the assembly of a machine (docs/language.md): a value, as
/// Model is.
class Program {
 public:
  /// From a text; `name` stands for it in errors.
  static Result<Program> parse(const std::string& text, const std::string& name = "program");
  /// From a file.
  static Result<Program> read(const std::string& path);

  const std::string& name() const;
  /// The program in the layout that `thinair fmt` prints; parse(text()) is the same program.
  std::string text() const;
  /// The outcomes that the program itself asks about, as allowed() and why() take them.
  std::vector<std::string> questions() const;

  struct Hidden;
  explicit Program(std::unique_ptr<const Hidden> hidden);
  Program(const Program& other);
  Program(Program&& other) noexcept;
  Program& operator=(Program other) noexcept;
  ~Program();
  const Hidden& hidden() const { return *hidden_; } // for the library itself

 private:
  std::unique_ptr<const Hidden> hidden_;
};

enum class Answer : std::uint8_t {
  allowed,
  forbidden,
  unknown, // a limit was reached
  vacuous, // the model allows the program nothing at all, so that forbidding says nothing
};
std::string_view to_string(Answer answer); // "allowed"

struct Verdict {
  Answer answer = Answer::unknown;
  std::string reason; // of unknown and vacuous: a sentence without its full stop
};

/// May the program end so? An outcome is "0:r1=0; 1:r2=1; [x]=2" (register r1 of thread 0, …,
/// location x), or a proposition as in tests: "0:r1=0 /\ ~(1:r2=1 \/ x=2)".
Result<Verdict> allowed(const Program& program, const std::string& outcome, const Model& model,
                        const Limits& limits = {});

/// A final state: values of the things that `names` of its list names, and all in one text,
/// "0:r1=0; [x]=1".
struct State {
  std::vector<std::int64_t> values;
  std::string text;
};

struct Behaviours {
  std::vector<std::string> names; // "0:r1", "[x]"
  std::vector<State> states;      // sorted by text
  bool complete = true;           // false: there may be more
  std::string reason;             // why there may be more, or why there is none at all
};

/// All final states that the model allows: of what the program's questions and its `locations`
/// name, or of all registers where these name nothing.
Result<Behaviours> behaviours(const Program& program, const Model& model,
                              const Limits& limits = {});

struct Explanation {
  Verdict verdict;
  std::string text; // for people, some lines: an execution or the sequence of executions that
                    // justifies it, or the axioms that fail, with their cycles
  std::string svg;  // the executions that the text speaks of, as a picture; may be empty
};

/// The answer of allowed(), with its reason.
Result<Explanation> why(const Program& program, const std::string& outcome, const Model& model,
                        const Limits& limits = {});

/// The targets that are part of the library: schemes and compilers.
std::vector<std::string> targets();

/// What a target makes of a Java program.
struct Code {
  std::string target;       // the name that the scheme or compiler has
  std::string assembly;     // with each source statement in a comment where that is known
  std::string side_by_side; // the source and the code, thread by thread
  std::string restoration;  // where the source's registers are found: "0:r1 <- 0:rbx; …"
};

/// A target is the name of one ("x86:table2", "x86:llvm-O2"), the path of a scheme file, or
/// "x86:llvm-O2@DIR" for the `opt` and `llc` in DIR.
Result<Code> lower_to(const std::string& target, const Program& program, const Limits& limits = {});

struct Soundness {
  enum class Answer : std::uint8_t {
    sound,      // the model allows the source all that the target does
    mismatches, // some of it is forbidden
    unknown,    // a limit was reached before that was clear
    vacuous,    // the target does nothing, or the model allows nothing
  };
  Answer answer = Answer::unknown;
  std::string reason;             // of unknown and vacuous
  std::vector<std::string> names; // of what is compared: all registers, and locations where the
                                  // model says what is in them at the end
  std::vector<State> behaviours;  // of the target, in the source's terms
  std::vector<State> forbidden;   // those among them that the model forbids
};
std::string_view to_string(Soundness::Answer answer); // "sound"

/// Is what the target makes of a Java program sound for the model? x86 code runs on an operational
/// machine; that of other machines is judged under the model of the machine.
Result<Soundness> sound(const Program& program, const Model& model, const std::string& target,
                        const Limits& limits = {});

/// The same question of two models: is all that `implementation` allows a Java program allowed by
/// `model`? Both must have the same Identity.
Result<Soundness> sound(const Program& program, const Model& model, const Model& implementation,
                        const Limits& limits = {});

} // namespace thinair
