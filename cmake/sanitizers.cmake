# OUTCROP_SANITIZE=address adds undefined-behaviour checks; its vptr check trips over oneTBB's flow graph, so it is off.
if(OUTCROP_SANITIZE STREQUAL "address")
  set(outcrop_sanitizer_flags -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
elseif(OUTCROP_SANITIZE STREQUAL "thread")
  set(outcrop_sanitizer_flags -fsanitize=thread -fno-omit-frame-pointer)
elseif(OUTCROP_SANITIZE)
  message(FATAL_ERROR "OUTCROP_SANITIZE is '${OUTCROP_SANITIZE}'; it can be address, thread or empty")
endif()
if(outcrop_sanitizer_flags)
  # The checks that a sanitizer adds make GCC 12 see uninitialised members in the standard library (std::regex).
  list(APPEND outcrop_sanitizer_flags -Wno-maybe-uninitialized)
  target_compile_options(outcrop_flags INTERFACE ${outcrop_sanitizer_flags})
  target_link_options(outcrop_flags INTERFACE ${outcrop_sanitizer_flags})
endif()
