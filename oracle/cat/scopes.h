// Lexical scopes as linked lists in arrays, and the cells that names refer to: evaluated when first
// asked for, as herd does, so that an error in a definition that nothing uses is none.
#pragma once

#include "oracle/cat/value.h"

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::cat {

struct Cell {
  enum class State : std::uint8_t { waiting, running, done, failed } state = State::waiting;
  const ast::Expression* expression = nullptr; // waiting: to be evaluated in `context`
  Context context;
  std::optional<CellId> tuple; // waiting: component `component` of that cell's tuple
  std::uint32_t component = 0;
  std::uint32_t components = 0;
  std::optional<std::uint32_t> recursion; // waiting: defined by this group of `let rec`
  Value value;                            // done
  std::exception_ptr error;               // failed
};

class Scopes {
 public:
  Scopes() { scopes_.push_back({}); }

  std::optional<CellId> find(ScopeId scope, std::string_view name) const {
    for (; scope != 0; scope = scopes_[scope].parent)
      if (scopes_[scope].name == name) return scopes_[scope].cell;
    return std::nullopt;
  }

  ScopeId bind(ScopeId scope, std::string name, CellId cell) {
    scopes_.push_back({std::move(name), cell, scope});
    return static_cast<ScopeId>(scopes_.size() - 1);
  }

  CellId add(Cell cell) {
    cells_.push_back(std::move(cell));
    return static_cast<CellId>(cells_.size() - 1);
  }
  CellId add(Value value) {
    Cell cell;
    cell.state = Cell::State::done;
    cell.value = std::move(value);
    return add(std::move(cell));
  }

  std::size_t size() const { return cells_.size(); }

  /// Invalidated by `add`.
  Cell& operator[](CellId id) { return cells_[id]; }

  std::vector<std::string_view> names(ScopeId scope) const {
    std::vector<std::string_view> result;
    for (; scope != 0; scope = scopes_[scope].parent) result.push_back(scopes_[scope].name);
    return result;
  }

 private:
  struct Scope {
    std::string name;
    CellId cell = 0;
    ScopeId parent = 0;
  };
  std::vector<Scope> scopes_;
  std::vector<Cell> cells_;
};

} // namespace thinair::cat
