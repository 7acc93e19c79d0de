# outcrop_flags: what every translation unit of ours is compiled with. Libraries' headers come in as system headers.
add_library(outcrop_flags INTERFACE)
target_compile_options(outcrop_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual
  -Wno-psabi        # packs wider than a register are passed by value only between inlined functions
  -Wno-restrict     # GCC 12 reports it falsely on "text" + std::string
  -fno-math-errno)
if(OUTCROP_WERROR)
  target_compile_options(outcrop_flags INTERFACE -Werror)
endif()
if(OUTCROP_ASSERTS OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(outcrop_flags INTERFACE OUTCROP_ASSERTS)
endif()
if(OUTCROP_COVERAGE)
  target_compile_options(outcrop_flags INTERFACE --coverage)
  target_link_options(outcrop_flags INTERFACE --coverage)
endif()
target_include_directories(outcrop_flags INTERFACE ${CMAKE_SOURCE_DIR})
