# Precompiled headers: what most files include is compiled twice (once for each optimization) instead of 250 times.

# ccache shares what it compiled between trees, and each tree has a precompiled header of its own: one or the other.
set(pch_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(pch_default OFF)
endif()
option(THINAIR_PCH "Precompile headers; OFF unless asked for where a compiler launcher (ccache) is used" ${pch_default})

if(THINAIR_PCH)
  # gcc no longer knows that what it inlines comes from a system's header, and warns of copies that cannot be so long
  target_compile_options(thinair_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
endif()

# thinair_precompile(TARGET [QUICK]): to be called when the target has its options.
function(thinair_precompile TARGET)
  if(NOT THINAIR_PCH)
    return()
  endif()
  set(donor thinair_precompiled)
  if("QUICK" IN_LIST ARGN)
    set(donor thinair_precompiled_quick)
  endif()
  if(NOT TARGET ${donor})
    add_library(${donor} STATIC ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
    target_link_libraries(${donor} PRIVATE thinair_options fmt::fmt)
    # without <filesystem>, which brings std::quoted: a call of our own `quoted` would find it
    target_precompile_headers(${donor} PRIVATE <algorithm> <array> <charconv> <chrono> <cstdint> <functional>
      <iterator> <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <utility>
      <variant> <vector> <fmt/format.h>)
    if("QUICK" IN_LIST ARGN)
      target_compile_options(${donor} PRIVATE ${THINAIR_QUICK_BUILD})
    endif()
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${donor})
endfunction()
