// The Java programs of our own that work inside a JVM beside jcstress, as sources.
#pragma once

#include <span>
#include <string_view>

namespace thinair::runners::jcstress {

struct Helper {
  std::string_view file; // below the directory of sources
  std::string_view text;
};

/// thinair.Driver runs jcstress's generated runners one after the other in one JVM and writes what
/// each of them counts; thinair.Reader prints the results of jcstress's command line. Both write
/// the same lines (records.h).
std::span<const Helper> helpers();

/// A topology of so many processors, for jcstress's command line, which otherwise leaves out tests
/// with more actors than there are processors.
Helper topology();
inline constexpr int topology_processors = 4;

} // namespace thinair::runners::jcstress
