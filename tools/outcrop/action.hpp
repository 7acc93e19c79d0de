// Action: what a command does once its arguments are parsed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/run_state.hpp"

namespace outcrop::tools {

/// What the program was started with.
struct Invocation {
  std::vector<std::string> command_line;
  double exec_s = 0;  ///< wall_s() when the process was started
  const pipeline::StopSignal& stop;
};

/// Gives the exit code. Throws what refuses the command before its first output byte.
using Action = std::function<int(const Invocation&)>;

}  // namespace outcrop::tools
