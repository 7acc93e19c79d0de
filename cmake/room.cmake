# outcrop_room(NAME SOURCES ... LINKS ... SYSTEM ...): a static library for one room of the house.
#   LINKS   rooms and libraries that users of this room's headers need too
#   PRIVATE libraries that only its own .cpp files see
function(outcrop_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS;PRIVATE" ${ARGN})
  add_library(outcrop_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(outcrop_${name} PUBLIC ${ROOM_LINKS} PRIVATE outcrop_flags ${ROOM_PRIVATE})
  target_include_directories(outcrop_${name} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()
