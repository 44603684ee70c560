# Writes OUT: one initialiser {"name", R"cat(text)cat"} for each of FILES; names are relative to ROOT.
set(text "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name ${ROOT} ${file})
  file(READ ${file} body)
  string(APPEND text "{\"${name}\", R\"cat(${body})cat\"},\n")
endforeach()
file(WRITE ${OUT} "${text}")
