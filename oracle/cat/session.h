// Runs a model's statements in order: definitions, includes, procedures; collects its axioms,
// choices and shows.
#pragma once

#include "litmus/text/digest.h"
#include "oracle/cat/evaluator.h"
#include "oracle/cat/meaning.h"
#include "oracle/cat/model.h"

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::cat {

class Session {
 public:
  Session(std::optional<Architecture> architecture, const LoadOptions& options);

  /// Loads the standard library, then runs the model. Once only.
  void run(const text::Source& model);

  /// After `run`: looks at the definitions of the model's own file that nothing uses, too. Throws
  /// InputError for the first that is wrong whatever it may be used for.
  void check_unused();

  Evaluator evaluator;
  std::string title;
  std::string causality, identity;
  bool tearing = false;                // of plain longs and doubles
  std::optional<Declaration> declared; // what the model gives a meaning to
  text::Digest content;                // of the files read
  std::vector<Axiom> axioms;
  std::vector<Choice> choices;
  std::vector<Shown> shows;
  std::vector<Named> names; // of top-level definitions that something used, in order
  bool has_assertions = false;
  std::vector<std::string> warnings; // what is not shown, and why

 private:
  struct File {
    text::Source source;
    ast::File tree;
  };

  const LoadOptions& options_;
  std::deque<File> files_; // expressions and contexts point into it
  ScopeId scope_ = 0;
  std::vector<std::string> dropped_;           // axioms met so far that the options drop
  std::map<std::string, std::string> glosses_; // of definitions: the comments above them
  std::vector<std::string> names_;             // of all axioms met
  std::string call_name_;                      // after `call … as`
  std::uint32_t include_depth_ = 0;
  std::uint32_t call_depth_ = 0;

  const File& add_file(text::Source source);
  void run_file(text::Source source);
  void block(const ast::Block& statements, const text::Source& source);
  void statement(const ast::Statement& s, Context context);
  void include(const ast::Statement& s, Context context);
  text::Source find(std::string_view name, Context context, text::Span span) const;
  void test(const ast::Test& test, Context context);
  void with_from(const ast::Statement& s, Context context);
  std::uint32_t routine_of_choices(const Value& value, const ast::Statement& s, Context context);
  void show(std::string name, NodeId node);
  void show_as(const ast::Statement& s, Context context);
  void show_names(const ast::Statement& s, Context context);
  void show_for_causality();
  void note_glosses(const ast::Statement& let);
  void demand_for_causality() const;
  void note_names();
  void call(const ast::Statement& s, Context context);
  void for_all(const ast::Statement& s, Context context);
  void match(const ast::Statement& s, Context context);
  void enumeration(const ast::Statement& s);
  void bind(const std::string& name, Value value);
  void use_native_orders(const text::Source& source);
  void drop_closure(Axiom& axiom) const;
  void check_dropped() const;
  void except_from_stages();
  void read_tearing(const File& file);
  void check_function(const Function& function);
};

} // namespace thinair::cat
