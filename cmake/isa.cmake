# outcrop_isa_sources(TARGET SOURCES ...): compiles host kernels once per instruction set in OUTCROP_ISA and links the
# objects into TARGET. Each copy sits in its own namespace (OUTCROP_ISA), so that no inline function of a newer set can be
# picked by the linker for an older machine.
set(outcrop_isa_flags_baseline "")
set(outcrop_isa_flags_v3 -march=x86-64-v3)
set(outcrop_isa_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)

function(outcrop_isa_sources target)
  cmake_parse_arguments(ISA "" "" "SOURCES" ${ARGN})
  foreach(set IN LISTS OUTCROP_ISA)
    if(NOT DEFINED outcrop_isa_flags_${set})
      message(FATAL_ERROR "OUTCROP_ISA names '${set}'; known are baseline, v3 and v4")
    endif()
    add_library(${target}_${set} OBJECT ${ISA_SOURCES})
    target_compile_definitions(${target}_${set} PRIVATE OUTCROP_ISA=isa_${set})
    target_compile_options(${target}_${set} PRIVATE ${outcrop_isa_flags_${set}})
    target_link_libraries(${target}_${set} PRIVATE outcrop_flags outcrop_core outcrop_model)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${set}>)
    string(TOUPPER ${set} upper)
    target_compile_definitions(${target} PRIVATE OUTCROP_HAS_ISA_${upper})
  endforeach()
endfunction()
