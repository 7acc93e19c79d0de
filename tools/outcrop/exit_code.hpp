// Exit codes: what scripts and job schedulers rely on.
#pragma once

#include "core/error.hpp"

namespace outcrop::tools {

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1;   ///< after the run had started
inline constexpr int refused = 2;  ///< before any output byte
inline constexpr int stopped = 130;
}  // namespace exit_code

inline int code_of_started(const Error& error) {
  return error.code() == Errc::cancelled ? exit_code::stopped : exit_code::failed;
}

}  // namespace outcrop::tools
