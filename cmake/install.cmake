# What `cmake --install` puts where: the tool with its manual and completion, the library for other programs, documents.
include(GNUInstallDirs)

# thinair_rooms_of(TARGET ROOMS LIBRARIES): adds the rooms that TARGET is made of, itself included, and the libraries
# from outside that they need, by walking what each links.
function(thinair_rooms_of TARGET ROOMS LIBRARIES)
  set(rooms ${${ROOMS}})
  set(libraries ${${LIBRARIES}})
  list(APPEND rooms ${TARGET})
  get_target_property(linked ${TARGET} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS linked)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(NOT library OR library STREQUAL "thinair_options" OR library MATCHES "^::@")
      continue()
    elseif(NOT library MATCHES "^thinair_")
      list(APPEND libraries ${library})
    elseif(NOT library IN_LIST rooms)
      thinair_rooms_of(${library} rooms libraries)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  set(${ROOMS} ${rooms} PARENT_SCOPE)
  set(${LIBRARIES} ${libraries} PARENT_SCOPE)
endfunction()

# thinair_linked_as(LIBRARY DIRECTORY NAME): how a program links a library from outside: -LDIRECTORY -lNAME.
function(thinair_linked_as LIBRARY DIRECTORY NAME)
  set(file ${LIBRARY})
  if(TARGET ${LIBRARY})
    get_target_property(file ${LIBRARY} LOCATION)
  endif()
  get_filename_component(directory ${file} DIRECTORY)
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "^lib(.*)\\.(so|a)(\\..*)?$" "\\1" name ${name})
  # libLLVM.so.19.1 is called libLLVM-19.so by those who link it
  if(LIBRARY STREQUAL "LLVM" AND EXISTS ${directory}/libLLVM-${LLVM_VERSION_MAJOR}.so)
    set(name LLVM-${LLVM_VERSION_MAJOR})
  endif()
  set(${DIRECTORY} ${directory} PARENT_SCOPE)
  set(${NAME} ${name} PARENT_SCOPE)
endfunction()

# One archive of all rooms: objects are taken from the rooms' own, so a new room is in it by itself.
thinair_rooms_of(thinair_library rooms libraries)
set(objects "")
foreach(room IN LISTS rooms)
  get_target_property(kind ${room} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:${room}>)
  endif()
endforeach()
add_library(thinair_archive STATIC ${objects})
set_target_properties(thinair_archive PROPERTIES OUTPUT_NAME thinair LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/library)

# What comes with the archive: names and places of other libraries, for pkg-config and for CMake.
set(THINAIR_LIBS "")
set(THINAIR_REQUIRED "")
foreach(library IN LISTS libraries)
  if(library STREQUAL "Threads::Threads")
    continue()
  endif()
  thinair_linked_as(${library} directory name)
  if(NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES AND NOT directory IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(APPEND THINAIR_LIBS " -L${directory}")
  endif()
  string(APPEND THINAIR_LIBS " -l${name}")
  string(APPEND THINAIR_REQUIRED "thinair_require(${name} ${directory})\n")
endforeach()
string(APPEND THINAIR_LIBS " -pthread")
set(generated ${PROJECT_BINARY_DIR}/generated/install)
file(RELATIVE_PATH THINAIR_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(${PROJECT_SOURCE_DIR}/cmake/thinair.pc.in ${generated}/thinair.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/thinairConfig.cmake.in ${generated}/thinairConfig.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${generated}/thinairConfigVersion.cmake COMPATIBILITY SameMinorVersion)

# The manual and the completion are what the tool prints of itself.
set(papers "")
foreach(paper "thinair.1;man" "thinair.bash;completion;bash" "_thinair;completion;zsh")
  list(POP_FRONT paper file)
  add_custom_command(OUTPUT ${generated}/${file} DEPENDS thinair ${PROJECT_SOURCE_DIR}/cmake/output.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:thinair> "-DWORDS=${paper}" -DOUT=${generated}/${file}
            -P ${PROJECT_SOURCE_DIR}/cmake/output.cmake)
  list(APPEND papers ${generated}/${file})
endforeach()
add_custom_target(thinair_papers ALL DEPENDS ${papers})

# component tool: what users run; component development: what programs that use the library need
install(TARGETS thinair RUNTIME COMPONENT tool)
install(FILES ${generated}/thinair.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
install(FILES ${generated}/thinair.bash RENAME thinair COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_thinair DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tool)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/thinair/models COMPONENT tool FILES_MATCHING PATTERN *.cat)
install(DIRECTORY lower/schemes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/thinair/schemes COMPONENT tool
  FILES_MATCHING PATTERN *.scheme)
install(DIRECTORY corpus DESTINATION ${CMAKE_INSTALL_DATADIR}/thinair COMPONENT tool)
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool FILES_MATCHING PATTERN *.md)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT tool)

install(TARGETS thinair_archive ARCHIVE COMPONENT development)
install(FILES include/thinair/thinair.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/thinair COMPONENT development)
install(FILES ${generated}/thinair.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES ${generated}/thinairConfig.cmake ${generated}/thinairConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thinair COMPONENT development)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libthinair-dev/examples COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libthinair-dev RENAME copyright COMPONENT development)
