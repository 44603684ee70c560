// Edits statements in place, each in a copy of the test.
#include "oracle/explain/changes.h"

#include "litmus/java/format.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace thinair::explain {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Expression;
using litmus::If;
using litmus::Statement;

void number(Block& block, StatementNumber& next) {
  for (auto& statement : block) {
    statement.span = {next, next};
    ++next;
    if (auto* branch = std::get_if<If>(&statement.node)) {
      number(branch->then_block, next);
      number(branch->else_block, next);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      number(loop->body, next);
    } else if (auto* made = std::get_if<litmus::New>(&statement.node)) {
      number(made->body, next);
    }
  }
}

using Edit = std::function<void(Block& block, std::size_t at)>;

bool edit(Block& block, StatementNumber wanted, const Edit& change) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block[i].span.begin == wanted) {
      change(block, i);
      return true;
    }
    if (auto* branch = std::get_if<If>(&block[i].node)) {
      if (edit(branch->then_block, wanted, change) || edit(branch->else_block, wanted, change))
        return true;
    } else if (auto* loop = std::get_if<litmus::Loop>(&block[i].node)) {
      if (edit(loop->body, wanted, change)) return true;
    } else if (auto* made = std::get_if<litmus::New>(&block[i].node)) {
      if (edit(made->body, wanted, change)) return true;
    }
  }
  return false;
}

bool fixed(const Expression& e) { return e.op == litmus::Operator::constant; }

class Changes {
 public:
  Changes(const litmus::Test& test, const std::map<StatementNumber, litmus::Value>& written)
      : test_(test), written_(written) {}

  void add_of(const litmus::Thread& thread, const Statement& statement) {
    number_ = statement.span.begin;
    text_ = litmus::java::to_string(statement, test_.java(), thread);
    while (text_.ends_with(';')) text_.pop_back();
    if (const auto* access = std::get_if<Access>(&statement.node)) {
      add_constant(*access);
      add_weaker(*access, thread);
    } else if (const auto* branch = std::get_if<If>(&statement.node)) {
      add_branch(branch->then_block, "the body");
      if (!branch->else_block.empty()) add_branch(branch->else_block, "the `else`");
    } else if (std::holds_alternative<litmus::FenceStatement>(statement.node)) {
      add(fmt::format("`{}` were not there", text_), [](Block& block, std::size_t at) {
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
      });
    }
  }

  std::vector<Change> all() { return std::move(all_); }

 private:
  void add(std::string words, const Edit& change) {
    Change out{std::move(words), test_};
    for (auto& thread : std::get<litmus::Program>(out.test.program).threads)
      if (edit(thread.body, number_, change)) break;
    all_.push_back(std::move(out));
  }

  void add_constant(const Access& access) {
    const auto value = written_.find(number_);
    if (info(access.method).action != litmus::Action::set || fixed(access.arguments.back())) return;
    if (value == written_.end()) return;
    const auto constant = value->second;
    add(fmt::format("`{}` wrote {} whatever its thread has read", text_, constant),
        [&](Block& block, std::size_t at) {
          std::get<Access>(block[at].node).arguments.back() = Expression::number(constant);
        });
  }

  /// Of the same action, those whose halves are no stronger.
  void add_weaker(const Access& access, const litmus::Thread& thread) {
    const auto& now = info(access.method);
    for (const auto& other : litmus::methods()) {
      const bool weaker = other.action == now.action && other.method != now.method &&
                          (!reads(now.action) || other.read <= now.read) &&
                          (!writes(now.action) || other.write <= now.write);
      if (!weaker) continue;
      auto changed = access;
      changed.method = other.method;
      auto text = litmus::java::to_string(Statement{changed, {}}, test_.java(), thread);
      while (text.ends_with(';')) text.pop_back();
      add(fmt::format("`{}` were `{}`", text_, text), [&](Block& block, std::size_t at) {
        std::get<Access>(block[at].node).method = other.method;
      });
    }
  }

  void add_branch(const Block& body, std::string_view what) {
    add(fmt::format("{} of `{}` ran always", what, text_), [&](Block& block, std::size_t at) {
      const Block inner = body; // of another copy of the program
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
    });
  }

  const litmus::Test& test_;
  const std::map<StatementNumber, litmus::Value>& written_;
  StatementNumber number_ = 0;
  std::string text_;
  std::vector<Change> all_;
};

} // namespace

litmus::Test numbered(litmus::Test test) {
  StatementNumber next = 1;
  for (auto& thread : std::get<litmus::Program>(test.program).threads) number(thread.body, next);
  return test;
}

std::vector<Change> single_changes(const litmus::Test& numbered,
                                   const std::map<StatementNumber, litmus::Value>& written,
                                   const std::vector<StatementNumber>& first) {
  Changes changes(numbered, written);
  for (const bool now : {true, false})
    for (const auto& thread : numbered.java().threads)
      litmus::for_each_statement(thread.body, [&](const Statement& statement) {
        const bool listed = std::ranges::find(first, statement.span.begin) != first.end();
        if (listed == now) changes.add_of(thread, statement);
      });
  return changes.all();
}

} // namespace thinair::explain
