// Walking over a program's statements and expressions in one fixed order, and changing one of them
// in a copy.
#pragma once

#include "litmus/program.h"

#include <cstddef>
#include <functional>

namespace thinair::gen {

using litmus::Block;
using litmus::Expression;
using litmus::LocationId;
using litmus::Program;
using litmus::RegisterId;
using litmus::Statement;
using litmus::ThreadId;

/// Statements in program order, a compound one before what it contains.
void each_statement(const Program& program,
                    const std::function<void(ThreadId, const Statement&)>& f);
void each_statement(Program& program, const std::function<void(ThreadId, Statement&)>& f);

/// Expressions in program order, an outer one before its operands: right-hand sides, arguments,
/// conditions.
void each_expression(const Program& program,
                     const std::function<void(ThreadId, const Expression&)>& f);
void each_expression(Program& program, const std::function<void(ThreadId, Expression&)>& f);

/// What accesses go to, those inside expressions included: a location, or in its place a field.
void each_place(
    const Program& program,
    const std::function<void(ThreadId, LocationId, const std::optional<litmus::FieldOf>&)>& f);
void each_place(
    Program& program,
    const std::function<void(ThreadId, LocationId&, std::optional<litmus::FieldOf>&)>& f);

std::size_t count_statements(const Program& program);

/// A copy in which statement number `index` is replaced by the block that `f` makes of it.
Program with_statement(const Program& program, std::size_t index,
                       const std::function<Block(const Statement&)>& f);

/// A copy in which expression number `index` was changed by `f`.
Program with_expression(const Program& program, std::size_t index,
                        const std::function<void(Expression&)>& f);

/// The register a statement assigns, if any.
std::optional<RegisterId> assigned(const Statement& statement);

} // namespace thinair::gen
