# Tests as ctest entries.

# Sanitizers read their suppressions from the environment; without a sanitizer the variables mean nothing.
set(outcrop_test_environment
  "ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0"
  "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan.supp:second_deadlock_stack=1:allocator_may_return_null=1")
if(OUTCROP_SANITIZE)
  list(APPEND outcrop_test_environment "OUTCROP_SANITIZED=${OUTCROP_SANITIZE}")  # memory and speed are the sanitizer's
endif()

# outcrop_test(ROOM NAME [LABELS ...] [LINKS ...] [TIMEOUT s]): tests/ROOM/NAME_test.cpp as one ctest entry ROOM.NAME.
function(outcrop_test room name)
  cmake_parse_arguments(TEST "" "TIMEOUT" "LABELS;LINKS;SOURCES" ${ARGN})
  set(target test_${room}_${name})
  add_executable(${target} ${CMAKE_SOURCE_DIR}/tests/${room}/${name}_test.cpp ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE outcrop_flags outcrop_test_main ${TEST_LINKS})
  add_test(NAME ${room}.${name} COMMAND ${target})
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  set_tests_properties(${room}.${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} ENVIRONMENT "${outcrop_test_environment}")
endfunction()
