# thinair_embed(ROOM DIR PATTERN...): the files of a room (its DIR from the root, patterns from there) that the program
# carries with it, as it needs none at run time. The room includes them as "DIR/embedded.inc": {"name", "text"} in the
# order of their names, which begin behind the folder of the first pattern.
function(thinair_embed ROOM DIR)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  list(GET patterns 0 first)
  get_filename_component(folder ${first} DIRECTORY)
  set(written ${PROJECT_BINARY_DIR}/generated/${DIR}/embedded.inc)
  set(writer ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(OUTPUT ${written}
    COMMAND ${CMAKE_COMMAND} -DOUT=${written} "-DFILES=${files}" -DROOT=${folder} -P ${writer}
    DEPENDS ${files} ${writer} VERBATIM)
  target_sources(thinair_${ROOM} PRIVATE ${written})
endfunction()
