// Lays objects out as JVMs do, without their headers.
#include "lower/jit/inside.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "lower/runtime.h"

#include <algorithm>
#include <charconv>

namespace thinair::lower::jit {
namespace {

constexpr std::int64_t word = 4;

bool uses_fields(const litmus::Expression& e) {
  return e.field || std::ranges::any_of(e.arguments, uses_fields);
}

} // namespace

bool looks_inside(const litmus::Program& program) {
  bool found = false;
  for (const litmus::Class& each : program.classes)
    found = found || std::ranges::any_of(each.fields, &litmus::Field::is_final);
  for (const litmus::Thread& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      found = found || (access != nullptr && access->field);
      litmus::for_each_expression(
          statement, [&](const litmus::Expression& e) { found = found || uses_fields(e); });
    });
  return found;
}

bool has_own_class(const litmus::Program& program) {
  return looks_inside(program) || features(program).types;
}

std::vector<ObjectPlace> places_of(const Compilation& compilation) {
  std::vector<ObjectPlace> out;
  if (compilation.fields.empty()) return out;
  const auto& source = compilation.source;
  auto next = static_cast<std::uint32_t>(source.locations.size());
  for (std::size_t i = 0; i < source.objects.size(); ++i) {
    ObjectPlace place;
    place.fields = compilation.fields.at(source.objects[i].of.value);
    const auto [least, greatest] = std::ranges::minmax(place.fields);
    place.first = least;
    place.words = static_cast<std::uint32_t>((greatest - least) / word) + 1;
    place.address =
        static_cast<litmus::Value>(litmus::address_of(litmus::LocationId(next))) - least;
    place.line = compilation.lines.at(i);
    place.of = compilation.classes.at(source.objects[i].of.value);
    next += place.words;
    out.push_back(std::move(place));
  }
  return out;
}

litmus::LocationId first_cell(const ObjectPlace& place) {
  const auto cell = litmus::scalar_at(static_cast<std::uint64_t>(place.address + place.first));
  THINAIR_CHECK(cell.has_value(), "an object without a place");
  return *cell;
}

std::vector<litmus::Cell> cells_of(const Compilation& compilation, Legal legal) {
  auto cells = lower::cells_of(compilation.source, legal);
  const auto places = places_of(compilation);
  for (std::uint32_t i = 0; i < places.size(); ++i)
    add_object(cells, compilation.source, litmus::ObjectId(i),
               std::vector<litmus::Type>(places[i].words), legal);
  return cells;
}

std::vector<std::vector<litmus::LocationId>> fields_of(const Compilation& compilation) {
  std::vector<std::vector<litmus::LocationId>> out;
  auto next = static_cast<std::uint32_t>(compilation.source.locations.size());
  for (const ObjectPlace& place : places_of(compilation)) {
    auto& fields = out.emplace_back();
    for (const std::int64_t offset : place.fields)
      fields.emplace_back(next + static_cast<std::uint32_t>((offset - place.first) / word));
    next += place.words;
  }
  return out;
}

std::uint32_t line_of_new(std::string_view note) {
  constexpr std::string_view made = "*new {", frame = "; - ", line = "(line ";
  const auto begin = note.find(made);
  const auto at = begin == std::string_view::npos ? begin : note.find(frame, begin);
  if (at == std::string_view::npos) return 0;
  note.remove_prefix(at + frame.size());
  note = note.substr(0, note.find(frame));
  const auto number = note.find(line);
  if (number == std::string_view::npos || note.starts_with("java.")) return 0;
  note.remove_prefix(number + line.size());
  std::uint32_t out = 0;
  const auto end = std::from_chars(note.data(), note.data() + note.size(), out);
  return end.ec == std::errc() ? out : 0;
}

} // namespace thinair::lower::jit
