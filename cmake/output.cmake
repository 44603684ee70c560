# Writes to OUT what TOOL prints when it is run with WORDS.
execute_process(COMMAND ${TOOL} ${WORDS} OUTPUT_FILE ${OUT} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  file(REMOVE ${OUT})
  message(FATAL_ERROR "${TOOL} ${WORDS}: exit status ${status}")
endif()
