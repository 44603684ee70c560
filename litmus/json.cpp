// Dumps tests and questions as JSON.
#include "litmus/json.h"

#include "litmus/language.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"
#include "litmus/text/json.h"

#include <vector>

namespace thinair::litmus {
namespace {

using Kind = Proposition::Kind;

std::string_view name(Kind kind) {
  switch (kind) {
  case Kind::always: return "true";
  case Kind::never: return "false";
  case Kind::equal: return "equal";
  case Kind::not_equal: return "not_equal";
  case Kind::all: return "and";
  case Kind::any: return "or";
  case Kind::negation: return "not";
  case Kind::implication: return "implies";
  }
  bug(__FILE__, __LINE__, "no such kind of proposition");
}

std::string to_json(const Clause& clause);
using litmus::to_json;

template <class Things>
std::string array_of(const Things& things) {
  std::vector<std::string> elements;
  for (const auto& thing : things) elements.push_back(to_json(thing));
  return json::array(elements);
}

std::string to_json(const Clause& clause) {
  json::Object verdicts;
  for (const ModelVerdict& entry : clause.verdicts)
    verdicts.string(entry.model, litmus::name(entry.verdict));
  json::Object object;
  object.string("quantifier", litmus::name(clause.quantifier))
      .string("label", clause.label)
      .raw("proposition", litmus::to_json(clause.proposition))
      .string("text", to_string(clause.proposition))
      .string("because", clause.because)
      .raw("verdicts", verdicts.text())
      .string("confidence", clause.confidence.empty() ? "certain" : clause.confidence);
  return object.text();
}

} // namespace

std::string to_json(const Observable& observable) {
  json::Object object;
  if (observable.thread) {
    object.integer("thread", observable.thread->value).string("register", observable.name);
  } else {
    object.string("location", observable.name);
  }
  return object.text();
}

std::string to_json(const Proposition& p) {
  json::Object object;
  object.string("kind", name(p.kind));
  if (p.kind == Kind::equal || p.kind == Kind::not_equal) {
    object.raw("left", to_json(p.left));
    object.raw("right", p.right ? to_json(*p.right) : std::to_string(p.constant));
  } else if (!p.parts.empty()) {
    object.raw("parts", array_of(p.parts));
  }
  return object.text();
}

std::string to_json(const Test& test) {
  json::Object metadata;
  for (const auto& [key, value] : test.metadata) metadata.string(key, value);
  json::Object object;
  object.string("name", test.name)
      .string("dialect", test.language->word)
      .string("title", test.title)
      .raw("metadata", metadata.text())
      .raw("program", test.language->json(test))
      .raw("locations", array_of(test.locations))
      .raw("filter", test.filter ? to_json(*test.filter) : "null")
      .raw("clauses", array_of(test.clauses));
  return object.text();
}

} // namespace thinair::litmus
