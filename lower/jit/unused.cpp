// Which results are read, backwards from where methods return.
#include "lower/jit/unused.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace thinair::lower::jit {
namespace {

constexpr auto flags_name = "flags";

/// Registers that an address is made of, unless it has been resolved to a cell.
void add_address(const Step& step, const Place& place, std::set<std::string>& out) {
  if (step.cell) return;
  for (const auto& reg : {place.base, place.index})
    if (!reg.empty()) out.insert(reg);
}

/// The words of the frame that an access to a slot touches, as names beside those of registers.
std::vector<std::string> words_of(const Step& step) {
  constexpr std::int64_t word = 4, most = 8;
  std::vector<std::string> out;
  for (const auto& cell : {step.cell, step.second}) {
    if (!cell || cell->kind != Cell::Kind::slot) continue;
    const std::int64_t bytes = step.shape.bytes == 0 ? most : step.shape.bytes;
    for (std::int64_t at = cell->number & ~(word - 1); at < cell->number + bytes; at += word)
      out.push_back(fmt::format("frame {}", at));
  }
  return out;
}

/// Whether a step does no more than to keep something in the frame, which is the thread's own.
bool only_keeps(const Step& step) {
  const auto in_frame = [](const std::optional<Cell>& cell) {
    return cell && cell->kind == Cell::Kind::slot;
  };
  return step.stays == Step::Stays::yes && step.shape.does == Does::store && in_frame(step.cell) &&
         (!step.shape.pair || in_frame(step.second));
}

/// Registers, flags and words of the frame that a step reads if it stays.
std::set<std::string> read_by(const Step& step) {
  std::set<std::string> out;
  if (!only_keeps(step))
    for (auto& word : words_of(step)) out.insert(std::move(word));
  if (step.stays != Step::Stays::yes && step.stays != Step::Stays::as_words) return out;
  if (step.stays == Step::Stays::as_words) {
    add_address(step, *step.shape.place, out);
    for (const Word& word : step.words)
      if (word.constant != 0 && !word.reg.empty()) out.insert(word.reg);
    return out;
  }
  out.insert(step.shape.reads.begin(), step.shape.reads.end());
  if (step.shape.place) add_address(step, *step.shape.place, out);
  for (const Source& source : step.shape.from) {
    if (const auto* reg = std::get_if<Reg>(&source)) out.insert(reg->name);
    if (const auto* place = std::get_if<Place>(&source)) add_address(step, *place, out);
  }
  if (step.shape.does == Does::branch && !step.shape.compares) out.insert(flags_name);
  return out;
}

bool looks_at_memory(const Step& step) {
  return std::ranges::any_of(
      step.shape.from, [](const Source& source) { return std::holds_alternative<Place>(source); });
}

/// Whether a step does no more than to write `to` and the flags, all of them, or the frame.
bool only_computes(const Step& step) {
  const Does does = step.shape.does;
  return only_keeps(step) || does == Does::move || does == Does::bits || does == Does::shift ||
         (does == Does::sum && step.shape.writes.empty()) ||
         ((does == Does::compare || does == Does::test) && !step.cell && !looks_at_memory(step));
}

/// Whether a step that only computes is of use before what is `wanted` then. Takes what it writes
/// out of it.
bool is_of_use(const Step& step, std::set<std::string>& wanted) {
  if (only_keeps(step)) {
    std::size_t read = 0;
    for (const auto& word : words_of(step)) read += wanted.erase(word);
    return read > 0;
  }
  const bool result = wanted.erase(step.shape.to) > 0;
  const bool flags = step.shape.sets_flags && wanted.erase(flags_name) > 0;
  return result || flags;
}

/// Goes where nothing that stays is between a jump and where it goes.
void drop_jumps_ahead(std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool jumps = steps[i].stays == Step::Stays::as_jump ||
                       (steps[i].stays == Step::Stays::yes && steps[i].shape.does == Does::jump);
    if (!jumps || steps[i].shape.target <= steps[i].instruction.address) continue;
    std::size_t next = i + 1;
    while (next < steps.size() && steps[next].stays == Step::Stays::no) ++next;
    if (next == steps.size() || steps[next].instruction.address < steps[i].shape.target) continue;
    steps[i].stays = Step::Stays::no;
    steps[i].rule = Rule::unused;
  }
}

} // namespace

std::vector<Step> without_unused(std::vector<Followed> outcomes) {
  std::map<std::uint64_t, std::set<std::string>> live; // before each instruction
  const auto after = [&](const Followed& out) {
    std::set<std::string> wanted;
    for (const std::uint64_t next : out.next) wanted.insert(live[next].begin(), live[next].end());
    return wanted;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto out = outcomes.rbegin(); out != outcomes.rend(); ++out) {
      auto wanted = after(*out);
      const Does does = out->step.shape.does;
      const bool computes = only_computes(out->step);
      if (!computes && (does == Does::load || does == Does::sum)) wanted.erase(out->step.shape.to);
      if (!computes || is_of_use(out->step, wanted)) wanted.merge(read_by(out->step));
      auto& before = live[out->step.instruction.address];
      changed |= before != wanted;
      before = std::move(wanted);
    }
  }
  std::vector<Step> steps;
  for (Followed& out : outcomes) {
    auto wanted = after(out);
    if (out.step.stays == Step::Stays::yes && only_computes(out.step) &&
        !is_of_use(out.step, wanted)) {
      out.step.stays = Step::Stays::no;
      out.step.rule = Rule::unused;
    }
    steps.push_back(std::move(out.step));
  }
  drop_jumps_ahead(steps);
  return steps;
}

} // namespace thinair::lower::jit
