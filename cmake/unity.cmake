# Unity builds: a compiler that is given several files at once reads their headers and makes what their templates need once.

# thinair_unity(TARGET): its files in batches, where THINAIR_UNITY asks for that. What must be compiled alone is marked so
# where its target is made. tests/house/unity_test.cpp holds that no two files of a room are in each other's way.
function(thinair_unity TARGET)
  if(THINAIR_UNITY)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()
