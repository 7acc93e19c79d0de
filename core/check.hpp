// Checks of outcrop's own invariants. A user's mistake is not an invariant: that is fail() with a sentence.
#pragma once

#include "core/error.hpp"

/// Always on. `text` is evaluated only when the condition is false.
#define OUTCROP_EXPECT(condition, text)                                   \
  do {                                                                    \
    if (!(condition)) ::outcrop::fail(::outcrop::Errc::internal, (text)); \
  } while (false)

/// On in debug and relassert builds only: for the inner loops.
#if defined(OUTCROP_ASSERTS)
#define OUTCROP_ASSERT(condition) OUTCROP_EXPECT(condition, "assertion failed: " #condition)
#else
#define OUTCROP_ASSERT(condition) static_cast<void>(0)
#endif
