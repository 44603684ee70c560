// What kind of programs the generator draws: weights and bounds, read from a small text.
#pragma once

#include "litmus/constructs.h"
#include "litmus/text/source.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::gen {

/// Weights are relative within their group; 0 leaves a thing out. One table (profile.cpp) names
/// each in profile files.
struct Profile {
  std::string name;

  // how a program is drawn
  std::uint32_t cycles = 0, mutations = 0, noise = 0, publications = 0;

  // how large it may be
  std::uint32_t max_threads = 4, max_accesses = 10, max_locations = 3;

  // modes of single reads and writes; `mixed_modes`: in how many of 100 programs each access draws
  // for itself
  std::uint32_t plain = 0, opaque = 0, acquire_release = 0, volatile_ = 0;
  std::uint32_t mixed_modes = 50;

  // of 100: read-modify-writes instead of plain reads or writes, and which
  std::uint32_t rmw = 0;
  std::uint32_t get_and_set = 0, get_and_add = 0, get_and_bitwise = 0, compare_and_exchange = 0,
                compare_and_set = 0, weak_compare_and_set = 0;

  // of 100 read-modify-writes: the result is not used, which compilers make other code of
  std::uint32_t unused = 0;

  // of 100: what stands between two accesses of a thread
  std::uint32_t fence = 0, data_dependency = 0, control_dependency = 0, false_dependency = 0;

  // of 100: same-location neighbours (read what was just written, …) added to a cycle's thread, and
  // the largest constant
  std::uint32_t internal = 0;
  std::uint32_t max_constant = 2;

  // of 100 constants written: one at the edge of a byte, a word or an int
  std::uint32_t wide = 0;

  // of 100 locations: one of another type than int
  std::uint32_t types = 0;
  // of 100 such: a float or a double
  std::uint32_t floats = 0;

  // of 100 threads: statements under a monitor; of 100 such sections: another one inside
  std::uint32_t monitor = 0, nested = 0;
  // of 100 threads but the first: one before it starts it, waits for its end
  std::uint32_t start = 0, join = 0;
  // of 100 reads: what was read is printed
  std::uint32_t print = 0;
  // of publications, of 100 each: fields that are final; constructors that let others see `this`;
  // objects that refer to another one; objects that are made by who finds none (double-checked
  // locking, by compare-and-set but for those under a monitor); reads through a reference that may
  // be null
  std::uint32_t final_fields = 0, leaks = 0, chains = 0, lazy = 0, locked = 0, unchecked = 0;
  // of 100 publications: of an array; in `chains` of 100 its elements are references
  std::uint32_t arrays = 0;

  friend bool operator==(const Profile&, const Profile&) = default;
};

/// Embedded profiles: java5, varhandle, rmw, coherence, thinair, jvm, compilers, monitors, objects,
/// final, arrays, widths, floats. Or a file by path. Throws InputError with the place and the
/// nearest key.
Profile load_profile(std::string_view name_or_path);

/// The profile without what draws anything else than `constructs`: such weights are 0.
Profile restricted(Profile profile, litmus::Constructs constructs);

/// What to draw for models that give a meaning to these: the first of the embedded profiles `names`
/// that draws nothing else, or else the first one, restricted.
Profile profile_for(litmus::Constructs constructs, std::span<const std::string_view> names);

Profile parse_profile(const text::Source& source);
std::string print(const Profile& profile);
std::span<const Profile> profiles(); // the embedded ones

/// What an embedded profile draws, in one line: what its file begins with.
std::string about(const Profile& embedded);

} // namespace thinair::gen
