// Lays objects out as JVMs do, without their headers.
#include "lower/jit/inside.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "lower/runtime.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace thinair::lower::jit {
namespace {

constexpr unsigned widest = 8;

bool uses_fields(const litmus::Expression& e) {
  return e.field || std::ranges::any_of(e.arguments, uses_fields);
}

} // namespace

bool looks_inside(const litmus::Program& program) {
  bool found = features(program).arrays;
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

namespace {

using litmus::Width;

/// Cells of at most eight bytes from one offset to another.
void fill(std::int64_t from, std::int64_t to, const ObjectPlace& place,
          std::vector<litmus::Type>& cells) {
  while (from < to) {
    unsigned bytes = widest;
    while ((from - place.first) % bytes != 0 || from + bytes > to) bytes /= 2;
    cells.push_back({static_cast<Width>(bytes), false});
    from += bytes;
  }
}

/// The first cell lies where the widest field could.
void place_cells(const std::vector<litmus::Type>& types, ObjectPlace& place) {
  std::vector<std::size_t> order(place.fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t f) { return place.fields[f].offset; });
  const unsigned wide =
      std::ranges::max_element(place.fields, {}, &ObjectPlace::Field::bytes)->bytes;
  place.first = place.fields[order.front()].offset / wide * wide;
  std::int64_t end = place.first;
  for (const std::size_t f : order) {
    ObjectPlace::Field& field = place.fields[f];
    if (field.offset < end || field.offset % field.bytes != 0)
      throw Unsupported("fields of objects that overlap");
    fill(end, field.offset, place, place.cells);
    field.cell = static_cast<std::uint32_t>(place.cells.size());
    place.cells.push_back(types[f]);
    end = field.offset + field.bytes;
  }
}

void place_fields(const std::vector<litmus::Type>& types, const std::vector<std::int64_t>& offsets,
                  ObjectPlace& place) {
  for (std::size_t f = 0; f < offsets.size(); ++f)
    place.fields.push_back({offsets[f], static_cast<unsigned>(types.at(f).width), 0});
  place_cells(types, place);
}

/// The length is a cell as well: who compares an index with it reads it.
void place_elements(std::uint32_t length, litmus::Type type,
                    const std::vector<std::int64_t>& offsets, ObjectPlace& place) {
  std::vector<litmus::Type> types(length, type);
  const auto bytes = static_cast<unsigned>(type.width);
  for (std::uint32_t f = 0; f < length; ++f)
    place.fields.push_back({offsets.at(0) + std::int64_t{f} * bytes, bytes, 0});
  place.fields.push_back({offsets.at(1), 4, 0});
  types.emplace_back();
  place_cells(types, place);
  place.length = place.fields.back();
  place.fields.pop_back();
}

} // namespace

std::vector<ObjectPlace> places_of(const Compilation& compilation) {
  std::vector<ObjectPlace> out;
  if (compilation.fields.empty()) return out;
  const auto& source = compilation.source;
  auto next = static_cast<std::uint32_t>(source.locations.size());
  for (std::size_t i = 0; i < source.objects.size(); ++i) {
    ObjectPlace place;
    std::vector<litmus::Type> types;
    for (const litmus::Field& field : source.classes[source.objects[i].of.value].fields)
      types.push_back(cell_type(field.type));
    const auto& offsets = compilation.fields.at(source.objects[i].of.value);
    if (source.classes[source.objects[i].of.value].is_array)
      place_elements(source.objects[i].length, types.at(0), offsets, place);
    else
      place_fields(types, offsets, place);
    place.address =
        static_cast<litmus::Value>(litmus::address_of(litmus::LocationId(next))) - place.first;
    place.line = compilation.lines.at(i);
    place.of = compilation.classes.at(source.objects[i].of.value);
    next += static_cast<std::uint32_t>(place.cells.size());
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
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::size_t first = cells.size();
    add_object(cells, compilation.source, litmus::ObjectId(i), places[i].cells, legal);
    if (const auto& length = places[i].length)
      cells[first + length->cell].initial = compilation.source.objects[i].length;
  }
  return cells;
}

std::vector<std::vector<litmus::LocationId>> fields_of(const Compilation& compilation) {
  std::vector<std::vector<litmus::LocationId>> out;
  auto next = static_cast<std::uint32_t>(compilation.source.locations.size());
  for (const ObjectPlace& place : places_of(compilation)) {
    auto& fields = out.emplace_back();
    for (const auto& field : place.fields) fields.emplace_back(next + field.cell);
    next += static_cast<std::uint32_t>(place.cells.size());
  }
  return out;
}

std::vector<std::int64_t> elements_of(litmus::JavaType element, const Layout& layout) {
  constexpr std::int64_t length_bytes = 4;
  if (layout.result.empty()) throw Unsupported("arrays in a JVM of which no header is known");
  const std::int64_t header = *std::ranges::min_element(layout.result);
  const auto first =
      litmus::aligned(static_cast<std::uint64_t>(header + length_bytes), cell_type(element).width);
  return {static_cast<std::int64_t>(first), header};
}

std::uint32_t line_of_new(std::string_view note) {
  constexpr std::string_view frame = "; - ", line = "(line ";
  auto begin = std::string_view::npos;
  for (const std::string_view made : {"*new {", "*newarray {", "*anewarray {"})
    begin = std::min(begin, note.find(made));
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
